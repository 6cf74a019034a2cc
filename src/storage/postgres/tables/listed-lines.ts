// Lines with only what lists choose, sum and sort by. Thousands of them are read for one page.

import type { CampaignHead, FlightRange, ListedLine } from "../../port/store.ts"
import type { Session } from "../engine/session.ts"
import { JOIN_SELLER_AND_TOTAL, type LinesSeen, seenBy, totalOf, valuesOf } from "./campaign-lines.ts"

const LISTED = `SELECT l.id AS "lineId", l.campaign_id AS "campaignId", o.time_zone AS "timeZone",
    l.pricing_basis AS "pricingBasis", l.flight_start AS "flightStart", l.flight_end AS "flightEnd", l.booked, l.rate,
    l.currency, t.quantity, t.as_of AS "asOf"`

// The buyer of a campaign sees all of its lines ($1), everybody else only their own ($2, $3).
const OF_CAMPAIGNS = `
  WITH l AS MATERIALIZED (
    SELECT * FROM package_line WHERE campaign_id = ANY($1::bigint[]) AND archived = 0
    UNION ALL SELECT * FROM package_line WHERE campaign_id = ANY($2::bigint[]) AND seller_id = $3 AND archived = 0)
  ${LISTED} FROM l ${JOIN_SELLER_AND_TOTAL}`
const ofCampaignSql = (seen: LinesSeen) => `
  WITH l AS MATERIALIZED (SELECT l.* ${seenBy(seen)})
  ${LISTED} FROM l ${JOIN_SELLER_AND_TOTAL}`
const SOLD = `
  WITH l AS MATERIALIZED (
    SELECT * FROM package_line WHERE seller_id = $1 AND archived = 0 AND id > $2 ORDER BY id LIMIT $3)
  ${LISTED} FROM l ${JOIN_SELLER_AND_TOTAL} ORDER BY l.id`
const inFlightSql = (condition: string, order: string) => `
  WITH l AS MATERIALIZED (
    SELECT l.* FROM package_line l
    CROSS JOIN LATERAL (SELECT id FROM campaign WHERE id = l.campaign_id AND archived = 0 OFFSET 0) c
    WHERE l.seller_id = $1 AND l.archived = 0 AND l.flight_start <= $2 AND ${condition} ORDER BY ${order} LIMIT $3)
  ${LISTED} FROM l ${JOIN_SELLER_AND_TOTAL} ORDER BY ${order}`
const ENDING = inFlightSql("(l.flight_end, l.id) > ($4, $5)", "l.flight_end, l.id")
const ENDLESS = inFlightSql("l.flight_end IS NULL AND l.id > $4", "l.id")

type Row = Omit<ListedLine, "total" | "seller"> & {
  readonly timeZone: string
  readonly quantity: number | null
  readonly asOf: number | null
}

export async function linesOfCampaign({ rows }: Session, seen: LinesSeen): Promise<ListedLine[]> {
  return (await rows<Row>(ofCampaignSql(seen), valuesOf(seen))).map(listed)
}

export async function linesOfCampaigns(
  { rows }: Session,
  organizationId: number,
  campaigns: readonly CampaignHead[],
): Promise<ListedLine[]> {
  const [bought, sold] = [true, false].map((buys) =>
    campaigns.filter(({ buyer }) => (buyer.id === organizationId) === buys).map(({ id }) => id),
  )
  return (await rows<Row>(OF_CAMPAIGNS, [bought ?? [], sold ?? [], organizationId])).map(listed)
}

export async function soldLines({ rows }: Session, sellerId: number, after: number | null, limit: number) {
  return (await rows<Row>(SOLD, [sellerId, after ?? 0, limit])).map(listed)
}

export async function listedInFlight(
  { rows }: Session,
  sellerId: number,
  { from, to, after, limit }: FlightRange,
): Promise<ListedLine[]> {
  const { flightEnd, lineId } = after ?? { flightEnd: from, lineId: 0 }
  const ending = flightEnd === null ? [] : await rows<Row>(ENDING, [sellerId, to, limit, flightEnd, lineId])
  const left = limit - ending.length
  const start = flightEnd === null ? lineId : 0
  const endless = left === 0 ? [] : await rows<Row>(ENDLESS, [sellerId, to, left, start])
  return [...ending, ...endless].map(listed)
}

function listed({ timeZone, quantity, asOf, ...line }: Row): ListedLine {
  return { ...line, seller: { timeZone }, total: totalOf(quantity, asOf) }
}
