import type { DeliveryTotal } from "../../../../domain/delivery/delivery.ts"
import {
  type ClosingTotal,
  type CurrentTotal,
  closingTotals,
  dayEndOf,
  isMade,
} from "../../../../domain/delivery/total-series.ts"
import { nextTurn } from "../../../../domain/event-loop.ts"
import type { TimeZone } from "../../../../domain/time/time-zone.ts"
import type { DeliveryHistory } from "../../../port/store.ts"
import type { CurrentTotalCache } from "../../cache/current-total-cache.ts"
import type { Connection } from "../../engine/connection.ts"
import { DELIVERY_SQL } from "../hot-sql.ts"
import { historyLinks, placeBefore } from "./delivery-history.ts"

/** The days that have a closing total of any line, the latest first: each is found by one look into the index. */
const CLOSED = `WITH RECURSIVE closed(day) AS (
    SELECT max(day) FROM delivery_day
    UNION ALL SELECT (SELECT max(day) FROM delivery_day d WHERE d.day < closed.day) FROM closed WHERE closed.day IS NOT NULL
  )`
// CROSS JOIN: in this order, so that it ends with the last row that is wanted.
const DAYS = `${CLOSED} SELECT d.as_of AS asOf, d.quantity
  FROM closed CROSS JOIN delivery_day d ON d.day = closed.day AND d.line_id = ?1 LIMIT ?2`
const DELETE_DAYS = `${CLOSED}
  DELETE FROM delivery_day WHERE day IN (SELECT day FROM closed) AND line_id = ?1`
const UNMADE = `SELECT t.line_id AS lineId FROM delivery_total t WHERE t.day_end IS NULL LIMIT 1`
const STATE = `SELECT t.quantity, t.as_of AS asOf, t.last_as_of AS lastAsOf, t.last_quantity AS lastQuantity, t.day_end AS dayEnd,
    o.time_zone AS timeZone, (SELECT count(*) FROM withdrawn_report w WHERE w.line_id = t.line_id) AS withdrawn
  FROM delivery_total t JOIN package_line l ON l.id = t.line_id JOIN organization o ON o.id = l.seller_id
  WHERE t.line_id = ?1`
const SET_DAY_END = "UPDATE delivery_total SET day_end = ?2 WHERE line_id = ?1"
// Others are served after so many reports.
const REPORTS_AT_ONCE = 2_000
const ALL = -1

type State = CurrentTotal & { readonly timeZone: TimeZone; readonly withdrawn: number }

/** The last totals of the days of lines. Those that are not kept yet are found in the whole history. */
export function closingDays(connection: Connection): Pick<DeliveryHistory, "days"> {
  const { days } = dayFinder(connection)
  return { days }
}

function dayFinder(connection: Connection) {
  const { database, caches, reading } = connection
  const kept = database.query<DeliveryTotal, [number, number]>(DAYS)
  const state = database.query<State, [number]>(STATE)
  const { lastOf, bareLink } = historyLinks(connection)

  /** Sorted by time, and of one moment the latest arrival last. Begun anew when a report may have been withdrawn meanwhile. */
  async function wholeHistory(lineId: number): Promise<DeliveryTotal[]> {
    const revision = caches.revision()
    const reports: DeliveryTotal[] = []
    for (let place = lastOf(lineId); place !== null; place = placeBefore(bareLink(lineId, place))) {
      reports.push(place)
      if (reports.length % REPORTS_AT_ONCE > 0) continue
      await nextTurn()
      reading.join()
      if (caches.revision() !== revision) return wholeHistory(lineId)
    }
    return reports.reverse().sort((one, other) => one.asOf - other.asOf)
  }

  async function daysOf(lineId: number, most: number): Promise<DeliveryTotal[]> {
    const current = state.get(lineId)
    if (current === null) return []
    const { asOf, quantity, timeZone } = current
    const before = most === ALL ? ALL : most - 1
    const closed = isMade(current)
      ? kept.all(lineId, before).reverse()
      : closingTotals(await wholeHistory(lineId), timeZone).slice(0, -1)
    return [...(before === ALL ? closed : closed.slice(-before)), { asOf, quantity }]
  }

  return {
    async days(lineIds: readonly number[], most = ALL) {
      reading.join()
      const days = new Map<number, readonly DeliveryTotal[]>()
      for (const lineId of lineIds) days.set(lineId, await daysOf(lineId, most))
      return days
    },
    state: (lineId: number) => state.get(lineId),
    wholeHistory,
  }
}

/** Makes what is missing, one line at a time. */
export function missingDays(connection: Connection, cache: CurrentTotalCache): () => Promise<boolean> {
  const { database, reading, write } = connection
  const { state, wholeHistory } = dayFinder(connection)
  const unmade = database.query<{ lineId: number }, []>(UNMADE)
  const close = database.query<unknown, [number, string, number, number]>(DELIVERY_SQL.closeDay)

  function keep(lineId: number, found: State, closings: readonly ClosingTotal[]): void {
    const now = state(lineId)
    // Somebody has reported or withdrawn something meanwhile: it is tried again.
    if (now === null || JSON.stringify(now) !== JSON.stringify(found)) return
    database.query(DELETE_DAYS).run(lineId)
    for (const { day, asOf, quantity } of closings.slice(0, -1)) close.run(lineId, day, asOf, quantity)
    const { asOf, quantity, lastAsOf, lastQuantity, timeZone } = now
    const dayEnd = dayEndOf(now, timeZone)
    database.query(SET_DAY_END).run(lineId, dayEnd)
    cache.remember(lineId, { asOf, quantity, lastAsOf, lastQuantity, dayEnd })
  }

  return async () => {
    reading.join()
    const lineId = unmade.get()?.lineId
    const found = lineId === undefined ? null : state(lineId)
    if (lineId === undefined || found === null) return false
    const closings = closingTotals(await wholeHistory(lineId), found.timeZone)
    await write.runKeepingCaches(() => keep(lineId, found, closings))
    return true
  }
}
