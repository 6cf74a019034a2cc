import type { PackageId } from "../../domain/package-line.ts"
import type { ShownLine } from "../store.ts"
import type { Connection } from "./connection.ts"

// A campaign may have thousands of lines, and pages show what they come to: read as plain rows, because Drizzle would take five times
// as long, and reports wait meanwhile.
const LINES = `SELECT l.id AS lineId, l.campaign_id AS campaignId, l.seller_id AS sellerId, l.package_id AS packageId, l.name,
    l.pricing_basis AS pricingBasis, l.flight_start AS flightStart, l.flight_end AS flightEnd, l.booked, l.rate, l.currency,
    t.quantity, t.as_of AS asOf
  FROM package_line l
  JOIN campaign c ON c.id = l.campaign_id
  LEFT JOIN delivery_total t ON t.line_id = l.id
  WHERE l.campaign_id IN (SELECT value FROM json_each(?1)) AND (c.buyer_id = ?2 OR l.seller_id = ?2)`

const ORDER = "ORDER BY l.flight_start, l.name, l.id"

const SELLERS = `SELECT id, slug, name, time_zone AS timeZone FROM organization
  WHERE id IN (SELECT value FROM json_each(?1))`

interface LineRow extends Omit<ShownLine, "seller" | "total"> {
  readonly campaignId: number
  readonly sellerId: number
  readonly quantity: number | null
  readonly asOf: number | null
}

type Seller = ShownLine["seller"]

/** The lines of campaigns that an organization may see, all or one of them, by the id of the campaign. */
export function linesOfCampaigns({ database, reading }: Connection) {
  const all = database.query<LineRow, [string, number]>(`${LINES} ${ORDER}`)
  const one = database.query<LineRow, [string, number, PackageId]>(`${LINES} AND l.package_id = ?3`)
  const sellers = database.query<Seller, [string]>(SELLERS)

  function sellersOf(rows: readonly LineRow[]): ReadonlyMap<number, Seller> {
    const ids = [...new Set(rows.map(({ sellerId }) => sellerId))]
    return new Map(sellers.all(JSON.stringify(ids)).map((seller) => [seller.id, seller]))
  }

  return (organizationId: number, campaignIds: readonly number[], onlyLine?: PackageId): Map<number, ShownLine[]> => {
    // Lines and their sellers are of one moment.
    reading.join()
    const ids = JSON.stringify(campaignIds)
    const rows = onlyLine === undefined ? all.all(ids, organizationId) : one.all(ids, organizationId, onlyLine)
    const known = sellersOf(rows)
    const lines = new Map<number, ShownLine[]>()
    for (const row of rows) {
      const ofCampaign = lines.get(row.campaignId) ?? []
      ofCampaign.push(shown(row, known))
      lines.set(row.campaignId, ofCampaign)
    }
    return lines
  }
}

function shown(
  { campaignId: _, sellerId, quantity, asOf, ...line }: LineRow,
  known: ReadonlyMap<number, Seller>,
): ShownLine {
  const seller = known.get(sellerId)
  if (seller === undefined) throw new Error("a line has no seller")
  return { ...line, seller, total: quantity === null || asOf === null ? null : { quantity, asOf } }
}
