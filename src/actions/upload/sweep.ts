import { UPLOAD_DAYS, UPLOAD_IDLE_SECONDS_MAX, UPLOADS_KEPT_MAX, UPLOADS_REMEMBERED_MAX } from "../../domain/limits.ts"
import { MICROS_PER_DAY, MICROS_PER_SECOND } from "../../domain/time/moment.ts"
import { roomFor } from "../../domain/upload/quota.ts"
import { type Context, writesOf } from "../context.ts"

// Long enough to notice that a file was reported before.
const FORGOTTEN_DAYS = 90
// A few of them are removed in a millisecond or two.
const PARTS_AT_ONCE = 8

export interface Sweeper {
  readonly pause: () => Promise<void>
  readonly stopping: AbortSignal
  readonly fileBytesMax: number
}

/**
 * Removes files that stopped arriving, that nobody decided about or that were discarded, and the text of the oldest of those that are
 * done where an organization has too many, a little at a time.
 */
export async function sweepUploads(context: Context, { pause, stopping, fileBytesMax }: Sweeper): Promise<void> {
  const now = context.clock()
  const limits = {
    abandonedBefore: now - UPLOAD_IDLE_SECONDS_MAX * MICROS_PER_SECOND,
    undecidedBefore: now - UPLOAD_DAYS * MICROS_PER_DAY,
    forgottenBefore: now - FORGOTTEN_DAYS * MICROS_PER_DAY,
    keptBytesMax: roomFor(fileBytesMax),
    keptFilesMax: UPLOADS_KEPT_MAX,
    rememberedMax: UPLOADS_REMEMBERED_MAX,
    partsMax: PARTS_AT_ONCE,
  }
  while (!stopping.aborted && (await writesOf(context).uploads.sweep(limits))) await pause()
}
