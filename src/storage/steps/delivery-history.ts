import { sql } from "drizzle-orm"
import type { DeliveryTotal } from "../../domain/delivery/delivery.ts"
import type { LinkedReport } from "../../domain/delivery/withdrawal.ts"
import type { DeliveryHistory } from "../port/store.ts"
import { all, and, eq, exec, first, inArray, type ReadTx, type Step, type Steps, type Tx } from "./step.ts"

// Read in a few milliseconds; most of what is looked for is near the end of a history.
const LINKS_AT_ONCE = 500
const DAYS_AT_ONCE = 500

export function historyReads({ query }: Pick<Steps, "query">): Pick<DeliveryHistory, "arrivals"> {
  return { arrivals: (lineId, from) => query((tx) => arrivals(tx, lineId, from)) }
}

/** The next reports in the linked history of a line, latest arrival first, from this one on; null: from the last. */
export function* arrivals(tx: ReadTx, lineId: number, from: DeliveryTotal | null): Step<LinkedReport[]> {
  const { db, deliveryReport } = tx
  const start = from ?? (yield* lastArrival(tx, lineId))
  if (start === undefined) return []
  // Subqueries, because both engines look each of them up by the primary key: PostgreSQL might read the whole table for a join.
  const previous = (column: string) => sql`(SELECT r.${sql.raw(column)} FROM delivery_report r
    WHERE r.as_of = c.previous_as_of AND r.line_id = ${lineId} AND r.quantity = c.previous_quantity)`
  const chain = sql`(WITH RECURSIVE c AS (
      SELECT 1 AS place, as_of, quantity, received_at, previous_as_of, previous_quantity FROM delivery_report
      WHERE as_of = ${start.asOf} AND line_id = ${lineId} AND quantity = ${start.quantity}
      UNION ALL
      SELECT c.place + 1, c.previous_as_of, c.previous_quantity, ${previous("received_at")}, ${previous("previous_as_of")},
        ${previous("previous_quantity")}
      FROM c WHERE c.previous_as_of IS NOT NULL AND c.place < ${sql.raw(String(LINKS_AT_ONCE))}
    ) SELECT * FROM c WHERE received_at IS NOT NULL) AS chain`
  const { asOf, quantity } = deliveryReport
  const rows = yield* all(
    db
      .select({
        asOf: sql<number>`as_of`.mapWith(asOf),
        quantity: sql<number>`quantity`.mapWith(quantity),
        receivedAt: sql<number>`received_at`.mapWith(asOf),
        previousAsOf: sql<number | null>`previous_as_of`.mapWith(asOf),
        previousQuantity: sql<number | null>`previous_quantity`.mapWith(quantity),
      })
      .from(chain)
      .orderBy(sql`place`),
  )
  return rows.map(({ previousAsOf, previousQuantity, ...report }) => ({
    ...report,
    previous:
      previousAsOf === null || previousQuantity === null ? null : { asOf: previousAsOf, quantity: previousQuantity },
  }))
}

function* lastArrival({ db, deliveryTotal }: ReadTx, lineId: number): Step<DeliveryTotal | undefined> {
  const { lastAsOf: asOf, lastQuantity: quantity } = deliveryTotal
  return yield* first(db.select({ asOf, quantity }).from(deliveryTotal).where(eq(deliveryTotal.lineId, lineId)))
}

/** Deletes the closing totals of a line. The days that any line has are found by one look into the index each. */
export function* deleteDays({ db, deliveryDay }: Tx, lineId: number): Step<void> {
  const closed = sql`(WITH RECURSIVE closed(day) AS (SELECT max(day) FROM delivery_day
      UNION ALL SELECT (SELECT max(day) FROM delivery_day d WHERE d.day < closed.day) FROM closed WHERE closed.day IS NOT NULL
    ) SELECT day FROM closed WHERE day IS NOT NULL) AS closed`
  const days = yield* all(db.select({ day: sql<string>`day` }).from(closed))
  for (let from = 0; from < days.length; from += DAYS_AT_ONCE) {
    const some = days.slice(from, from + DAYS_AT_ONCE).map(({ day }) => day)
    yield* exec(db.delete(deliveryDay).where(and(eq(deliveryDay.lineId, lineId), inArray(deliveryDay.day, some))))
  }
}
