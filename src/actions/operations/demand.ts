import { DemandTally } from "../../domain/demand/demand-tally.ts"
import { parseTimestamp } from "../../domain/time/moment.ts"
import type { Context } from "../context.ts"

const CALLS_AT_ONCE = 1_000

/** What buyers' agents asked for since the Monday of a week, as far back as calls are kept. Others are served between its parts. */
export async function demandSince({ store }: Pick<Context, "store">, week: string): Promise<DemandTally> {
  const tally = new DemandTally()
  let last = { at: parseTimestamp(`${week}T00:00:00Z`) ?? 0, id: 0 }
  for (;;) {
    const calls = await store.agentCallLog.demand(last, CALLS_AT_ONCE)
    for (const call of calls) tally.add(call)
    const newest = calls.at(-1)
    if (newest === undefined || calls.length < CALLS_AT_ONCE) return tally
    last = newest
  }
}
