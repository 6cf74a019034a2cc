export interface CallLogSize {
  readonly rows: number
  readonly bytes: number
}

// One step of pruning blocks others for a few milliseconds only. To make room for new calls, a step may remove enough small calls
// for a whole commit of large ones.
export const PRUNED_ROWS_MAX = 1_000
export const PRUNED_FOR_ROOM_MAX = 4_000
const PRUNED_BYTES_MAX = 2_097_152

/** How many of the oldest calls, given by their sizes, one step removes from a log that is too large by `excess`. */
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

/** Whether to log the arguments of a call. Protocol errors (JSON-RPC codes) keep them only for callers with a key, who may want help. */
export function keepsArguments(outcome: string, isKeyed: boolean): boolean {
  return isKeyed || !outcome.startsWith("-")
}

// A batch of this many calls or bytes gets a commit of its own. Fewer wait for the next commit, a few seconds at most.
const BATCH_CALLS = 500
const BATCH_BYTES = 524_288
// Calls must not fill the memory while they cannot be written. What does not fit is not logged.
const WAITING_BYTES_MAX = 8 * BATCH_BYTES
// The size of a call without its texts.
const CALL_BYTES = 200

interface Texts {
  readonly arguments: string | null
  readonly demand?: string | null
}

/** Calls that wait to be written, oldest first. */
interface CallBuffer<Call> {
  /** True whenever a batch is full and should be written. */
  add(call: Call): boolean
  waiting(): readonly Call[]
  /** The oldest were written. */
  drop(count: number): void
}

export function callBuffer<Call extends Texts>(): CallBuffer<Call> {
  let waiting: Call[] = []
  let waitingBytes = 0
  return {
    add(call) {
      const bytes = bytesOf(call)
      if (waitingBytes + bytes > WAITING_BYTES_MAX) return false
      waiting.push(call)
      const batches = Math.floor(waitingBytes / BATCH_BYTES)
      waitingBytes += bytes
      return waiting.length % BATCH_CALLS === 0 || Math.floor(waitingBytes / BATCH_BYTES) > batches
    },
    waiting: () => waiting,
    drop(count) {
      waiting = waiting.slice(count)
      waitingBytes = waiting.reduce((sum, call) => sum + bytesOf(call), 0)
    },
  }
}

function bytesOf(call: Texts): number {
  const argumentBytes = call.arguments === null ? 0 : Buffer.byteLength(call.arguments)
  return CALL_BYTES + argumentBytes + (call.demand?.length ?? 0)
}
