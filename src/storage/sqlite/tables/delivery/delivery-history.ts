import type { DeliverySource, DeliveryTotal } from "../../../../domain/delivery/delivery.ts"
import { type LineViewer, sourceSeenBy } from "../../../../domain/delivery/line-viewer.ts"
import { isSameTotal, mergeHistory, withdrawalSeenBy } from "../../../../domain/delivery/withdrawal.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { DeliveryHistory, HistoryEntry } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"

// The history of a line is a linked list that starts at its total. A query follows only as many links as it returns. Withdrawn reports
// are not in it: they have a table of their own.
const LAST = "SELECT last_as_of AS asOf, last_quantity AS quantity FROM delivery_total WHERE line_id = ?1"

const SENDER = `s.kind, s.reference, s.detail, coalesce(k.label, u.name) AS sender`
const JOIN_SENDER = `JOIN delivery_source s ON s.id = r.source_id
  LEFT JOIN ingest_key k ON s.kind = 'key' AND k.id = s.reference
  LEFT JOIN user u ON s.kind IN ('form', 'file') AND u.id = CAST(s.reference AS INTEGER)`

const LINK = `SELECT r.received_at AS receivedAt, r.previous_as_of AS previousAsOf, r.previous_quantity AS previousQuantity,
    ${SENDER} FROM delivery_report r ${JOIN_SENDER}
  WHERE r.as_of = ?1 AND r.line_id = ?2 AND r.quantity = ?3`

const BARE_LINK = `SELECT received_at AS receivedAt, previous_as_of AS previousAsOf, previous_quantity AS previousQuantity
  FROM delivery_report WHERE as_of = ?1 AND line_id = ?2 AND quantity = ?3`

const WITHDRAWN = `SELECT r.id, r.as_of AS asOf, r.quantity, r.received_at AS receivedAt, r.withdrawn_at AS at,
    r.withdrawn_by AS actor, w.name, r.reason, ${SENDER}
  FROM withdrawn_report r ${JOIN_SENDER}
  LEFT JOIN user w ON w.id = iif(r.withdrawn_by GLOB 'user:*', CAST(substr(r.withdrawn_by, 6) AS INTEGER), NULL)`
const WITHDRAWN_PAGE = `${WITHDRAWN} WHERE r.line_id = ?1 AND (r.received_at, r.id) < (?2, ?3)
  ORDER BY r.received_at DESC, r.id DESC LIMIT ?4`
const WITHDRAWN_AT = `${WITHDRAWN} WHERE r.line_id = ?1 AND r.received_at = ?2`

interface Link {
  readonly receivedAt: Moment
  readonly previousAsOf: Moment | null
  readonly previousQuantity: number | null
}

type Sent = DeliverySource & { readonly sender: string | null }

interface WithdrawnRow extends Sent, DeliveryTotal {
  readonly id: number
  readonly receivedAt: Moment
  readonly at: Moment
  readonly actor: string
  readonly name: string | null
  readonly reason: string
}

// Sorts after every possible report.
const START = { receivedAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }

export function deliveryHistory(connection: Connection): Omit<DeliveryHistory, "arrivals" | "days" | "received"> {
  const { database, reading } = connection
  const link = database.query<Link & Sent, [Moment, number, number]>(LINK)
  const withdrawnPage = database.query<WithdrawnRow, [number, Moment, number, number]>(WITHDRAWN_PAGE)
  const withdrawnAt = database.query<WithdrawnRow, [number, Moment]>(WITHDRAWN_AT)
  const { lastOf, pointsOf } = historyLinks(connection)

  function keptFrom(lineId: number, viewer: LineViewer, from: DeliveryTotal | null, limit: number): HistoryEntry[] {
    const entries: HistoryEntry[] = []
    for (let place = from; place !== null && entries.length < limit; ) {
      const found = link.get(place.asOf, lineId, place.quantity)
      // The cursor comes from a URL that anybody can edit. One that matches no report ends the list, or a download would never end.
      if (found === null) break
      entries.push(keptEntry(viewer, place, found))
      place = placeBefore(found)
    }
    return entries
  }

  return {
    async page(lineId, viewer, from, limit) {
      reading.join()
      const kept = keptFrom(lineId, viewer, from === null ? lastOf(lineId) : from.report, limit + 1)
      const { receivedAt, id } = from?.afterWithdrawn ?? START
      const rows = withdrawnPage.all(lineId, receivedAt, id, limit + 1)
      const merged = mergeHistory(
        kept,
        rows.map((row) => withdrawnEntry(viewer, row)),
        limit,
      )
      const report = kept[merged.kept] ?? null
      const last = rows[merged.withdrawn - 1] ?? from?.afterWithdrawn ?? null
      const next = {
        report: report && { asOf: report.asOf, quantity: report.quantity },
        afterWithdrawn: last && { receivedAt: last.receivedAt, id: last.id },
      }
      const isEnd = report === null && rows.length === merged.withdrawn
      return { entries: merged.entries, next: isEnd ? null : next }
    },
    async find(lineId, report) {
      reading.join()
      const found = link.get(report.asOf, lineId, report.quantity)
      if (found !== null && found.receivedAt === report.receivedAt) return keptEntry("seller", report, found)
      const row = withdrawnAt.all(lineId, report.receivedAt).find((one) => isSameTotal(one, report))
      return row === undefined ? null : withdrawnEntry("seller", row)
    },
    async points(lineIds, perLine) {
      reading.join()
      return new Map(lineIds.map((lineId) => [lineId, pointsOf(lineId, perLine)]))
    },
  }
}

function keptEntry(viewer: LineViewer, { asOf, quantity }: DeliveryTotal, found: Link & Sent): HistoryEntry {
  return { asOf, quantity, receivedAt: found.receivedAt, source: sourceSeenBy(viewer, found), withdrawn: null }
}

function withdrawnEntry(viewer: LineViewer, row: WithdrawnRow): HistoryEntry {
  const { asOf, quantity, receivedAt } = row
  return { asOf, quantity, receivedAt, source: sourceSeenBy(viewer, row), withdrawn: withdrawalSeenBy(viewer, row) }
}

/** Steps along the linked history of a line. */
export function historyLinks({ database }: Pick<Connection, "database">) {
  const last = database.query<{ asOf: Moment | null; quantity: number | null }, [number]>(LAST)
  const linkOf = database.query<Link, [Moment, number, number]>(BARE_LINK)
  const bareLink = (lineId: number, { asOf, quantity }: DeliveryTotal) => linkOf.get(asOf, lineId, quantity)

  /** The report that arrived last. */
  function lastOf(lineId: number): DeliveryTotal | null {
    const { asOf = null, quantity = null } = last.get(lineId) ?? {}
    return asOf === null || quantity === null ? null : { asOf, quantity }
  }

  function pointsOf(lineId: number, limit: number): DeliveryTotal[] {
    const points: DeliveryTotal[] = []
    for (let place = lastOf(lineId); place !== null && points.length < limit; ) {
      points.push(place)
      place = placeBefore(bareLink(lineId, place))
    }
    // Followed from the latest arrival back: of two at one moment, the later arrival counts and comes last.
    return points.reverse().sort((one, other) => one.asOf - other.asOf)
  }

  return { lastOf, bareLink, pointsOf }
}

export function placeBefore(found: Omit<Link, "receivedAt"> | null): DeliveryTotal | null {
  if (found === null || found.previousAsOf === null || found.previousQuantity === null) return null
  return { asOf: found.previousAsOf, quantity: found.previousQuantity }
}
