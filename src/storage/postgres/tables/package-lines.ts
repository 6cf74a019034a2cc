// Lines by seller, whatever their campaign: for uploads, the command line and examples. Lines of one campaign are in campaign-lines.ts.

import { asc, eq } from "drizzle-orm"
import type { PackageLines, SoldLineWithTotal } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { campaign, deliveryTotal, organization, packageLine } from "../schema.ts"
import { totalOf } from "./campaign-lines.ts"

const LINE = `
  SELECT l.id AS "lineId", l.package_id AS "packageId", l.name, l.external_id AS "externalId", l.pricing_basis AS "pricingBasis",
    l.flight_start AS "flightStart", l.flight_end AS "flightEnd", l.booked, t.quantity, t.as_of AS "asOf"
  FROM package_line l LEFT JOIN delivery_total t ON t.line_id = l.id`
const SOLD = `${LINE} WHERE l.package_id = ANY($1::text[]) AND l.seller_id = $2`
const BY_EXTERNAL_ID = `${LINE} WHERE l.external_id = ANY($1::text[]) AND l.seller_id = $2`

const LOCATE = `SELECT o.slug AS seller, c.slug AS campaign FROM package_line l
  JOIN organization o ON o.id = l.seller_id JOIN campaign c ON c.id = l.campaign_id WHERE l.package_id = $1`
const SELLERS = `SELECT o.slug FROM organization o WHERE EXISTS (
    SELECT 1 FROM package_line l
    WHERE l.campaign_id = (SELECT id FROM campaign WHERE slug = $1) AND l.seller_id = o.id) ORDER BY o.slug`

interface SoldRow extends Omit<SoldLineWithTotal, "total"> {
  readonly quantity: number | null
  readonly asOf: number | null
}

export function packageLines({ read }: Connection): PackageLines {
  async function sold(statement: string, sellerId: number, names: readonly string[]): Promise<SoldLineWithTotal[]> {
    const found = await read(({ rows }) => rows<SoldRow>(statement, [names, sellerId]))
    return found.map(({ quantity, asOf, ...line }) => ({ ...line, total: totalOf(quantity, asOf) }))
  }

  return {
    async locate(packageId) {
      const [found] = await read(({ rows }) => rows<{ seller: string; campaign: string }>(LOCATE, [packageId]))
      return found ?? null
    },
    async sellersOf(campaign) {
      return (await read(({ rows }) => rows<{ slug: string }>(SELLERS, [campaign]))).map(({ slug }) => slug)
    },
    async example(sellerId) {
      const [found] = await read(({ drizzle }) =>
        drizzle
          .select({ packageId: packageLine.packageId, pricingBasis: packageLine.pricingBasis })
          .from(packageLine)
          .where(eq(packageLine.sellerId, sellerId))
          .orderBy(asc(packageLine.id))
          .limit(1),
      )
      return found ?? null
    },
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
    async listWithTotals(sellerId) {
      const found = await read(({ drizzle }) =>
        drizzle
          .select({ line: packageLine, campaign: campaign.slug, seller: organization, total: deliveryTotal })
          .from(packageLine)
          .innerJoin(campaign, eq(campaign.id, packageLine.campaignId))
          .innerJoin(organization, eq(organization.id, packageLine.sellerId))
          .leftJoin(deliveryTotal, eq(deliveryTotal.lineId, packageLine.id))
          .where(sellerId === null ? undefined : eq(packageLine.sellerId, sellerId))
          .orderBy(asc(campaign.slug), asc(packageLine.name), asc(packageLine.packageId)),
      )
      return found.map(({ line, total, campaign, seller }) => ({
        ...line,
        campaign,
        seller: seller.slug,
        timeZone: seller.timeZone,
        archived: line.archived === 1,
        total: total === null ? null : { quantity: total.quantity, asOf: total.asOf },
      }))
    },
  }
}
