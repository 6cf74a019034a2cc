import { formatSecond, type Moment } from "../../../domain/time/moment.ts"
import type { CallFilter, FoundCalls, LoggedCall, StoreReads } from "../../../storage/port/store.ts"
import { readSince, wholeNumber } from "../arguments.ts"
import { lists, onData } from "../command.ts"
import type { CliContext, CommonOptions } from "../context.ts"
import { asJson, cellText, type List, timeColumn } from "../output/table.ts"
import { type Colour, oneLine, shortened } from "../output/text.ts"
import { unknown } from "../stored.ts"

const LISTED_DEFAULT = 50
const LISTED_MAX = 10_000
const FOLLOW_INTERVAL_MS = 500
const ARGUMENTS_SHOWN = 100
const ANONYMOUS = "anonymous"

export const callsCommand = onData("calls", "list calls of the sales agent: who called what, and the outcome", {
  summary: "show calls of the sales agent",
  options: {
    "--since <TIME>": "only calls since then: 30m, 24h or 7d ago, a date, or a time such as 2026-11-01T08:00:00Z",
    "--key <ID_OR_PREFIX>": "only calls with this buyer's key; anonymous for those without one",
    "--tool <NAME>": "only calls of this tool",
    "--outcome <WORD>":
      "only calls that found something (found) or nothing (nothing), or with an error such as INVALID_REQUEST",
    "--limit <N>": ["how many to list, newest last", String(LISTED_DEFAULT)],
    "-f, --follow": "keep printing new calls; with --json one document per line",
  },
  examples: [
    ["calls --since 24h"],
    ["calls --key aba_Xk3f9Qp1 --tool get_products --json"],
    ["calls --since 7d --outcome nothing", "what buyers asked for, and you did not have"],
    ["calls --follow", "as they come, until Ctrl-C"],
  ],
  reads: ({ limit, since }) => ({
    limit: wholeNumber("--limit", limit, 1, LISTED_MAX),
    since: since === undefined ? undefined : readSince("--since", since),
  }),
  async run({ cli, store, clock, options, read: { limit, since } }) {
    const filter = await filterOf(store, options, since?.(clock()))
    const calls = (await newest(store, filter, limit)).reverse()
    if (!options.follow) return lists(calls, CALLS, Object.keys(filter).length > 0 ? "No calls match." : undefined)
    const print = (call: LoggedCall) => printOne(call, options, cli)
    calls.forEach(print)
    return follow(store, calls.at(-1)?.id ?? 0, filter, print)
  },
})

async function filterOf(
  store: StoreReads,
  { tool, outcome, key }: Partial<Record<"tool" | "outcome" | "key", string>>,
  from: Moment | undefined,
): Promise<CallFilter> {
  const caller = key === undefined ? undefined : await callerOf(store, key)
  return {
    ...(tool !== undefined && { tool }),
    ...(outcome !== undefined && (isResult(outcome) ? { result: outcome } : { outcome })),
    ...(caller !== undefined && { caller }),
    ...(from !== undefined && { from }),
  }
}

const isResult = (word: string) => word === "found" || word === "nothing"

/** Revoked keys too: their calls are still in the log. */
async function callerOf(store: StoreReads, wanted: string): Promise<string> {
  if (wanted === ANONYMOUS) return wanted
  const key = (await store.agentKeys.list()).find(({ id, prefix }) => id === wanted || prefix === wanted)
  if (key === undefined) throw unknown(`buyer's key "${wanted}"`, "agent-key")
  return key.id
}

/** The newest calls that match. A search reads only a part of the log at a time. */
async function newest({ agentCallLog }: StoreReads, filter: CallFilter, limit: number): Promise<LoggedCall[]> {
  const calls: LoggedCall[] = []
  let before: number | null = null
  do {
    const part: FoundCalls = await agentCallLog.search(filter, { before, limit: limit - calls.length })
    calls.push(...part.calls)
    before = part.before
  } while (before !== null && calls.length < limit)
  return calls
}

async function follow(
  { agentCallLog }: StoreReads,
  start: number,
  filter: CallFilter,
  print: (call: LoggedCall) => void,
): Promise<never> {
  for (let last = start; ; await Bun.sleep(FOLLOW_INTERVAL_MS)) {
    const calls = await agentCallLog.after(last, LISTED_MAX, filter)
    last = calls.at(-1)?.id ?? last
    calls.forEach(print)
  }
}

const CALLS: List<LoggedCall> = {
  columns: [
    timeColumn("TIME", ({ at }) => at, { json: "at", text: ({ at }) => formatSecond(at) }),
    { title: "CALLER", text: (call) => call.agentKey ?? call.agentKeyId ?? call.address ?? "-", shrinks: true },
    { title: "CALL", text: ({ tool, method }) => tool ?? method, shrinks: true },
    { title: "OUTCOME", value: ({ outcome }) => outcome, colour: outcomeColour },
    { title: "MS", text: ({ durationMicros }) => (durationMicros / 1_000).toFixed(1), isFigure: true, optional: 2 },
    {
      title: "ARGUMENTS",
      value: ({ arguments: text }) => text && JSON.parse(text),
      text: ({ arguments: text }) => shortened(text ?? "", ARGUMENTS_SHOWN),
      shrinks: true,
      optional: 1,
    },
  ],
  more: ({ id, agentKeyId, agentKey, address, method, tool, durationMicros }) => ({
    id,
    agent_key: agentKeyId && { id: agentKeyId, label: agentKey },
    address,
    method,
    tool,
    duration_ms: durationMicros / 1_000,
  }),
  empty: "No calls yet.",
}

/** Outcomes in capitals are errors. */
function outcomeColour({ outcome }: LoggedCall): Colour | undefined {
  return outcome === "completed" ? "green" : /^[A-Z]/.test(outcome) ? "red" : undefined
}

function printOne(call: LoggedCall, { json }: CommonOptions, { io }: CliContext): void {
  const cells = () => CALLS.columns.map((column) => oneLine(cellText(column, call))).join("  ")
  io.out(`${json ? JSON.stringify(asJson(CALLS, call)) : cells()}\n`)
}
