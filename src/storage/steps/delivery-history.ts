import { between, gt, type SQL, sql } from "drizzle-orm"
import { type DeliverySource, type DeliveryTotal, SOURCE_KINDS } from "../../domain/delivery/delivery.ts"
import { counting } from "../../domain/delivery/line-day.ts"
import { type LineViewer, sourceSeenBy } from "../../domain/delivery/line-viewer.ts"
import type { ArrivedReport, ReceiptOfForm } from "../../domain/delivery/withdrawal.ts"
import { isListedBefore, lastReceivedWith, withdrawalSeenBy } from "../../domain/delivery/withdrawal.ts"
import { type CalendarDate, dayAfter, type Moment } from "../../domain/time/moment.ts"
import { dayOf, endOfDay, startOfDay, type TimeZone } from "../../domain/time/time-zone.ts"
import type { HistoryCursor, HistoryEntry } from "../port/deliveries.ts"
import {
  dayMeasuredBefore,
  daysOfLineBefore,
  reportsBetween,
  reportsOfDay,
  theseLines,
  totalsBefore,
} from "./line-days.ts"
import { all, and, desc, eq, first, inArray, type ReadTx, type Step } from "./step.ts"
import { usersById } from "./users.ts"

// The reports of a line, by the time of measurement. They are stored by time, of all lines together: the days of the line say where to look.
// Withdrawn reports have a table of their own.

export const historyReads = { received, find: entryOf, ofDays, lastBefore, feeds, ahead }

/**
 * What one form reported of the seller's lines at once, as far as it was not withdrawn. A form has one time for all of its lines, which is
 * where the primary key begins.
 */
function* received(tx: ReadTx, sellerId: number, form: ReceiptOfForm) {
  const { db, deliveryReport, deliverySource, packageLine } = tx
  const { asOf, lineId, quantity, receivedAt, sourceId } = deliveryReport
  const { kind, reference, detail } = deliverySource
  const report = { asOf, lineId, quantity, receivedAt, sourceId }
  const source = { kind, reference, detail }
  const together = and(eq(asOf, form.asOf), between(receivedAt, form.receivedAt, lastReceivedWith(form.receivedAt)))
  const isTheirs = and(eq(packageLine.sellerId, sellerId), eq(kind, "form"), eq(reference, String(form.userId)))
  const rows = db
    .select({ report, source })
    .from(deliveryReport)
    .innerJoin(packageLine, eq(packageLine.id, lineId))
    .innerJoin(deliverySource, eq(deliverySource.id, sourceId))
    .where(and(together, isTheirs))
  return (yield* all(rows)).map(({ report, source }) => ({ ...report, source }))
}

// More are not named: a seller who reported so many with a wrong clock withdraws the files or forms.
const NAMED_MAX = 100

/** Lines whose current total was measured after this moment, with the report that says so; of these lines, or of all. */
function ahead(tx: ReadTx, after: Moment, lineIds?: readonly number[]) {
  const { db, deliveryReport: r, deliveryTotal, packageLine } = tx
  const { asOf, quantity, lineId } = deliveryTotal
  const { packageId, name } = packageLine
  const last = sql`(SELECT max(m.received_at) FROM delivery_report m WHERE m.as_of = ${asOf} AND m.line_id = ${lineId})`
  const isIts = and(eq(r.asOf, asOf), eq(r.lineId, lineId), eq(r.receivedAt, last))
  const totals = db.select({ lineId, packageId, name, asOf, quantity, receivedAt: r.receivedAt }).from(deliveryTotal)
  const reports = totals.innerJoin(r, isIts).innerJoin(packageLine, eq(packageLine.id, lineId))
  const isAhead = and(gt(asOf, after), lineIds && inArray(lineId, [...lineIds]))
  return all(reports.where(isAhead).orderBy(lineId).limit(NAMED_MAX))
}

/** The reports that are the current totals of these lines, by line. */
function* currentReports({ statement, joinReport }: ReadTx, lineIds: readonly number[]) {
  const isIts = sql`r.as_of = t.as_of AND r.line_id = t.line_id AND r.received_at =
    (SELECT max(m.received_at) FROM delivery_report m WHERE m.as_of = t.as_of AND m.line_id = t.line_id)`
  const reports = statement<ArrivedReport & { lineId: number; sourceId: number }>(sql`SELECT t.line_id AS "lineId",
      t.as_of AS "asOf", t.quantity, r.received_at AS "receivedAt", r.source_id AS "sourceId"
    FROM delivery_total t ${joinReport(isIts)} WHERE ${inArray(sql`t.line_id`, [...lineIds])}`)
  return new Map((yield* all(reports)).map((report) => [report.lineId, report]))
}

/** The API keys that reported the current totals of these lines, and when, by line. */
function* feeds(tx: ReadTx, lineIds: readonly number[]) {
  const reports = [...(yield* currentReports(tx, lineIds)).values()]
  const sources = yield* sourcesOf(tx, new Set(reports.map(({ sourceId }) => sourceId)))
  return new Map(
    reports.flatMap(({ lineId, sourceId, receivedAt: at }) => {
      const source = sources.get(sourceId)
      if (source?.kind !== "key") return []
      return [[lineId, { keyId: source.reference, label: source.label, at }] as const]
    }),
  )
}

/**
 * The total that each of these lines of one seller had when a report of this moment arrived: a later one that was there already, or else
 * the last that was measured before, or at the same moment and arrived before; without those that had none.
 */
function* lastBefore(tx: ReadTx, lineIds: readonly number[], { asOf, receivedAt }: ArrivedAt, zone: TimeZone) {
  const day = dayOf(asOf, zone)
  const until = yield* reportsBetween(tx, startOfDay(day, zone), asOf, theseLines(lineIds)(sql`r.line_id`))
  const ofDay = until.filter((report) => report.asOf < asOf || report.receivedAt < receivedAt)
  const found = new Map<number, DeliveryTotal>()
  for (const [lineId, reports] of Map.groupBy(ofDay, (report) => report.lineId)) {
    const last = counting(reports).at(-1)
    if (last !== undefined) found.set(lineId, last)
  }
  const others = lineIds.filter((lineId) => !found.has(lineId))
  for (const [lineId, total] of yield* totalsBefore(tx, others, day, zone)) found.set(lineId, total)
  for (const [lineId, current] of yield* currentReports(tx, lineIds))
    if (current.asOf > asOf && current.receivedAt < receivedAt) found.set(lineId, current)
  return found as ReadonlyMap<number, DeliveryTotal>
}

/** When the reports of a day (UTC) were measured that were received at this moment from one of these sources. */
export function* momentsOn({ statement }: ReadTx, day: CalendarDate, receivedAt: Moment, sources: readonly number[]) {
  if (sources.length === 0) return []
  const measured = sql`r.as_of BETWEEN ${startOfDay(day, "UTC")} AND ${endOfDay(day, "UTC")}`
  const isOfThem = and(
    measured,
    sql`r.received_at BETWEEN ${receivedAt} AND ${lastReceivedWith(receivedAt)}`,
    inArray(sql`r.source_id`, [...sources]),
  )
  const moments = statement<{ asOf: Moment }>(
    sql`SELECT DISTINCT r.as_of AS "asOf" FROM delivery_report r WHERE ${isOfThem}`,
  )
  return (yield* all(moments)).map(({ asOf }) => asOf)
}

type ArrivedAt = Pick<ArrivedReport, "asOf" | "receivedAt">

/** Every report of a line that counts, by the time of measurement, on these days. */
function* ofDays(tx: ReadTx, lineId: number, days: readonly DeliveryTotal[], zone: TimeZone) {
  const reports: ArrivedReport[] = []
  for (const day of new Set(days.map(({ asOf }) => dayOf(asOf, zone))))
    reports.push(...(yield* reportsOfDay(tx, day, zone, theseLines([lineId]))))
  return counting(reports)
}

type PageAsked = Readonly<{ from: HistoryCursor | null; limit: number }>

// A page whose reports lie further apart says how far it has looked, and goes on there.
const DAYS_LOOKED_AT_MAX = 31

/**
 * Reports of a line, the last measured first, after `from` (null: from the latest), with as much of the source as the viewer may see, and
 * with the total before each that counts. Withdrawn reports are included: to be read at one moment, so that one that is withdrawn meanwhile
 * is in one of both parts.
 */
export function* pageOf(tx: ReadTx, lineId: number, viewer: LineViewer, { from, limit }: PageAsked) {
  // The cursor comes from a URL that anybody can edit.
  const isCursor = from === null || [from.asOf, from.receivedAt, from.id].every(Number.isSafeInteger)
  if (!isCursor) return { entries: [], next: null }
  // One more than shown, to know whether there are more, and another for the total before the last.
  const { reports, lookedTo } = yield* reportsBefore(tx, lineId, from, limit + 2)
  const { withdrawnReport: w } = tx
  const isNext = and(eq(w.lineId, lineId), isBefore(sql`${w.asOf}, ${w.receivedAt}, ${w.quantity}, ${w.id}`, from))
  const withdrawn = (yield* withdrawnReports(tx, isNext, limit + 1)).filter(({ asOf }) => asOf >= lookedTo)
  const merged = [...reports, ...withdrawn].sort(isListedBefore)
  const shown = merged.slice(0, limit)
  const entryFor = yield* entries(tx, viewer, shown)
  const before = totalsBeforeEach(reports, from)
  const last = shown.at(-1)
  const isAll = merged.length === shown.length && lookedTo === Number.NEGATIVE_INFINITY
  const isFull = merged.length > shown.length
  const next = isFull && last !== undefined ? cursorOf(last) : { ...BEFORE_MOMENT, asOf: lookedTo }
  return {
    entries: shown.map((row) => ({ ...entryFor(row), before: before(row) })),
    next: isAll ? null : (next satisfies HistoryCursor),
  }
}

// Comes before every report of its moment, so that a page that goes on here begins with the one before it.
const BEFORE_MOMENT = { receivedAt: Number.MIN_SAFE_INTEGER, quantity: 0, id: 0 }

const cursorOf = ({ asOf, receivedAt, quantity, ...row }: ReportRow): HistoryCursor => ({
  asOf,
  receivedAt,
  quantity,
  id: "id" in row ? Number(row.id) : 0,
})

const isBefore = (row: SQL, from: HistoryCursor | null): SQL | undefined =>
  from === null ? undefined : sql`(${row}) < (${from.asOf}, ${from.receivedAt}, ${from.quantity}, ${from.id})`

const LAST_FIRST = sql.raw("ORDER BY r.as_of DESC, r.received_at DESC, r.quantity DESC")

/** The next reports of a line before `from`, and how far was looked: to the beginning, or as far as `most` were found. */
function* reportsBefore(tx: ReadTx, lineId: number, from: HistoryCursor | null, most: number) {
  const beginning = Number.NEGATIVE_INFINITY
  const line = yield* lineToRead(tx, lineId)
  const reports: StoredRow[] = []
  if (line === undefined) return { reports, lookedTo: beginning }
  const { zone, isOutdated } = line
  const start = from?.asOf ?? line.asOf
  let before = start === null ? null : dayAfter(dayOf(start, zone))
  const days = isOutdated ? [] : yield* daysToLookAt(tx, lineId, start, from && before, zone)
  for (let looked = 0; looked < DAYS_LOOKED_AT_MAX; looked++) {
    // Where the line's days are outdated, every day is looked at.
    const day: CalendarDate | null = isOutdated ? yield* dayMeasuredBefore(tx, before, zone) : (days[looked] ?? null)
    if (day === null) return { reports, lookedTo: beginning }
    const until = Math.min(endOfDay(day, zone), from?.asOf ?? Number.POSITIVE_INFINITY)
    const measured = sql`r.as_of BETWEEN ${startOfDay(day, zone)} AND ${until}`
    const isIt = and(measured, sql`r.line_id = ${lineId}`, isBefore(REPORT_KEY, from))
    const rows = tx.statement<StoredRow>(sql`SELECT r.as_of AS "asOf", r.quantity, r.received_at AS "receivedAt",
      r.source_id AS "sourceId" FROM delivery_report r WHERE ${isIt} ${LAST_FIRST} LIMIT ${most - reports.length}`)
    reports.push(...(yield* all(rows)))
    if (reports.length === most) return { reports, lookedTo: reports.at(-1)?.asOf ?? beginning }
    before = day
  }
  return { reports, lookedTo: before === null ? beginning : startOfDay(before, zone) }
}

/** The days of a line that have a row, the last first; and the one to begin with, also where somebody has removed its row. */
function* daysToLookAt(tx: ReadTx, lineId: number, start: Moment | null, before: CalendarDate | null, zone: TimeZone) {
  const days = new Set(yield* daysOfLineBefore(tx, lineId, before, DAYS_LOOKED_AT_MAX))
  if (start !== null) days.add(dayOf(start, zone))
  return [...days].sort().reverse()
}

const REPORT_KEY = sql.raw("r.as_of, r.received_at, r.quantity, 0")

type StoredRow = ArrivedReport & { readonly sourceId: number }

function* lineToRead({ statement }: ReadTx, lineId: number) {
  const lines = statement<{ asOf: number | null; zone: TimeZone; outdated: number }>(sql`SELECT t.as_of AS "asOf",
      o.time_zone AS zone, CASE WHEN u.organization_id IS NULL THEN 0 ELSE 1 END AS outdated
    FROM package_line l JOIN organization o ON o.id = l.seller_id LEFT JOIN delivery_total t ON t.line_id = l.id
      LEFT JOIN outdated_days u ON u.organization_id = o.id
    WHERE l.id = ${lineId}`)
  const line = yield* first(lines)
  return line && { asOf: line.asOf, zone: line.zone, isOutdated: line.outdated === 1 }
}

/** The total before each of these reports, which are the last measured first; null for one that another of its moment has replaced. */
function totalsBeforeEach(reports: readonly ArrivedReport[], from: HistoryCursor | null) {
  return (report: ArrivedReport): DeliveryTotal | null => {
    const at = reports.indexOf(report)
    const isReplaced = report.asOf === (at === 0 ? from?.asOf : reports[at - 1]?.asOf)
    if (at < 0 || isReplaced) return null
    const { asOf, quantity } = reports.slice(at + 1).find((other) => other.asOf < report.asOf) ?? {}
    return asOf === undefined || quantity === undefined ? null : { asOf, quantity }
  }
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
  all(
    db
      .select()
      .from(w)
      .where(which)
      .orderBy(desc(w.asOf), desc(w.receivedAt), desc(w.quantity), desc(w.id))
      .limit(limit),
  )

type ReportRow = StoredRow | WithdrawnRow

/** What a viewer sees of these reports: who sent and who withdrew them is looked up for all of them together. */
function* entries(tx: ReadTx, viewer: LineViewer, rows: readonly ReportRow[]) {
  const sources = yield* sourcesOf(tx, new Set(rows.map(({ sourceId }) => sourceId)))
  const references = [...sources.values()].map(({ kind, reference }) => (isOfPerson(kind) ? reference : ""))
  const people = yield* usersById(tx, [...references, ...rows.map((row) => withdrawerOf(row))])
  return (row: ReportRow): HistoryEntry => {
    const { asOf, quantity, receivedAt } = row
    const source = sources.get(row.sourceId)
    const sender = (source && isOfPerson(source.kind) ? people.get(source.reference)?.name : source?.label) ?? null
    const name = people.get(withdrawerOf(row))?.name ?? null
    const withdrawn =
      "withdrawnBy" in row
        ? withdrawalSeenBy(viewer, { at: row.withdrawnAt, actor: row.withdrawnBy, name, reason: row.reason })
        : null
    return { asOf, quantity, receivedAt, source: sourceSeenBy(viewer, source && { ...source, sender }), withdrawn }
  }
}

const isOfPerson = (kind: DeliverySource["kind"]) => kind === "form" || kind === "file"

/** The id of the user, as text; empty where it was none. */
const withdrawerOf = (row: ReportRow) => ("withdrawnBy" in row ? (/^user:(.*)$/.exec(row.withdrawnBy)?.[1] ?? "") : "")

function* sourcesOf({ db, deliverySource: s, ingestKey }: ReadTx, ids: ReadonlySet<number>) {
  const { id, kind, reference, detail } = s
  const isKey = and(eq(kind, "key"), eq(ingestKey.id, reference))
  const sources = db.select({ id, kind, reference, detail, label: ingestKey.label }).from(s)
  const rows = sources.leftJoin(ingestKey, isKey).where(and(inArray(id, [...ids]), inArray(kind, [...SOURCE_KINDS])))
  return new Map((yield* all(rows)).map((source) => [source.id, source]))
}
