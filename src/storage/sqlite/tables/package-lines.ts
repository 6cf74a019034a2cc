// Lines by seller, whatever their campaign: for uploads, the command line and examples. Lines of one campaign are in campaign-lines.ts.

import { asc, eq } from "drizzle-orm"
import type { PackageLines, SoldLineWithTotal } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { campaign, deliveryTotal, organization, packageLine } from "../schema.ts"

const LINE = `SELECT l.id AS lineId, l.package_id AS packageId, l.name, l.external_id AS externalId, l.pricing_basis AS pricingBasis,
    l.flight_start AS flightStart, l.flight_end AS flightEnd, l.booked, t.quantity, t.as_of AS asOf
  FROM package_line l LEFT JOIN delivery_total t ON t.line_id = l.id`
const SOLD = `${LINE} WHERE l.package_id = ?1 AND l.seller_id = ?2`
const BY_EXTERNAL_ID = `${LINE} WHERE l.external_id = ?1 AND l.seller_id = ?2`

const LOCATE = `SELECT o.slug AS seller, c.slug AS campaign FROM package_line l
  JOIN organization o ON o.id = l.seller_id JOIN campaign c ON c.id = l.campaign_id WHERE l.package_id = ?1`
const SELLERS = `SELECT o.slug FROM organization o WHERE EXISTS (
    SELECT 1 FROM package_line l
    WHERE l.campaign_id = (SELECT id FROM campaign WHERE slug = ?1) AND l.seller_id = o.id) ORDER BY o.slug`

interface SoldRow extends Omit<SoldLineWithTotal, "total"> {
  readonly quantity: number | null
  readonly asOf: number | null
}

export function packageLines({ database, drizzle, reading }: Connection): PackageLines {
  const sold = database.query<SoldRow, [string, number]>(SOLD)
  const byExternalId = database.query<SoldRow, [string, number]>(BY_EXTERNAL_ID)
  return {
    async locate(packageId) {
      return database.query<{ seller: string; campaign: string }, [string]>(LOCATE).get(packageId)
    },
    async sellersOf(campaign) {
      return database
        .query<{ slug: string }, [string]>(SELLERS)
        .all(campaign)
        .map(({ slug }) => slug)
    },
    async example(sellerId) {
      return (
        drizzle
          .select({ packageId: packageLine.packageId, pricingBasis: packageLine.pricingBasis })
          .from(packageLine)
          .where(eq(packageLine.sellerId, sellerId))
          .orderBy(asc(packageLine.id))
          .limit(1)
          .get() ?? null
      )
    },
    async findSold(sellerId, packageIds) {
      reading.join()
      return packageIds.map((packageId) => lineOf(sold.get(packageId, sellerId)))
    },
    async findByExternalIds(sellerId, externalIds) {
      reading.join()
      return externalIds.map((externalId) => lineOf(byExternalId.get(externalId, sellerId)))
    },
    async listWithTotals(sellerId) {
      const rows = drizzle
        .select({ line: packageLine, campaign: campaign.slug, seller: organization, total: deliveryTotal })
        .from(packageLine)
        .innerJoin(campaign, eq(campaign.id, packageLine.campaignId))
        .innerJoin(organization, eq(organization.id, packageLine.sellerId))
        .leftJoin(deliveryTotal, eq(deliveryTotal.lineId, packageLine.id))
        .where(sellerId === null ? undefined : eq(packageLine.sellerId, sellerId))
        .orderBy(asc(campaign.slug), asc(packageLine.name), asc(packageLine.packageId))
        .all()
      return rows.map(({ line, total, campaign, seller }) => ({
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

function lineOf(row: SoldRow | null): SoldLineWithTotal | undefined {
  if (row === null) return undefined
  const { quantity, asOf, ...line } = row
  return { ...line, total: quantity === null || asOf === null ? null : { quantity, asOf } }
}
