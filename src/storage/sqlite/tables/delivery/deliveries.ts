import type { Database } from "bun:sqlite"
import {
  arrive,
  effectsOf,
  isStillAt,
  type LastOfMoment,
  type Recording,
  receivedAfter,
} from "../../../../domain/delivery/current-total.ts"
import type { DeliveryEffect, DeliveryTotal } from "../../../../domain/delivery/delivery.ts"
import type { CalendarDate, Moment } from "../../../../domain/time/moment.ts"
import type { Deliveries, DeliveryReceipt, PreviewedTotal, ReportedTotal, SoldLine } from "../../../port/store.ts"
import { workOutDay } from "../../../steps/line-days.ts"
import { type CurrentTotalCache, currentTotalCache } from "../../cache/current-total-cache.ts"
import { sellerTerms } from "../../cache/seller-terms.ts"
import type { Connection } from "../../engine/connection.ts"
import { multiRowInsert, ROWS_AT_ONCE } from "../../engine/multi-row-insert.ts"
import { stepsOfJob } from "../../engine/steps.ts"
import { DELIVERY_SQL, insertReports, upsertDays, upsertTotals } from "../hot-sql.ts"

export function deliveries(connection: Connection): Deliveries {
  const { database, reading, write } = connection
  const lineSold = database.query<SoldLine, [string, number]>(DELIVERY_SQL.lineSold)
  const linesSold = sellerTerms(connection, (packageId, sellerId) => lineSold.get(packageId, sellerId))
  const currentTotal = database.query<DeliveryTotal, [number]>(DELIVERY_SQL.currentTotal)
  const recorder = totalsRecorder(connection, currentTotalCache(connection))
  const run = write.gathering(recorder)

  return {
    linesSold,
    record: (totals, receipt, termsRevision) =>
      run(termsRevision, () => recorder.record(totals, receipt) as DeliveryEffect[]),
    recordUnlessOutdated: (totals, receipt, termsRevision) =>
      run(termsRevision, () => recorder.record(totals, receipt, isOutdated)),
    async preview(totals) {
      reading.join()
      return effectsOf(totals, (lineId) => currentTotal.get(lineId) ?? undefined)
    },
  }
}

const isOutdated = ({ before }: PreviewedTotal, current: DeliveryTotal | undefined): boolean =>
  !isStillAt(current, before)

/** Adds totals to the history, the current totals and the days, inside the caller's transaction. They are written together with `write`. */
function totalsRecorder(connection: Connection, cache: CurrentTotalCache) {
  const { database } = connection
  const rows = rowsToWrite(database)
  const lastOfMoment = database.query<LastOfMoment, [number, Moment]>(DELIVERY_SQL.lastOfMoment)
  const lowerAtMoment = database.query<unknown, [number, Moment, number]>(DELIVERY_SQL.lowerAtMoment)
  const runStep = stepsOfJob(connection)
  /** The lines of each day that a higher total has corrected. */
  const corrected = new Map<CalendarDate, number[]>()

  const recording: Recording<ReportedTotal> & { receivedAt: Moment; source: number } = {
    receivedAt: 0,
    source: 0,
    currentOf: cache.currentTotal,
    lastOfMoment({ lineId, asOf }) {
      rows.writeReports()
      return lastOfMoment.get(lineId, asOf) ?? undefined
    },
    addReport: (total, last) => rows.addReport(total, receivedAfter(recording.receivedAt, last), recording.source),
    setCurrent: (total) => cache.remember(total.lineId, total),
    addToDay: rows.addToDay,
    corrects({ lineId, asOf, quantity }, day) {
      if (lowerAtMoment.get(lineId, asOf, quantity) !== null) corrected.getOrInsertComputed(day, () => []).push(lineId)
    },
  }

  return {
    record<Total extends ReportedTotal>(
      totals: readonly Total[],
      { receivedAt, source, timeZone }: DeliveryReceipt,
      /** Asked in the order of the totals: each is compared with what those before it have left. */
      isOutdated?: (total: Total, current: DeliveryTotal | undefined) => boolean,
    ): (DeliveryEffect | "outdated")[] {
      // Totals that are not written yet are known only to the cache.
      if (cache.isFull()) {
        rows.write()
        cache.clear()
      }
      recording.receivedAt = receivedAt
      recording.source = cache.sourceId(source)
      corrected.clear()
      const effects = totals.map((total) => {
        if (isOutdated?.(total, cache.currentTotal(total.lineId))) return "outdated"
        return arrive(recording, total, timeZone)
      })
      if (corrected.size > 0) rows.write()
      for (const [day, lineIds] of corrected) runStep((tx) => workOutDay(tx, day, timeZone, lineIds))
      return effects
    },
    write: rows.write,
    forget: rows.forget,
  }
}

const REPORT_VALUES = 5
const DAY_VALUES = 5
const [DAY, AS_OF, QUANTITY, LOW] = [1, 2, 3, 4]

/** What a commit writes: every report, and one row for a line and its day, however many reports of them came together. */
function rowsToWrite(database: Database) {
  const addReports = multiRowInsert(database, REPORT_VALUES, insertReports)
  const addToDays = multiRowInsert(database, DAY_VALUES, upsertDays)
  const setTotals = multiRowInsert(database, DAY_VALUES, upsertTotals)
  // Lists of values, which are used again: an object for each row would cost new memory for each commit.
  const reports: number[] = []
  const days: (number | string)[] = []
  /** Where in this list the latest row of a line begins. */
  const dayAt = new Map<number, number>()

  function writeReports(): void {
    addReports(reports)
    reports.length = 0
  }

  function write(): void {
    writeReports()
    addToDays(days)
    setTotals(days)
    forget()
  }

  function forget(): void {
    reports.length = 0
    days.length = 0
    dayAt.clear()
  }

  return {
    addReport({ lineId, asOf, quantity }: ReportedTotal, receivedAt: Moment, source: number): void {
      reports.push(lineId, asOf, quantity, receivedAt, source)
      if (reports.length === REPORT_VALUES * ROWS_AT_ONCE) writeReports()
    },
    /** As `withTotal` says. An older total gets a row of its own: the statement adds it to the day. */
    addToDay({ lineId, asOf, quantity }: ReportedTotal, day: CalendarDate): void {
      const at = dayAt.get(lineId)
      if (at !== undefined && days[at + DAY] === day && asOf >= (days[at + AS_OF] as number)) {
        days[at + AS_OF] = asOf
        days[at + QUANTITY] = quantity
        days[at + LOW] = Math.min(days[at + LOW] as number, quantity)
      } else {
        dayAt.set(lineId, days.length)
        days.push(lineId, day, asOf, quantity, quantity)
      }
    },
    writeReports,
    write,
    forget,
  }
}
