import { and, eq } from "drizzle-orm"
import type { PackageId, PricingBasis } from "../../domain/campaign/line.ts"
import type { ReadTx, RowOf, Tx, Value } from "../database.ts"
import { firstOf, hasRows, isOne, orNull } from "../sql-text.ts"
import type { NewRow, Row } from "../tables/tables.ts"
import { SLUG_SEEN_BY_1 } from "./campaigns.ts"

/** A line as its seller or its buyer sees it. `timeZone` is the seller's, which decides when a day ends. */
export type StoredLine = ReturnType<typeof lineOf>

type NewLine = Omit<NewRow<"line">, "id">

/** The lines of a campaign that the organization sells or, if it's the buyer, all of them. By flight start. */
export const linesOf = (read: ReadTx, organizationId: number, campaignId: number): Promise<StoredLine[]> =>
  linesWhere(read, `line.campaign_id = $2 AND ${IS_SEEN_BY_1}`, [organizationId, campaignId])

/** A line that the organization sells. */
export const lineById = (read: ReadTx, sellerId: number, packageId: PackageId): Promise<StoredLine | null> =>
  firstOf(linesWhere(read, "package_id = $2 AND +line.seller_id = $1", [sellerId, packageId]))

/** These lines, as far as the organization sells them. */
export const linesByPackageIds = (read: ReadTx, sellerId: number, packageIds: readonly PackageId[]) =>
  linesWhere(read, "package_id = ANY($2) AND +line.seller_id = $1", [sellerId, packageIds])

/** The IDs of these lines by package ID, as far as the organization sells them. */
export async function lineIdsSold(read: ReadTx, sellerId: number, packageIds: readonly PackageId[]) {
  const query = 'SELECT id, package_id AS "packageId" FROM line WHERE package_id = ANY($1) AND +seller_id = $2'
  const lines = await read.rows(query, [packageIds, sellerId], { id: Number, packageId: String })
  return new Map(lines.map(({ id, packageId }) => [packageId, id]))
}

/** A line that the organization sells or buys. */
export const lineSeenBy = (read: ReadTx, organizationId: number, packageId: PackageId): Promise<StoredLine | null> =>
  firstOf(linesWhere(read, `package_id = $2 AND ${IS_SEEN_BY_1}`, [organizationId, packageId]))

/** Changes a line of the seller. Its triggers make servers forget what they have cached of it. */
export async function updateLine(tx: Tx, sellerId: number, packageId: PackageId, fields: Partial<NewLine>) {
  await tx.db
    .update(tx.line)
    .set(fields)
    .where(isOwn(tx, sellerId, packageId))
}

/** Deletes a line of the seller. Whether it may be deleted was checked in the same transaction. */
export async function deleteLine(tx: Tx, sellerId: number, packageId: PackageId): Promise<void> {
  await tx.db.delete(tx.line).where(isOwn(tx, sellerId, packageId))
}

/** Whether another line of the seller has this external ID. */
export async function isExternalIdTaken(
  read: ReadTx,
  { sellerId, packageId, externalId }: Pick<Row<"line">, "sellerId" | "packageId" | "externalId">,
): Promise<boolean> {
  if (externalId === null) return false
  const query = "SELECT id FROM line WHERE seller_id = $1 AND external_id = $2 AND package_id <> $3"
  return hasRows(read.rows(query, [sellerId, externalId, packageId], { id: Number }))
}

/** Which of these lines have reports, affiliate codes or statements. By then, their terms matter to the buyer. */
export async function linesInUse(read: ReadTx, lineIds: readonly number[]): Promise<Set<number>> {
  const tables = ["delivery_total", "withdrawn_report", "affiliate_code", "affiliate_metric", "statement_line"]
  const queries = tables.map((table) => `SELECT line_id AS id FROM ${table} WHERE line_id = ANY($1)`)
  const used = await read.rows(queries.join(" UNION "), [lineIds], { id: Number })
  return new Set(used.map(({ id }) => id))
}

const isOwn = ({ line }: ReadTx, sellerId: number, packageId: PackageId) =>
  and(eq(line.packageId, packageId), eq(line.sellerId, sellerId))

/** What the organization $1 may see. */
const IS_SEEN_BY_1 = "(line.seller_id = $1 OR campaign.buyer_id = $1)"

/** Lines in the order of their campaigns. The first value is the organization that looks at them. */
async function linesWhere(read: ReadTx, where: string, values: readonly Value[]): Promise<StoredLine[]> {
  const rows = await read.rows(`${SELECT_LINES} WHERE ${where} ${IN_ORDER}`, values, COLUMNS)
  return rows.map(lineOf)
}

const SELECT_LINES = `SELECT ${SLUG_SEEN_BY_1} AS "campaignSlug", campaign.name AS "campaignName",
    campaign.archived AS "campaignArchived", buyer_id AS "buyerId", buyer.name AS buyer,
    line.id, package_id AS "packageId", campaign_id AS "campaignId", line.name, pricing_basis AS "pricingBasis",
    flight_start AS "flightStart", flight_end AS "flightEnd", booked, rate, currency, external_id AS "externalId",
    line.archived AS "isArchived", seller_id AS "sellerId", seller.name AS seller, seller.time_zone AS "timeZone",
    delivery_total.as_of AS "asOf", delivery_total.quantity
  FROM line
    JOIN campaign ON campaign.id = campaign_id
    JOIN organization AS buyer ON buyer.id = buyer_id
    JOIN organization AS seller ON seller.id = seller_id
    LEFT JOIN delivery_total ON line_id = line.id`

const IN_ORDER = "ORDER BY campaign.name, campaign.id, flight_start, line.name, line.id"

const COLUMNS = {
  campaignSlug: String,
  campaignName: String,
  campaignArchived: isOne,
  buyerId: Number,
  buyer: String,
  id: Number,
  packageId: String,
  campaignId: Number,
  name: String,
  pricingBasis: (value: unknown) => value as PricingBasis,
  flightStart: String,
  flightEnd: orNull(String),
  booked: orNull(Number),
  rate: orNull(Number),
  currency: orNull(String),
  externalId: orNull(String),
  isArchived: isOne,
  sellerId: Number,
  seller: String,
  timeZone: String,
  asOf: orNull(Number),
  quantity: orNull(Number),
}

function lineOf(row: RowOf<typeof COLUMNS>) {
  const { campaignSlug, campaignName, campaignArchived, buyer, asOf, quantity, ...line } = row
  return {
    ...line,
    /** Null while nothing was reported. */
    total: asOf === null || quantity === null ? null : { asOf, quantity },
    campaign: { slug: campaignSlug, name: campaignName, buyer, isArchived: campaignArchived },
  }
}

const NOT_ARCHIVED = "line.archived = 0 AND campaign.archived = 0"

/** Every line that the organization sells, by campaign. Archived ones only on demand. */
export const linesSoldBy = (read: ReadTx, sellerId: number, { withArchived = false } = {}) =>
  linesWhere(read, withArchived ? "line.seller_id = $1" : `line.seller_id = $1 AND ${NOT_ARCHIVED}`, [sellerId])

/** Every line that the organization buys, by campaign. */
export const linesBoughtBy = (read: ReadTx, buyerId: number, { withArchived = false } = {}) =>
  linesWhere(read, withArchived ? "campaign.buyer_id = $1" : `campaign.buyer_id = $1 AND ${NOT_ARCHIVED}`, [buyerId])

/** Every line that one organization sells to another, archived or not, by campaign. */
export const linesSoldTo = (read: ReadTx, sellerId: number, buyerId: number): Promise<StoredLine[]> =>
  linesWhere(read, "line.seller_id = $1 AND campaign.buyer_id = $2", [sellerId, buyerId])
