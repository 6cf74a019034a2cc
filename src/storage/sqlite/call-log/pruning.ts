import {
  type CallLogSize,
  PRUNED_FOR_ROOM_MAX,
  PRUNED_ROWS_MAX,
  surplusCalls,
} from "../../../domain/operations/call-log.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { Connection } from "../engine/connection.ts"
import { CALL_LOG_SQL } from "./call-log-sql.ts"

// No row counts for less: so many at most have to go.
const ROW_BYTES_MIN = 120
const EMPTY: CallLogSize = { rows: 0, bytes: 0 }
export const UNBOUNDED: CallLogSize = { rows: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }

/** Removes the oldest calls. All of these are called inside a transaction, and remove no more than one step at a time. */
export interface Pruning {
  size(): CallLogSize
  /** Counts the calls after this id in, and removes as many old ones as have to make room for them. */
  grown(after: number, bounds: CallLogSize): void
  /** Removes what is beyond the bounds. Tells how many calls that were. */
  toBounds(bounds: CallLogSize): number
  /** Removes what is older. Tells how many calls that were. */
  toTime(before: Moment): number
}

export function pruning({ database }: Connection): Pruning {
  const size = database.query<CallLogSize, []>(CALL_LOG_SQL.size)
  const grow = database.query<CallLogSize, [number]>(CALL_LOG_SQL.grow)
  const shrink = database.query<unknown, [number, number]>(CALL_LOG_SQL.shrink)
  const oldestSizes = database.query<{ bytes: number }, [number]>(CALL_LOG_SQL.oldestSizes)
  const pruneOldest = database.query<unknown, [number]>(CALL_LOG_SQL.pruneOldest)
  const sizesBefore = database.query<{ bytes: number }, [Moment, number]>(CALL_LOG_SQL.sizesBefore)
  const pruneBefore = database.query<unknown, [Moment, number]>(CALL_LOG_SQL.pruneBefore)

  /** Removes the first of these rows that are too many, and counts them out. */
  function prune(oldest: readonly { bytes: number }[], excess: CallLogSize, remove: (rows: number) => void): number {
    const sizes = oldest.map(({ bytes }) => bytes)
    const { rows, bytes } = surplusCalls(excess, sizes)
    if (rows === 0) return 0
    remove(rows)
    shrink.run(rows, bytes)
    return rows
  }

  function withinBounds(now: CallLogSize, bounds: CallLogSize, rowsMax: number): number {
    const excess = { rows: now.rows - bounds.rows, bytes: now.bytes - bounds.bytes }
    if (excess.rows <= 0 && excess.bytes <= 0) return 0
    const needed = Math.max(excess.rows, Math.ceil(excess.bytes / ROW_BYTES_MIN))
    return prune(oldestSizes.all(Math.min(needed, rowsMax)), excess, (rows) => pruneOldest.run(rows))
  }

  return {
    size: () => size.get() ?? EMPTY,
    grown: (after, bounds) => void withinBounds(grow.get(after) ?? EMPTY, bounds, PRUNED_FOR_ROOM_MAX),
    toBounds: (bounds) => withinBounds(size.get() ?? EMPTY, bounds, PRUNED_ROWS_MAX),
    toTime: (before) =>
      prune(sizesBefore.all(before, PRUNED_ROWS_MAX), UNBOUNDED, (rows) => pruneBefore.run(before, rows)),
  }
}
