import type { LineWithTotal, PackageLines } from "../port/store.ts"
import { all, and, asc, eq, exists, first, isStorable, type ReadTx, type Step, type Steps } from "./step.ts"

/** Lines by seller, whatever their campaign: for the command line and examples. */
export function packageLineReads({
  query,
}: Pick<Steps, "query">): Omit<PackageLines, "findSold" | "findByExternalIds"> {
  return {
    locate: (packageId) => query((tx) => locate(tx, packageId)),
    sellersOf: (campaign) => query((tx) => sellersOf(tx, campaign)),
    example: (sellerId) =>
      query(function* ({ db, packageLine }) {
        const { id, packageId, pricingBasis } = packageLine
        const own = db.select({ packageId, pricingBasis }).from(packageLine).where(eq(packageLine.sellerId, sellerId))
        return (yield* first(own.orderBy(asc(id)).limit(1))) ?? null
      }),
    listWithTotals: (sellerId) => query((tx) => listWithTotals(tx, sellerId)),
  }
}

type Place = Pick<LineWithTotal, "seller" | "campaign">

function* locate({ db, packageLine, organization, campaign }: ReadTx, packageId: string): Step<Place | null> {
  if (!isStorable(packageId)) return null
  const rows = db
    .select({ seller: organization.slug, campaign: campaign.slug })
    .from(packageLine)
    .innerJoin(organization, eq(organization.id, packageLine.sellerId))
    .innerJoin(campaign, eq(campaign.id, packageLine.campaignId))
  return (yield* first(rows.where(eq(packageLine.packageId, packageId)))) ?? null
}

function* sellersOf({ db, packageLine, organization, campaign }: ReadTx, slug: string): Step<string[]> {
  if (!isStorable(slug)) return []
  const found = yield* first(db.select({ id: campaign.id }).from(campaign).where(eq(campaign.slug, slug)))
  if (found === undefined) return []
  const lines = db.select({ sellerId: packageLine.sellerId }).from(packageLine)
  const sold = lines.where(and(eq(packageLine.campaignId, found.id), eq(packageLine.sellerId, organization.id)))
  const sellers = db.select({ slug: organization.slug }).from(organization).where(exists(sold))
  return (yield* all(sellers.orderBy(asc(organization.slug)))).map((seller) => seller.slug)
}

function* listWithTotals(tx: ReadTx, sellerId: number | null): Step<LineWithTotal[]> {
  const { db, packageLine, campaign, organization, deliveryTotal } = tx
  const rows = db
    .select({ line: packageLine, campaign: campaign.slug, seller: organization, total: deliveryTotal })
    .from(packageLine)
    .innerJoin(campaign, eq(campaign.id, packageLine.campaignId))
    .innerJoin(organization, eq(organization.id, packageLine.sellerId))
    .leftJoin(deliveryTotal, eq(deliveryTotal.lineId, packageLine.id))
    .where(sellerId === null ? undefined : eq(packageLine.sellerId, sellerId))
    .orderBy(asc(campaign.slug), asc(packageLine.name), asc(packageLine.packageId))
  return (yield* all(rows)).map(({ line, total, campaign: slug, seller }) => ({
    ...line,
    campaign: slug,
    seller: seller.slug,
    timeZone: seller.timeZone,
    archived: line.archived === 1,
    total: total === null ? null : { quantity: total.quantity, asOf: total.asOf },
  }))
}
