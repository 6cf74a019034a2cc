import type { Change } from "../../domain/people/audit.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { FilesAndBytes, PreviewedLine, StoredState, Upload, UploadChange } from "../../domain/upload/upload.ts"
import { OPEN_STATES } from "../../domain/upload/upload.ts"
import type { UploadPartKind } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import type { ReadTx, Step, Tx } from "../../storage/steps/step.ts"
import { all, and, eq, exec, first, inArray, isNotNull, isNull } from "../../storage/steps/step.ts"
import { oldParts, storedChange } from "../../storage/steps/uploads.ts"
import type { Context } from "../context.ts"

export interface NewUpload extends Pick<Upload, "organizationId" | "kind" | "fileName" | "bytes"> {
  /** Null for a file that a program sent. */
  readonly uploadedBy: number | null
  readonly uploadedAt: Moment
}

/** Who moves a file on; `action` is the entry of the audit trail, null for steps that change nothing of anybody's. */
export interface UploadMover extends Change {
  readonly action: string | null
}

const START = { state: "arriving", rows: 0, rowsDone: 0, choices: "{}", summary: "{}" } as const
// As many as the largest file has, and more.
const PARTS_REMOVED_MAX = 200

/**
 * Makes room for a file, unless there is a problem with the files that wait: of programs for a program's, of people for a person's. The oldest
 * texts of files that are reported go, where an organization has too many.
 */
export function* beginFile<Problem extends string | null>(
  tx: Tx,
  file: NewUpload,
  problemOf: (waiting: FilesAndBytes) => Problem,
  kept: FilesAndBytes,
): Step<number | NonNullable<Problem>> {
  const { db, upload } = tx
  const problem = problemOf(yield* waitingFiles(tx, file.organizationId, file.uploadedBy === null))
  if (problem !== null) return problem
  yield* removeParts(tx, yield* oldParts(tx, 0, kept, PARTS_REMOVED_MAX))
  const row = { changedAt: file.uploadedAt, digest: String(file.uploadedAt), ...file, ...START }
  const [made] = yield* all(db.insert(upload).values(row).returning({ id: upload.id }))
  if (made === undefined) throw new Error("an upload was not added")
  return made.id
}

function* waitingFiles({ db, upload }: ReadTx, organizationId: number, isOfPrograms: boolean): Step<FilesAndBytes> {
  const ofWhom = isOfPrograms ? isNull(upload.uploadedBy) : isNotNull(upload.uploadedBy)
  const isWaiting = inArray(upload.state, ["arriving", ...OPEN_STATES])
  const waits = and(eq(upload.organizationId, organizationId), isWaiting, ofWhom)
  const files = yield* all(db.select({ bytes: upload.bytes }).from(upload).where(waits))
  return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) }
}

/** Adds or replaces a part. */
export function* savePart({ db, uploadPart }: Tx, id: number, kind: UploadPartKind, position: number, content: string) {
  const target = [uploadPart.uploadId, uploadPart.kind, uploadPart.position]
  const adding = db.insert(uploadPart).values({ uploadId: id, kind, position, content })
  yield* exec(adding.onConflictDoUpdate({ target, set: { content } }))
}

type PartKey = Readonly<{ uploadId: number; kind: UploadPartKind; position: number }>

export function* removeParts({ db, uploadPart }: Tx, parts: readonly PartKey[]): Step<void> {
  for (const { uploadId, kind, position } of parts) {
    const isOf = and(eq(uploadPart.uploadId, uploadId), eq(uploadPart.kind, kind))
    yield* exec(db.delete(uploadPart).where(and(isOf, eq(uploadPart.position, position))))
  }
}

/** A line that a file reported, with its totals before and after; of earlier builds only its id. */
export type ReportedLine = Readonly<{ id: number }> &
  Partial<Pick<PreviewedLine, "name" | "ref" | "before" | "total" | "result">>

/** The lines of which a file may have reported something. Null before it did. */
export async function reportedLines({ store }: Context, { id }: Upload): Promise<readonly ReportedLine[] | null> {
  const lines: readonly (number | ReportedLine)[] | null = JSON.parse(
    (await store.uploads.part(id, "lines", 0)) ?? "null",
  )
  return lines?.map((line) => (typeof line === "number" ? { id: line } : line)) ?? null
}

/** False, and nothing is changed, when the file is in none of these states: somebody else was faster. */
export function* moveFile(
  tx: Tx,
  id: number,
  from: readonly StoredState[],
  to: UploadChange,
  { action, ...by }: UploadMover,
): Step<boolean> {
  const { db, upload } = tx
  const { organizationId, fileName, rows } = upload
  const moving = db.update(upload).set({ ...storedChange(to), changedAt: by.at })
  const isThere = and(eq(upload.id, id), inArray(upload.state, [...from]))
  const moved = yield* first(moving.where(isThere).returning({ organizationId, fileName, rows }))
  if (moved === undefined) return false
  const { organizationId: organization, ...details } = moved
  if (action !== null) yield* audit(tx, by, { action, subject: String(id), organizationId: organization, details })
  return true
}

/** When the totals of a file count as received: fixed once, so that what is reported again adds nothing. Null when it is decided already. */
export function* fixReceipt({ db, upload }: Tx, id: number, at: Moment): Step<Moment | null> {
  const isOpen = and(eq(upload.id, id), inArray(upload.state, [...OPEN_STATES]))
  yield* exec(
    db
      .update(upload)
      .set({ receivedAt: at })
      .where(and(isOpen, isNull(upload.receivedAt))),
  )
  return (yield* first(db.select({ at: upload.receivedAt }).from(upload).where(isOpen)))?.at ?? null
}

/** Removes a file that nobody has decided about, with its text. False when there is none. */
export function* removeFile(tx: Tx, id: number, by: UploadMover): Step<boolean> {
  const { db, upload } = tx
  if (!(yield* moveFile(tx, id, ["arriving", ...OPEN_STATES], { state: "discarded" }, by))) return false
  yield* exec(db.delete(upload).where(eq(upload.id, id)))
  return true
}

/** Remembers how files with these headings are read, or the line that files mean by a name. */
export function* remember(
  { db, uploadColumn }: Tx,
  organizationId: number,
  kind: "reading" | "line",
  name: string,
  meaning: string,
): Step<void> {
  const target = [uploadColumn.organizationId, uploadColumn.kind, uploadColumn.name]
  const adding = db.insert(uploadColumn).values({ organizationId, kind, name, meaning })
  yield* exec(adding.onConflictDoUpdate({ target, set: { meaning } }))
}

export function* forget({ db, uploadColumn }: Tx, organizationId: number, kind: "reading" | "line", name: string) {
  const isKind = and(eq(uploadColumn.organizationId, organizationId), eq(uploadColumn.kind, kind))
  yield* exec(db.delete(uploadColumn).where(and(isKind, eq(uploadColumn.name, name))))
}
