// What a seller has in flight, for its home.

import type { FlightRange, FlyingLine, ShownLine } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { SHOWN, type ShownRow } from "./campaign-lines.ts"

// CROSS JOIN: in this order. The lines come from their index, the rest is looked up for each of them.
const SELECT = `SELECT ${SHOWN}, c.slug AS campaignSlug, c.name AS campaignName, b.slug AS buyerSlug, b.name AS buyerName
  FROM package_line l CROSS JOIN campaign c ON c.id = l.campaign_id CROSS JOIN organization b ON b.id = c.buyer_id
  LEFT JOIN delivery_total t ON t.line_id = l.id
  WHERE l.seller_id = $sellerId AND l.archived = 0 AND c.archived = 0 AND l.flight_start <= $to`
const ENDING = `${SELECT} AND l.flight_end >= $from AND (l.flight_end, l.id) > ($flightEnd, $lineId)
  ORDER BY l.flight_end, l.id LIMIT $limit`
const ENDLESS = `${SELECT} AND l.flight_end IS NULL AND l.id > $lineId ORDER BY l.id LIMIT $limit`

interface FlyingRow extends ShownRow {
  readonly campaignSlug: string
  readonly campaignName: string
  readonly buyerSlug: string
  readonly buyerName: string
}

type Values = Record<string, number | string>

export function linesInFlight({ database }: Connection, shown: (rows: readonly ShownRow[]) => ShownLine[]) {
  const ending = database.query<FlyingRow, [Values]>(ENDING)
  const endless = database.query<FlyingRow, [Values]>(ENDLESS)

  return (sellerId: number, { from, to, after, limit }: FlightRange): FlyingLine[] => {
    const { flightEnd, lineId } = after ?? { flightEnd: "", lineId: 0 }
    const rows = flightEnd === null ? [] : ending.all({ sellerId, from, to, limit, flightEnd, lineId })
    const left = limit - rows.length
    const rest = left === 0 ? [] : endless.all({ sellerId, to, limit: left, lineId: flightEnd === null ? lineId : 0 })
    return flying([...rows, ...rest])
  }

  function flying(rows: readonly FlyingRow[]): FlyingLine[] {
    const campaigns = rows.map(({ campaignSlug, campaignName, buyerSlug, buyerName }) => ({
      slug: campaignSlug,
      name: campaignName,
      buyer: { slug: buyerSlug, name: buyerName },
    }))
    const lines = shown(
      rows.map(({ campaignSlug: _s, campaignName: _n, buyerSlug: _b, buyerName: _c, ...line }) => line),
    )
    return lines.flatMap((line, i) => {
      const campaign = campaigns[i]
      return campaign === undefined ? [] : [{ ...line, campaign }]
    })
  }
}
