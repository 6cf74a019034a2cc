/** How much the call log holds, or may hold. */
export interface CallLogSize {
  readonly rows: number
  readonly bytes: number
}

// One step of pruning keeps everybody else waiting for some milliseconds only. Where new calls need room, a step may remove as many
// small calls as make room for a whole commit of large ones.
export const PRUNED_ROWS_MAX = 1_000
export const PRUNED_FOR_ROOM_MAX = 4_000
const PRUNED_BYTES_MAX = 2_097_152

/** The part of the oldest calls, given by their sizes, that one step removes from a log that is too large by `excess`. */
export function surplusCalls(excess: CallLogSize, oldest: readonly number[]): CallLogSize {
  let rows = 0
  let bytes = 0
  for (const each of oldest) {
    if ((rows >= excess.rows && bytes >= excess.bytes) || bytes >= PRUNED_BYTES_MAX) break
    bytes += each
    rows++
  }
  return { rows, bytes }
}

/**
 * Whether the arguments of a call are kept. What the protocol itself could not make sense of (a JSON-RPC error code) is kept for
 * callers whom we know, who may want help, and not for strangers.
 */
export function keepsArguments(outcome: string, isKeyed: boolean): boolean {
  return isKeyed || !outcome.startsWith("-")
}
