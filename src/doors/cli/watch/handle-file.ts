import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { formatMoment, MICROS_PER_MS, type Moment } from "../../../domain/time/moment.ts"
import { FILE_BYTES_MAX, type FileOutcome, type FileServer, sendFile } from "../report/send-file.ts"
import { type FoundFile, found } from "./folder.ts"
import type { WatchJournal } from "./journal.ts"
import { isOpenForWriting } from "./open-for-writing.ts"
import { type FileResult, freePlace, putAside } from "./put-aside.ts"

export interface Watched {
  readonly folder: string
  readonly preset: string | null
  readonly server: FileServer
  readonly journal: WatchJournal
  readonly clock: () => Moment
  /** Results of files that could not be put aside, for example because the disk is full. They are not sent again. */
  readonly pending: Map<string, Outcome>
}

type Outcome = Pick<FileResult, "status" | "message" | "report">

export type Handled =
  | { readonly kind: "handled"; readonly result: FileResult; readonly place: string }
  /** It is not complete yet, or gone: look again. */
  | { readonly kind: "not yet" }
  /** Everything has to wait: the server cannot be reached, or the disk is full. */
  | { readonly kind: "later"; readonly why: string; readonly seconds: number }

/** Reports a file that no longer changes, and puts it aside with its result. */
export async function handleFile(watched: Watched, file: FoundFile): Promise<Handled> {
  if (isOpenForWriting(file.path)) return { kind: "not yet" }
  const bytes = read(file)
  // Written to while it was read.
  if (found(watched.folder, file.name)[0]?.signature !== file.signature) return { kind: "not yet" }
  if (!(bytes instanceof Uint8Array)) return aside(watched, file, null, failed(bytes.problem))
  const sha256 = createHash("sha256").update(bytes).digest("hex")
  const known = watched.journal.find(sha256)
  if (known !== undefined && !known.moved && known.name === file.name) {
    // Stopped after it was reported and before it was put aside, or that failed.
    const { message, target } = known
    const outcome = watched.pending.get(sha256) ?? { status: "reported", message, report: null }
    return aside(watched, file, sha256, outcome, target)
  }
  if (known !== undefined) {
    const message = `The same content was reported as ${known.name} at ${known.at}. Nothing was sent.`
    return aside(watched, file, sha256, { status: "duplicate", message, report: null })
  }
  const outcome = watched.pending.get(sha256) ?? (await sent(watched, file, bytes))
  if ("seconds" in outcome) return outcome
  watched.pending.set(sha256, outcome)
  const handled = aside(watched, file, sha256, outcome)
  if (handled.kind === "handled") watched.pending.delete(sha256)
  return handled
}

const failed = (message: string): Outcome => ({ status: "failed", message, report: null })

function read({ path, size }: FoundFile): Uint8Array | { readonly problem: string } {
  if (size > FILE_BYTES_MAX) return { problem: "It is larger than 1 GB." }
  try {
    return readFileSync(path)
  } catch (cause) {
    return { problem: `It cannot be read: ${messageOf(cause)}.` }
  }
}

async function sent(
  { server, preset }: Watched,
  { name, modifiedMs }: FoundFile,
  bytes: Uint8Array,
): Promise<Outcome | (FileOutcome & { kind: "later" })> {
  const modifiedAt = Math.floor(modifiedMs) * MICROS_PER_MS
  const outcome = await sendFile(server, { name, bytes, modifiedAt, preset, allowLower: false })
  if (outcome.kind === "later") return outcome
  if (outcome.kind === "refused") return failed(outcome.message)
  const { report } = outcome
  const status = report.complete ? "reported" : report.state === "done" ? "incomplete" : "failed"
  return { status, message: report.message, report }
}

function aside(
  { folder, journal, clock }: Watched,
  file: FoundFile,
  sha256: string | null,
  outcome: Outcome,
  wanted?: string,
): Handled {
  const at = formatMoment(clock())
  const now = found(folder, file.name)[0]
  // Whoever writes it did not wait until it was sent. What is there now is another file.
  const isReplaced = now !== undefined && now.signature !== file.signature
  const message = isReplaced ? `${outcome.message} ${REPLACED}` : outcome.message
  const result: FileResult = { file: file.name, ...outcome, message, at, sha256 }
  try {
    const place = wanted ?? freePlace(folder, result)
    const entry = { sha256: sha256 ?? "", name: file.name, at, target: place, message }
    // Noted before the file is moved: whatever happens in between, it is not reported again.
    if (outcome.status === "reported") journal.note({ ...entry, moved: false })
    putAside(folder, isReplaced ? null : file, place, result)
    if (outcome.status === "reported") journal.note({ ...entry, moved: true })
    return { kind: "handled", result, place }
  } catch (cause) {
    if (found(folder, file.name).length === 0) return { kind: "not yet" }
    return { kind: "later", why: `${file.name} cannot be put aside: ${messageOf(cause)}.`, seconds: DISK_SECONDS }
  }
}

const DISK_SECONDS = 30
const REPLACED = "Meanwhile the file was replaced: the new one comes next."

function messageOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "")
}
