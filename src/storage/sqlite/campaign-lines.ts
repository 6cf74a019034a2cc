import { remembered } from "../../domain/remembered.ts"
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

const LISTED = `SELECT l.seller_id, l.pricing_basis, l.flight_start, l.flight_end, l.booked, t.quantity, t.as_of
  ${SEEN}`

interface ShownRow extends Omit<ShownLine, "seller" | "total"> {
  readonly sellerId: number
  readonly quantity: number | null
  readonly asOf: number | null
}

type ListedRow = [
  sellerId: number,
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

  /** Finds each seller once. A new one for each question, so that no name outlives it. */
  const sellers = () =>
    remembered(Number.POSITIVE_INFINITY, (id: number): Seller => {
      const found = seller.get(id)
      if (found === null) throw new Error("a line has no seller")
      return found
    })

  return {
    count: (campaignId: number, organizationId: number) => counted.get(campaignId, organizationId)?.count ?? 0,
    shown(campaignId: number, organizationId: number, choice: LineChoice | undefined): ShownLine[] {
      const sellerOf = sellers()
      return rowsOf(campaignId, organizationId, choice).map(({ sellerId, quantity, asOf, ...line }) => ({
        ...line,
        seller: sellerOf(sellerId),
        total: totalOf(quantity, asOf),
      }))
    },
    listed(campaignId: number, organizationId: number): ListedLine[] {
      const sellerOf = sellers()
      return (listed.values(campaignId, organizationId) as ListedRow[]).map((row) => {
        const [sellerId, pricingBasis, flightStart, flightEnd, booked, quantity, asOf] = row
        const { timeZone } = sellerOf(sellerId)
        return { timeZone, pricingBasis, flightStart, flightEnd, booked, total: totalOf(quantity, asOf) }
      })
    },
  }
}

function totalOf(quantity: number | null, asOf: number | null): ShownLine["total"] {
  return quantity === null || asOf === null ? null : { quantity, asOf }
}
