import type { Change } from "../../domain/people/audit.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { WaitingFiles } from "../../domain/upload/quota.ts"
import type { RememberedKind } from "../../domain/upload/recognize-file.ts"
import type { Upload, UploadChange, UploadState } from "../../domain/upload/upload.ts"
import type { UploadPartKind } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import {
  all,
  and,
  asc,
  eq,
  exec,
  first,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  type ReadTx,
  type Step,
  type Tx,
} from "../../storage/steps/step.ts"
import { columnsOf, storedChange, uploadOf } from "../../storage/steps/uploads.ts"

// A file goes from state to state; each of these steps checks where it is. Those that a server takes for a file that is left to it run
// beside all others.

export interface NewUpload extends Pick<Upload, "organizationId" | "kind" | "fileName" | "bytes"> {
  /** Null for a file that a program sent. */
  readonly uploadedBy: number | null
  readonly uploadedAt: Moment
}

/** Who moves a file on; `action` is the entry of the audit trail, null for steps that change nothing of anybody's. */
export interface UploadMover extends Change {
  readonly action: string | null
}

/** One file that a server works on. */
export interface UploadJob {
  readonly upload: Upload
  readonly pause: () => Promise<void>
  /** Notes how far the work has got, about once a second. Throws when the file was taken away. */
  noteProgress(rowsDone: number, more: () => UploadChange): Promise<void>
  /** Notes it at once. */
  save(change: UploadChange): Promise<void>
}

const START = { state: "arriving", digest: "", rows: 0, rowsDone: 0, choices: "{}", summary: "{}" } as const

/**
 * Makes room for a file that begins to arrive, unless there is a problem with the files that wait: of programs for a program's, of
 * people for a person's.
 */
export function* beginFile<Problem extends string | null>(
  tx: Tx,
  file: NewUpload,
  problemOf: (waiting: WaitingFiles) => Problem,
): Step<number | NonNullable<Problem>> {
  const { db, upload } = tx
  const problem = problemOf(yield* waitingFiles(tx, file.organizationId, file.uploadedBy === null))
  if (problem !== null) return problem
  const row = { ...file, ...START, changedAt: file.uploadedAt }
  const [made] = yield* all(db.insert(upload).values(row).returning({ id: upload.id }))
  if (made === undefined) throw new Error("an upload was not added")
  return made.id
}

function* waitingFiles({ db, upload }: ReadTx, organizationId: number, isOfPrograms: boolean): Step<WaitingFiles> {
  // A file of a program that cannot be read waits for nobody.
  const isWaiting: UploadState[] = ["arriving", "columns", "reading", "preview", "reporting"]
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
  const moved = yield* first(
    db
      .update(upload)
      .set({ ...storedChange(to), changedAt: by.at, worker: null, workerUntil: null })
      .where(and(eq(upload.id, id), inArray(upload.state, [...from])))
      .returning({ organizationId, fileName, rows }),
  )
  if (moved === undefined) return false
  const { organizationId: organization, ...details } = moved
  if (action !== null) yield* audit(tx, by, { action, subject: String(id), organizationId: organization, details })
  return true
}

const WORKED_ON: UploadState[] = ["reading", "reporting"]

/**
 * The file that has waited longest for a server to read or report it, now left to `worker` until `until`; null when there is none.
 * A file that another worker has is handed out only when that one's time is over.
 */
export function* claimFile(tx: Tx, worker: string, now: Moment, until: Moment): Step<Upload | null> {
  const { db, upload } = tx
  const { id, state, changedAt, workerUntil } = upload
  const isFree = and(inArray(state, WORKED_ON), or(isNull(workerUntil), lte(workerUntil, now)))
  for (;;) {
    const next = yield* first(db.select({ id }).from(upload).where(isFree).orderBy(asc(changedAt), asc(id)).limit(1))
    if (next === undefined) return null
    const claiming = db.update(upload).set({ worker, workerUntil: until })
    const [claimed] = yield* all(claiming.where(and(eq(id, next.id), isFree)).returning(columnsOf(tx)))
    // Otherwise another server has just taken it.
    if (claimed !== undefined) return uploadOf(claimed)
  }
}

/** Notes how far the worker has got, and keeps the file for it. False when it lost the file: it was discarded, or its time was over. */
export function* noteProgress(
  { db, upload }: Tx,
  id: number,
  worker: string,
  to: UploadChange,
  until: Moment,
): Step<boolean> {
  const isStillIts = and(eq(upload.id, id), eq(upload.worker, worker), inArray(upload.state, WORKED_ON))
  const noting = db.update(upload).set({ ...storedChange(to), workerUntil: until })
  return (yield* first(noting.where(isStillIts).returning({ id: upload.id }))) !== undefined
}

/** What an organization says about its files, by the names in them. */
export function* rememberColumns(
  { db, uploadColumn }: Tx,
  organizationId: number,
  kind: RememberedKind,
  meanings: ReadonlyMap<string, string>,
): Step<void> {
  const target = [uploadColumn.organizationId, uploadColumn.kind, uploadColumn.name]
  for (const [name, meaning] of meanings) {
    const adding = db.insert(uploadColumn).values({ organizationId, kind, name, meaning })
    yield* exec(adding.onConflictDoUpdate({ target, set: { meaning } }))
  }
}
