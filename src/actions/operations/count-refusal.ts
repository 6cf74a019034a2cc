import { hourOf, isRefusal, type RefusingDoor } from "../../domain/operations/refusal.ts"
import { type Context, writesOf } from "../context.ts"

/** Counts a refused request. Nothing else is stored, so that refused callers cannot fill the disk. */
export function countRefusal(context: Pick<Context, "store" | "clock">, door: RefusingDoor, status: number): void {
  if (isRefusal(status)) writesOf(context).refusals.note({ hour: hourOf(context.clock()), door, status })
}
