import { JOURNAL_START } from "./disk-control.ts"

/** What was done to the disk; `at` is its place in the journal. Layout and numbers are those of control.h. */
export type DiskRecord = { readonly at: number } & (
  | { readonly kind: "write"; readonly inode: number; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: "truncate"; readonly inode: number; readonly size: number }
  | { readonly kind: "create"; readonly inode: number; readonly path: string }
  | { readonly kind: "make folder" | "unlink"; readonly path: string }
  | { readonly kind: "rename" | "link"; readonly from: string; readonly to: string }
  | { readonly kind: "sync begins"; readonly target: SyncTarget }
  | { readonly kind: "sync ends"; readonly target: SyncTarget; readonly began: number; readonly outcome: SyncOutcome }
)

/** A file by its inode, or a folder by its path. */
export type SyncTarget = { readonly inode: number } | { readonly folder: string }
export type SyncOutcome = "done" | "failed" | "lie"

const HEAD_BYTES = 32
const OUTCOMES: readonly SyncOutcome[] = ["done", "failed", "lie"]
const text = new TextDecoder()

/** The records of a journal that end before `end`. */
export function* recordsIn(journal: Uint8Array, end: number, start = JOURNAL_START): Generator<DiskRecord> {
  const view = new DataView(journal.buffer, journal.byteOffset, journal.byteLength)
  for (let at = start; at < end; ) {
    const [firstLength, secondLength] = [view.getUint32(at + 24, true), view.getUint32(at + 28, true)]
    const body = at + HEAD_BYTES
    const first = journal.subarray(body, body + firstLength)
    const second = journal.subarray(body + firstLength, body + firstLength + secondLength)
    yield recordOf(view, at, first, second)
    at = body + Math.ceil((firstLength + secondLength) / 8) * 8
  }
}

function recordOf(view: DataView, at: number, first: Uint8Array, second: Uint8Array): DiskRecord {
  const inode = Number(view.getBigUint64(at + 8, true))
  const offset = Number(view.getBigUint64(at + 16, true))
  const target = first.length === 0 ? { inode } : { folder: text.decode(first) }
  switch (view.getUint32(at, true)) {
    case 1:
      return { at, kind: "write", inode, offset, bytes: first }
    case 2:
      return { at, kind: "truncate", inode, size: offset }
    case 3:
      return { at, kind: "create", inode, path: text.decode(first) }
    case 4:
      return { at, kind: "make folder", path: text.decode(first) }
    case 5:
      return { at, kind: "rename", from: text.decode(first), to: text.decode(second) }
    case 6:
      return { at, kind: "link", from: text.decode(first), to: text.decode(second) }
    case 7:
      return { at, kind: "unlink", path: text.decode(first) }
    case 8:
      return { at, kind: "sync begins", target }
    case 9: {
      const outcome = OUTCOMES[view.getUint32(at + 4, true)] ?? "failed"
      return { at, kind: "sync ends", target, began: offset, outcome }
    }
    default:
      throw new Error(`the journal is not readable at ${at}`)
  }
}
