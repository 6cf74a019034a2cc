import { sql } from "drizzle-orm"
import type { PackageId } from "../../domain/campaign/package-line.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import type { SoldLineWithTotal } from "../port/deliveries.ts"
import { totalOf } from "./campaign-lines.ts"
import { all, asc, eq, found, inArray, type ReadTx, type ResultOf, type Step } from "./step.ts"

/** Lines by seller, whatever their campaign: for the command line and examples. */
export const packageLineReads = {
  /**
   * One result per package id, in order: the line with its current total when this organization sells it. A line of another seller is
   * undefined, exactly like a line that does not exist.
   */
  findSold,
  allSold,
  locate,
  /** Any one line of the seller, to show in examples; null when the seller has no lines. */
  example({ db, packageLine }: ReadTx, sellerId: number) {
    const { id, packageId, pricingBasis } = packageLine
    const own = db.select({ packageId, pricingBasis }).from(packageLine).where(eq(packageLine.sellerId, sellerId))
    return found(own.orderBy(asc(id)).limit(1))
  },
  listWithTotals,
}

/** One of all lines, with the time zone of its seller and its current total; null before the first report. */
export type LineWithTotal = ResultOf<typeof listWithTotals>[number]

const SOLD =
  sql.raw(`SELECT l.id AS "lineId", l.package_id AS "packageId", l.name, l.external_id AS "externalId", l.archived,
    l.pricing_basis AS "pricingBasis", l.flight_start AS "flightStart", l.flight_end AS "flightEnd", l.booked, t.quantity, t.as_of AS "asOf"
  FROM package_line l LEFT JOIN delivery_total t ON t.line_id = l.id`)
// Neither engine takes any number of values in one statement.
const IDS_AT_ONCE = 1_000

type SoldRow = Omit<SoldLineWithTotal, "total" | "archived"> &
  Readonly<{ archived: number; quantity: number | null; asOf: number | null }>

const soldLine = ({ quantity, asOf, archived, ...line }: SoldRow): SoldLineWithTotal => ({
  ...line,
  archived: archived === 1,
  total: totalOf(quantity, asOf),
})

/** Every line of a seller, in no order: the rows of a file may be of any. */
function* allSold(tx: ReadTx, sellerId: number): Step<SoldLineWithTotal[]> {
  return (yield* all(tx.statement<SoldRow>(sql`${SOLD} WHERE l.seller_id = ${sellerId}`))).map(soldLine)
}

function* findSold(tx: ReadTx, sellerId: number, ids: readonly PackageId[]): Step<(SoldLineWithTotal | undefined)[]> {
  const lines = new Map<string, SoldLineWithTotal>()
  for (const some of inParts(ids, IDS_AT_ONCE)) {
    const isNamed = inArray(sql.raw("l.package_id"), some)
    const rows = tx.statement<SoldRow>(sql`${SOLD} WHERE ${isNamed} AND l.seller_id = ${sellerId}`)
    for (const row of yield* all(rows)) lines.set(row.packageId, soldLine(row))
  }
  return ids.map((id) => lines.get(id))
}

/** Whose line this is, and of which campaign, by their slugs; null when there is no such line. */
function* locate({ db, packageLine, organization, campaign }: ReadTx, packageId: string) {
  const lines = db.select({ seller: organization.slug, campaign: campaign.slug }).from(packageLine)
  const sold = lines.innerJoin(organization, eq(organization.id, packageLine.sellerId))
  const rows = sold.innerJoin(campaign, eq(campaign.id, packageLine.campaignId))
  return yield* found(rows.where(eq(packageLine.packageId, packageId)))
}

/** Lines with their current totals: those of one seller, or all with null. By campaign, then name. */
function* listWithTotals(tx: ReadTx, sellerId: number | null) {
  const { db, packageLine, campaign, organization, deliveryTotal } = tx
  const rows = db
    .select({ line: packageLine, campaign, seller: organization, total: deliveryTotal })
    .from(packageLine)
    .innerJoin(campaign, eq(campaign.id, packageLine.campaignId))
    .innerJoin(organization, eq(organization.id, packageLine.sellerId))
    .leftJoin(deliveryTotal, eq(deliveryTotal.lineId, packageLine.id))
    .where(sellerId === null ? undefined : eq(packageLine.sellerId, sellerId))
    .orderBy(asc(campaign.slug), asc(packageLine.name), asc(packageLine.packageId))
  return (yield* all(rows)).map(({ line, total, campaign: { slug, name }, seller }) => ({
    ...line,
    campaign: slug,
    campaignName: name,
    seller: seller.slug,
    timeZone: seller.timeZone,
    archived: line.archived === 1,
    total: total && { quantity: total.quantity, asOf: total.asOf },
  }))
}
