import { gt, type SQL, sql } from "drizzle-orm"
import type { DeliverySource, DeliveryTotal } from "../../domain/delivery/delivery.ts"
import { type LineViewer, sourceSeenBy } from "../../domain/delivery/line-viewer.ts"
import type { ArrivedReport, LinkedReport, ReceiptOfForm } from "../../domain/delivery/withdrawal.ts"
import { mergeHistory, withdrawalSeenBy } from "../../domain/delivery/withdrawal.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { HistoryCursor, HistoryEntry } from "../port/deliveries.ts"
import { all, and, desc, eq, first, inArray, type ReadTx, type Step } from "./step.ts"
import { usersById } from "./users.ts"

// The history of a line is a linked list that starts at its total. A query follows only as many links as it returns. Withdrawn reports
// are not in it: they have a table of their own.

// Read in a few milliseconds; most of what is looked for is near the end of a history.
const LINKS_AT_ONCE = 500

export const historyReads = { arrivals, received, find: entryOf, points, feeds, ahead }

/**
 * What one form reported of the seller's lines at once, as far as it was not withdrawn. A form has one time for all of its lines, which is
 * where the primary key begins.
 */
function* received(tx: ReadTx, sellerId: number, form: ReceiptOfForm) {
  const { db, deliveryReport, deliverySource, packageLine } = tx
  const { asOf, lineId, quantity, receivedAt, sourceId, previousAsOf, previousQuantity } = deliveryReport
  const { kind, reference, detail } = deliverySource
  const report = { asOf, lineId, quantity, receivedAt, sourceId }
  const source = { kind, reference, detail }
  const together = and(eq(asOf, form.asOf), eq(receivedAt, form.receivedAt))
  const isTheirs = and(eq(packageLine.sellerId, sellerId), eq(kind, "form"), eq(reference, String(form.userId)))
  const rows = db
    .select({ report, source, previousAsOf, previousQuantity })
    .from(deliveryReport)
    .innerJoin(packageLine, eq(packageLine.id, lineId))
    .innerJoin(deliverySource, eq(deliverySource.id, sourceId))
    .where(and(together, isTheirs))
  return (yield* all(rows)).map(({ report, source, ...link }) => ({ ...report, source, previous: linkOf(link) }))
}

// More are not named: whoever set the clock wrong for so many withdraws the files or forms.
const NAMED_MAX = 100

/** Lines whose current total was measured after this moment, with the report that says so; of these lines, or of all. */
function ahead(tx: ReadTx, after: Moment, lineIds?: readonly number[]) {
  const { db, deliveryReport: r, deliveryTotal, packageLine } = tx
  const { asOf, quantity, lineId } = deliveryTotal
  const { packageId, name } = packageLine
  const isIts = and(eq(r.asOf, asOf), eq(r.lineId, lineId), eq(r.quantity, quantity))
  const totals = db.select({ lineId, packageId, name, asOf, quantity, receivedAt: r.receivedAt }).from(deliveryTotal)
  const reports = totals.innerJoin(r, isIts).innerJoin(packageLine, eq(packageLine.id, lineId))
  const isAhead = and(gt(asOf, after), lineIds && inArray(lineId, [...lineIds]))
  return all(reports.where(isAhead).orderBy(lineId).limit(NAMED_MAX))
}

type LinkColumns = Readonly<{ previousAsOf: number | null; previousQuantity: number | null }>

const linkOf = ({ previousAsOf: asOf, previousQuantity: quantity }: LinkColumns): DeliveryTotal | null =>
  asOf === null || quantity === null ? null : { asOf, quantity }

/**
 * The next reports in the linked history of a line, latest arrival first, from this one on; null: from the last. Go on with the `previous`
 * of the last one. None when `from` is not, or no longer, in the history.
 */
export function* arrivals(tx: ReadTx, lineId: number, from: DeliveryTotal | null, most = LINKS_AT_ONCE) {
  const start = sql`SELECT line_id, as_of, quantity FROM delivery_report
    WHERE as_of = ${from?.asOf} AND line_id = ${lineId} AND quantity = ${from?.quantity}`
  return (yield* chains(tx, from === null ? lastOf([lineId]) : start, { most })).get(lineId) ?? []
}

/** The same of several lines, from the last. With `since`, until all that follow were received before this moment. */
export const latestArrivals = (tx: ReadTx, lineIds: readonly number[], since?: Moment) =>
  chains(tx, lastOf(lineIds), { most: LINKS_AT_ONCE, since })

/** The `most` latest arrivals of each line that count, ordered by the time of measurement, then by arrival. */
function* points(tx: ReadTx, lineIds: readonly number[], most: number) {
  const latest = yield* chains(tx, lastOf(lineIds), { most })
  return new Map(lineIds.map((lineId) => [lineId, byTime(latest.get(lineId) ?? [])]))
}

/** The API keys that these lines were last reported with, and when, by line. */
function* feeds(tx: ReadTx, lineIds: readonly number[]) {
  const latest = [...(yield* chains(tx, lastOf(lineIds), { most: 1 }))]
  const sources = yield* sourcesOf(tx, new Set(latest.flatMap(([, [report]]) => report?.sourceId ?? [])))
  const feedOf = ([lineId, [report]]: (typeof latest)[number]) => {
    const source = sources.get(report?.sourceId ?? 0)
    if (report === undefined || source?.kind !== "key") return []
    return [[lineId, { keyId: source.reference, label: source.label, at: report.receivedAt }] as const]
  }
  return new Map(latest.flatMap(feedOf))
}

/** Of two at one moment, the later arrival counts and comes last. */
export const byTime = <T extends DeliveryTotal>(arrived: readonly T[]): T[] =>
  arrived.toReversed().sort((a, b) => a.asOf - b.asOf)

const lastOf = (lineIds: readonly number[]) =>
  sql`SELECT line_id, last_as_of AS as_of, last_quantity AS quantity FROM delivery_total
    WHERE ${inArray(sql`line_id`, [...lineIds])}`

const LINK = sql.raw(`r.line_id, r.as_of, r.quantity, r.received_at, r.source_id,
  r.previous_as_of, r.previous_quantity`)

type Link = Omit<LinkedReport, "previous"> & LinkColumns & { readonly lineId: number }

function* chains(
  { statement, joinReport }: ReadTx,
  start: SQL,
  { most, since }: { readonly most: number; readonly since?: Moment | undefined },
): Step<Map<number, LinkedReport[]>> {
  const goesOn = since === undefined ? sql`` : sql`AND c.received_at >= ${since}`
  const rows = statement<Link>(sql`WITH RECURSIVE
    c(place, line_id, as_of, quantity, received_at, source_id, previous_as_of, previous_quantity) AS (
      SELECT 1, ${LINK} FROM (${start}) AS s
        ${joinReport(sql`r.as_of = s.as_of AND r.line_id = s.line_id AND r.quantity = s.quantity`)}
      UNION ALL
      SELECT c.place + 1, ${LINK} FROM c
        ${joinReport(sql`r.as_of = c.previous_as_of AND r.line_id = c.line_id AND r.quantity = c.previous_quantity`)}
      WHERE c.place < ${most} ${goesOn}
    ) SELECT line_id AS "lineId", as_of AS "asOf", quantity, received_at AS "receivedAt", source_id AS "sourceId",
      previous_as_of AS "previousAsOf", previous_quantity AS "previousQuantity"
    FROM c ORDER BY place`)
  const byLine = new Map<number, LinkedReport[]>()
  for (const row of yield* all(rows)) {
    const { lineId, asOf, quantity, receivedAt, sourceId } = row
    const linked = { asOf, quantity, receivedAt, sourceId, previous: linkOf(row) }
    const others = byLine.get(lineId)
    if (others === undefined) byLine.set(lineId, [linked])
    else others.push(linked)
  }
  return byLine
}

// Sorts after every possible report.
const START = { receivedAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }

type PageAsked = Readonly<{ from: HistoryCursor | null; limit: number }>

/**
 * Reports of a line, latest arrival first, starting at `from` (null: at the latest), with as much of the source as the viewer may see.
 * Withdrawn reports are included: to be read at one moment, so that one that is withdrawn meanwhile is in one of both parts.
 */
export function* pageOf(tx: ReadTx, lineId: number, viewer: LineViewer, { from, limit }: PageAsked) {
  const { receivedAt, id } = from?.afterWithdrawn ?? START
  // The cursor comes from a URL that anybody can edit. One that matches no report ends the list, or a download would never end.
  if (![from?.report?.asOf ?? 0, receivedAt, id].every(Number.isSafeInteger)) return { entries: [], next: null }
  const keptEnded = from !== null && from.report === null
  const reports = keptEnded ? [] : yield* arrivals(tx, lineId, from?.report ?? null, limit + 1)
  const { withdrawnReport: w } = tx
  const isNext = and(eq(w.lineId, lineId), sql`(${w.receivedAt}, ${w.id}) < (${receivedAt}, ${id})`)
  const gone = yield* withdrawnReports(tx, isNext, limit + 1)
  const entryFor = yield* entries(tx, viewer, [...reports, ...gone])
  const merged = mergeHistory(reports.map(entryFor), gone.map(entryFor), limit)
  const report = reports[merged.remaining] ?? null
  const last = gone[merged.withdrawn - 1] ?? from?.afterWithdrawn ?? null
  const next = {
    report: report && { asOf: report.asOf, quantity: report.quantity },
    afterWithdrawn: last && { receivedAt: last.receivedAt, id: last.id },
  }
  const isEnd = report === null && gone.length === merged.withdrawn
  return { entries: merged.entries, next: isEnd ? null : next }
}

/** One report of a line as its seller sees it, also when it was withdrawn. */
function* entryOf(tx: ReadTx, lineId: number, report: ArrivedReport): Step<HistoryEntry | null> {
  const { db, deliveryReport, withdrawnReport } = tx
  if (!Number.isSafeInteger(report.asOf) || !Number.isSafeInteger(report.receivedAt)) return null
  const reports = db.select().from(deliveryReport)
  const row = yield* first(reports.where(arrivedAs(deliveryReport, lineId, report)))
  const entry = row ?? (yield* withdrawnReports(tx, arrivedAs(withdrawnReport, lineId, report), 1))[0]
  return entry === undefined ? null : (yield* entries(tx, "seller", [entry]))(entry)
}

export type ReportTable = ReadTx["deliveryReport"] | ReadTx["withdrawnReport"]

export const reportIs = (table: ReportTable, lineId: number, { asOf, quantity }: DeliveryTotal) =>
  and(eq(table.asOf, asOf), eq(table.quantity, quantity), eq(table.lineId, lineId))

export const arrivedAs = (table: ReportTable, lineId: number, report: ArrivedReport) =>
  and(reportIs(table, lineId, report), eq(table.receivedAt, report.receivedAt))

type WithdrawnRow = ReadTx["withdrawnReport"]["$inferSelect"]

const withdrawnReports = ({ db, withdrawnReport: w }: ReadTx, which: SQL | undefined, limit: number) =>
  all(db.select().from(w).where(which).orderBy(desc(w.receivedAt), desc(w.id)).limit(limit))

type ReportRow = ArrivedReport & { readonly sourceId: number }

/** What a viewer sees of these reports: who sent and who withdrew them is looked up for all of them together. */
function* entries(tx: ReadTx, viewer: LineViewer, rows: readonly (ReportRow | WithdrawnRow)[]) {
  const sources = yield* sourcesOf(tx, new Set(rows.map(({ sourceId }) => sourceId)))
  const references = [...sources.values()].map(({ kind, reference }) => (isOfPerson(kind) ? reference : ""))
  const people = yield* usersById(tx, [...references, ...rows.map((row) => withdrawerOf(row))])
  return (row: ReportRow | WithdrawnRow): HistoryEntry => {
    const { asOf, quantity, receivedAt } = row
    const source = sources.get(row.sourceId)
    if (source === undefined) throw new Error("a report has no source")
    const sender = (isOfPerson(source.kind) ? people.get(source.reference)?.name : source.label) ?? null
    const name = people.get(withdrawerOf(row))?.name ?? null
    const withdrawn =
      "withdrawnBy" in row
        ? withdrawalSeenBy(viewer, { at: row.withdrawnAt, actor: row.withdrawnBy, name, reason: row.reason })
        : null
    return { asOf, quantity, receivedAt, source: sourceSeenBy(viewer, { ...source, sender }), withdrawn }
  }
}

const isOfPerson = (kind: DeliverySource["kind"]) => kind === "form" || kind === "file"

/** The id of the user, as text; empty where it was none. */
const withdrawerOf = (row: ReportRow | WithdrawnRow) =>
  "withdrawnBy" in row ? (/^user:(.*)$/.exec(row.withdrawnBy)?.[1] ?? "") : ""

function* sourcesOf({ db, deliverySource: s, ingestKey }: ReadTx, ids: ReadonlySet<number>) {
  const { id, kind, reference, detail } = s
  const isKey = and(eq(kind, "key"), eq(ingestKey.id, reference))
  const sources = db.select({ id, kind, reference, detail, label: ingestKey.label }).from(s)
  const rows = sources.leftJoin(ingestKey, isKey).where(inArray(id, [...ids]))
  return new Map((yield* all(rows)).map((source) => [source.id, source]))
}
