import type { PackageLines, SoldLineWithTotal } from "../../port/store.ts"
import { totalOf } from "../../steps/campaign-lines.ts"
import type { Connection } from "../engine/connection.ts"

const LINE = `SELECT l.id AS lineId, l.package_id AS packageId, l.name, l.external_id AS externalId, l.pricing_basis AS pricingBasis,
    l.flight_start AS flightStart, l.flight_end AS flightEnd, l.booked, t.quantity, t.as_of AS asOf
  FROM package_line l LEFT JOIN delivery_total t ON t.line_id = l.id`
const SOLD = `${LINE} WHERE l.package_id = ?1 AND l.seller_id = ?2`
const BY_EXTERNAL_ID = `${LINE} WHERE l.external_id = ?1 AND l.seller_id = ?2`

interface SoldRow extends Omit<SoldLineWithTotal, "total"> {
  readonly quantity: number | null
  readonly asOf: number | null
}

/** What every row of an upload asks for. */
export function packageLines({ database, reading }: Connection): Pick<PackageLines, "findSold" | "findByExternalIds"> {
  const sold = database.query<SoldRow, [string, number]>(SOLD)
  const byExternalId = database.query<SoldRow, [string, number]>(BY_EXTERNAL_ID)
  return {
    async findSold(sellerId, packageIds) {
      reading.join()
      return packageIds.map((packageId) => lineOf(sold.get(packageId, sellerId)))
    },
    async findByExternalIds(sellerId, externalIds) {
      reading.join()
      return externalIds.map((externalId) => lineOf(byExternalId.get(externalId, sellerId)))
    },
  }
}

function lineOf(row: SoldRow | null): SoldLineWithTotal | undefined {
  if (row === null) return undefined
  const { quantity, asOf, ...line } = row
  return { ...line, total: totalOf(quantity, asOf) }
}
