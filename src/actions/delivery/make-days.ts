import { type Context, writesOf } from "../context.ts"

// What is left is made the next time: nobody waits for it, because what is missing is found in the whole history.
const LINES_MAX = 1_000

/** Makes the closing totals of days where they are missing. */
export async function makeDays(context: Context, stopping: AbortSignal): Promise<void> {
  const { deliveries } = writesOf(context)
  for (let lines = 0; lines < LINES_MAX && !stopping.aborted; lines += 1) if (!(await deliveries.makeDays())) return
}
