import type { Command } from "commander"
import { REFUSAL_REASONS, type RefusalCount } from "../../../domain/operations/refusal.ts"
import { formatMoment, MICROS_PER_DAY } from "../../../domain/time/moment.ts"
import type { CallFilter, FoundCalls, LoggedCall, StoreReads } from "../../../storage/port/store.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { printJson, table } from "../io.ts"
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
    .description("calls of the sales agent: who asked what, and how it ended")
    .option("--limit <N>", "so many, newest last", String(LISTED_DEFAULT))
    .option("--tool <NAME>", "only calls of this tool")
    .option("--outcome <WORD>", "only calls that ended so, such as completed or INVALID_REQUEST")
    .option("-f, --follow", "go on printing calls as they come; with --json one document for each line")
    .option("--refused", "instead: how many requests were turned away in the last 24 hours, by hour and reason")
    .action(async (options: CallsOptions) => {
      const limit = wholeNumber("--limit", options.limit, 1, LISTED_MAX)
      await onStore(context, options, { create: false }, async ({ store, clock }) => {
        const refused = await store.refusals.since(clock() - MICROS_PER_DAY)
        if (options.refused) return printRefused(refused, options, context)
        const calls = (await newest(store, filterOf(options), limit)).reverse()
        if (!options.json) mentionRefused(refused, context)
        if (!options.follow) return print(calls, options, context)
        for (const call of calls) printOne(call, options, context)
        await follow(store, calls.at(-1)?.id ?? 0, options, context)
      })
    })
}

function filterOf({ tool, outcome }: CallsOptions): CallFilter {
  return { ...(tool === undefined ? {} : { tool }), ...(outcome === undefined ? {} : { outcome }) }
}

/** The newest calls that fit. The log is looked through part by part. */
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

/** Prints calls as another process logs them, until somebody stops this one. */
async function follow(store: StoreReads, start: number, options: CallsOptions, context: CliContext): Promise<void> {
  let last = start
  for (;;) {
    const calls = await store.agentCallLog.after(last, LISTED_MAX)
    last = calls.at(-1)?.id ?? last
    for (const call of calls.filter((each) => isAsked(each, options))) printOne(call, options, context)
    await Bun.sleep(FOLLOW_INTERVAL_MS)
  }
}

function isAsked({ tool, outcome }: LoggedCall, options: CallsOptions): boolean {
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

function print(calls: readonly LoggedCall[], options: CallsOptions, { io }: CliContext): void {
  const isFiltered = Object.keys(filterOf(options)).length > 0
  if (options.json) printJson(io, calls.map(asJson))
  else if (calls.length === 0) io.out(isFiltered ? "No calls match.\n" : "No calls yet.\n")
  else io.out(table(["TIME", "CALLER", "CALL", "OUTCOME", "MS", "ARGUMENTS"], calls.map(cells)))
}

function printRefused(counts: readonly RefusalCount[], { json }: CallsOptions, { io }: CliContext): void {
  const rows = counts.map(({ hour, door, status, requests }) => ({
    hour: formatMoment(hour),
    door,
    status,
    reason: REFUSAL_REASONS[status],
    requests,
  }))
  if (json) printJson(io, rows)
  else if (rows.length === 0) io.out("Nothing was refused in the last 24 hours.\n")
  else {
    const texts = rows.map(({ hour, door, status, reason, requests }) => [
      hour,
      door,
      `${status}`,
      reason,
      `${requests}`,
    ])
    io.out(table(["HOUR", "DOOR", "STATUS", "REASON", "REQUESTS"], texts))
  }
}

/** What is not in the list is told beside it, so that nobody looks for it there. */
function mentionRefused(counts: readonly RefusalCount[], { io }: CliContext): void {
  const requests = counts.reduce((sum, count) => sum + count.requests, 0)
  if (requests > 0) io.err(`${requests} refused in the last 24 hours are not listed: adbooth calls --refused\n`)
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

/** Callers choose these words, and must not break the table. */
const onOneLine = (text: string) => text.replace(/[\n\t]/g, " ")
