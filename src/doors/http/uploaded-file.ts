import { UPLOAD_BYTES_MAX } from "../../domain/limits.ts"
import { encodingsOf, NotText, refuseOtherFiles, textSlices } from "../../domain/upload/received-text.ts"
import type { Sheet } from "../../domain/upload/upload.ts"
import { nextTurn } from "../../next-turn.ts"
import { isWorkbook, sheetsOf } from "./workbook.ts"

/** All bytes of a file; null where there are more than it may have. `length` is what was announced: the chunks are copied there, and freed. */
export async function allBytes(chunks: AsyncIterable<Uint8Array>, length: number): Promise<Buffer | null> {
  const all = Buffer.allocUnsafeSlow(Math.min(length, UPLOAD_BYTES_MAX))
  let bytes = 0
  for await (const chunk of chunks) {
    if (bytes + chunk.length > all.length) return null
    all.set(chunk, bytes)
    bytes += chunk.length
  }
  return all.subarray(0, bytes)
}

/** The texts in a file: its own, or those of the sheets of a workbook as CSV. Throws `NotText` for one that cannot be read. */
export async function sheetsIn(bytes: Buffer): Promise<readonly Sheet[]> {
  return isWorkbook(bytes) ? sheetsOf(bytes) : [{ name: "", text: await textOf(bytes) }]
}

/** Others are served while it is decoded. */
async function textOf(bytes: Uint8Array): Promise<string> {
  refuseOtherFiles(bytes)
  for (const encoding of encodingsOf(bytes)) {
    try {
      let text = ""
      for (const slice of textSlices(bytes, encoding)) {
        text += slice
        await nextTurn()
      }
      return text
    } catch (cause) {
      // Not in this encoding.
      if (!(cause instanceof TypeError)) throw cause
    }
  }
  throw new NotText("This is not a text file. Save it as CSV, then upload that.")
}

// A smaller one takes some megabytes of memory, and a few milliseconds at a time.
const LARGE_BYTES = 1_048_576

let before: Promise<unknown> = Promise.resolve()

/**
 * Works on a file. Large ones are worked on one after the other, and what was left of the one before is collected first: each takes several
 * times its size in memory.
 */
export function workOnFile<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
  if (bytes < LARGE_BYTES) return work()
  const working = before.then(() => {
    Bun.gc(true)
    return work()
  })
  before = working.catch(() => undefined)
  return working
}
