import { type CalendarDate, dayAfter } from "../../domain/time/moment.ts"
import type { Tx } from "../database.ts"
import { lastDayBefore, measuredDays } from "./days.ts"
import type { LineTotal } from "./reports.ts"

// delivery_total has the current total of each line, and its first day: no query looks at earlier ones.

export interface CurrentTotal extends LineTotal {
  /** A day with a report. Null leaves the first day as it is. */
  readonly firstDay: CalendarDate | null
}

const REPLACE = `ON CONFLICT (line_id) DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity,
  first_day = CASE WHEN excluded.first_day < delivery_total.first_day THEN excluded.first_day ELSE delivery_total.first_day END`

export const replaceTotals = (tx: Tx, totals: readonly CurrentTotal[]): Promise<void> =>
  tx.insertMany(tx.deliveryTotal, totals, REPLACE)

/** Lowers the first day of these lines, which already have a total, to this earlier day. */
export async function lowerFirstDay(tx: Tx, lineIds: readonly number[], day: CalendarDate): Promise<void> {
  const update = "UPDATE delivery_total SET first_day = $1 WHERE first_day > $1 AND line_id = ANY($2)"
  await tx.rows(update, [day, lineIds], {})
}

/** Sets the totals of these lines to their newest day, after reports were withdrawn. */
export async function rebuildTotals(tx: Tx, lineIds: readonly number[]): Promise<void> {
  const measured = await measuredDays(tx, lineIds)
  if (measured === null) return
  const newest = await lastDayBefore(tx, lineIds, dayAfter(measured.last), measured)
  const totals = [...newest.values()].map(({ lineId, asOf, quantity }) => ({ lineId, asOf, quantity, firstDay: null }))
  await replaceTotals(tx, totals)
  const without = lineIds.filter((id) => !newest.has(id))
  await tx.rows("DELETE FROM delivery_total WHERE line_id = ANY($1)", [without], {})
}

/** Reads the first days from the days, after all of these were rebuilt. */
export async function rebuildFirstDays(tx: Tx, lineIds: readonly number[]): Promise<void> {
  const update = `UPDATE delivery_total SET first_day = rebuilt.first
    FROM (SELECT line_id, min(day) AS first FROM delivery_day WHERE line_id = ANY($1) GROUP BY line_id) AS rebuilt
    WHERE rebuilt.line_id = delivery_total.line_id`
  await tx.rows(update, [lineIds], {})
}
