import {
  type CallLogSize,
  PRUNED_FOR_ROOM_MAX,
  PRUNED_ROWS_MAX,
  surplusCalls,
} from "../../../domain/operations/call-log.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { Session } from "../engine/session.ts"
import { CALL_LOG_SQL } from "./call-log-sql.ts"

// Deletes the oldest calls, a limited number at a time. All of these are called by whoever holds the lock of the size.

// The smallest size of a row, to work out how many rows may have to be deleted at most.
const ROW_BYTES_MIN = 120

interface Oldest {
  readonly id: number
  readonly bytes: number
}

/** Deletes as many old calls as necessary to make room for what was just added. */
export async function makeRoom(session: Session, size: CallLogSize, bytesMax: number): Promise<void> {
  await within(session, bytesMax, size, PRUNED_FOR_ROOM_MAX)
}

/** Deletes calls beyond this size and returns how many. */
export function pruneToSize(session: Session, size: CallLogSize, bytesMax: number): Promise<number> {
  return within(session, bytesMax, size, PRUNED_ROWS_MAX)
}

/** Deletes older calls and returns how many. */
export async function pruneToTime(session: Session, before: Moment): Promise<number> {
  const oldest = await session.rows<Oldest>(CALL_LOG_SQL.oldestBefore, [before, PRUNED_ROWS_MAX])
  return remove(session, oldest, Number.POSITIVE_INFINITY)
}

async function within(session: Session, bytesMax: number, { bytes }: CallLogSize, rowsMax: number): Promise<number> {
  const excess = bytes - bytesMax
  if (excess <= 0) return 0
  const needed = Math.ceil(excess / ROW_BYTES_MIN)
  return remove(session, await session.rows<Oldest>(CALL_LOG_SQL.oldest, [Math.min(needed, rowsMax)]), excess)
}

/** Deletes the first of these calls, as many as are too many. */
async function remove({ rows }: Session, oldest: readonly Oldest[], excessBytes: number): Promise<number> {
  const sizes = oldest.map(({ bytes }) => bytes)
  const { rows: count } = surplusCalls(excessBytes, sizes)
  if (count === 0) return 0
  await rows(CALL_LOG_SQL.remove, [oldest.slice(0, count).map(({ id }) => id)])
  return count
}
