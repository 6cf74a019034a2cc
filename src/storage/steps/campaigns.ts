import type { SQL } from "drizzle-orm"
import { and, asc, count, desc, eq, exists, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from "drizzle-orm"
import type { PackageId } from "../../domain/campaign/package-line.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { Bought, Company } from "../port/campaigns.ts"
import { columnsOf } from "./organizations.ts"
import { all, first, found, isThere, type ReadTx, type ResultOf, type Step } from "./step.ts"

export const campaignReads = { buyers, currencies, codeNames, hasFigures, boughtThrough }

/** Organizations that bought from this seller, or all organizations with null; by name. */
function* buyers(tx: ReadTx, sellerId: number | null): Step<Company[]> {
  const { db, organization, campaign, packageLine } = tx
  const { id, slug, name } = organization
  const rows = db.select({ slug, name }).from(organization).orderBy(asc(name), asc(slug)).$dynamic()
  if (sellerId === null) return yield* all(rows)
  // For each organization, one campaign with a line of the seller is enough.
  const sold = exists(linesIn(tx, eq(packageLine.sellerId, sellerId)))
  const isBought = and(eq(campaign.buyerId, id), sold)
  return yield* all(rows.where(and(ne(id, sellerId), exists(db.select().from(campaign).where(isBought)))))
}

// What a form offers first; reading every line of a seller for it would take longer than the rest of the page.
const LATEST_LINES = 200

/** The currencies of the seller's latest lines, the most frequent first. */
function* currencies({ db, packageLine }: ReadTx, sellerId: number): Step<string[]> {
  const lines = db.select({ currency: packageLine.currency }).from(packageLine)
  const isOwn = eq(packageLine.sellerId, sellerId)
  const latest = lines.where(isOwn).orderBy(desc(packageLine.id)).limit(LATEST_LINES).as("latest")
  const { currency } = latest
  const used = db.select({ currency }).from(latest).where(isNotNull(currency)).groupBy(currency)
  return (yield* all(used.orderBy(desc(count()), asc(currency)))).flatMap((row) => row.currency ?? [])
}

/** The affiliate codes of this organization, by code. */
function* codeNames({ db, affiliateCode, packageLine }: ReadTx, sellerId: number) {
  const { id, code, slug, organizationId, lineId } = affiliateCode
  const rows = db.select({ id, code, slug, line: packageLine.name }).from(affiliateCode)
  const joined = rows.innerJoin(packageLine, eq(packageLine.id, lineId))
  return yield* all(joined.where(eq(organizationId, sellerId)).orderBy(asc(code)))
}

/**
 * What the organization bought that this active agent key acts for, newest first: the campaigns with these slugs or, with null, all
 * that are not archived. Null where the key acts for nobody.
 */
function* boughtThrough(tx: ReadTx, agentKeyId: string, slugs: readonly string[] | null): Step<Bought | null> {
  const { db, agentKey, campaign, organization } = tx
  const isKey = and(eq(agentKey.id, agentKeyId), isNull(agentKey.revokedAt))
  const buyers = db.select(columnsOf(organization)).from(agentKey)
  const buyer = yield* first(buyers.innerJoin(organization, eq(organization.id, agentKey.buyerId)).where(isKey))
  if (buyer === undefined) return null
  const { id, slug, name, createdAt, archived } = campaign
  const chosen = slugs === null ? eq(archived, 0) : inArray(slug, [...slugs])
  const rows = db.select({ id, slug, name, createdAt, archived }).from(campaign)
  // The key once more: what it may read is decided by the statement that reads it.
  const bought = rows.innerJoin(agentKey, and(eq(agentKey.buyerId, campaign.buyerId), isKey))
  const isTheirs = and(eq(campaign.buyerId, buyer.id), chosen)
  const campaigns = yield* all(bought.where(isTheirs).orderBy(desc(createdAt), desc(id)))
  return { buyer, campaigns: campaigns.map((row) => ({ ...row, archived: row.archived === 1, buyer })) }
}

/** The campaign with this slug, and its buyer's, if the organization sells a line of it. */
export function* soldCampaign(tx: ReadTx, sellerId: number, slug: string) {
  const { db, campaign, organization } = tx
  const { id, name, archived } = campaign
  const columns = { id, name, archived, buyer: organization.slug }
  const rows = db.select(columns).from(campaign).innerJoin(organization, eq(organization.id, campaign.buyerId))
  const sells = exists(linesIn(tx, eq(tx.packageLine.sellerId, sellerId)))
  return yield* found(rows.where(and(eq(campaign.slug, slug), sells)))
}

/** The same, only if no other organization sells a line of it. */
export function* solelySoldCampaign(tx: ReadTx, sellerId: number, slug: string) {
  const sold = yield* soldCampaign(tx, sellerId, slug)
  if (sold === null) return null
  const { db, campaign, packageLine } = tx
  // Two looks into an index, however many lines there are.
  const byOthers = or(
    exists(linesIn(tx, lt(packageLine.sellerId, sellerId))),
    exists(linesIn(tx, gt(packageLine.sellerId, sellerId))),
  )
  const shared = db.select({ id: campaign.id }).from(campaign)
  return (yield* isThere(shared.where(and(eq(campaign.id, sold.id), byOthers)))) ? null : sold
}

function linesIn({ db, campaign, packageLine }: ReadTx, which: SQL) {
  const isIn = eq(packageLine.campaignId, campaign.id)
  return db.select().from(packageLine).where(and(isIn, which))
}

/** The line, if this organization sells it. */
export function* ownLine({ db, packageLine }: ReadTx, sellerId: number, packageId: PackageId) {
  const isOwn = and(eq(packageLine.packageId, packageId), eq(packageLine.sellerId, sellerId))
  return yield* found(db.select().from(packageLine).where(isOwn))
}

/**
 * Whether the line has delivery or affiliate figures, withdrawn ones included. If so its pricing basis must not change, because it gives
 * them their meaning.
 */
export function hasFigures(tx: ReadTx, lineId: number): Step<boolean> {
  return haveFigures(tx, eq(tx.packageLine.id, lineId))
}

/** Whether one of these lines has figures. */
export function haveFigures(tx: ReadTx, which: SQL): Step<boolean> {
  const lines = tx.db.select({ id: tx.packageLine.id }).from(tx.packageLine)
  return isThere(lines.where(and(which, withFigures(tx))).limit(1))
}

/** Of the lines of a query, those with figures. */
export function withFigures({ db, packageLine: { id }, deliveryTotal, withdrawnReport, affiliatePlacement }: ReadTx) {
  return or(
    exists(db.select().from(deliveryTotal).where(eq(deliveryTotal.lineId, id))),
    exists(db.select().from(withdrawnReport).where(eq(withdrawnReport.lineId, id))),
    exists(db.select().from(affiliatePlacement).where(eq(affiliatePlacement.lineId, id))),
  )
}

// A seller who shares more would not look through them.
const LINKS_MAX = 2_000
const SHARED = sql.raw(`s.organization_id AS "organizationId", c.slug AS campaign, s.expires_at AS "expiresAt"`)

type SharedCampaign = Readonly<{ organizationId: number; campaign: string; expiresAt: Moment }>

/** Links that show a seller's lines of one campaign to people without an account. */
export const shareLinkReads = {
  /** The newest ones, newest first. */
  list(tx: ReadTx, organizationId: number, campaignId: number) {
    const { createdAt, id } = tx.shareLink
    const links = shareLinks(tx, shareLinksOf(tx, organizationId, campaignId))
    return all(links.orderBy(desc(createdAt), desc(id)).limit(LINKS_MAX))
  },
  find: (tx: ReadTx, organizationId: number, campaignId: number, id: number) =>
    found(shareLinks(tx, shareLinkIs(tx, organizationId, campaignId, id))),
  /** What the link with this token shows. Null when it was revoked, has expired or never existed. */
  findByToken({ statement }: ReadTx, tokenHash: string, now: Moment) {
    const works = sql`s.token_hash = ${tokenHash} AND s.revoked_at IS NULL AND s.expires_at > ${now}`
    const shared = sql`SELECT ${SHARED} FROM share_link s JOIN campaign c ON c.id = s.campaign_id WHERE ${works}`
    return found(statement<SharedCampaign>(shared))
  },
}

export type ShareLink = ResultOf<typeof shareLinkReads.find>

export const shareLinkIs = (tx: ReadTx, organizationId: number, campaignId: number, id: number) =>
  and(eq(tx.shareLink.id, id), shareLinksOf(tx, organizationId, campaignId))

const shareLinksOf = ({ shareLink }: ReadTx, organizationId: number, campaignId: number) =>
  and(eq(shareLink.organizationId, organizationId), eq(shareLink.campaignId, campaignId))

function shareLinks({ db, shareLink }: ReadTx, which: SQL | undefined) {
  const { id, label, createdAt, expiresAt, revokedAt } = shareLink
  return db.select({ id, label, createdAt, expiresAt, revokedAt }).from(shareLink).where(which)
}
