import { loggedArguments } from "../domain/adcp/mask.ts"
import { maskKeys } from "../domain/api-key.ts"
import type { NewCall } from "../storage/store.ts"
import type { Context, ReportContext } from "./context.ts"

export interface AnsweredCall extends Omit<NewCall, "arguments"> {
  /** As sent; context and secrets stay out of the log. */
  readonly arguments: unknown
}

// So many calls share a commit; fewer wait for the next one that happens anyway, a few seconds at most.
const CALLS_PER_COMMIT = 500

/** Notes who called what with which arguments, and how it ended. Never the key, never the caller's context. */
export function logAgentCall({ store, log }: Pick<ReportContext, "store" | "log">, call: AnsweredCall): void {
  const { method, tool } = call
  const masked = { method: maskKeys(method), tool: tool && maskKeys(tool), arguments: loggedArguments(call.arguments) }
  const waiting = store.agentCallLog.note({ ...call, ...masked })
  if (waiting % CALLS_PER_COMMIT !== 0) return
  store.flushNotes().catch((cause) => log.error("calls not logged", cause))
}

const MICROS_PER_DAY = 86_400_000_000
const FORGOTTEN_AT_ONCE = 5_000

/** Forgets calls older than so many days, in steps that hold up nobody. Tells how many they were. */
export async function forgetOldCalls(
  { store, clock }: Pick<Context, "store" | "clock">,
  days: number,
): Promise<number> {
  const before = clock() - days * MICROS_PER_DAY
  let forgotten = 0
  let last: number
  do {
    last = await store.agentCallLog.forget(before, FORGOTTEN_AT_ONCE)
    forgotten += last
  } while (last === FORGOTTEN_AT_ONCE)
  return forgotten
}
