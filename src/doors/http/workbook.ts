import { NotText } from "../../domain/upload/received-text.ts"
import type { Sheet } from "../../domain/upload/upload.ts"
import { IS_COMPILED } from "../../files/is-compiled.ts"
import type { FromThread } from "./workbook-thread.ts"

// The build names it as an entry point, by its path below src.
const THREAD = new URL(IS_COMPILED ? "./doors/http/workbook-thread.ts" : "./workbook-thread.ts", import.meta.url)

const SECONDS_MAX = 30
// More than the largest file takes that we read.
const MEMORY_BYTES_MAX = 512 * 1_048_576
const MEMORY_WATCHED_MS = 20
const ZIP = Buffer.from([0x50, 0x4b, 3, 4])
const NOT_READ = "This workbook could not be read. In Excel, choose Save As and the type CSV, then upload that."

export const isWorkbook = (bytes: Buffer): boolean => bytes.subarray(0, ZIP.length).equals(ZIP)

let before: Promise<unknown> = Promise.resolve()

/**
 * The sheets of a workbook as CSV. One workbook after the other, however small it is: what it unpacks to is known only then. Throws `NotText`
 * for one that cannot be read.
 */
export function sheetsOf(bytes: Buffer): Promise<readonly Sheet[]> {
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
