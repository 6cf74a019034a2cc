import type { Command } from "commander"
import { stringify } from "csv-stringify/sync"
import { type ActivitySums, activitySums } from "../../../domain/activity/activity-series.ts"
import { ACTIVITY_DAYS } from "../../../domain/activity/feed-request.ts"
import { type Rhythm, rhythmOf, spanInWords, usualInWords } from "../../../domain/activity/rhythm.ts"
import { formatMoment, MICROS_PER_DAY, type Moment } from "../../../domain/time/moment.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { KeyActivity, ListedRejection, StoreReads } from "../../../storage/port/store.ts"
import { UsageError, wholeNumber } from "../arguments.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { explained } from "../help.ts"
import { stamp } from "../keys.ts"
import { type List, printList } from "../output/table.ts"
import type { Colour } from "../output/text.ts"
import { findOrganization } from "../stored.ts"

const DAYS_DEFAULT = 14
const LISTED_DEFAULT = 50
const LISTED_MAX = 10_000

interface ActivityOptions extends CommonOptions {
  readonly org?: string
  readonly rejected?: string
  readonly reason?: string
  readonly days: string
  readonly limit?: string
  readonly csv?: boolean
}

export function activityCommand(program: Command, context: CliContext): void {
  const command = withData(program.command("activity"))
    .summary("show what sellers' systems sent, and silent feeds")
    .description("list what ingest keys sent: requests, accepted and rejected items, and feeds that fell silent")
    .option("--org <SLUG>", "only keys of this organization")
    .option("--days <N>", `how far back to look, at most ${ACTIVITY_DAYS}`, String(DAYS_DEFAULT))
    .option("--rejected <ID_OR_PREFIX>", "list the rejected items of this key instead, newest first")
    .option("--reason <WORD>", "with --rejected: only items rejected for this reason, such as not_seller")
    .option("--limit <N>", `with --rejected: how many to list (default: ${LISTED_DEFAULT})`)
    .option("--csv", "print CSV")
    .action(async (options: ActivityOptions) => {
      const days = wholeNumber("--days", options.days, 1, ACTIVITY_DAYS)
      const limit = wholeNumber("--limit", options.limit ?? String(LISTED_DEFAULT), 1, LISTED_MAX)
      if (options.rejected === undefined && (options.reason ?? options.limit) !== undefined)
        throw new UsageError("--reason and --limit go with --rejected.")
      if (options.csv && options.json) throw new UsageError("Choose --csv or --json, not both.")
      await onStore(context, options, async ({ store, clock }) => {
        const from = clock() - days * MICROS_PER_DAY
        if (options.rejected !== undefined) {
          return printRejected(await rejected(store, options, from, limit), options, context)
        }
        const organization = options.org === undefined ? null : await findOrganization(store, options.org)
        const keys = await store.feedActivity.keys(organization?.id ?? null)
        const rows: KeyRow[] = []
        for (const key of keys) {
          const sums = activitySums(await store.feedActivity.counts(key.id, from))
          rows.push({ key, sums, rhythm: rhythmOf(key.hours, key.lastRequest?.at ?? key.lastUsedAt, clock()) })
        }
        printKeys(rows, options, context)
      })
    })
  explained(command, {
    examples: [
      ["activity --org acme-audio --days 90"],
      ["activity --rejected abi_Xk3f9Qp1 --reason not_seller --csv > rejected.csv"],
    ],
  })
}

interface KeyRow {
  readonly key: KeyActivity
  readonly sums: ActivitySums
  readonly rhythm: Rhythm
}

async function rejected(store: StoreReads, options: ActivityOptions, from: Moment, limit: number) {
  const { rejected: wanted, reason } = options
  const key = (await store.feedActivity.keys(null)).find(({ id, prefix }) => id === wanted || prefix === wanted)
  if (key === undefined) throw new UserError(`There is no ingest key "${wanted}". "adbooth key list" shows them.`)
  const { id: organizationId } = await findOrganization(store, key.organization)
  const filter = { organizationId, keyId: key.id, from, reason }
  return (await store.feedActivity.rejected(filter, { offset: 0, limit })).items
}

function keyAsJson({ key, sums, rhythm }: KeyRow) {
  return {
    id: key.id,
    prefix: key.prefix,
    label: key.label,
    organization: key.organization,
    state: key.revokedAt === null ? rhythm.state : "revoked",
    requests: sums.requests,
    refused: sums.byRefusal,
    dry_runs: sums.dryRuns,
    accepted: sums.accepted,
    rejected: sums.rejected,
    reasons: sums.byReason,
    last_request: rhythm.lastAt === null ? null : formatMoment(rhythm.lastAt),
    usual_hours: rhythm.usualHours,
    silent_seconds: rhythm.silentFor === null ? null : Math.floor(rhythm.silentFor / 1_000_000),
  }
}

function printKeys(rows: readonly KeyRow[], options: ActivityOptions, { io }: CliContext): void {
  if (options.csv) {
    const flat = rows.map(keyAsJson).map(({ refused, reasons, ...row }) => ({
      ...row,
      refused: Object.values(refused).reduce((sum, count) => sum + count, 0),
      refusals: countsInWords(refused),
      reasons: countsInWords(reasons),
    }))
    io.out(csvOf(flat, KEY_COLUMNS))
    return
  }
  printList(io, options, rows, KEYS)
}

const KEYS: List<KeyRow> = {
  columns: [
    { title: "KEY", text: ({ key }) => key.prefix },
    { title: "ORGANIZATION", text: ({ key }) => key.organization, shrinks: true, optional: 2 },
    { title: "LABEL", text: ({ key }) => key.label, shrinks: true },
    { title: "STATE", text: stateInWords, colour: stateColour, shrinks: true },
    { title: "REQUESTS", text: ({ sums }) => sums.requests.toLocaleString("en"), isFigure: true, optional: 1 },
    { title: "ACCEPTED", text: ({ sums }) => sums.accepted.toLocaleString("en"), isFigure: true },
    { title: "REJECTED", text: rejectedInWords, shrinks: true },
    { title: "LAST REQUEST", text: ({ rhythm }) => (rhythm.lastAt === null ? "-" : stamp(rhythm.lastAt)), optional: 3 },
    {
      title: "USUALLY",
      text: ({ rhythm: { usualHours } }) => (usualHours === null ? "-" : usualInWords(usualHours)),
      optional: 4,
    },
  ],
  asJson: keyAsJson,
  empty: 'No ingest keys yet. Create one: adbooth key create --org SLUG --label "Ad server"',
}

function rejectedInWords({ sums }: KeyRow): string {
  const reasons = countsInWords(sums.byReason)
  return sums.rejected.toLocaleString("en") + (reasons === "" ? "" : ` (${reasons})`)
}

function stateColour({ key, rhythm }: KeyRow): Colour | undefined {
  if (key.revokedAt !== null) return "dim"
  return rhythm.silentFor !== null ? "red" : rhythm.state === "unused" ? undefined : "green"
}

const KEY_COLUMNS = [
  "organization",
  "label",
  "prefix",
  "state",
  "requests",
  "refused",
  "refusals",
  "dry_runs",
  "accepted",
  "rejected",
  "reasons",
  "last_request",
  "usual_hours",
  "silent_seconds",
] as const

function stateInWords({ key, rhythm: { state, silentFor } }: KeyRow): string {
  if (key.revokedAt !== null) return "revoked"
  if (silentFor !== null) return `silent for ${spanInWords(silentFor)}`
  return state === "unused" ? "never used" : state === "new" ? "in use" : state
}

/** "not_seller 3, invalid_item 1". */
function countsInWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ")
}

function itemAsJson(item: ListedRejection) {
  return {
    received: formatMoment(item.at),
    feed: item.feed,
    reason: item.reason,
    message: item.message,
    package_id: item.packageId,
    code: item.code,
    line: item.line?.name ?? null,
    as_sent: item.sent,
    more_like_this: item.more,
  }
}

const ITEM_COLUMNS = [
  "received",
  "feed",
  "reason",
  "message",
  "package_id",
  "code",
  "line",
  "as_sent",
  "more_like_this",
] as const

const REJECTED: List<ListedRejection> = {
  columns: [
    { title: "RECEIVED", text: ({ at }) => stamp(at) },
    { title: "LINE", text: ({ line }) => line?.name ?? "-", shrinks: true, optional: 2 },
    { title: "REASON", text: reasonInWords, shrinks: true },
    { title: "MESSAGE", text: ({ message }) => message, shrinks: true },
    { title: "AS SENT", text: ({ sent }) => sent, shrinks: true, optional: 1 },
  ],
  asJson: itemAsJson,
  empty: "Nothing was rejected.",
}

function reasonInWords({ reason, more }: ListedRejection): string {
  return more > 0 ? `${reason} (and ${more.toLocaleString("en")} more)` : reason
}

function printRejected(items: readonly ListedRejection[], options: ActivityOptions, { io }: CliContext): void {
  if (options.csv) io.out(csvOf(items.map(itemAsJson), ITEM_COLUMNS))
  else printList(io, options, items, REJECTED)
}

function csvOf(rows: readonly object[], columns: readonly string[]): string {
  return stringify(rows as object[], { header: true, columns: [...columns], escape_formulas: true })
}
