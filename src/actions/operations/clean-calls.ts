import { keptOfLogged } from "../../domain/adcp/logged-arguments.ts"
import type { Demand } from "../../domain/demand/demand.ts"
import { holdsKey, withoutKey } from "../../domain/keys/api-key.ts"
import { keepsArguments } from "../../domain/operations/call-log.ts"
import { readNumber, WHOLE } from "../../domain/text/typed-number.ts"
import { nextTurn } from "../../next-turn.ts"
import { countriesText } from "../../storage/steps/behind/call-log.ts"
import { settingOf } from "../../storage/steps/operations.ts"
import { all, asc, eq, exec, gt, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transactBeside } from "../context.ts"
import { setSetting } from "../settings.ts"

// Some milliseconds of work.
const CALLS_AT_ONCE = 200
const DONE = "all, with columns"

/**
 * Takes out of the calls that an earlier version logged what is no longer kept of such calls, and fills the columns that they are searched
 * by, once. Others are served in between.
 */
export async function cleanCalls(context: Pick<Context, "store">, stopped?: AbortSignal): Promise<void> {
  while (!stopped?.aborted && (await transactBeside(context, cleanSome))) await nextTurn()
}

/** False when all were looked at. */
function* cleanSome(tx: Tx): Step<boolean> {
  const { db, agentCall } = tx
  const through = yield* settingOf(tx, "calls_cleaned_through")
  if (through === DONE) return false
  const { id, agentKeyId, method, tool, outcome, arguments: args, demand, matched, countries } = agentCall
  const columns = { id, agentKeyId, method, tool, outcome, arguments: args, demand, matched, countries }
  // Where an earlier version was done ("all"), it begins again: the columns are to be filled.
  const last = readNumber(through ?? "", WHOLE)
  const next = db
    .select(columns)
    .from(agentCall)
    .where(gt(id, last.ok ? last.value : 0))
  const calls = yield* all(next.orderBy(asc(id)).limit(CALLS_AT_ONCE))
  for (const call of calls) {
    const kept = keptOf(call)
    if (!Object.entries(kept).every(([name, value]) => call[name as keyof typeof kept] === value))
      yield* exec(db.update(agentCall).set(kept).where(eq(id, call.id)))
  }
  const isMore = calls.length === CALLS_AT_ONCE
  yield* setSetting(tx, "calls_cleaned_through", isMore ? String(calls.at(-1)?.id) : DONE)
  return isMore
}

type Stored = Readonly<{
  agentKeyId: string | null
  method: string
  tool: string | null
  outcome: string
  arguments: string | null
  demand: string | null
}>

/** The rules of `logAgentCall`, for what is stored. */
function keptOf({ agentKeyId, method, tool, outcome, arguments: logged, demand }: Stored) {
  const isKept = logged !== null && keepsArguments(outcome, agentKeyId !== null)
  const args = isKept ? keptOfLogged(logged) : null
  const isWithheld = (args === null && logged !== null) || holdsKey(demand ?? "")
  const kept = isWithheld ? null : demand
  const asked = kept === null ? null : (JSON.parse(kept) as Partial<Demand>)
  return {
    method: withoutKey(method),
    tool: tool && withoutKey(tool),
    arguments: args,
    demand: kept,
    matched: asked?.matched ?? null,
    countries: countriesText(asked?.countries ?? []),
  }
}
