// What a seller has in flight, for its home.

import type { FlightRange, FlyingLine } from "../../port/store.ts"
import type { Session } from "../engine/session.ts"
import { JOIN_SELLER_AND_TOTAL, SHOWN, type ShownRow, shown } from "./campaign-lines.ts"

// The limit comes first: what is joined is looked up for the lines of the page only. A line of an archived campaign takes part in the
// limit no more than in the page, so that its campaign is looked up before.
const inFlightSql = (condition: string, order: string) => `
  WITH l AS MATERIALIZED (
    SELECT l.*, c.slug AS "campaignSlug", c.name AS "campaignName", c.buyer_id FROM package_line l
    CROSS JOIN LATERAL (SELECT slug, name, buyer_id FROM campaign WHERE id = l.campaign_id AND archived = 0 OFFSET 0) c
    WHERE l.seller_id = $1 AND l.archived = 0 AND l.flight_start <= $2 AND ${condition} ORDER BY ${order} LIMIT $3)
  SELECT ${SHOWN}, l."campaignSlug", l."campaignName", b.slug AS "buyerSlug", b.name AS "buyerName"
  FROM l JOIN organization b ON b.id = l.buyer_id ${JOIN_SELLER_AND_TOTAL} ORDER BY ${order}`
const ENDING = inFlightSql("(l.flight_end, l.id) > ($4, $5)", "l.flight_end, l.id")
const ENDLESS = inFlightSql("l.flight_end IS NULL AND l.id > $4", "l.id")

const BY_ID = `
  WITH l AS MATERIALIZED (
    SELECT l.*, c.slug AS "campaignSlug", c.name AS "campaignName", c.buyer_id
    FROM package_line l JOIN campaign c ON c.id = l.campaign_id WHERE l.id = ANY($1::bigint[]) AND l.seller_id = $2)
  SELECT ${SHOWN}, l."campaignSlug", l."campaignName", b.slug AS "buyerSlug", b.name AS "buyerName"
  FROM l JOIN organization b ON b.id = l.buyer_id ${JOIN_SELLER_AND_TOTAL}`

interface FlyingRow extends ShownRow {
  readonly campaignSlug: string
  readonly campaignName: string
  readonly buyerSlug: string
  readonly buyerName: string
}

export async function linesInFlight(
  { rows }: Session,
  sellerId: number,
  { from, to, after, limit }: FlightRange,
): Promise<FlyingLine[]> {
  const { flightEnd, lineId } = after ?? { flightEnd: from, lineId: 0 }
  const ending = flightEnd === null ? [] : await rows<FlyingRow>(ENDING, [sellerId, to, limit, flightEnd, lineId])
  const left = limit - ending.length
  const start = flightEnd === null ? lineId : 0
  const endless = left === 0 ? [] : await rows<FlyingRow>(ENDLESS, [sellerId, to, left, start])
  return [...ending, ...endless].map(flying)
}

export async function linesById(
  { rows }: Session,
  sellerId: number,
  lineIds: readonly number[],
): Promise<FlyingLine[]> {
  return (await rows<FlyingRow>(BY_ID, [lineIds, sellerId])).map(flying)
}

function flying({ campaignSlug, campaignName, buyerSlug, buyerName, ...line }: FlyingRow): FlyingLine {
  const buyer = { slug: buyerSlug, name: buyerName }
  return { ...shown(line), campaign: { slug: campaignSlug, name: campaignName, buyer } }
}
