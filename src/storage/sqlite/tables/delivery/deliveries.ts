import type { Database } from "bun:sqlite"
import { type ClosingTotal, closedBy, staysOpen } from "../../../../domain/delivery/closing-day.ts"
import {
  afterReport,
  arrivalOf,
  type CurrentTotal,
  effectsOf,
  isStillAt,
} from "../../../../domain/delivery/current-total.ts"
import type { DeliveryEffect } from "../../../../domain/delivery/delivery.ts"
import { TIME_ZONE_DEFAULT } from "../../../../domain/people/organization.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { TimeZone } from "../../../../domain/time/time-zone.ts"
import type { Deliveries, PreviewedTotal, ReportedTotal, SoldLine } from "../../../port/store.ts"
import { type CurrentTotalCache, currentTotalCache } from "../../cache/current-total-cache.ts"
import { sellerTerms } from "../../cache/seller-terms.ts"
import type { Connection } from "../../engine/connection.ts"
import { multiRowInsert, ROWS_AT_ONCE } from "../../engine/multi-row-insert.ts"
import { closeDays, DELIVERY_SQL, insertReports, upsertTotals } from "../hot-sql.ts"

export function deliveries(connection: Connection): Omit<Deliveries, "makeDays"> {
  const { database, reading, write } = connection
  const lineSold = database.query<SoldLine, [string, number]>(DELIVERY_SQL.lineSold)
  const linesSold = sellerTerms(connection, (packageId, sellerId) => lineSold.get(packageId, sellerId))
  const currentTotal = database.query<CurrentTotal, [number]>(DELIVERY_SQL.currentTotal)
  const cache = currentTotalCache(connection)
  const recorder = totalsRecorder(database, cache)
  const run = write.gathering(recorder)

  return {
    linesSold,
    record: (totals, { receivedAt, source }, termsRevision) =>
      run(
        termsRevision,
        () => recorder.record(totals, { receivedAt, source: cache.sourceId(source) }) as DeliveryEffect[],
      ),
    recordUnlessOutdated: (totals, { receivedAt, source }, termsRevision) =>
      run(termsRevision, () => recorder.record(totals, { receivedAt, source: cache.sourceId(source), isOutdated })),
    async preview(totals) {
      reading.join()
      return effectsOf(totals, (lineId) => currentTotal.get(lineId) ?? undefined)
    },
  }
}

const isOutdated = ({ before }: PreviewedTotal, current: CurrentTotal | undefined): boolean =>
  !isStillAt(current, before)

type Report = [lineId: number, asOf: Moment, quantity: number, receivedAt: Moment, sourceId: number]
type DayRow = [lineId: number, day: string, asOf: Moment, quantity: number, low: number]
type Link = [asOf: Moment | null, quantity: number | null]

interface Recording<Total> {
  readonly receivedAt: Moment
  readonly source: number
  /** Asked in the order of the totals: each is compared with what those before it have left. */
  readonly isOutdated?: (total: Total, current: CurrentTotal | undefined) => boolean
}

/** Adds totals to the history and the current totals, inside the caller's transaction. What is newest is written with `write`. */
function totalsRecorder(database: Database, cache: CurrentTotalCache) {
  const recordLate = lateTotals(database, cache)
  const newest = newestTotals(database, cache)
  return {
    ...newest,
    record<Total extends ReportedTotal>(
      totals: readonly Total[],
      { receivedAt, source, isOutdated }: Recording<Total>,
    ): (DeliveryEffect | "outdated")[] {
      // Totals that are not written yet are known only to the cache.
      if (cache.isFull()) {
        newest.write()
        cache.clear()
      }
      return totals.map((total) => {
        const current = cache.currentTotal(total.lineId)
        if (isOutdated?.(total, current)) return "outdated"
        const { effect, inHistory } = arrivalOf(current, total)
        if (current === undefined || inHistory === "no") newest.add(total, current, receivedAt, source)
        else if (inHistory === "perhaps") {
          newest.write()
          recordLate(total, current, receivedAt, source)
        }
        return effect
      })
    },
  }
}

/** Totals later than the current total of their line: none is in the history yet, and each becomes the current total. */
function newestTotals(database: Database, cache: CurrentTotalCache) {
  const addAllToHistory = multiRowInsert(database, 7, insertReports)
  const makeAllCurrent = multiRowInsert(database, 5, upsertTotals, "(?1, ?2, ?3, ?2, ?3, ?4, ?5)")
  const closeAllDays = multiRowInsert(database, 5, closeDays)
  const closeDay = dayCloser(database, (lineId, closing) => days.push(...rowOf(lineId, closing)))
  // Written while they are short, and used again: longer ones would cost new memory for each commit.
  const history: (number | null)[] = []
  const current: (number | null)[] = []
  const days: (number | string)[] = []

  function write(): void {
    if (history.length === 0) return
    addAllToHistory(history)
    makeAllCurrent(current)
    closeAllDays(days)
    forget()
  }

  function forget(): void {
    for (const rows of [history, current, days]) rows.length = 0
  }

  return {
    add(total: ReportedTotal, before: CurrentTotal | undefined, receivedAt: Moment, source: number): void {
      const { lineId, asOf, quantity } = total
      history.push(lineId, asOf, quantity, receivedAt, source, before?.lastAsOf ?? null, before?.lastQuantity ?? null)
      const isSameDay = before !== undefined && staysOpen(before, asOf)
      const dayEnd = isSameDay ? before.dayEnd : closeDay(total, before)
      const dayLow = isSameDay ? Math.min(before.dayLow, quantity) : quantity
      current.push(lineId, asOf, quantity, dayEnd, dayLow)
      cache.remember(lineId, afterReport(before, total, true, { dayEnd, dayLow }))
      if (history.length === 7 * ROWS_AT_ONCE) write()
    },
    write,
    forget,
  }
}

/** A total not later than the current one: it may be in the history already, and becomes current only with the same `asOf`. */
function lateTotals(database: Database, cache: CurrentTotalCache) {
  const addToHistory = database.query<unknown, [...Report, ...Link]>(DELIVERY_SQL.insertReports)
  const makeCurrent = database.query<unknown, [number, Moment, number, ...Link, Moment | null, number]>(
    DELIVERY_SQL.upsertTotals,
  )
  const setLastReport = database.query<unknown, [number, ...Link, number]>(DELIVERY_SQL.setLastReport)
  const lowerAtMoment = database.query<unknown, [number, Moment, number]>(DELIVERY_SQL.lowerAtMoment)
  const keepDay = database.query<unknown, DayRow>(DELIVERY_SQL.closeDay)
  const zoneOf = zoneOfLine(database)

  return (total: ReportedTotal, current: CurrentTotal, receivedAt: Moment, source: number): void => {
    const { lineId, asOf, quantity } = total
    const { lastAsOf, lastQuantity } = current
    const { changes } = addToHistory.run(lineId, asOf, quantity, receivedAt, source, lastAsOf, lastQuantity)
    const isCurrent = asOf === current.asOf
    const isCorrected = (changes > 0 || isCurrent) && lowerAtMoment.get(lineId, asOf, quantity) !== null
    const { dayEnd, dayLow, closing } = closedBy(total, current, () => zoneOf(lineId))
    const next = afterReport(current, total, changes > 0, { dayEnd: isCorrected ? null : dayEnd, dayLow })
    if (changes > 0 && closing !== null) keepDay.run(...rowOf(lineId, closing))
    if (isCurrent || isCorrected)
      makeCurrent.run(lineId, next.asOf, next.quantity, next.lastAsOf, next.lastQuantity, next.dayEnd, dayLow)
    else if (changes > 0) setLastReport.run(lineId, asOf, quantity, dayLow)
    if (isCurrent || changes > 0) cache.remember(lineId, next)
  }
}

/** Keeps the day that a newer total closes, if any. The end of the new day. */
function dayCloser(database: Database, keep: (lineId: number, closing: ClosingTotal) => void) {
  const zoneOf = zoneOfLine(database)
  return (total: ReportedTotal, before: CurrentTotal | undefined): Moment | null => {
    const { lineId } = total
    const { dayEnd, closing } = closedBy(total, before, () => zoneOf(lineId))
    if (closing !== null) keep(lineId, closing)
    return dayEnd
  }
}

function zoneOfLine(database: Database): (lineId: number) => TimeZone {
  const zone = database.query<{ timeZone: string }, [number]>(DELIVERY_SQL.zoneOfLine)
  return (lineId) => zone.get(lineId)?.timeZone ?? TIME_ZONE_DEFAULT
}

const rowOf = (lineId: number, { day, asOf, quantity, low }: ClosingTotal): DayRow => [lineId, day, asOf, quantity, low]
