import { and, eq } from "drizzle-orm"
import { dayOfTotal, daysOfReports, mergeDays } from "../../domain/delivery/day.ts"
import { type CalendarDate, datesFrom, dayAfter, dayBefore } from "../../domain/time/moment.ts"
import { endOfDay, startOfDay, type TimeZone } from "../../domain/time/time-zone.ts"
import { nextTurn } from "../../within.ts"
import type { Tx } from "../database.ts"
import { rebuildFirstDays } from "./current-totals.ts"
import { measuredDays } from "./days.ts"
import { type LineTotal, reportsBetween } from "./reports.ts"

const ADD_TO_DAY = `ON CONFLICT (day, line_id) DO UPDATE SET
  as_of = CASE WHEN excluded.as_of >= delivery_day.as_of THEN excluded.as_of ELSE delivery_day.as_of END,
  quantity = CASE WHEN excluded.as_of >= delivery_day.as_of THEN excluded.quantity ELSE delivery_day.quantity END,
  low = CASE WHEN excluded.low < delivery_day.low THEN excluded.low ELSE delivery_day.low END`

/** Adds totals to the days that they were measured on. */
export async function addToDays(tx: Tx, totals: readonly LineTotal[], timeZone: TimeZone): Promise<void> {
  const days = mergeDays(totals.map((total) => dayOfTotal(total, timeZone)))
  await tx.insertMany(tx.deliveryDay, days, ADD_TO_DAY)
}

/** Rebuilds one day of these lines from their reports. */
export async function rebuildDay(tx: Tx, lineIds: readonly number[], day: CalendarDate, timeZone: TimeZone) {
  const { deliveryDay } = tx
  const reports = await reportsBetween(tx, lineIds, startOfDay(day, timeZone), endOfDay(day, timeZone))
  // When clocks go back over midnight, some of these reports belong to the next day.
  const days = daysOfReports(reports, timeZone).filter((one) => one.day === day)
  await tx.db.delete(deliveryDay).where(and(eq(deliveryDay.day, day), tx.anyOf(deliveryDay.lineId, lineIds)))
  await tx.insertMany(deliveryDay, days)
}

/** How long a change of the time zone may take. It's some seconds for a million reports. */
export const REBUILD_MS_MAX = 10 * 60_000

/** Rebuilds all days of a seller, because they begin and end at other moments in the new time zone. */
export async function rebuildAllDays(tx: Tx, sellerId: number, timeZone: TimeZone): Promise<void> {
  const { deliveryDay, line } = tx
  const sold = await tx.db.select({ id: line.id }).from(line).where(eq(line.sellerId, sellerId))
  const lineIds = sold.map(({ id }) => id)
  const measured = await measuredDays(tx, lineIds)
  if (measured === null) return
  await tx.db.delete(deliveryDay).where(tx.anyOf(deliveryDay.lineId, lineIds))
  // A moment can be a day earlier or later in another time zone.
  for (const day of datesFrom(dayBefore(measured.first), dayAfter(measured.last))) {
    await rebuildDay(tx, lineIds, day, timeZone)
    // Years of reports take seconds. Other requests must not wait for all of them.
    await nextTurn()
  }
  await rebuildFirstDays(tx, lineIds)
}
