import { type ActivitySums, activitySums } from "../../../domain/activity/activity-series.ts"
import { ACTIVITY_DAYS } from "../../../domain/activity/feed-request.ts"
import { type Rhythm, rhythmOf, spanInWords, usualInWords } from "../../../domain/activity/rhythm.ts"
import { MICROS_PER_DAY, MICROS_PER_SECOND, type Moment } from "../../../domain/time/moment.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { KeyActivity, ListedRejection, StoreReads } from "../../../storage/port/store.ts"
import { UsageError, wholeNumber } from "../arguments.ts"
import { type Answer, lists, onData } from "../command.ts"
import { asJson, type List, timeColumn } from "../output/table.ts"
import type { Colour } from "../output/text.ts"
import { findOrganization, organizationOf } from "../stored.ts"

const DAYS_DEFAULT = 14
const LISTED_DEFAULT = 50
const LISTED_MAX = 10_000

type RejectedOptions = Readonly<{ rejected?: string; reason?: string; csv?: boolean }>

const ABOUT = "list what API keys sent: requests, accepted and rejected items, and which of them fell silent"
export const activityCommand = onData("activity", ABOUT, {
  summary: "show what sellers' systems sent, and silent API keys",
  options: {
    "--org <SLUG>": "only keys of this organization",
    "--days <N>": [`how far back to look, at most ${ACTIVITY_DAYS}`, String(DAYS_DEFAULT)],
    "--rejected <ID_OR_PREFIX>": "list the rejected items of this key instead, newest first",
    "--reason <WORD>": "with --rejected: only items rejected for this reason, such as not_seller",
    "--limit <N>": `with --rejected: how many to list (default: ${LISTED_DEFAULT})`,
    "--csv": "print CSV",
  },
  examples: [
    ["activity --org acme-audio --days 90"],
    ["activity --rejected abi_Xk3f9Qp1 --reason not_seller --csv > rejected.csv"],
  ],
  reads(options) {
    if (options.rejected === undefined && (options.reason ?? options.limit) !== undefined)
      throw new UsageError("--reason and --limit go with --rejected.")
    if (options.csv && options.json) throw new UsageError("Choose --csv or --json, not both.")
    return {
      days: wholeNumber("--days", options.days, 1, ACTIVITY_DAYS),
      limit: wholeNumber("--limit", options.limit ?? String(LISTED_DEFAULT), 1, LISTED_MAX),
    }
  },
  async run({ store, clock, options, read: { days, limit } }) {
    const from = clock() - days * MICROS_PER_DAY
    if (options.rejected !== undefined) return rejectedOf(store, options, from, limit)
    const organization = await organizationOf(store, options.org)
    const rows: KeyRow[] = []
    for (const key of await store.feedActivity.keys(organization?.id ?? null)) {
      const sums = activitySums(await store.feedActivity.counts(key.id, from))
      rows.push({ key, sums, rhythm: rhythmOf(key.hours, key.lastRequest?.at ?? key.lastUsedAt, clock()) })
    }
    return listsOrCsv(options, rows, KEYS, KEY_COLUMNS, (row) => ({
      ...asJson(KEYS, row),
      refused: Object.values(row.sums.byRefusal).reduce((sum, count) => sum + count, 0),
      refusals: countsInWords(row.sums.byRefusal),
      reasons: countsInWords(row.sums.byReason),
    }))
  },
})

/** A list, or with --csv these columns, separated by spaces, of what JSON has unless `flat` says otherwise. */
async function listsOrCsv<Row>(
  { csv }: RejectedOptions,
  rows: readonly Row[],
  list: List<Row>,
  columns: string,
  flat = (row: Row) => asJson(list, row),
): Promise<Answer> {
  if (!csv) return lists(rows, list)
  const { stringify } = await import("csv-stringify/sync")
  const text = stringify(rows.map(flat), { header: true, columns: columns.split(" "), escape_formulas: true })
  return (io) => io.out(text)
}

type KeyRow = Readonly<{ key: KeyActivity; sums: ActivitySums; rhythm: Rhythm }>

async function rejectedOf(store: StoreReads, options: RejectedOptions, from: Moment, limit: number): Promise<Answer> {
  const { rejected: wanted, reason } = options
  const key = (await store.feedActivity.keys(null)).find(({ id, prefix }) => id === wanted || prefix === wanted)
  if (key === undefined) throw new UserError(`There is no API key "${wanted}". "adbooth key list" shows them.`)
  const { id: organizationId } = await findOrganization(store, key.organization)
  const filter = { organizationId, keyId: key.id, from, reason }
  const { items } = await store.feedActivity.rejected(filter, { offset: 0, limit })
  return listsOrCsv(options, items, REJECTED, ITEM_COLUMNS)
}

const KEYS: List<KeyRow> = {
  columns: [
    { title: "KEY", json: "prefix", value: ({ key }) => key.prefix },
    { title: "ORGANIZATION", value: ({ key }) => key.organization, shrinks: true, optional: 2 },
    { title: "LABEL", value: ({ key }) => key.label, shrinks: true },
    {
      title: "STATE",
      value: ({ key, rhythm }) => (key.revokedAt === null ? rhythm.state : "revoked"),
      text: stateInWords,
      colour: stateColour,
      shrinks: true,
    },
    { title: "REQUESTS", value: ({ sums }) => sums.requests, isFigure: true, optional: 1 },
    { title: "ACCEPTED", value: ({ sums }) => sums.accepted, isFigure: true },
    { title: "REJECTED", value: ({ sums }) => sums.rejected, text: rejectedInWords, shrinks: true },
    timeColumn("LAST REQUEST", ({ rhythm }) => rhythm.lastAt, { optional: 3 }),
    {
      title: "USUALLY",
      json: "usual_hours",
      value: ({ rhythm }) => rhythm.usualHours,
      text: ({ rhythm: { usualHours } }) => (usualHours === null ? "-" : usualInWords(usualHours)),
      optional: 4,
    },
  ],
  more: ({ key, sums, rhythm: { silentFor } }) => ({
    id: key.id,
    refused: sums.byRefusal,
    dry_runs: sums.dryRuns,
    reasons: sums.byReason,
    silent_seconds: silentFor && Math.floor(silentFor / MICROS_PER_SECOND),
  }),
  empty: 'No API keys yet. Create one: adbooth key create --org SLUG --label "Ad server"',
}

function rejectedInWords({ sums }: KeyRow): string {
  const reasons = countsInWords(sums.byReason)
  return sums.rejected.toLocaleString("en") + (reasons === "" ? "" : ` (${reasons})`)
}

function stateColour({ key, rhythm }: KeyRow): Colour | undefined {
  if (key.revokedAt !== null) return "dim"
  return rhythm.silentFor !== null ? "red" : rhythm.state === "unused" ? undefined : "green"
}

const KEY_COLUMNS =
  "organization label prefix state requests refused refusals dry_runs accepted rejected reasons last_request usual_hours silent_seconds"

function stateInWords({ key, rhythm: { state, silentFor } }: KeyRow): string {
  if (key.revokedAt !== null) return "revoked"
  if (silentFor !== null) return `silent for ${spanInWords(silentFor)}`
  return state === "unused" ? "never used" : state === "new" ? "in use" : state
}

/** "not_seller 3, invalid_item 1". */
const countsInWords = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ")

const ITEM_COLUMNS = "received feed reason message package_id code line as_sent more_like_this"

const REJECTED: List<ListedRejection> = {
  columns: [
    timeColumn("RECEIVED", ({ at }) => at),
    { title: "LINE", value: ({ line }) => line?.name ?? null, shrinks: true, optional: 2 },
    { title: "REASON", value: ({ reason }) => reason, text: reasonInWords, shrinks: true },
    { title: "MESSAGE", value: ({ message }) => message, shrinks: true },
    { title: "AS SENT", value: ({ sent }) => sent, shrinks: true, optional: 1 },
  ],
  more: ({ feed, packageId, code, more }) => ({ feed, package_id: packageId, code, more_like_this: more }),
  empty: "Nothing was rejected.",
}

function reasonInWords({ reason, more }: ListedRejection): string {
  return more > 0 ? `${reason} (and ${more.toLocaleString("en")} more)` : reason
}
