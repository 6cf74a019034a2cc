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
export const UNBOUNDED: CallLogSize = { rows: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }

interface Oldest {
  readonly id: number
  readonly bytes: number
}

/** Deletes as many old calls as necessary to make room for what was just added. */
export async function makeRoom(session: Session, size: CallLogSize, bounds: CallLogSize): Promise<void> {
  await withinBounds(session, size, bounds, PRUNED_FOR_ROOM_MAX)
}

/** Deletes calls beyond the bounds and returns how many. */
export function pruneToBounds(session: Session, size: CallLogSize, bounds: CallLogSize): Promise<number> {
  return withinBounds(session, size, bounds, PRUNED_ROWS_MAX)
}

/** Deletes older calls and returns how many. */
export async function pruneToTime(session: Session, before: Moment): Promise<number> {
  const oldest = await session.rows<Oldest>(CALL_LOG_SQL.oldestBefore, [before, PRUNED_ROWS_MAX])
  return remove(session, oldest, UNBOUNDED)
}

async function withinBounds(
  session: Session,
  size: CallLogSize,
  bounds: CallLogSize,
  rowsMax: number,
): Promise<number> {
  const excess = { rows: size.rows - bounds.rows, bytes: size.bytes - bounds.bytes }
  if (excess.rows <= 0 && excess.bytes <= 0) return 0
  const needed = Math.max(excess.rows, Math.ceil(excess.bytes / ROW_BYTES_MIN))
  return remove(session, await session.rows<Oldest>(CALL_LOG_SQL.oldest, [Math.min(needed, rowsMax)]), excess)
}

/** Deletes the first of these calls, as many as are too many. */
async function remove({ rows }: Session, oldest: readonly Oldest[], excess: CallLogSize): Promise<number> {
  const sizes = oldest.map(({ bytes }) => bytes)
  const { rows: count } = surplusCalls(excess, sizes)
  if (count === 0) return 0
  await rows(CALL_LOG_SQL.remove, [oldest.slice(0, count).map(({ id }) => id)])
  return count
}
