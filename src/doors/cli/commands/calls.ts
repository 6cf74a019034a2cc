import type { Command } from "commander"
import { REFUSAL_REASONS, type RefusalCount } from "../../../domain/operations/refusal.ts"
import { formatMoment, MICROS_PER_DAY } from "../../../domain/time/moment.ts"
import type { CallFilter, FoundCalls, LoggedCall, StoreReads } from "../../../storage/port/store.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { print, table } from "../io.ts"
import { wholeNumber } from "../whole-number.ts"

const LISTED_DEFAULT = 50
const LISTED_MAX = 10_000
const FOLLOW_INTERVAL_MS = 500
const ARGUMENTS_SHOWN = 100

interface CallsOptions extends CommonOptions {
  readonly follow?: boolean
  readonly refused?: boolean
  readonly limit: string
  readonly tool?: string
  readonly outcome?: string
}

export function callsCommand(program: Command, context: CliContext): void {
  withData(program.command("calls"))
    .description("list calls of the sales agent: who called what, and the outcome")
    .option("--limit <N>", "how many to list, newest last", String(LISTED_DEFAULT))
    .option("--tool <NAME>", "only calls of this tool")
    .option("--outcome <WORD>", "only calls with this outcome, such as completed or INVALID_REQUEST")
    .option("-f, --follow", "keep printing new calls; with --json one document per line")
    .option("--refused", "count refused requests of the last 24 hours by hour and reason instead")
    .action(async (options: CallsOptions) => {
      const limit = wholeNumber("--limit", options.limit, 1, LISTED_MAX)
      await onStore(context, options, async ({ store, clock }) => {
        const refused = await store.refusals.since(clock() - MICROS_PER_DAY)
        if (options.refused) return printRefused(refused, options, context)
        const calls = (await newest(store, filterOf(options), limit)).reverse()
        if (!options.json) mentionRefused(refused, context)
        if (!options.follow) return printCalls(calls, options, context)
        for (const call of calls) printOne(call, options, context)
        await follow(store, calls.at(-1)?.id ?? 0, options, context)
      })
    })
}

function filterOf({ tool, outcome }: CallsOptions): CallFilter {
  return { ...(tool === undefined ? {} : { tool }), ...(outcome === undefined ? {} : { outcome }) }
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

/** Prints calls that the server logs, until the command is stopped. */
async function follow(store: StoreReads, start: number, options: CallsOptions, context: CliContext): Promise<void> {
  let last = start
  for (;;) {
    const calls = await store.agentCallLog.after(last, LISTED_MAX)
    last = calls.at(-1)?.id ?? last
    for (const call of calls.filter((each) => matches(each, options))) printOne(call, options, context)
    await Bun.sleep(FOLLOW_INTERVAL_MS)
  }
}

function matches({ tool, outcome }: LoggedCall, options: CallsOptions): boolean {
  return (options.tool ?? tool) === tool && (options.outcome ?? outcome) === outcome
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

function printCalls(calls: readonly LoggedCall[], options: CallsOptions, { io }: CliContext): void {
  const isFiltered = Object.keys(filterOf(options)).length > 0
  const header = ["TIME", "CALLER", "CALL", "OUTCOME", "MS", "ARGUMENTS"]
  const text = table(header, calls.map(cells), isFiltered ? "No calls match." : "No calls yet.")
  print(io, options, calls.map(asJson), text)
}

function printRefused(counts: readonly RefusalCount[], options: CallsOptions, { io }: CliContext): void {
  const rows = counts.map(({ hour, door, status, requests }) => ({
    hour: formatMoment(hour),
    door,
    status,
    reason: REFUSAL_REASONS[status],
    requests,
  }))
  const header = ["HOUR", "DOOR", "STATUS", "REASON", "REQUESTS"]
  const cells = rows.map((row) => Object.values(row).map(String))
  print(io, options, rows, table(header, cells, "Nothing was refused in the last 24 hours."))
}

function mentionRefused(counts: readonly RefusalCount[], { io }: CliContext): void {
  const requests = counts.reduce((sum, count) => sum + count.requests, 0)
  if (requests > 0)
    io.err(`${requests} refused requests of the last 24 hours are not listed: adbooth calls --refused\n`)
}

function printOne(call: LoggedCall, { json }: CallsOptions, { io }: CliContext): void {
  io.out(`${json ? JSON.stringify(asJson(call)) : cells(call).join("  ")}\n`)
}

function cells(call: LoggedCall): string[] {
  const text = call.arguments ?? ""
  return [
    formatMoment(call.at).slice(0, 19),
    call.agentKey ?? call.agentKeyId ?? call.address ?? "-",
    call.tool ?? call.method,
    call.outcome,
    (call.durationMicros / 1_000).toFixed(1),
    text.length > ARGUMENTS_SHOWN ? `${text.slice(0, ARGUMENTS_SHOWN)}…` : text,
  ].map(onOneLine)
}

/** Callers choose these texts; they must not break the table. */
const onOneLine = (text: string) => text.replace(/[\n\t]/g, " ")
