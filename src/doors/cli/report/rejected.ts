import { stringify } from "csv-stringify/sync"
import { type Io, ReaderGone } from "../io.ts"
import { fileInProgress } from "../write-fully.ts"
import type { RowOutcome } from "./feeds.ts"
import type { Row } from "./rows.ts"

const ADDED = ["row", "reason", "message"]

/** Writes rejected rows as they come, so that memory does not grow with the file. */
export interface RejectedRows extends Disposable {
  add(header: readonly string[], row: Row, outcome: RowOutcome): void
  /** Gives the file its name, if there is one. Without this, an earlier file of that name stays. */
  keep(): void
}

/** Rejected rows as CSV, with the reason in extra columns. The corrected file can be sent again: unknown columns are ignored. */
function csvOf(write: (text: string) => void): RejectedRows["add"] {
  let begun = false
  return (header, { number, cells }, { reason = "", message = "" }) => {
    // A corrected file that is rejected again already has our columns.
    const columns = header.flatMap((name, i) => (ADDED.includes(name) ? [] : [i]))
    const row = [...columns.map((i) => cells[i] ?? ""), String(number), reason, message]
    write(stringify(begun ? [row] : [[...columns.map((i) => header[i] ?? ""), ...ADDED], row]))
    begun = true
  }
}

/** Writes to standard output. When its reader is gone, sending continues. */
export function rejectedToOutput(io: Io): RejectedRows {
  let isRead = true
  const write = (text: string) => {
    // Clears the progress bar on the same terminal; the next response draws it again.
    if (io.outIsTerminal && io.isTerminal) io.drawLine("")
    try {
      if (isRead) io.out(text)
    } catch (cause) {
      if (!(cause instanceof ReaderGone)) throw cause
      isRead = false
    }
  }
  return { add: csvOf(write), keep() {}, [Symbol.dispose]() {} }
}

/** Drops the rows: standard output is used for something else. */
export function rejectedDropped(): RejectedRows {
  return { add() {}, keep() {}, [Symbol.dispose]() {} }
}

/** Writes to a file that gets its name, and replaces an earlier one, once it is complete. */
export function rejectedToFile(path: string): RejectedRows {
  // It has no secrets, so the umask decides who may read it.
  const file = fileInProgress(path, 0o666)
  return { add: csvOf(file.write), keep: file.keep, [Symbol.dispose]: () => file[Symbol.dispose]() }
}
