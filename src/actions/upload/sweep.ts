import * as limited from "../../domain/limits.ts"
import { MICROS_PER_DAY, MICROS_PER_SECOND, type Moment } from "../../domain/time/moment.ts"
import type { UploadChoices } from "../../domain/upload/upload.ts"
import { EMPTY_SUMMARY, keptBytesMax, UNDECIDED, unreadable } from "../../domain/upload/upload.ts"
import { nextTurn } from "../../next-turn.ts"
import { all, and, eq, exec, inArray, lt, or, type Step, type Tx } from "../../storage/steps/step.ts"
import { isForgettable, isSilent, oldParts, storedChange } from "../../storage/steps/uploads.ts"
import { type Context, transactBeside } from "../context.ts"

// A few of them are removed in a millisecond or two.
const PARTS_AT_ONCE = 8

/**
 * Removes files that stopped arriving, that nobody decided about or that were discarded, and the text of the oldest of those that are
 * done where an organization has too many, a little at a time.
 */
export async function sweepUploads(context: Context, fileBytesMax: number, isStopping: () => boolean): Promise<void> {
  const limits = limitsAt(context.clock(), fileBytesMax)
  while (!isStopping() && (await transactBeside(context, (tx) => sweep(tx, limits)))) await nextTurn()
}

const limitsAt = (now: Moment, fileBytesMax: number) => ({
  silentBefore: now - limited.UPLOAD_SILENT_SECONDS_MAX * MICROS_PER_SECOND,
  abandonedBefore: now - limited.UPLOAD_IDLE_SECONDS_MAX * MICROS_PER_SECOND,
  undecidedBefore: now - limited.UPLOAD_DAYS * MICROS_PER_DAY,
  forgottenBefore: now - limited.UPLOAD_REMEMBERED_DAYS * MICROS_PER_DAY,
  keptBytesMax: keptBytesMax(fileBytesMax),
  keptFilesMax: limited.UPLOADS_KEPT_MAX,
  rememberedMax: limited.UPLOADS_REMEMBERED_MAX,
  partsMax: PARTS_AT_ONCE,
})

/**
 * Discards files that stopped arriving or that nobody decided about, removes a few parts of discarded and old files and of those beyond
 * the newest of an organization, and forgets files that have none. True when there is more to remove.
 */
export function* sweep(tx: Tx, limits: ReturnType<typeof limitsAt>): Step<boolean> {
  const { db, upload, uploadPart } = tx
  const { abandonedBefore, undecidedBefore, keptFilesMax, keptBytesMax, partsMax } = limits
  const isAbandoned = and(eq(upload.state, "arriving"), lt(upload.changedAt, abandonedBefore))
  const isUndecided = and(inArray(upload.state, [...UNDECIDED]), lt(upload.uploadedAt, undecidedBefore))
  yield* exec(db.update(upload).set({ state: "discarded" }).where(or(isAbandoned, isUndecided)))
  yield* reopenInterrupted(tx, limits.silentBefore)
  const bounds = { files: keptFilesMax, bytes: keptBytesMax }
  const removed = yield* oldParts(tx, undecidedBefore, bounds, partsMax)
  for (const { uploadId, kind, position } of removed) {
    const isFile = and(eq(uploadPart.uploadId, uploadId), eq(uploadPart.kind, kind))
    yield* exec(db.delete(uploadPart).where(and(isFile, eq(uploadPart.position, position))))
  }
  yield* exec(db.delete(upload).where(isForgettable(limits.forgottenBefore, limits.rememberedMax)))
  return removed.length >= partsMax
}

const INTERRUPTED = "Reporting was interrupted, and only part of this file is reported."

/** Files whose server went away while it reported them: people decide once more, and programs send theirs again. */
function* reopenInterrupted({ db, upload }: Tx, silentBefore: Moment): Step<void> {
  const notice = `${INTERRUPTED} Report it again: nothing counts twice.`
  const undecided = { state: "preview", summary: { ...EMPTY_SUMMARY, notice } } as const
  const failed = unreadable(`${INTERRUPTED} Send it again: nothing counts twice.`)
  const { id, choices } = upload
  for (const file of yield* all(db.select({ id, choices }).from(upload).where(isSilent(silentBefore)))) {
    // Not by `uploaded_by`, which is empty, too, once the account of a person was removed.
    const { sent } = JSON.parse(file.choices) as Partial<UploadChoices>
    yield* exec(
      db
        .update(upload)
        .set(storedChange(sent ? failed : undecided))
        .where(eq(id, file.id)),
    )
  }
}
