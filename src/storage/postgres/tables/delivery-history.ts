import type { DeliverySource, DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import { sourceSeenBy } from "../../../domain/delivery/line-viewer.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { DeliveryHistory, HistoryCursor } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { numberArray } from "../engine/number-array.ts"

// The history of a line is a linked list that starts at its total. A query follows only as many links as it returns: LIMIT 1 makes the
// planner look up each link by the primary key, however many reports there are.
const link = (asOf: string, lineId: string, quantity: string) => `(SELECT * FROM delivery_report
  WHERE as_of = ${asOf} AND line_id = ${lineId} AND quantity = ${quantity} LIMIT 1)`

/** $1 line, $2 and $3 where to start (null: at the last arrival), $4 how many. */
const PAGE = `
  WITH RECURSIVE start AS (
    SELECT $1::bigint AS line_id, $2::bigint AS as_of, $3::double precision AS quantity WHERE $2::bigint IS NOT NULL
    UNION ALL SELECT line_id, last_as_of, last_quantity FROM delivery_total WHERE line_id = $1 AND $2::bigint IS NULL
  ), chain AS (
    SELECT 1 AS place, r.* FROM start s CROSS JOIN LATERAL ${link("s.as_of", "s.line_id", "s.quantity")} r
    UNION ALL
    SELECT c.place + 1, r.* FROM chain c
      CROSS JOIN LATERAL ${link("c.previous_as_of", "c.line_id", "c.previous_quantity")} r WHERE c.place < $4::bigint
  )
  SELECT c.as_of AS "asOf", c.quantity, c.received_at AS "receivedAt", c.previous_as_of AS "previousAsOf",
    c.previous_quantity AS "previousQuantity", s.kind, s.reference, s.detail, coalesce(k.label, u.name) AS sender
  FROM chain c
  JOIN delivery_source s ON s.id = c.source_id
  LEFT JOIN ingest_key k ON s.kind = 'key' AND k.id = s.reference
  LEFT JOIN "user" u ON u.id = CASE WHEN s.kind IN ('form', 'file') AND s.reference ~ '^\\d{1,15}$' THEN s.reference::bigint END
  ORDER BY c.place`

const POINTS = `
  WITH RECURSIVE chain AS (
    SELECT 1 AS place, r.* FROM delivery_total t
      CROSS JOIN LATERAL ${link("t.last_as_of", "t.line_id", "t.last_quantity")} r WHERE t.line_id = ANY($1::bigint[])
    UNION ALL
    SELECT c.place + 1, r.* FROM chain c
      CROSS JOIN LATERAL ${link("c.previous_as_of", "c.line_id", "c.previous_quantity")} r WHERE c.place < $2::bigint
  )
  SELECT line_id::double precision AS "lineId", as_of::double precision AS "asOf", quantity
  FROM chain ORDER BY as_of, place DESC`

interface Row extends DeliveryTotal, DeliverySource {
  readonly receivedAt: Moment
  readonly previousAsOf: Moment | null
  readonly previousQuantity: number | null
  readonly sender: string | null
}

export function deliveryHistory({ read }: Connection): DeliveryHistory {
  return {
    async page(lineId, viewer, from, limit) {
      // A cursor from a URL that matches no report ends the list, as one that cannot be a moment does.
      if (from !== null && !Number.isSafeInteger(from.asOf)) return { entries: [], next: null }
      const values = [lineId, from?.asOf ?? null, from?.quantity ?? null, limit]
      const rows = await read((session) => session.rows<Row>(PAGE, values))
      const entries = rows.map(({ asOf, quantity, receivedAt, ...source }) => ({
        asOf,
        quantity,
        receivedAt,
        source: sourceSeenBy(viewer, source),
      }))
      return { entries, next: rows.length < limit ? null : placeBefore(rows.at(-1)) }
    },
    async points(lineIds, perLine) {
      const found = await read((session) =>
        session.rows<DeliveryTotal & { readonly lineId: number }>(POINTS, [numberArray(lineIds), perLine]),
      )
      const points = new Map<number, DeliveryTotal[]>(lineIds.map((lineId) => [lineId, []]))
      for (const { lineId, asOf, quantity } of found) points.get(lineId)?.push({ asOf, quantity })
      return points
    },
  }
}

function placeBefore(row: Row | undefined): HistoryCursor | null {
  if (row === undefined || row.previousAsOf === null || row.previousQuantity === null) return null
  return { asOf: row.previousAsOf, quantity: row.previousQuantity }
}
