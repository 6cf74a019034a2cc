import { sql } from "drizzle-orm"
import { isExplained } from "../../domain/delivery/line-day.ts"
import { type CalendarDate, parseDate } from "../../domain/time/moment.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { dayMeasuredBefore, keptDaysOn, type Lines, listedDays, reportsOfDay } from "./line-days.ts"
import { all, type BulkSteps, inArray, type ReadTx, type Step } from "./step.ts"

// What the doctor compares with the reports, from which everything else follows: the current totals and the days of lines. They can only
// differ where somebody changed tables by hand, or a server of an earlier version went on writing.

/** `count` in all, and as many of them as a person reads. */
export type Unexplained<Named> = Readonly<{ count: number; first: readonly Named[] }>

export type NamedLine = Readonly<{ name: string; packageId: string; seller: string }>

const NAMED_MAX = 5

/** What looks at every row has time for that. */
export const unexplained = ({ queryMoment }: Pick<BulkSteps, "queryMoment">) => ({
  /** Lines whose current total does not follow from their reports. */
  unexplainedTotals: () => queryMoment(totals, "long"),
  /** Days of lines that are not what their reports say, the latest first. Those that are being worked out anew are left out. */
  async unexplainedDays(): Promise<Unexplained<NamedLine & { readonly day: CalendarDate }>> {
    const found: { day: CalendarDate; lineId: number }[] = []
    // A day at a time, each at one moment: reports go on coming in.
    for (const zone of await queryMoment(zonesOfSellers))
      for (const day of await queryMoment((tx) => daysIn(tx, zone), "long"))
        for (const lineId of await queryMoment((tx) => oddLines(tx, day, zone))) found.push({ day, lineId })
    const first = found.toSorted((a, b) => (a.day < b.day ? 1 : -1)).slice(0, NAMED_MAX)
    const ids = first.map(({ lineId }) => lineId)
    const names = await queryMoment((tx) => named(tx, ids))
    return { count: found.length, first: first.map(({ day, lineId }) => ({ day, ...nameIn(names, lineId) })) }
  },
  /** Of how many lines and sources that are not there reports say that they are of them, in words. */
  strayReports: () => queryMoment(strays, "long"),
})

// A total is right when it is the report with the newest as_of of its line that was received last.
const UNEXPLAINED_TOTALS = sql`
  WITH newest AS (SELECT line_id, max(as_of) AS as_of FROM delivery_report GROUP BY line_id),
    explained AS (
      SELECT t.line_id FROM delivery_total t
      JOIN newest n ON n.line_id = t.line_id AND n.as_of = t.as_of
      JOIN delivery_report r ON r.line_id = t.line_id AND r.as_of = t.as_of AND r.quantity = t.quantity
      WHERE NOT EXISTS (SELECT 1 FROM delivery_report m
        WHERE m.as_of = r.as_of AND m.line_id = r.line_id AND m.received_at > r.received_at)
    )
  SELECT line_id AS "lineId" FROM newest UNION SELECT line_id FROM delivery_total EXCEPT SELECT line_id FROM explained
  ORDER BY 1`

function* totals(tx: ReadTx): Step<Unexplained<NamedLine>> {
  const odd = yield* all(tx.statement<{ lineId: number }>(UNEXPLAINED_TOTALS))
  const first = odd.map(({ lineId }) => lineId).slice(0, NAMED_MAX)
  const names = yield* named(tx, first)
  return { count: odd.length, first: first.map((lineId) => nameIn(names, lineId)) }
}

function* zonesOfSellers({ statement }: ReadTx): Step<TimeZone[]> {
  const zones = statement<{ zone: TimeZone }>(sql`SELECT DISTINCT o.time_zone AS zone FROM organization o
    WHERE EXISTS (SELECT 1 FROM package_line l WHERE l.seller_id = o.id)`)
  return (yield* all(zones)).map(({ zone }) => zone)
}

/** Days that have a row, or a report. */
function* daysIn(tx: ReadTx, zone: TimeZone): Step<ReadonlySet<CalendarDate>> {
  const days = new Set(yield* listedDays(tx))
  for (let day = yield* dayMeasuredBefore(tx, null, zone); day !== null; day = yield* dayMeasuredBefore(tx, day, zone))
    days.add(day)
  return days
}

const linesIn =
  (zone: TimeZone): Lines =>
  (lineId) =>
    sql`${lineId} IN (SELECT l.id FROM package_line l JOIN organization o ON o.id = l.seller_id
      WHERE o.time_zone = ${zone} AND o.id NOT IN (SELECT organization_id FROM outdated_days))`

function* oddLines(tx: ReadTx, day: CalendarDate, zone: TimeZone): Step<number[]> {
  const lines = linesIn(zone)
  const kept = new Map((yield* keptDaysOn(tx, day, lines)).map((row) => [row.lineId, row]))
  // What is no date at all has no reports.
  const reports = parseDate(day) === undefined ? [] : yield* reportsOfDay(tx, day, zone, lines)
  const byLine = Map.groupBy(reports, ({ lineId }) => lineId)
  const all = new Set([...kept.keys(), ...byLine.keys()])
  return [...all].filter((lineId) => !isExplained(kept.get(lineId), day, zone, byLine.get(lineId) ?? []))
}

function* named({ statement }: ReadTx, lineIds: readonly number[]): Step<ReadonlyMap<number, NamedLine>> {
  if (lineIds.length === 0) return new Map()
  const lines = statement<
    NamedLine & { lineId: number }
  >(sql`SELECT l.id AS "lineId", l.name, l.package_id AS "packageId",
    o.slug AS seller FROM package_line l JOIN organization o ON o.id = l.seller_id WHERE ${inArray(sql`l.id`, [...lineIds])}`)
  return new Map(
    (yield* all(lines)).map(({ lineId, name, packageId, seller }) => [lineId, { name, packageId, seller }]),
  )
}

const nameIn = (names: ReadonlyMap<number, NamedLine>, lineId: number): NamedLine =>
  names.get(lineId) ?? { name: `a line that is not there (${lineId})`, packageId: "", seller: "" }

function* strays({ statement }: ReadTx): Step<string[]> {
  const problems = statement<{ problem: string }>(sql`
    SELECT count(*) || ' lines have reports but are not there' AS problem
      FROM (SELECT DISTINCT line_id FROM delivery_report) r
      WHERE NOT EXISTS (SELECT 1 FROM package_line l WHERE l.id = r.line_id) HAVING count(*) > 0
    UNION ALL SELECT count(*) || ' sources have reports but are not there'
      FROM (SELECT DISTINCT source_id FROM delivery_report) r
      WHERE NOT EXISTS (SELECT 1 FROM delivery_source s WHERE s.id = r.source_id) HAVING count(*) > 0`)
  return (yield* all(problems)).map(({ problem }) => problem)
}
