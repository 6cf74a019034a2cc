import type { Database } from "bun:sqlite"
import { arrivalOf, type DeliveryEffect } from "../../../../domain/delivery/delivery.ts"
import { afterReport, type CurrentTotal, closedBy, staysOpen } from "../../../../domain/delivery/total-series.ts"
import { TIME_ZONE_DEFAULT } from "../../../../domain/people/organization.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { ReportedTotal } from "../../../port/store.ts"
import type { CurrentTotalCache } from "../../cache/current-total-cache.ts"
import { multiRowInsert } from "../../engine/multi-row-insert.ts"
import { DELIVERY_SQL, insertReports, upsertTotals } from "../hot-sql.ts"

type Report = [lineId: number, asOf: Moment, quantity: number, receivedAt: Moment, sourceId: number]
type Link = [asOf: Moment | null, quantity: number | null]

interface Recording<Total> {
  readonly receivedAt: Moment
  readonly source: number
  /** Asked in the order of the totals: each is compared with what those before it have left. */
  readonly isOutdated?: (total: Total, current: CurrentTotal | undefined) => boolean
}
type RecordTotals = <Total extends ReportedTotal>(
  totals: readonly Total[],
  how: Recording<Total>,
) => (DeliveryEffect | "outdated")[]

/** Adds totals to the history and the current totals, inside the caller's transaction. */
export function totalsRecorder(database: Database, cache: CurrentTotalCache): RecordTotals {
  const recordLate = lateTotals(database, cache)
  const addAllToHistory = multiRowInsert(database, 7, insertReports)
  const makeAllCurrent = multiRowInsert(database, 6, upsertTotals)
  const closeDay = dayCloser(database)

  /** Totals later than the current total of their line: none is in the history yet, and each becomes the current total. */
  function newestTotals(receivedAt: Moment, source: number) {
    let history: (number | null)[] = []
    let current: (number | null)[] = []
    return {
      add(total: ReportedTotal, before: CurrentTotal | undefined): void {
        const { lineId, asOf, quantity } = total
        history.push(lineId, asOf, quantity, receivedAt, source, before?.lastAsOf ?? null, before?.lastQuantity ?? null)
        const dayEnd = before !== undefined && staysOpen(before, asOf) ? before.dayEnd : closeDay(total, before)
        current.push(lineId, asOf, quantity, asOf, quantity, dayEnd)
        cache.remember(lineId, afterReport(before, total, true, dayEnd))
      },
      write(): void {
        if (history.length === 0) return
        addAllToHistory(history)
        makeAllCurrent(current)
        history = []
        current = []
      },
    }
  }

  return (totals, { receivedAt, source, isOutdated }) => {
    cache.makeRoom()
    const newest = newestTotals(receivedAt, source)
    const effects = totals.map((total) => {
      const current = cache.currentTotal(total.lineId)
      if (isOutdated?.(total, current)) return "outdated"
      const { effect, inHistory } = arrivalOf(current, total)
      if (current === undefined || inHistory === "no") newest.add(total, current)
      else if (inHistory === "perhaps") {
        newest.write()
        recordLate(total, current, receivedAt, source)
      }
      return effect
    })
    newest.write()
    return effects
  }
}

/** A total not later than the current one: it may be in the history already, and becomes current only with the same `asOf`. */
function lateTotals(database: Database, cache: CurrentTotalCache) {
  const addToHistory = database.query<unknown, [...Report, ...Link]>(DELIVERY_SQL.insertReports)
  const makeCurrent = database.query<unknown, [number, Moment, number, ...Link, Moment | null]>(
    DELIVERY_SQL.upsertTotals,
  )
  const setLastReport = database.query<unknown, [number, ...Link]>(DELIVERY_SQL.setLastReport)
  const closeDay = dayCloser(database)

  return (total: ReportedTotal, current: CurrentTotal, receivedAt: Moment, source: number): void => {
    const { lineId, asOf, quantity } = total
    const { lastAsOf, lastQuantity } = current
    const { changes } = addToHistory.run(lineId, asOf, quantity, receivedAt, source, lastAsOf, lastQuantity)
    const next = afterReport(current, total, changes > 0, current.dayEnd)
    cache.remember(lineId, next)
    if (asOf === current.asOf) {
      makeCurrent.run(lineId, asOf, quantity, next.lastAsOf, next.lastQuantity, next.dayEnd)
    } else if (changes > 0) {
      closeDay(total, current)
      setLastReport.run(lineId, asOf, quantity)
    }
  }
}

/** Keeps the total that a report makes the last of its day, if any. The end of the current total's day. */
function dayCloser(database: Database) {
  const zoneOfLine = database.query<{ timeZone: string }, [number]>(DELIVERY_SQL.zoneOfLine)
  const keep = database.query<unknown, [number, string, Moment, number]>(DELIVERY_SQL.closeDay)
  return (total: ReportedTotal, before: CurrentTotal | undefined): Moment | null => {
    const { lineId } = total
    const zone = () => zoneOfLine.get(lineId)?.timeZone ?? TIME_ZONE_DEFAULT
    const { dayEnd, closing } = closedBy(total, before, zone)
    if (closing !== null) keep.run(lineId, closing.day, closing.asOf, closing.quantity)
    return dayEnd
  }
}
