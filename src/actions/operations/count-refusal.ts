import { hourOf, isRefusal, type RefusingDoor } from "../../domain/operations/refusal.ts"
import type { Context } from "../context.ts"

/** Counts an answer that turned a request away. Nothing else is kept of it: who was refused must not cost us disk. */
export function countRefusal(
  { store, clock }: Pick<Context, "store" | "clock">,
  door: RefusingDoor,
  status: number,
): void {
  if (isRefusal(status)) store.refusals.note({ hour: hourOf(clock()), door, status })
}
