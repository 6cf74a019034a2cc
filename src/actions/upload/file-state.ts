import type { Change } from "../../domain/people/audit.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { FilesAndBytes, Upload, UploadChange, UploadState } from "../../domain/upload/upload.ts"
import type { UploadPartKind } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import type { ReadTx, Step, Tx } from "../../storage/steps/step.ts"
import { all, and, eq, exec, first, inArray, isNotNull, isNull, ne } from "../../storage/steps/step.ts"
import { storedChange } from "../../storage/steps/uploads.ts"
import type { Context } from "../context.ts"

// A file goes from state to state; each of these steps checks where it is. Those that a server takes while it works on a file run beside
// all others.

export interface NewUpload extends Pick<Upload, "organizationId" | "kind" | "fileName" | "bytes"> {
  /** Null for a file that a program sent. */
  readonly uploadedBy: number | null
  readonly uploadedAt: Moment
  /** If not when it was uploaded. */
  readonly changedAt?: Moment
}

/** Who moves a file on; `action` is the entry of the audit trail, null for steps that change nothing of anybody's. */
export interface UploadMover extends Change {
  readonly action: string | null
}

const START = { state: "arriving", rows: 0, rowsDone: 0, choices: "{}", summary: "{}" } as const

/**
 * Makes room for a file that begins to arrive, unless there is a problem with the files that wait: of programs for a program's, of
 * people for a person's.
 */
export function* beginFile<Problem extends string | null>(
  tx: Tx,
  file: NewUpload,
  problemOf: (waiting: FilesAndBytes) => Problem,
): Step<number | NonNullable<Problem>> {
  const { db, upload } = tx
  const problem = problemOf(yield* waitingFiles(tx, file.organizationId, file.uploadedBy === null))
  if (problem !== null) return problem
  const row = { changedAt: file.uploadedAt, digest: String(file.uploadedAt), ...file, ...START }
  const [made] = yield* all(db.insert(upload).values(row).returning({ id: upload.id }))
  if (made === undefined) throw new Error("an upload was not added")
  return made.id
}

function* waitingFiles({ db, upload }: ReadTx, organizationId: number, isOfPrograms: boolean): Step<FilesAndBytes> {
  // A file of a program that cannot be read waits for nobody.
  const isWaiting: UploadState[] = ["arriving", "columns", "preview", "reporting"]
  const ofWhom = isOfPrograms ? isNull(upload.uploadedBy) : isNotNull(upload.uploadedBy)
  const states = isOfPrograms ? isWaiting : [...isWaiting, "unreadable" as const]
  const waits = and(eq(upload.organizationId, organizationId), inArray(upload.state, states), ofWhom)
  const files = yield* all(db.select({ bytes: upload.bytes }).from(upload).where(waits))
  return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) }
}

/** Adds or replaces a part. False when the file was discarded meanwhile. */
export function* savePart(
  { db, upload, uploadPart }: Tx,
  id: number,
  kind: UploadPartKind,
  position: number,
  content: string,
  at: Moment,
): Step<boolean> {
  // Whoever discards it now waits until the part is there, and then removes it too.
  const touching = db.update(upload).set({ changedAt: at })
  const isThere = and(eq(upload.id, id), ne(upload.state, "discarded"))
  if ((yield* first(touching.where(isThere).returning({ id: upload.id }))) === undefined) return false
  const target = [uploadPart.uploadId, uploadPart.kind, uploadPart.position]
  const adding = db.insert(uploadPart).values({ uploadId: id, kind, position, content })
  yield* exec(adding.onConflictDoUpdate({ target, set: { content } }))
  return true
}

/** The ids of the lines of which a file may have reported something. Null before it did. */
export async function reportedLines({ store }: Context, { id }: Upload): Promise<readonly number[] | null> {
  return JSON.parse((await store.uploads.part(id, "lines", 0)) ?? "null")
}

/** False, and nothing is changed, when the file is in none of these states: somebody else was faster. */
export function* moveFile(
  tx: Tx,
  id: number,
  from: readonly UploadState[],
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

/** Notes how far a server has got that reports the file. False when it is not reported any more. */
export function* noteProgress({ db, upload }: Tx, id: number, rowsDone: number, at: Moment): Step<boolean> {
  const noting = db.update(upload).set({ rowsDone, changedAt: at })
  const isReported = and(eq(upload.id, id), eq(upload.state, "reporting"))
  return (yield* first(noting.where(isReported).returning({ id: upload.id }))) !== undefined
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
