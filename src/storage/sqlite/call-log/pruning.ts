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

/** Deletes the oldest calls. Call these inside a transaction; each deletes a limited number. */
export interface Pruning {
  size(): CallLogSize
  /** Adds the calls after this id to the size, and deletes as many old ones as necessary to stay within this size. */
  grown(after: number, bytesMax: number): void
  /** Deletes calls beyond this size and returns how many. */
  toSize(bytesMax: number): number
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
  function prune(oldest: readonly { bytes: number }[], excessBytes: number, remove: (rows: number) => void): number {
    const sizes = oldest.map(({ bytes }) => bytes)
    const { rows, bytes } = surplusCalls(excessBytes, sizes)
    if (rows === 0) return 0
    remove(rows)
    shrink.run(rows, bytes)
    return rows
  }

  function within(bytesMax: number, { bytes }: CallLogSize, rowsMax: number): number {
    const excess = bytes - bytesMax
    if (excess <= 0) return 0
    const needed = Math.ceil(excess / ROW_BYTES_MIN)
    return prune(oldestSizes.all(Math.min(needed, rowsMax)), excess, (rows) => pruneOldest.run(rows))
  }

  return {
    size: () => size.get() ?? EMPTY,
    grown: (after, bytesMax) => void within(bytesMax, grow.get(after) ?? EMPTY, PRUNED_FOR_ROOM_MAX),
    toSize: (bytesMax) => within(bytesMax, size.get() ?? EMPTY, PRUNED_ROWS_MAX),
    toTime: (before) =>
      prune(sizesBefore.all(before, PRUNED_ROWS_MAX), Number.POSITIVE_INFINITY, (rows) =>
        pruneBefore.run(before, rows),
      ),
  }
}
