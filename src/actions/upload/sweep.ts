import { UPLOAD_DAYS, UPLOAD_REMEMBERED_DAYS } from "../../domain/limits.ts"
import { MICROS_PER_DAY, type Moment } from "../../domain/time/moment.ts"
import { nextTurn } from "../../next-turn.ts"
import { and, eq, exec, first, lt, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact } from "../context.ts"

/** Removes files that nobody decided about within a week, the texts of those that are done as long, and in the end what is known of them. */
export async function sweepUploads(context: Context, stop: AbortSignal): Promise<void> {
  const now = context.clock()
  while (!stop.aborted && (await transact(context, (tx) => sweepText(tx, now)))) await nextTurn()
  await transact(context, (tx) => sweepRecords(tx, now))
}

/** Removes the text of one file: a large one takes some milliseconds. False when there is none. */
export function* sweepText({ db, upload, uploadText }: Tx, now: Moment): Step<boolean> {
  const { uploadId } = uploadText
  const texts = db.select({ uploadId }).from(uploadText).innerJoin(upload, eq(upload.id, uploadId))
  const old = yield* first(texts.where(lt(upload.uploadedAt, now - UPLOAD_DAYS * MICROS_PER_DAY)).limit(1))
  if (old !== undefined) yield* exec(db.delete(uploadText).where(eq(uploadId, old.uploadId)))
  return old !== undefined
}

export function* sweepRecords({ db, upload }: Tx, now: Moment): Step<void> {
  const isOld = (days: number) => lt(upload.uploadedAt, now - days * MICROS_PER_DAY)
  yield* exec(db.delete(upload).where(and(eq(upload.state, "open"), isOld(UPLOAD_DAYS))))
  yield* exec(db.delete(upload).where(isOld(UPLOAD_REMEMBERED_DAYS)))
}
