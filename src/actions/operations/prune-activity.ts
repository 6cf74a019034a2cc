import { ACTIVITY_MICROS } from "../../domain/activity/feed-request.ts"
import { DEMAND_WEEKS, weeksBefore } from "../../domain/demand/demand.ts"
import { DEMAND_PER_WEEK } from "../../domain/demand/demand-buffer.ts"
import { type Context, writesOf } from "../context.ts"

/** Removes counts of feeds and of demand, rejected items and briefs that are too old or too many, a part at a time. */
export async function pruneActivity(context: Pick<Context, "store" | "clock">, stopped?: AbortSignal): Promise<void> {
  const { feedActivity, demand } = writesOf(context)
  const before = context.clock() - ACTIVITY_MICROS
  while (!stopped?.aborted && (await feedActivity.prune(before)) > 0);
  const beforeWeek = weeksBefore(context.clock(), DEMAND_WEEKS)
  // Older weeks no longer grow.
  const lastWeek = weeksBefore(context.clock(), 1)
  while (!stopped?.aborted && (await demand.prune(beforeWeek, lastWeek, DEMAND_PER_WEEK)) > 0);
}
