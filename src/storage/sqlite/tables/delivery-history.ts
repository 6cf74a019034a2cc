import type { DeliverySource, DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import { sourceSeenBy } from "../../../domain/delivery/line-viewer.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { DeliveryHistory, HistoryCursor } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"

// The history of a line is a linked list that starts at its total. A query follows only as many links as it returns.
const LAST = "SELECT last_as_of AS asOf, last_quantity AS quantity FROM delivery_total WHERE line_id = ?1"

const LINK = `SELECT r.received_at AS receivedAt, r.previous_as_of AS previousAsOf, r.previous_quantity AS previousQuantity,
    s.kind, s.reference, s.detail, coalesce(k.label, u.name) AS sender
  FROM delivery_report r
  JOIN delivery_source s ON s.id = r.source_id
  LEFT JOIN ingest_key k ON s.kind = 'key' AND k.id = s.reference
  LEFT JOIN user u ON s.kind IN ('form', 'file') AND u.id = CAST(s.reference AS INTEGER)
  WHERE r.as_of = ?1 AND r.line_id = ?2 AND r.quantity = ?3`

const BARE_LINK = `SELECT previous_as_of AS previousAsOf, previous_quantity AS previousQuantity
  FROM delivery_report WHERE as_of = ?1 AND line_id = ?2 AND quantity = ?3`

interface Previous {
  readonly previousAsOf: Moment | null
  readonly previousQuantity: number | null
}

interface Link extends Previous, DeliverySource {
  readonly receivedAt: Moment
  readonly sender: string | null
}

export function deliveryHistory({ database, reading }: Connection): DeliveryHistory {
  const last = database.query<{ asOf: Moment | null; quantity: number | null }, [number]>(LAST)
  const link = database.query<Link, [Moment, number, number]>(LINK)
  const bareLink = database.query<Previous, [Moment, number, number]>(BARE_LINK)

  function lastOf(lineId: number): HistoryCursor | null {
    const { asOf = null, quantity = null } = last.get(lineId) ?? {}
    return asOf === null || quantity === null ? null : { asOf, quantity }
  }

  function pointsOf(lineId: number, limit: number): DeliveryTotal[] {
    const points: DeliveryTotal[] = []
    for (let place = lastOf(lineId); place !== null && points.length < limit; ) {
      points.push(place)
      place = placeBefore(bareLink.get(place.asOf, lineId, place.quantity))
    }
    return points.sort((one, other) => one.asOf - other.asOf)
  }

  return {
    async page(lineId, viewer, from, limit) {
      reading.join()
      const entries = []
      let place = from ?? lastOf(lineId)
      while (place !== null && entries.length < limit) {
        const found = link.get(place.asOf, lineId, place.quantity)
        // The cursor comes from a URL that anybody can edit. One that matches no report ends the list, or a download would never end.
        if (found === null) return { entries, next: null }
        entries.push({ ...place, receivedAt: found.receivedAt, source: sourceSeenBy(viewer, found) })
        place = placeBefore(found)
      }
      return { entries, next: place }
    },
    async points(lineIds, perLine) {
      reading.join()
      return new Map(lineIds.map((lineId) => [lineId, pointsOf(lineId, perLine)]))
    },
  }
}

function placeBefore(found: Previous | null): HistoryCursor | null {
  if (found === null || found.previousAsOf === null || found.previousQuantity === null) return null
  return { asOf: found.previousAsOf, quantity: found.previousQuantity }
}
