import { hourOf, isRefusal, type RefusingDoor } from "../../domain/operations/refusal.ts"
import { type Context, writesOf } from "../context.ts"

/** Counts an answer that turned a request away. Nothing else is kept of it: who was refused must not cost us disk. */
export function countRefusal(context: Pick<Context, "store" | "clock">, door: RefusingDoor, status: number): void {
  if (isRefusal(status)) writesOf(context).refusals.note({ hour: hourOf(context.clock()), door, status })
}
