import { NotText } from "../../domain/upload/received-text.ts"
import { IS_COMPILED } from "../../files/is-compiled.ts"
import { nextTurn } from "../../next-turn.ts"
import type { FromThread } from "./workbook-thread.ts"

// The build names it as an entry point, by its path below src.
const THREAD = new URL(IS_COMPILED ? "./doors/http/workbook-thread.ts" : "./workbook-thread.ts", import.meta.url)

const SECONDS_MAX = 30
// A hundred thousand rows of ten cells have less. What a file says of its parts is what they are unpacked to at most.
const UNPACKED_BYTES_MAX = 100_000_000
const ZIP = Buffer.from([0x50, 0x4b, 3, 4])
const NOT_READ = "This workbook could not be read. In Excel, choose Save As and the type CSV, then upload that."

/** The bytes of a file as they come; of an Excel workbook, those of its sheet as CSV. Throws `NotText` for one that cannot be read. */
export async function* withoutWorkbook(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  const start: Uint8Array[] = []
  let isWorkbook: boolean | undefined
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (isWorkbook === false) yield chunk
    else start.push(chunk)
    if (isWorkbook === undefined && bytes >= ZIP.length) {
      isWorkbook = Buffer.concat(start).subarray(0, ZIP.length).equals(ZIP)
      if (!isWorkbook) yield* start.splice(0)
    }
    if (isWorkbook && bytes > bytesMax) throw new NotText("This workbook is too large. Save its sheet as CSV.")
  }
  if (!isWorkbook) return yield* start
  const csv = Buffer.from(await inTurn(Buffer.concat(start)))
  for (let from = 0; from < csv.length; from += PIECE_BYTES) {
    yield csv.subarray(from, from + PIECE_BYTES)
    await nextTurn()
  }
}

// Read in a millisecond or two.
const PIECE_BYTES = 65_536
let before: Promise<unknown> = Promise.resolve()

/** One after the other: each takes several times its size in memory. */
function inTurn(workbook: Buffer): Promise<string> {
  const reading = before.then(() => csvOf(workbook))
  before = reading.catch(() => undefined)
  return reading
}

async function csvOf(workbook: Buffer): Promise<string> {
  if (unpackedBytes(workbook) > UNPACKED_BYTES_MAX)
    throw new NotText("This workbook is too large. Save its sheet as CSV.")
  const worker = new Worker(THREAD.href, { smol: true, ref: false })
  try {
    const answer = await new Promise<FromThread>((resolve) => {
      const failed = () => resolve({ problem: "" })
      setTimeout(failed, SECONDS_MAX * 1_000).unref()
      worker.onmessage = ({ data }: MessageEvent<FromThread>) => resolve(data)
      worker.onerror = failed
      const bytes = workbook.buffer.slice(workbook.byteOffset, workbook.byteOffset + workbook.length) as ArrayBuffer
      worker.postMessage(bytes, [bytes])
    })
    if ("csv" in answer) return answer.csv
    throw new NotText(answer.problem || NOT_READ)
  } finally {
    worker.terminate()
  }
}

const ENTRY = Buffer.from([0x50, 0x4b, 1, 2])
const SIZE_AT = 24

/** What the parts of a ZIP file say that they are unpacked. */
function unpackedBytes(zip: Buffer): number {
  let sum = 0
  for (let at = zip.indexOf(ENTRY); at >= 0 && at + SIZE_AT + 4 <= zip.length; at = zip.indexOf(ENTRY, at + 4))
    sum += zip.readUInt32LE(at + SIZE_AT)
  return sum
}
