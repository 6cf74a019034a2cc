import { NotText, textOf } from "../../domain/upload/received-text.ts"
import type { Sheet } from "../../domain/upload/upload.ts"
import { IS_COMPILED } from "../../files/is-compiled.ts"
import type { FromThread } from "./workbook-thread.ts"

// The build names it as an entry point, by its path below src.
const THREAD = new URL(IS_COMPILED ? "./doors/http/workbook-thread.ts" : "./workbook-thread.ts", import.meta.url)

const SECONDS_MAX = 30
// More than the largest file takes that we read.
const MEMORY_BYTES_MAX = 512 * 1_048_576
const MEMORY_WATCHED_MS = 20
// Decoded in a millisecond or two.
const SMALL_BYTES = 262_144
const ZIP = Buffer.from([0x50, 0x4b, 3, 4])
const NOT_READ = "This workbook could not be read. In Excel, choose Save As and the type CSV, then upload that."

/** All bytes of a file; null where there are more than it may have. */
export async function allBytes(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer | null> {
  const all: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > bytesMax) return null
    all.push(chunk)
  }
  return Buffer.concat(all)
}

/** The texts in a file: its own, or those of the sheets of a workbook as CSV. Throws `NotText` for one that cannot be read. */
export async function sheetsIn(bytes: Buffer): Promise<readonly Sheet[]> {
  const isWorkbook = bytes.subarray(0, ZIP.length).equals(ZIP)
  return isWorkbook || bytes.length > SMALL_BYTES ? inTurn(bytes) : [{ name: "", text: textOf(bytes) }]
}

let before: Promise<unknown> = Promise.resolve()

/** One after the other: each takes several times its size in memory. */
function inTurn(bytes: Buffer): Promise<readonly Sheet[]> {
  const reading = before.then(() => inThread(bytes))
  before = reading.catch(() => undefined)
  return reading
}

async function inThread(bytes: Buffer): Promise<readonly Sheet[]> {
  const worker = new Worker(THREAD.href, { smol: true, ref: false })
  const began = process.memoryUsage.rss()
  const { promise, resolve } = Promise.withResolvers<FromThread>()
  const failed = () => resolve({ problem: "" })
  const tooLong = setTimeout(failed, SECONDS_MAX * 1_000)
  const watching = setInterval(() => {
    if (process.memoryUsage.rss() - began > MEMORY_BYTES_MAX) failed()
  }, MEMORY_WATCHED_MS)
  try {
    worker.onmessage = ({ data }: MessageEvent<FromThread>) => resolve(data)
    worker.onerror = failed
    const copy = new Uint8Array(bytes)
    worker.postMessage(copy, [copy.buffer])
    const answer = await promise
    if ("sheets" in answer) return answer.sheets
    throw new NotText(answer.problem || NOT_READ)
  } finally {
    clearTimeout(tooLong)
    clearInterval(watching)
    worker.terminate()
  }
}
