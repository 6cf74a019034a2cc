import type { Database } from "bun:sqlite"
import { arrivalOf, type DeliveryEffect } from "../../../../domain/delivery/delivery.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { ReportedTotal } from "../../../port/store.ts"
import type { CurrentTotal, CurrentTotalCache } from "../../cache/current-total-cache.ts"
import { multiRowInsert } from "../../engine/multi-row-insert.ts"
import { DELIVERY_SQL, insertReports, upsertTotals } from "../hot-sql.ts"

type Report = [lineId: number, asOf: Moment, quantity: number, receivedAt: Moment, sourceId: number]
type Link = [asOf: Moment | null, quantity: number | null]
type RecordTotals = (totals: readonly ReportedTotal[], receivedAt: Moment, source: number) => DeliveryEffect[]

/** Adds totals to the history and the current totals, inside the caller's transaction. */
export function totalsRecorder(database: Database, cache: CurrentTotalCache): RecordTotals {
  const recordLate = lateTotals(database, cache)
  const addAllToHistory = multiRowInsert(database, 7, insertReports)
  const makeAllCurrent = multiRowInsert(database, 5, upsertTotals)

  /** Totals later than the current total of their line: none is in the history yet, and each becomes the current total. */
  function newestTotals(receivedAt: Moment, source: number) {
    let history: (number | null)[] = []
    let current: number[] = []
    return {
      add({ lineId, asOf, quantity }: ReportedTotal, before: CurrentTotal | undefined): void {
        history.push(lineId, asOf, quantity, receivedAt, source, before?.lastAsOf ?? null, before?.lastQuantity ?? null)
        current.push(lineId, asOf, quantity, asOf, quantity)
        cache.remember(lineId, { asOf, quantity, lastAsOf: asOf, lastQuantity: quantity })
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

  return (totals, receivedAt, source) => {
    cache.makeRoom()
    const newest = newestTotals(receivedAt, source)
    const effects = totals.map((total) => {
      const current = cache.currentTotal(total.lineId)
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
  const makeCurrent = database.query<unknown, [number, Moment, number, ...Link]>(DELIVERY_SQL.upsertTotals)
  const setLastReport = database.query<unknown, [number, ...Link]>(DELIVERY_SQL.setLastReport)

  return (total: ReportedTotal, current: CurrentTotal, receivedAt: Moment, source: number): void => {
    const { lineId, asOf, quantity } = total
    const { lastAsOf, lastQuantity } = current
    const { changes } = addToHistory.run(lineId, asOf, quantity, receivedAt, source, lastAsOf, lastQuantity)
    const last = changes > 0 ? { lastAsOf: asOf, lastQuantity: quantity } : { lastAsOf, lastQuantity }
    if (asOf === current.asOf) {
      makeCurrent.run(lineId, asOf, quantity, last.lastAsOf, last.lastQuantity)
      cache.remember(lineId, { asOf, quantity, ...last })
    } else if (changes > 0) {
      setLastReport.run(lineId, asOf, quantity)
      cache.remember(lineId, { ...current, ...last })
    }
  }
}
