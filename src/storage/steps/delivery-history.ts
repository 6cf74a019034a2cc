import { type SQL, sql } from "drizzle-orm"
import type { DeliveryTotal } from "../../domain/delivery/delivery.ts"
import type { LinkedReport, ReceiptOfForm } from "../../domain/delivery/withdrawal.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { DeliveryHistory, ReceivedReport } from "../port/store.ts"
import { all, and, eq, exec, inArray, type ReadTx, type Step, type Steps, type Tx } from "./step.ts"

// Read in a few milliseconds; most of what is looked for is near the end of a history.
const LINKS_AT_ONCE = 500
const DAYS_AT_ONCE = 500

export function historyReads({ query }: Pick<Steps, "query">): Pick<DeliveryHistory, "arrivals" | "received"> {
  return {
    arrivals: (lineId, from) => query((tx) => arrivals(tx, lineId, from)),
    received: (sellerId, form) => query((tx) => received(tx, sellerId, form)),
  }
}

/** A form has one time for all of its lines, which is where the primary key begins. */
function* received(tx: ReadTx, sellerId: number, form: ReceiptOfForm): Step<ReceivedReport[]> {
  const { db, deliveryReport, deliverySource, packageLine } = tx
  const { asOf, lineId, quantity, receivedAt, sourceId, previousAsOf, previousQuantity } = deliveryReport
  const { kind, reference, detail } = deliverySource
  const together = and(eq(asOf, form.asOf), eq(receivedAt, form.receivedAt))
  const rows = yield* all(
    db
      .select({
        report: { asOf, lineId, quantity, receivedAt, sourceId },
        previousAsOf,
        previousQuantity,
        source: { kind, reference, detail },
      })
      .from(deliveryReport)
      .innerJoin(packageLine, eq(packageLine.id, lineId))
      .innerJoin(deliverySource, eq(deliverySource.id, sourceId))
      .where(and(together, eq(packageLine.sellerId, sellerId), eq(kind, "form"), eq(reference, String(form.userId)))),
  )
  return rows.map(({ report, source, ...previous }) => ({ ...report, source, previous: linkOf(previous) }))
}

interface LinkColumns {
  readonly previousAsOf: number | null
  readonly previousQuantity: number | null
}

const linkOf = ({ previousAsOf: asOf, previousQuantity: quantity }: LinkColumns): DeliveryTotal | null =>
  asOf === null || quantity === null ? null : { asOf, quantity }

/** The next reports in the linked history of a line, latest arrival first, from this one on; null: from the last. */
export function* arrivals(tx: ReadTx, lineId: number, from: DeliveryTotal | null): Step<LinkedReport[]> {
  const start =
    from === null
      ? sql`SELECT line_id, last_as_of AS as_of, last_quantity AS quantity FROM delivery_total WHERE line_id = ${lineId}`
      : sql`SELECT line_id, as_of, quantity FROM delivery_report
          WHERE as_of = ${from.asOf} AND line_id = ${lineId} AND quantity = ${from.quantity}`
  return (yield* chains(tx, start, null)).get(lineId) ?? []
}

/** The same of several lines, from the last, until all that follow were received before this moment. */
export function* arrivalsSince(
  tx: ReadTx,
  lineIds: readonly number[],
  since: Moment,
): Step<ReadonlyMap<number, LinkedReport[]>> {
  const { lineId } = tx.deliveryTotal
  const start = sql`SELECT line_id, last_as_of AS as_of, last_quantity AS quantity FROM delivery_total
    WHERE ${inArray(lineId, [...lineIds])}`
  return yield* chains(tx, start, since)
}

function* chains({ db, deliveryReport }: ReadTx, start: SQL, since: Moment | null): Step<Map<number, LinkedReport[]>> {
  // Subqueries, because both engines look each of them up by the primary key: PostgreSQL might read the whole table for a join.
  const report = (column: string, place: SQL) =>
    sql`(SELECT r.${sql.raw(column)} FROM delivery_report r WHERE ${place})`
  const first = sql`r.as_of = s.as_of AND r.line_id = s.line_id AND r.quantity = s.quantity`
  const next = sql`r.as_of = c.previous_as_of AND r.line_id = c.line_id AND r.quantity = c.previous_quantity`
  const link = (place: SQL) => sql`${report("received_at", place)}, ${report("source_id", place)},
    ${report("previous_as_of", place)}, ${report("previous_quantity", place)}`
  const goesOn = since === null ? sql`` : sql`AND c.received_at >= ${since}`
  const chain = sql`(WITH RECURSIVE
    c(place, line_id, as_of, quantity, received_at, source_id, previous_as_of, previous_quantity) AS (
      SELECT 1, s.line_id, s.as_of, s.quantity, ${link(first)} FROM (${start}) AS s
      UNION ALL
      SELECT c.place + 1, c.line_id, c.previous_as_of, c.previous_quantity, ${link(next)}
      FROM c WHERE c.previous_as_of IS NOT NULL AND c.place < ${sql.raw(String(LINKS_AT_ONCE))} ${goesOn}
    ) SELECT * FROM c WHERE received_at IS NOT NULL) AS chain`
  const { asOf, quantity } = deliveryReport
  const rows = yield* all(
    db
      .select({
        lineId: sql<number>`line_id`.mapWith(asOf),
        asOf: sql<number>`as_of`.mapWith(asOf),
        quantity: sql<number>`quantity`.mapWith(quantity),
        receivedAt: sql<number>`received_at`.mapWith(asOf),
        sourceId: sql<number>`source_id`.mapWith(asOf),
        previousAsOf: sql<number | null>`previous_as_of`.mapWith(asOf),
        previousQuantity: sql<number | null>`previous_quantity`.mapWith(quantity),
      })
      .from(chain)
      .orderBy(sql`place`),
  )
  const byLine = new Map<number, LinkedReport[]>()
  for (const { lineId, previousAsOf, previousQuantity, ...row } of rows) {
    const linked = { ...row, previous: linkOf({ previousAsOf, previousQuantity }) }
    const known = byLine.get(lineId)
    if (known === undefined) byLine.set(lineId, [linked])
    else known.push(linked)
  }
  return byLine
}

/** Deletes the closing totals of lines. The days that any line has are found by one look into the index each. */
export function* deleteDays({ db, deliveryDay }: Tx, lineIds: readonly number[]): Step<void> {
  const closed = sql`(WITH RECURSIVE closed(day) AS (SELECT max(day) FROM delivery_day
      UNION ALL SELECT (SELECT max(day) FROM delivery_day d WHERE d.day < closed.day) FROM closed WHERE closed.day IS NOT NULL
    ) SELECT day FROM closed WHERE day IS NOT NULL) AS closed`
  const days = yield* all(db.select({ day: sql<string>`day` }).from(closed))
  for (let from = 0; from < days.length; from += DAYS_AT_ONCE) {
    const some = days.slice(from, from + DAYS_AT_ONCE).map(({ day }) => day)
    yield* exec(
      db.delete(deliveryDay).where(and(inArray(deliveryDay.lineId, [...lineIds]), inArray(deliveryDay.day, some))),
    )
  }
}
