import {
  type CallLogSize,
  PRUNED_FOR_ROOM_MAX,
  PRUNED_ROWS_MAX,
  surplusCalls,
} from "../../../domain/operations/call-log.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { Connection } from "../engine/connection.ts"
import { CALL_LOG_SQL } from "./call-log-sql.ts"

// The smallest size of a row, to work out how many rows may have to be deleted at most.
const ROW_BYTES_MIN = 120
const EMPTY: CallLogSize = { rows: 0, bytes: 0 }
export const UNBOUNDED: CallLogSize = { rows: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }

/** Deletes the oldest calls. Call these inside a transaction; each deletes a limited number. */
export interface Pruning {
  size(): CallLogSize
  /** Adds the calls after this id to the size, and deletes as many old ones as necessary to stay within the bounds. */
  grown(after: number, bounds: CallLogSize): void
  /** Deletes calls beyond the bounds and returns how many. */
  toBounds(bounds: CallLogSize): number
  /** Deletes older calls and returns how many. */
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

  /** Deletes the first of these rows, as many as are too many, and subtracts them from the size. */
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
