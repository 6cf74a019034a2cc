import type { DeliverySource, DeliveryTotal } from "../../../../domain/delivery/delivery.ts"
import { type LineViewer, sourceSeenBy } from "../../../../domain/delivery/line-viewer.ts"
import { mergeHistory, withdrawalSeenBy } from "../../../../domain/delivery/withdrawal.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { DeliveryHistory, HistoryCursor, HistoryEntry } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import { numberArray } from "../../engine/number-array.ts"
import type { Session } from "../../engine/session.ts"

// The history of a line is a linked list that starts at its total. A query follows only as many links as it returns: LIMIT 1 makes the
// planner look up each link by the primary key, however many reports there are. Withdrawn reports are in a table of their own.
const link = (asOf: string, lineId: string, quantity: string) => `(SELECT * FROM delivery_report
  WHERE as_of = ${asOf} AND line_id = ${lineId} AND quantity = ${quantity} LIMIT 1)`

/** $1 line, $2 and $3 where to start (null: at the last arrival), $4 how many. */
const CHAIN = `WITH RECURSIVE start AS (
    SELECT $1::bigint AS line_id, $2::bigint AS as_of, $3::double precision AS quantity WHERE $2::bigint IS NOT NULL
    UNION ALL SELECT line_id, last_as_of, last_quantity FROM delivery_total WHERE line_id = $1 AND $2::bigint IS NULL
  ), chain AS (
    SELECT 1 AS place, r.* FROM start s CROSS JOIN LATERAL ${link("s.as_of", "s.line_id", "s.quantity")} r
    UNION ALL
    SELECT c.place + 1, r.* FROM chain c
      CROSS JOIN LATERAL ${link("c.previous_as_of", "c.line_id", "c.previous_quantity")} r WHERE c.place < $4::bigint
  )`

const JOIN_SENDER = `JOIN delivery_source s ON s.id = r.source_id
  LEFT JOIN ingest_key k ON s.kind = 'key' AND k.id = s.reference
  LEFT JOIN "user" u ON u.id = CASE WHEN s.kind IN ('form', 'file') AND s.reference ~ '^\\d{1,15}$' THEN s.reference::bigint END`

const REPORT = `r.as_of AS "asOf", r.quantity, r.received_at AS "receivedAt", s.kind, s.reference, s.detail,
  coalesce(k.label, u.name) AS sender`
const KEPT = `${REPORT}, NULL::bigint AS id, NULL::bigint AS at, NULL AS actor, NULL AS name, NULL AS reason`
const WITHDRAWN = `${REPORT}, r.id, r.withdrawn_at AS at, r.withdrawn_by AS actor, w.name, r.reason`
const JOIN_WITHDRAWER = `${JOIN_SENDER}
  LEFT JOIN "user" w ON w.id = CASE WHEN r.withdrawn_by ~ '^user:\\d{1,15}$' THEN substr(r.withdrawn_by, 6)::bigint END`

/** Of both parts in one statement, so that a report that is withdrawn meanwhile is in one of them. $5 and $6: the last withdrawn one. */
const PAGE = `${CHAIN}, gone AS (
    SELECT * FROM withdrawn_report WHERE line_id = $1 AND (received_at, id) < ($5::bigint, $6::bigint)
    ORDER BY received_at DESC, id DESC LIMIT $4::bigint
  )
  SELECT r.place, ${KEPT} FROM chain r ${JOIN_SENDER} WHERE NOT $7::boolean
  UNION ALL
  SELECT row_number() OVER (ORDER BY r.received_at DESC, r.id DESC) AS place, ${WITHDRAWN} FROM gone r ${JOIN_WITHDRAWER}
  ORDER BY place`

const FIND = `
  SELECT ${KEPT} FROM delivery_report r ${JOIN_SENDER}
  WHERE r.as_of = $2 AND r.line_id = $1 AND r.quantity = $3 AND r.received_at = $4
  UNION ALL
  SELECT ${WITHDRAWN} FROM withdrawn_report r ${JOIN_WITHDRAWER}
  WHERE r.line_id = $1 AND r.received_at = $4 AND r.as_of = $2 AND r.quantity = $3
  LIMIT 1`

const POINTS = `
  WITH RECURSIVE chain AS (
    SELECT 1 AS place, r.* FROM delivery_total t
      CROSS JOIN LATERAL ${link("t.last_as_of", "t.line_id", "t.last_quantity")} r WHERE t.line_id = ANY($1::bigint[])
    UNION ALL
    SELECT c.place + 1, r.* FROM chain c
      CROSS JOIN LATERAL ${link("c.previous_as_of", "c.line_id", "c.previous_quantity")} r
      WHERE $2::bigint IS NULL OR c.place < $2::bigint
  )
  SELECT line_id::double precision AS "lineId", as_of::double precision AS "asOf", quantity
  FROM chain ORDER BY as_of, place DESC`

interface KeptRow extends DeliveryTotal, DeliverySource {
  readonly receivedAt: Moment
  readonly sender: string | null
  readonly id: null
}

interface WithdrawnRow extends Omit<KeptRow, "id"> {
  readonly id: number
  readonly at: Moment
  readonly actor: string
  readonly name: string | null
  readonly reason: string
}

type Row = KeptRow | WithdrawnRow

// Sorts after every possible report.
const START = { receivedAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }

export function deliveryHistory({ read }: Connection): Omit<DeliveryHistory, "arrivals" | "days" | "received"> {
  return {
    async page(lineId, viewer, from, limit) {
      // A cursor from a URL that matches no report ends the list, as one that cannot be a moment does.
      if (!isPossible(from)) return { entries: [], next: null }
      const { receivedAt, id } = from?.afterWithdrawn ?? START
      const place = [from?.report?.asOf ?? null, from?.report?.quantity ?? null]
      const keptEnded = from !== null && from.report === null
      const values = [lineId, ...place, limit + 1, receivedAt, id, keptEnded]
      const rows = await read((session) => session.rows<Row>(PAGE, values))
      const kept = rows.filter((row) => row.id === null).map((row) => entryOf(viewer, row))
      const gone = rows.filter((row) => row.id !== null)
      const merged = mergeHistory(
        kept,
        gone.map((row) => entryOf(viewer, row)),
        limit,
      )
      const report = kept[merged.kept] ?? null
      const last = gone[merged.withdrawn - 1] ?? from?.afterWithdrawn ?? null
      const next = {
        report: report && { asOf: report.asOf, quantity: report.quantity },
        afterWithdrawn: last && { receivedAt: last.receivedAt, id: last.id },
      }
      const isEnd = report === null && gone.length === merged.withdrawn
      return { entries: merged.entries, next: isEnd ? null : next }
    },
    async find(lineId, { asOf, quantity, receivedAt }) {
      if (!Number.isSafeInteger(asOf) || !Number.isSafeInteger(receivedAt)) return null
      const [row] = await read((session) => session.rows<Row>(FIND, [lineId, asOf, quantity, receivedAt]))
      return row === undefined ? null : entryOf("seller", row)
    },
    points: (lineIds, perLine) => read((session) => pointsOf(session, lineIds, perLine)),
  }
}

/** The latest arrivals of each line, or all of them with null. */
export async function pointsOf({ rows }: Session, lineIds: readonly number[], perLine: number | null) {
  const values = [numberArray(lineIds), perLine]
  const found = await rows<DeliveryTotal & { readonly lineId: number }>(POINTS, values)
  const points = new Map<number, DeliveryTotal[]>(lineIds.map((lineId) => [lineId, []]))
  for (const { lineId, asOf, quantity } of found) points.get(lineId)?.push({ asOf, quantity })
  return points
}

function isPossible(from: HistoryCursor | null): boolean {
  const { receivedAt, id } = from?.afterWithdrawn ?? START
  return [from?.report?.asOf ?? 0, receivedAt, id].every(Number.isSafeInteger)
}

function entryOf(viewer: LineViewer, row: Row): HistoryEntry {
  const { asOf, quantity, receivedAt } = row
  const withdrawn = row.id === null ? null : withdrawalSeenBy(viewer, row)
  return { asOf, quantity, receivedAt, source: sourceSeenBy(viewer, row), withdrawn }
}
