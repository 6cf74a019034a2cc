import * as limited from "../../domain/limits.ts"
import { MICROS_PER_DAY, MICROS_PER_SECOND, type Moment } from "../../domain/time/moment.ts"
import { keptBytesMax, OPEN_STATES } from "../../domain/upload/upload.ts"
import { nextTurn } from "../../next-turn.ts"
import { and, eq, exec, inArray, lt, or, type Step, type Tx } from "../../storage/steps/step.ts"
import { isForgettable, oldParts } from "../../storage/steps/uploads.ts"
import { type Context, transactBeside } from "../context.ts"
import { removeParts } from "./file-state.ts"

// A few of them are removed in a millisecond or two.
const PARTS_AT_ONCE = 8

/** Removes files that nobody decided about within a week, the texts of those that are done as long, and in the end what is known of them. */
export async function sweepUploads(context: Context, fileBytesMax: number, stop: AbortSignal): Promise<void> {
  const limits = limitsAt(context.clock(), fileBytesMax)
  while (!stop.aborted && (await transactBeside(context, (tx) => sweep(tx, limits)))) await nextTurn()
}

const limitsAt = (now: Moment, fileBytesMax: number) => ({
  // Its server went away while it was stored.
  lostBefore: now - 3_600 * MICROS_PER_SECOND,
  undecidedBefore: now - limited.UPLOAD_DAYS * MICROS_PER_DAY,
  forgottenBefore: now - limited.UPLOAD_REMEMBERED_DAYS * MICROS_PER_DAY,
  keptBytesMax: keptBytesMax(fileBytesMax),
  keptFilesMax: limited.UPLOADS_KEPT_MAX,
  rememberedMax: limited.UPLOADS_REMEMBERED_MAX,
  partsMax: PARTS_AT_ONCE,
})

/** One part of that. True when there is more to remove. */
export function* sweep(tx: Tx, limits: ReturnType<typeof limitsAt>): Step<boolean> {
  const { db, upload } = tx
  const { undecidedBefore, keptFilesMax, keptBytesMax, partsMax } = limits
  const isUndecided = and(inArray(upload.state, [...OPEN_STATES]), lt(upload.uploadedAt, undecidedBefore))
  const isLost = and(eq(upload.state, "arriving"), lt(upload.uploadedAt, limits.lostBefore))
  yield* exec(db.update(upload).set({ state: "discarded" }).where(or(isUndecided, isLost)))
  const removed = yield* oldParts(tx, undecidedBefore, { files: keptFilesMax, bytes: keptBytesMax }, partsMax)
  yield* removeParts(tx, removed)
  yield* exec(db.delete(upload).where(isForgettable(limits.forgottenBefore, limits.rememberedMax)))
  return removed.length >= partsMax
}
