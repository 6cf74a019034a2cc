import { loggedArguments } from "../../domain/adcp/logged-arguments.ts"
import type { Demand } from "../../domain/demand/demand.ts"
import { DemandTally } from "../../domain/demand/demand-tally.ts"
import { withoutKey } from "../../domain/keys/api-key.ts"
import { keepsArguments } from "../../domain/operations/call-log.ts"
import { hourOf, isRefusal, type RefusingDoor } from "../../domain/operations/refusal.ts"
import { type CalendarDate, MICROS_PER_DAY } from "../../domain/time/moment.ts"
import { dayOf, startOfDay, type TimeZone } from "../../domain/time/time-zone.ts"
import type { NewCall } from "../../storage/port/store.ts"
import { type Context, type ReportContext, writesOf } from "../context.ts"

export interface AnsweredCall extends Omit<NewCall, "arguments" | "demand"> {
  /** As sent; context and secrets are not logged. */
  readonly arguments: unknown
  /** What was asked for and shown; null where the call failed, or was of another tool. */
  readonly demand: Demand | null
}

/**
 * Logs who called what with which arguments, and the outcome. Never the key or the caller's context; and nothing of what was asked where a
 * credential was in it.
 */
export function logAgentCall(context: Pick<ReportContext, "store">, { demand, ...call }: AnsweredCall): void {
  const { method, tool } = call
  const isKeyed = call.agentKeyId !== null
  const args = keepsArguments(call.outcome, isKeyed) ? loggedArguments(call.arguments, isKeyed) : null
  const named = { method: nameText(method), tool: tool && nameText(tool), arguments: args }
  const isWithheld = args === null && call.arguments !== undefined
  const kept = isWithheld ? null : demand
  const asked = kept && { demand: JSON.stringify(kept), matched: kept.matched, countries: kept.countries }
  writesOf(context).agentCallLog.note({ ...call, ...named, ...asked })
}

const NAME_CHARACTERS_MAX = 100
const nameText = (name: string) => withoutKey(name).slice(0, NAME_CHARACTERS_MAX)

/** Removes calls and counts of refusals older than `days`. Returns the number of removed calls. */
export async function pruneCallLog(context: Pick<Context, "store" | "clock">, days: number, stopped?: AbortSignal) {
  const { agentCallLog, refusals } = writesOf(context)
  const before = context.clock() - days * MICROS_PER_DAY
  let pruned = 0
  let step: number
  do {
    step = stopped?.aborted ? 0 : await agentCallLog.prune(before)
    pruned += step
  } while (step > 0)
  if (!stopped?.aborted) await refusals.prune(before)
  return pruned
}

const CALLS_AT_ONCE = 1_000

/** What buyers' agents asked for since a day, as far back as calls are kept. Others are served between its parts. */
export async function demandSince({ store }: Pick<Context, "store">, since: CalendarDate, zone: TimeZone) {
  const tally = new DemandTally((at) => dayOf(at, zone))
  let last = { at: startOfDay(since, zone), id: 0 }
  for (;;) {
    const calls = await store.agentCallLog.demand(last, CALLS_AT_ONCE)
    for (const call of calls) tally.add(call)
    const newest = calls.at(-1)
    if (newest === undefined || calls.length < CALLS_AT_ONCE) return tally
    last = newest
  }
}

/** Counts a refused request. Nothing else is stored, so that refused callers cannot fill the disk. */
export function countRefusal(context: Pick<Context, "store" | "clock">, door: RefusingDoor, status: number): void {
  if (isRefusal(status)) writesOf(context).refusals.note({ hour: hourOf(context.clock()), door, status })
}

/** Writes what is buffered in memory: calls, refusals, when keys were last used. */
export const flushWriteBuffer = (context: Pick<Context, "store">): Promise<void> => writesOf(context).flushWriteBuffer()
