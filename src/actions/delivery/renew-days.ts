import { renewNextDay } from "../../storage/steps/line-days.ts"
import { type Context, transact } from "../context.ts"

/** Works out the next day of an organization whose time zone has changed. False when there is none. */
export const renewDays = (context: Context): Promise<boolean> => transact(context, renewNextDay)
