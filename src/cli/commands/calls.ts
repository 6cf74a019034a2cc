import type { Command } from "commander"
import type { Context } from "../../actions/context.ts"
import { UserError } from "../../domain/errors.ts"
import { DURATION, wholeNumber } from "../../domain/operations/setting-kinds.ts"
import { isDate, type Moment, readTimestamp } from "../../domain/time/moment.ts"
import { type CallSearch, findCalls, type StoredCall } from "../../storage/catalogue/calls.ts"
import { buyerKeys } from "../../storage/keys.ts"
import { examples, onData, type Program, readOption, UsageError, withData } from "../context.ts"
import { type Column, jsonOf, lineOf, printable, printList, printText, timeColumn, write } from "../print.ts"

const FOLLOWED_MS = 500
const LIMIT_MAX = 10_000
const ANONYMOUS = "anonymous"

interface CallsOptions {
  readonly since?: string
  readonly key?: string
  readonly outcome?: string
  readonly limit: string
  readonly follow?: true
  readonly json?: true
}

/** Adds `adbooth calls`. */
export function registerCalls(root: Command, program: Program): void {
  onData(root.command("calls"))
    .summary("list calls of the sales agent")
    .description("List calls of the sales agent: who asked for what, and the outcome.")
    .option(
      "--since <time>",
      "list only calls since this time: 24h (ago), a date, or a time such as 2026-11-01T08:00:00Z",
    )
    .option("--key <id>", `list only calls with this buyer key (ID or prefix), or ${ANONYMOUS} ones`)
    .option("--outcome <word>", "list only calls that products fit (found) or none fit (nothing), or with this error")
    .option("--limit <number>", "list at most this many, the newest", "50")
    .option("--follow", "keep printing new calls; with --json one document on each line")
    .addHelpText("after", examples("calls --since 24h", "calls --since 7d --outcome nothing", "calls --follow"))
    .action((options: CallsOptions) => listCalls(program, options))
}

async function listCalls(program: Program, options: CallsOptions): Promise<void> {
  const { since, key, outcome, limit, follow, json, ...given } = options
  const count = readOption("--limit", wholeNumber("number", 1, LIMIT_MAX), limit)
  const from = since === undefined ? null : readSince(since)
  await withData(program, given, async (context) => {
    const { read } = context.database
    const keys = await buyerKeys(read)
    const columns = columnsFor(new Map(keys.map(({ id, label }) => [id, label])))
    const search: CallSearch = {
      ...(from !== null && { since: from(context.clock()) }),
      ...(key !== undefined && { buyerKeyId: callerNamed(keys, key) }),
      ...(outcome !== undefined && { outcome }),
      count,
    }
    const calls = (await findCalls(read, search)).reverse()
    if (!follow) return printList(calls, columns, { json, empty: "No calls found." })
    const print = (call: StoredCall) =>
      json ? write(`${printable(JSON.stringify(jsonOf(columns, call)))}\n`) : printText(lineOf(columns, call))
    return followCalls(context, calls, search, print)
  })
}

/** Prints calls as they come, until Ctrl-C. */
async function followCalls(
  { database }: Context,
  first: readonly StoredCall[],
  search: CallSearch,
  print: (call: StoredCall) => Promise<void>,
): Promise<never> {
  let calls = first
  for (let after = 0; ; ) {
    for (const call of calls) await print(call)
    after = calls.at(-1)?.id ?? after
    await Bun.sleep(FOLLOWED_MS)
    calls = (await findCalls(database.read, { ...search, after, count: LIMIT_MAX })).reverse()
  }
}

/** Reads "24h", a date or a time. Returns a function of the current time. */
function readSince(text: string): (now: Moment) => Moment {
  const span = DURATION.read(text)
  if (span !== null) return (now) => now - span
  const moment = readTimestamp(isDate(text) ? `${text}T00:00:00Z` : text)
  if (moment !== null) return () => moment
  throw new UsageError(`--since must be a time such as 30m, 24h, 2026-11-01 or 2026-11-01T08:00:00Z, not "${text}".`)
}

/** Revoked keys as well: their calls are still in the log. */
function callerNamed(keys: readonly { readonly id: string; readonly prefix: string }[], name: string): string | null {
  if (name === ANONYMOUS) return null
  const key = keys.find(({ id, prefix }) => id === name || prefix === name)
  if (key === undefined) throw new UserError(`Unknown buyer key "${name}". "adbooth agent-key list" shows all of them.`)
  return key.id
}

const columnsFor = (labels: ReadonlyMap<string, string>): readonly Column<StoredCall>[] => [
  { title: "ID", value: "id", text: null },
  timeColumn("AT", ({ at }) => at),
  {
    title: "CALLER",
    json: null,
    value: ({ buyerKeyId, address }) => (buyerKeyId === null ? address : (labels.get(buyerKeyId) ?? buyerKeyId)),
    isCut: true,
  },
  { title: "CALL", json: null, value: ({ tool, method }) => tool ?? method },
  {
    title: "OUTCOME",
    value: "outcome",
  },
  { title: "FIT", json: "matched", value: "matched", isOptional: true },
  {
    title: "ARGUMENTS",
    value: ({ arguments: text }) => (text === null ? null : JSON.parse(text)),
    text: ({ arguments: text }) => text ?? "-",
    isCut: true,
    isOptional: true,
  },
  { title: "MS", json: "duration_ms", value: ({ durationMicros }) => durationMicros / 1_000, isOptional: true },
  {
    title: "AGENT KEY",
    value: ({ buyerKeyId }) => (buyerKeyId === null ? null : { id: buyerKeyId, label: labels.get(buyerKeyId) ?? null }),
    text: null,
  },
  { title: "ADDRESS", value: "address", text: null },
  { title: "METHOD", value: "method", text: null },
  { title: "TOOL", value: "tool", text: null },
]
