import { ACTIVITY_MICROS } from "../../domain/activity/feed-request.ts"
import { type Context, writesOf } from "../context.ts"

/** Removes counts of feeds and rejected items that are too old, a part at a time. */
export async function pruneActivity(context: Pick<Context, "store" | "clock">, stopped?: AbortSignal): Promise<void> {
  const { feedActivity } = writesOf(context)
  const before = context.clock() - ACTIVITY_MICROS
  while (!stopped?.aborted && (await feedActivity.prune(before)) > 0);
}
