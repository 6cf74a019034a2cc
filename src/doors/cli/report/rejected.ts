import { closeSync } from "node:fs"
import { join } from "node:path"
import { stringify } from "csv-stringify/sync"
import { folderBeside, openNewFile, replaceable, settleAs } from "../../../files/new-file.ts"
import { type Io, ReaderGone } from "../io.ts"
import { writeFully } from "../write-fully.ts"
import type { RowOutcome } from "./feeds.ts"
import type { Row } from "./read-rows.ts"

const ADDED = ["row", "reason", "message"]

/** Takes the rejected rows as they come; a file of any size takes the same memory. */
export interface RejectedRows extends Disposable {
  add(header: readonly string[], row: Row, outcome: RowOutcome): void
  /** Where there is a file: gives it its name. Without this, whatever had that name stays. */
  keep(): void
}

/** A CSV of the rejected rows as they were, with why. Corrected, it can be sent as it is: unknown columns are ignored. */
function csvOf(write: (text: string) => void): RejectedRows["add"] {
  let begun = false
  return (header, { number, cells }, { reason = "", message = "" }) => {
    // A file that was corrected and is rejected again has our columns already.
    const kept = header.flatMap((name, i) => (ADDED.includes(name) ? [] : [i]))
    const row = [...kept.map((i) => cells[i] ?? ""), String(number), reason, message]
    write(stringify(begun ? [row] : [[...kept.map((i) => header[i] ?? ""), ...ADDED], row]))
    begun = true
  }
}

/** To standard output. They are a by-product: when nobody reads them any more, sending goes on. */
export function rejectedToOutput(io: Io): RejectedRows {
  let isRead = true
  const write = (text: string) => {
    // Where the bar is on the same terminal, it makes room, and is back with the next answer.
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

/** Nowhere: standard output is taken by something else. */
export function rejectedToNobody(): RejectedRows {
  return { add() {}, keep() {}, [Symbol.dispose]() {} }
}

/** To a file that takes its name, and the place of an earlier one, when all is written. */
export function rejectedToFile(path: string): RejectedRows {
  const replaced = replaceable(path)
  using opened = new DisposableStack()
  const folder = opened.use(folderBeside(path))
  const partial = join(folder.path, "rejected.csv")
  // No secrets are in it: as with any file that a command writes, the user's mask decides who may read it.
  const descriptor = openNewFile(partial, 0o666)
  opened.defer(() => closeSync(descriptor))
  const close = opened.move()
  return {
    add: csvOf((text) => writeFully(descriptor, text)),
    keep: () => settleAs(partial, path, replaced),
    [Symbol.dispose]: () => close.dispose(),
  }
}
