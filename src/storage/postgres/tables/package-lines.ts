import type { PackageLines, SoldLineWithTotal } from "../../port/store.ts"
import { totalOf } from "../../steps/campaign-lines.ts"
import type { Connection } from "../engine/connection.ts"

const LINE = `
  SELECT l.id AS "lineId", l.package_id AS "packageId", l.name, l.external_id AS "externalId", l.pricing_basis AS "pricingBasis",
    l.flight_start AS "flightStart", l.flight_end AS "flightEnd", l.booked, t.quantity, t.as_of AS "asOf"
  FROM package_line l LEFT JOIN delivery_total t ON t.line_id = l.id`
const SOLD = `${LINE} WHERE l.package_id = ANY($1::text[]) AND l.seller_id = $2`
const BY_EXTERNAL_ID = `${LINE} WHERE l.external_id = ANY($1::text[]) AND l.seller_id = $2`

interface SoldRow extends Omit<SoldLineWithTotal, "total"> {
  readonly quantity: number | null
  readonly asOf: number | null
}

/** What every row of an upload asks for. */
export function packageLines({ read }: Connection): Pick<PackageLines, "findSold" | "findByExternalIds"> {
  async function sold(statement: string, sellerId: number, names: readonly string[]): Promise<SoldLineWithTotal[]> {
    const found = await read(({ rows }) => rows<SoldRow>(statement, [names, sellerId]))
    return found.map(({ quantity, asOf, ...line }) => ({ ...line, total: totalOf(quantity, asOf) }))
  }

  return {
    async findSold(sellerId, packageIds) {
      const found = await sold(SOLD, sellerId, packageIds)
      const lines = new Map(found.map((line) => [line.packageId, line]))
      return packageIds.map((packageId) => lines.get(packageId))
    },
    async findByExternalIds(sellerId, externalIds) {
      const found = await sold(BY_EXTERNAL_ID, sellerId, externalIds)
      const lines = new Map(found.map((line) => [line.externalId, line]))
      return externalIds.map((externalId) => lines.get(externalId))
    },
  }
}
