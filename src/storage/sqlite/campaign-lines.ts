import type { LineChoice, ListedLine, ShownLine } from "../store.ts"
import type { Connection } from "./connection.ts"

// A campaign may have thousands of lines, and pages show what they come to: read as plain rows, because Drizzle would take five times
// as long, and reports wait meanwhile.

/** The lines of a campaign that an organization may see. */
const SEEN = `FROM package_line l JOIN campaign c ON c.id = l.campaign_id
  LEFT JOIN delivery_total t ON t.line_id = l.id
  WHERE l.campaign_id = ?1 AND (c.buyer_id = ?2 OR l.seller_id = ?2)`

const SHOWN = `SELECT l.id AS lineId, l.seller_id AS sellerId, l.package_id AS packageId, l.name,
    l.pricing_basis AS pricingBasis, l.flight_start AS flightStart, l.flight_end AS flightEnd, l.booked, l.rate, l.currency,
    t.quantity, t.as_of AS asOf
  ${SEEN}`

const SELLER = "SELECT id, slug, name, time_zone AS timeZone FROM organization WHERE id = ?1"

const LISTED = `SELECT o.time_zone, l.pricing_basis, l.flight_start, l.flight_end, l.booked, t.quantity, t.as_of
  FROM package_line l JOIN campaign c ON c.id = l.campaign_id JOIN organization o ON o.id = l.seller_id
  LEFT JOIN delivery_total t ON t.line_id = l.id
  WHERE l.campaign_id = ?1 AND (c.buyer_id = ?2 OR l.seller_id = ?2)`

interface ShownRow extends Omit<ShownLine, "seller" | "total"> {
  readonly sellerId: number
  readonly quantity: number | null
  readonly asOf: number | null
}

type ListedRow = [
  timeZone: string,
  pricingBasis: ListedLine["pricingBasis"],
  flightStart: string,
  flightEnd: string | null,
  booked: number | null,
  quantity: number | null,
  asOf: number | null,
]

type Seller = ShownLine["seller"]

export function campaignLines({ database }: Connection) {
  // The database knows no limit that is none but a negative one.
  const many = database.query<ShownRow, [number, number, number, number]>(
    `${SHOWN} ORDER BY l.flight_start, l.name, l.id LIMIT ?3 OFFSET ?4`,
  )
  const one = database.query<ShownRow, [number, number, string]>(`${SHOWN} AND l.package_id = ?3`)
  const seller = database.query<Seller, [number]>(SELLER)
  const listed = database.query<unknown, [number, number]>(LISTED)
  const counted = database.query<{ count: number }, [number, number]>(`SELECT count(*) AS count ${SEEN}`)

  function rowsOf(campaignId: number, organizationId: number, choice: LineChoice | undefined): ShownRow[] {
    if (choice === undefined) return many.all(campaignId, organizationId, -1, 0)
    if ("packageId" in choice) return one.all(campaignId, organizationId, choice.packageId)
    return many.all(campaignId, organizationId, choice.limit, choice.offset)
  }

  return {
    count: (campaignId: number, organizationId: number) => counted.get(campaignId, organizationId)?.count ?? 0,
    shown(campaignId: number, organizationId: number, choice: LineChoice | undefined): ShownLine[] {
      const sellers = new Map<number, Seller>()
      return rowsOf(campaignId, organizationId, choice).map(({ sellerId, quantity, asOf, ...line }) => {
        const sold = sellers.get(sellerId) ?? seller.get(sellerId)
        if (sold === null) throw new Error("a line has no seller")
        sellers.set(sellerId, sold)
        return { ...line, seller: sold, total: totalOf(quantity, asOf) }
      })
    },
    listed: (campaignId: number, organizationId: number) =>
      (listed.values(campaignId, organizationId) as ListedRow[]).map(listedLine),
  }
}

function listedLine(row: ListedRow): ListedLine {
  const [timeZone, pricingBasis, flightStart, flightEnd, booked, quantity, asOf] = row
  return { timeZone, pricingBasis, flightStart, flightEnd, booked, total: totalOf(quantity, asOf) }
}

function totalOf(quantity: number | null, asOf: number | null): ShownLine["total"] {
  return quantity === null || asOf === null ? null : { quantity, asOf }
}
