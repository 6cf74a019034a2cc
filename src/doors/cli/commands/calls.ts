import type { Command } from "commander"
import { REFUSAL_REASONS, type RefusalCount } from "../../../domain/operations/refusal.ts"
import { formatMinute, formatMoment, formatSecond, MICROS_PER_DAY, type Moment } from "../../../domain/time/moment.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { CallFilter, FoundCalls, LoggedCall, StoreReads } from "../../../storage/port/store.ts"
import { readSince, wholeNumber } from "../arguments.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { explained } from "../help.ts"
import { type Column, type List, printList } from "../output/table.ts"
import { type Colour, oneLine, shortened } from "../output/text.ts"

const LISTED_DEFAULT = 50
const LISTED_MAX = 10_000
const FOLLOW_INTERVAL_MS = 500
const ARGUMENTS_SHOWN = 100
const ANONYMOUS = "anonymous"

interface CallsOptions extends CommonOptions {
  readonly since?: string
  readonly key?: string
  readonly follow?: boolean
  readonly refused?: boolean
  readonly limit: string
  readonly tool?: string
  readonly outcome?: string
}

export function callsCommand(program: Command, context: CliContext): void {
  const command = withData(program.command("calls"))
    .summary("show calls of the sales agent")
    .description("list calls of the sales agent: who called what, and the outcome")
    .option(
      "--since <TIME>",
      "only calls since then: 30m, 24h or 7d ago, a date, or a time such as 2026-11-01T08:00:00Z",
    )
    .option("--key <ID_OR_PREFIX>", "only calls with this agent key; anonymous for those without one")
    .option("--tool <NAME>", "only calls of this tool")
    .option("--outcome <WORD>", "only calls with this outcome, such as completed or INVALID_REQUEST")
    .option("--limit <N>", "how many to list, newest last", String(LISTED_DEFAULT))
    .option("-f, --follow", "keep printing new calls; with --json one document per line")
    .option("--refused", "count refused requests of the last 24 hours by hour and reason instead")
    .action(async (options: CallsOptions) => {
      const limit = wholeNumber("--limit", options.limit, 1, LISTED_MAX)
      const from = options.since === undefined ? undefined : readSince("--since", options.since, context.clock())
      await onStore(context, options, async ({ store, clock }) => {
        const refused = await store.refusals.since(clock() - MICROS_PER_DAY)
        if (options.refused) return printList(context.io, options, refused, REFUSALS)
        const filter = await filterOf(store, options, from)
        const calls = (await newest(store, filter, limit)).reverse()
        if (!options.json) mentionRefused(refused, context)
        if (!options.follow) return printCalls(calls, filter, options, context)
        for (const call of calls) printOne(call, options, context)
        await follow(store, calls.at(-1)?.id ?? 0, { filter, options }, context)
      })
    })
  explained(command, {
    examples: [
      ["calls --since 24h"],
      ["calls --key aba_Xk3f9Qp1 --tool get_products --json"],
      ["calls --follow", "as they come, until Ctrl-C"],
    ],
  })
}

async function filterOf(
  store: StoreReads,
  { tool, outcome, key }: CallsOptions,
  from: Moment | undefined,
): Promise<CallFilter> {
  const caller = key === undefined ? undefined : await callerOf(store, key)
  return {
    ...(tool !== undefined && { tool }),
    ...(outcome !== undefined && { outcome }),
    ...(caller !== undefined && { caller }),
    ...(from !== undefined && { from }),
  }
}

/** Revoked keys too: their calls are still in the log. */
async function callerOf(store: StoreReads, wanted: string): Promise<string> {
  if (wanted === ANONYMOUS) return wanted
  const found = (await store.agentKeys.list()).find(({ id, prefix }) => id === wanted || prefix === wanted)
  if (found === undefined)
    throw new UserError(`There is no agent key "${wanted}". "adbooth agent-key list" shows them.`)
  return found.id
}

/** The newest calls that match. A search reads only a part of the log at a time. */
async function newest({ agentCallLog }: StoreReads, filter: CallFilter, limit: number): Promise<LoggedCall[]> {
  const found: LoggedCall[] = []
  let before: number | null = null
  do {
    const part: FoundCalls = await agentCallLog.search(filter, { before, limit: limit - found.length })
    found.push(...part.calls)
    before = part.before
  } while (before !== null && found.length < limit)
  return found
}

interface Following {
  readonly filter: CallFilter
  readonly options: CallsOptions
}

/** Prints calls that the server logs, until the command is stopped. */
async function follow(store: StoreReads, start: number, { filter, options }: Following, context: CliContext) {
  let last = start
  for (;;) {
    const calls = await store.agentCallLog.after(last, LISTED_MAX)
    last = calls.at(-1)?.id ?? last
    for (const call of calls.filter((each) => matches(each, filter))) printOne(call, options, context)
    await Bun.sleep(FOLLOW_INTERVAL_MS)
  }
}

function matches({ tool, outcome, agentKeyId, at }: LoggedCall, filter: CallFilter): boolean {
  return (
    (filter.tool ?? tool) === tool &&
    (filter.outcome ?? outcome) === outcome &&
    (filter.caller === undefined || (agentKeyId ?? ANONYMOUS) === filter.caller) &&
    at >= (filter.from ?? 0)
  )
}

function asJson(call: LoggedCall): object {
  return {
    id: call.id,
    at: formatMoment(call.at),
    agent_key: call.agentKeyId === null ? null : { id: call.agentKeyId, label: call.agentKey },
    address: call.address,
    method: call.method,
    tool: call.tool,
    arguments: call.arguments === null ? null : JSON.parse(call.arguments),
    outcome: call.outcome,
    duration_ms: call.durationMicros / 1_000,
  }
}

const COLUMNS: readonly Column<LoggedCall>[] = [
  { title: "TIME", text: ({ at }) => formatSecond(at) },
  { title: "CALLER", text: callerText, shrinks: true },
  { title: "CALL", text: ({ tool, method }) => tool ?? method, shrinks: true },
  { title: "OUTCOME", text: ({ outcome }) => outcome, colour: outcomeColour },
  { title: "MS", text: ({ durationMicros }) => (durationMicros / 1_000).toFixed(1), isFigure: true, optional: 2 },
  { title: "ARGUMENTS", text: argumentsText, shrinks: true, optional: 1 },
]

function callerText({ agentKey, agentKeyId, address }: LoggedCall): string {
  return agentKey ?? agentKeyId ?? address ?? "-"
}

function argumentsText({ arguments: text }: LoggedCall): string {
  return shortened(text ?? "", ARGUMENTS_SHOWN)
}

/** Outcomes in capitals are errors. */
function outcomeColour({ outcome }: LoggedCall): Colour | undefined {
  return outcome === "completed" ? "green" : /^[A-Z]/.test(outcome) ? "red" : undefined
}

function printCalls(calls: readonly LoggedCall[], filter: CallFilter, options: CallsOptions, { io }: CliContext): void {
  const isFiltered = Object.keys(filter).length > 0
  printList(io, options, calls, { columns: COLUMNS, asJson, empty: isFiltered ? "No calls match." : "No calls yet." })
}

const REFUSALS: List<RefusalCount> = {
  columns: [
    { title: "HOUR", text: ({ hour }) => formatMinute(hour) },
    { title: "DOOR", text: ({ door }) => door },
    { title: "STATUS", text: ({ status }) => String(status) },
    { title: "REASON", text: ({ status }) => REFUSAL_REASONS[status], shrinks: true },
    { title: "REQUESTS", text: ({ requests }) => requests.toLocaleString("en"), isFigure: true },
  ],
  asJson: ({ hour, door, status, requests }) => ({
    hour: formatMoment(hour),
    door,
    status,
    reason: REFUSAL_REASONS[status],
    requests,
  }),
  empty: "Nothing was refused in the last 24 hours.",
}

function mentionRefused(counts: readonly RefusalCount[], { io }: CliContext): void {
  const requests = counts.reduce((sum, count) => sum + count.requests, 0)
  if (requests > 0)
    io.err(`${requests} refused requests of the last 24 hours are not listed: adbooth calls --refused\n`)
}

function printOne(call: LoggedCall, { json }: CallsOptions, { io }: CliContext): void {
  io.out(`${json ? JSON.stringify(asJson(call)) : COLUMNS.map(({ text }) => oneLine(text(call))).join("  ")}\n`)
}
