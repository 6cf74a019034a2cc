import { createWriteStream } from "node:fs"
import { stringify } from "csv-stringify/sync"
import type { Io } from "../io.ts"
import type { RowOutcome } from "./feeds.ts"
import type { Row } from "./read-rows.ts"

const ADDED = ["row", "reason", "message"]

/** Takes the rejected rows as they come; a file of any size takes the same memory. */
export interface RejectedRows extends AsyncDisposable {
  add(row: Row, outcome: RowOutcome): void
}

/** A CSV of the rejected rows as they were, with why. Mended, it can be sent as it is: unknown columns are ignored. */
function rejectedRows(
  header: readonly string[],
  write: (text: string) => void,
  close: () => Promise<void>,
): RejectedRows {
  // A file that was mended and is rejected again has our columns already.
  const kept = header.flatMap((name, i) => (ADDED.includes(name) ? [] : [i]))
  const names = [...kept.map((i) => header[i] ?? ""), ...ADDED]
  let begun = false
  return {
    add({ number, cells }, { reason = "", message = "" }) {
      const row = [...kept.map((i) => cells[i] ?? ""), String(number), reason, message]
      write(stringify(begun ? [row] : [names, row]))
      begun = true
    },
    [Symbol.asyncDispose]: close,
  }
}

/** To standard output, or nowhere when that is taken by something else. */
export function rejectedToOutput(header: readonly string[], io: Io, isTaken: boolean): RejectedRows {
  return rejectedRows(
    header,

    (text) => (isTaken ? undefined : io.out(text)),
    async () => undefined,
  )
}

export function rejectedToFile(header: readonly string[], path: string): RejectedRows {
  const file = createWriteStream(path)
  const broken = new Promise<never>((_, reject) => file.once("error", reject))
  broken.catch(() => undefined)
  const ended = () => new Promise<void>((resolve) => file.end(resolve))
  return rejectedRows(
    header,
    (text) => void file.write(text),
    async () => void (await Promise.race([ended(), broken])),
  )
}
