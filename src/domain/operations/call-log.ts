export type CallLogSize = Readonly<{ rows: number; bytes: number }>

// One step of pruning blocks others for a few milliseconds only. To make room for new calls, a step may remove enough small calls
// for a whole commit of large ones.
export const PRUNED_ROWS_MAX = 1_000
export const PRUNED_FOR_ROOM_MAX = 4_000
const PRUNED_BYTES_MAX = 2_097_152

/** Those of the oldest calls that one step removes from a log that is too large by `excess`. */
export function surplusCalls<Call extends Pick<CallLogSize, "bytes">>(excessBytes: number, oldest: readonly Call[]) {
  let bytes = 0
  return oldest.filter((call) => {
    if (bytes >= excessBytes || bytes >= PRUNED_BYTES_MAX) return false
    bytes += call.bytes
    return true
  })
}

/**
 * Whether to log the arguments of a call: never of one that was refused for a credential in them. Protocol errors (JSON-RPC codes) keep
 * them only for callers with a key, who may want help.
 */
export const keepsArguments = (outcome: string, isKeyed: boolean): boolean =>
  outcome !== "CREDENTIAL_IN_ARGS" && (isKeyed || !outcome.startsWith("-"))
