import { UPLOADS_KEPT_BYTES_MAX, UPLOADS_KEPT_MAX, UPLOADS_REMEMBERED_MAX } from "../../domain/limits.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { Upload, UploadChange } from "../../domain/upload/upload.ts"
import { audit } from "../../storage/steps/audit.ts"
import type { Step, Tx } from "../../storage/steps/step.ts"
import { all, and, desc, eq, exec, first, inArray, isNull } from "../../storage/steps/step.ts"
import { storedChange } from "../../storage/steps/uploads.ts"

/** A file before it is stored. */
export type NewUpload = Omit<Upload, "id" | "receivedAt">

/** Who moves a file on; `action` is the entry of the audit trail, null for steps that change nothing of anybody's. */
export interface UploadMover extends Change {
  readonly action: string | null
}

/** Stores a file with its texts. Null where the files that wait for somebody leave no room for it. */
export function* addFile(tx: Tx, file: NewUpload, texts: readonly string[]): Step<number | null> {
  const { db, upload, uploadText } = tx
  if (!(yield* makeRoom(tx, file.organizationId, texts.length === 0 ? null : file.bytes))) return null
  const row = { ...file, choices: JSON.stringify(file.choices), summary: JSON.stringify(file.summary) }
  const [made] = yield* all(db.insert(upload).values(row).returning({ id: upload.id }))
  if (made === undefined) throw new Error("an upload was not added")
  for (const [sheet, content] of texts.entries())
    yield* exec(db.insert(uploadText).values({ uploadId: made.id, sheet, content }))
  return made.id
}

/**
 * Makes room for one more file of an organization: the texts of those that were reported go, the oldest first, and in the end what is known
 * of them. False where the texts that nobody has decided about take all the room. `bytes` is null for a file without a text.
 */
function* makeRoom({ db, upload, uploadText }: Tx, organizationId: number, bytes: number | null): Step<boolean> {
  const text = { id: upload.id, state: upload.state, bytes: upload.bytes, hasText: uploadText.uploadId }
  const isText = and(eq(uploadText.uploadId, upload.id), eq(uploadText.sheet, 0))
  const files = db.select(text).from(upload).leftJoin(uploadText, isText)
  const ofThem = files.where(eq(upload.organizationId, organizationId))
  const newestFirst = yield* all(ofThem.orderBy(desc(upload.uploadedAt), desc(upload.id)))
  const forgotten = newestFirst.filter(({ state }) => state === "done").slice(UPLOADS_REMEMBERED_MAX)
  if (forgotten.length > 0)
    yield* exec(
      db.delete(upload).where(
        inArray(
          upload.id,
          forgotten.map(({ id }) => id),
        ),
      ),
    )
  if (bytes === null) return true
  const kept = { files: 1, bytes }
  const fits = (file: { readonly bytes: number }) => {
    kept.files++
    kept.bytes += file.bytes
    return kept.files <= UPLOADS_KEPT_MAX && kept.bytes <= UPLOADS_KEPT_BYTES_MAX
  }
  const texts = newestFirst.filter(({ hasText }) => hasText !== null)
  if (!texts.filter(({ state }) => state === "open").every(fits)) return false
  const tooMany = texts.filter((file) => file.state === "done" && !fits(file)).map(({ id }) => id)
  if (tooMany.length > 0) yield* exec(db.delete(uploadText).where(inArray(uploadText.uploadId, tooMany)))
  return true
}

/** Changes a file that is in this state. False where it is not: somebody else was faster. */
export function* moveFile(
  tx: Tx,
  id: number,
  from: Upload["state"],
  to: UploadChange,
  { action, ...by }: UploadMover,
): Step<boolean> {
  const { db, upload } = tx
  const { organizationId, fileName, rows } = upload
  const isThere = and(eq(upload.id, id), eq(upload.state, from))
  const moving = db.update(upload).set(storedChange(to)).where(isThere)
  const moved = yield* first(moving.returning({ organizationId, fileName, rows }))
  if (moved === undefined) return false
  const { organizationId: organization, ...details } = moved
  if (action !== null) yield* audit(tx, by, { action, subject: String(id), organizationId: organization, details })
  return true
}

/** When the totals of a file count as received: fixed once, so that what is reported again adds nothing. Null when it is decided already. */
export function* fixReceipt({ db, upload }: Tx, id: number, at: Moment): Step<Moment | null> {
  const isOpen = and(eq(upload.id, id), eq(upload.state, "open"))
  yield* exec(
    db
      .update(upload)
      .set({ receivedAt: at })
      .where(and(isOpen, isNull(upload.receivedAt))),
  )
  return (yield* first(db.select({ at: upload.receivedAt }).from(upload).where(isOpen)))?.at ?? null
}

/** Removes a file that nobody has decided about, with its text. False when there is none. */
export function* removeFile(tx: Tx, id: number, by: Change): Step<boolean> {
  const { db, upload } = tx
  const { organizationId, fileName, rows } = upload
  const removing = db.delete(upload).where(and(eq(upload.id, id), eq(upload.state, "open")))
  const removed = yield* first(removing.returning({ organizationId, fileName, rows }))
  if (removed === undefined) return false
  const { organizationId: organization, ...details } = removed
  yield* audit(tx, by, { action: "discard upload", subject: String(id), organizationId: organization, details })
  return true
}

/** Remembers how files with these headings are read, or the line that files mean by a name. */
export function* remember(
  { db, uploadMemory }: Tx,
  organizationId: number,
  kind: "reading" | "line",
  name: string,
  meaning: string,
): Step<void> {
  const target = [uploadMemory.organizationId, uploadMemory.kind, uploadMemory.name]
  const adding = db.insert(uploadMemory).values({ organizationId, kind, name, meaning })
  yield* exec(adding.onConflictDoUpdate({ target, set: { meaning } }))
}

export function* forget({ db, uploadMemory }: Tx, organizationId: number, kind: "reading" | "line", name: string) {
  const isKind = and(eq(uploadMemory.organizationId, organizationId), eq(uploadMemory.kind, kind))
  yield* exec(db.delete(uploadMemory).where(and(isKind, eq(uploadMemory.name, name))))
}
