import { type SQL, sql } from "drizzle-orm"
import type { LineWithTotal, PackageLines, SoldLineWithTotal } from "../port/store.ts"
import { totalOf } from "./campaign-lines.ts"
import { all, and, asc, eq, exists, first, inArray, isStorable, type ReadTx, type Step, type Steps } from "./step.ts"

/** Lines by seller, whatever their campaign: for the command line and examples. */
export function packageLineReads({ query }: Pick<Steps, "query">): PackageLines {
  return {
    findSold: (sellerId, ids) => query((tx) => soldLines(tx, sellerId, ids, "packageId")),
    findByExternalIds: (sellerId, ids) => query((tx) => soldLines(tx, sellerId, ids, "externalId")),
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

const SOLD = sql.raw(`SELECT l.id AS "lineId", l.package_id AS "packageId", l.name, l.external_id AS "externalId",
    l.pricing_basis AS "pricingBasis", l.flight_start AS "flightStart", l.flight_end AS "flightEnd", l.booked, t.quantity, t.as_of AS "asOf"
  FROM package_line l LEFT JOIN delivery_total t ON t.line_id = l.id`)
const NAMED_BY: Readonly<Record<"packageId" | "externalId", SQL>> = {
  packageId: sql.raw("l.package_id"),
  externalId: sql.raw("l.external_id"),
}
// Neither engine takes any number of values in one statement.
const NAMES_AT_ONCE = 1_000

type SoldRow = Omit<SoldLineWithTotal, "total"> & Readonly<{ quantity: number | null; asOf: number | null }>

/** What every row of an upload asks for: written by hand. */
function* soldLines(tx: ReadTx, sellerId: number, names: readonly string[], by: "packageId" | "externalId") {
  const lines = new Map<string | null, SoldLineWithTotal>()
  const storable = names.filter(isStorable)
  for (let i = 0; i < storable.length; i += NAMES_AT_ONCE) {
    const isNamed = inArray(NAMED_BY[by], storable.slice(i, i + NAMES_AT_ONCE))
    const rows = tx.statement<SoldRow>(sql`${SOLD} WHERE ${isNamed} AND l.seller_id = ${sellerId}`)
    for (const { quantity, asOf, ...line } of yield* all(rows))
      lines.set(line[by], { ...line, total: totalOf(quantity, asOf) })
  }
  return names.map((name) => lines.get(name))
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
