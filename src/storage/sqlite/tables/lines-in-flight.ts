// What a seller has in flight, for its home.

import type { FlightRange, FlyingLine, ShownLine } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { SHOWN, type ShownRow } from "./campaign-lines.ts"

// CROSS JOIN: in this order. The lines come from their index, the rest is looked up for each of them.
const FLYING = `SELECT ${SHOWN}, c.slug AS campaignSlug, c.name AS campaignName, b.slug AS buyerSlug, b.name AS buyerName
  FROM package_line l CROSS JOIN campaign c ON c.id = l.campaign_id CROSS JOIN organization b ON b.id = c.buyer_id
  LEFT JOIN delivery_total t ON t.line_id = l.id`
const BY_ID = `${FLYING} WHERE l.id = $lineId AND l.seller_id = $sellerId`
const SELECT = `${FLYING} WHERE l.seller_id = $sellerId AND l.archived = 0 AND c.archived = 0 AND l.flight_start <= $to`
const ENDING = `${SELECT} AND (l.flight_end, l.id) > ($flightEnd, $lineId)
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

  const byId = database.query<FlyingRow, [Values]>(BY_ID)

  return {
    inRange(sellerId: number, { from, to, after, limit }: FlightRange): FlyingLine[] {
      const { flightEnd, lineId } = after ?? { flightEnd: from, lineId: 0 }
      const rows = flightEnd === null ? [] : ending.all({ sellerId, to, limit, flightEnd, lineId })
      const left = limit - rows.length
      const start = flightEnd === null ? lineId : 0
      const rest = left === 0 ? [] : endless.all({ sellerId, to, limit: left, lineId: start })
      return flying([...rows, ...rest])
    },
    byIds(sellerId: number, lineIds: readonly number[]): FlyingLine[] {
      return flying(lineIds.flatMap((lineId) => byId.get({ sellerId, lineId }) ?? []))
    },
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
