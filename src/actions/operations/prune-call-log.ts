import { MICROS_PER_DAY } from "../../domain/time/moment.ts"
import { type Context, writesOf } from "../context.ts"

/** Removes calls and counts of refusals older than `days`, and calls beyond the log's bounds. Returns the number of removed calls. */
export async function pruneCallLog(
  context: Pick<Context, "store" | "clock">,
  days: number,
  stopped?: AbortSignal,
): Promise<number> {
  const { agentCallLog, refusals } = writesOf(context)
  const before = context.clock() - days * MICROS_PER_DAY
  let pruned = 0
  let step: number
  do {
    step = stopped?.aborted ? 0 : await agentCallLog.prune(before)
    pruned += step
  } while (step > 0)
  if (!stopped?.aborted) await refusals.prune(before)
  return pruned
}
