import { asc, eq } from "drizzle-orm"
import type { PackageLines } from "../store.ts"
import type { Connection } from "./connection.ts"
import { campaign, deliveryTotal, organization, packageLine } from "./schema.ts"

export function packageLines({ drizzle }: Connection): PackageLines {
  return {
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
    async listWithTotals(sellerId) {
      const rows = drizzle
        .select({ line: packageLine, campaign: campaign.slug, seller: organization.slug, total: deliveryTotal })
        .from(packageLine)
        .innerJoin(campaign, eq(campaign.id, packageLine.campaignId))
        .innerJoin(organization, eq(organization.id, packageLine.sellerId))
        .leftJoin(deliveryTotal, eq(deliveryTotal.lineId, packageLine.id))
        .where(sellerId === null ? undefined : eq(packageLine.sellerId, sellerId))
        .orderBy(asc(campaign.slug), asc(packageLine.name), asc(packageLine.packageId))
        .all()
      return rows.map(({ line, total, ...slugs }) => ({
        ...line,
        ...slugs,
        total: total === null ? null : { quantity: total.quantity, asOf: total.asOf },
      }))
    },
  }
}
