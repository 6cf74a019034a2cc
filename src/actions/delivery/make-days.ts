import { type Context, writesOf } from "../context.ts"

/** Makes the closing totals of days of some lines where they are missing. False where none are. */
export const makeDays = (context: Context, stopping: AbortSignal): Promise<boolean> =>
  writesOf(context).deliveries.makeDays(stopping)
