import { and, desc, eq, isNull } from "drizzle-orm"
import type { Company } from "../../domain/campaign/campaign.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, RowOf, Tx, Value } from "../database.ts"
import { firstOf, isOne } from "../sql-text.ts"
import type { NewRow, Row } from "../tables/tables.ts"

export type NewCampaign = NewRow<"campaign">

/** The campaigns that the organization buys, sells lines in or has created, by name. */
export const campaignsOf = (
  read: ReadTx,
  organizationId: number,
  { isArchived = false }: { readonly isArchived?: boolean } = {},
): Promise<Campaign[]> =>
  campaignsWhere(read, `campaign.archived = $2 AND campaign.id IN (${SEEN})`, [organizationId, isArchived ? 1 : 0])

/** One of them, archived or not. Null if the organization has no such campaign. */
export async function campaignBySlug(read: ReadTx, organizationId: number, slug: string): Promise<Campaign | null> {
  const [, own = slug, id = "0"] = /^([^.]*)\.(\d{1,9})$/.exec(slug) ?? []
  const where = `campaign.slug = $2 AND ($3 = 0 OR campaign.id = $3) AND ${isSeen("campaign")}`
  const campaigns = await campaignsWhere(read, where, [organizationId, own, Number(id)])
  // The oldest one has the slug alone.
  return campaigns.toSorted((a, b) => a.id - b.id)[0] ?? null
}

/** The campaign with this ID. Null if the organization has no such campaign. */
export const campaignById = (read: ReadTx, organizationId: number, id: number): Promise<Campaign | null> =>
  firstOf(campaignsWhere(read, `campaign.id = $2 AND ${isSeen("campaign")}`, [organizationId, id]))

/** The companies that buy from a seller. Null stands for every organization, for an operator. By name. */
export function buyersOf(read: ReadTx, sellerId: number | null): Promise<Company[]> {
  const sold = `SELECT buyer_id FROM campaign WHERE owner_id = $1
    OR id IN (SELECT campaign_id FROM line WHERE seller_id = $1)`
  const query = `SELECT id, slug, name FROM organization
    WHERE $1 = 0 OR id IN (${sold}) ORDER BY name, id`
  return read.rows(query, [sellerId ?? 0], { id: Number, slug: String, name: String })
}

/** The slugs of the campaigns that the organization sees. A new campaign needs another one. */
export async function campaignSlugs(read: ReadTx, organizationId: number): Promise<Set<string>> {
  const query = `SELECT slug FROM campaign WHERE id IN (${SEEN})`
  const campaigns = await read.rows(query, [organizationId], { slug: String })
  return new Set(campaigns.map(({ slug }) => slug))
}

export async function updateCampaign(tx: Tx, id: number, fields: Partial<NewCampaign>) {
  await tx.db.update(tx.campaign).set(fields).where(eq(tx.campaign.id, id))
}

/** Deletes a campaign with its lines and share links. */
export async function deleteCampaign(tx: Tx, id: number): Promise<void> {
  await tx.db.delete(tx.line).where(eq(tx.line.campaignId, id))
  await tx.db.delete(tx.campaign).where(eq(tx.campaign.id, id))
}

/** The campaigns that the organization $1 sees, and whether it sees one. */
const SEEN = `SELECT id FROM campaign WHERE buyer_id = $1
  UNION SELECT id FROM campaign WHERE owner_id = $1
  UNION SELECT campaign_id FROM line WHERE seller_id = $1`
const isSeen = (campaign: string) => `(${campaign}.buyer_id = $1 OR ${campaign}.owner_id = $1
  OR EXISTS (SELECT 1 FROM line WHERE campaign_id = ${campaign}.id AND seller_id = $1))`

/**
 * The slug of a campaign for the organization $1. A slug is unique within the seller that chose it, and a buyer may have
 * campaigns of several sellers with the same slug: the later one then has its ID added.
 */
export const SLUG_SEEN_BY_1 = `CASE WHEN EXISTS (SELECT 1 FROM campaign AS older
    WHERE older.slug = campaign.slug AND older.id < campaign.id AND ${isSeen("older")})
  THEN campaign.slug || '.' || campaign.id ELSE campaign.slug END`

// Counted, because PostgreSQL would look for EXISTS in all lines of the server.
const SELLS_IN = `(campaign.owner_id = $1
  OR (SELECT count(*) FROM line WHERE campaign_id = campaign.id AND seller_id = $1) > 0)`

const SELECT_CAMPAIGNS = `SELECT campaign.id, ${SLUG_SEEN_BY_1} AS slug, campaign.name, buyer_id AS "buyerId",
    buyer.name AS buyer, buyer.slug AS "buyerSlug", campaign.archived AS "isArchived",
    (SELECT count(*) FROM line WHERE campaign_id = campaign.id AND line.archived = 0
      AND (seller_id = $1 OR campaign.buyer_id = $1)) AS lines,
    ${SELLS_IN} AS "isSeller", ${SELLS_IN}
      AND (SELECT count(*) FROM line WHERE campaign_id = campaign.id AND seller_id <> $1) = 0 AS "isOnlySeller"
  FROM campaign JOIN organization AS buyer ON buyer.id = buyer_id`

const COLUMNS = {
  id: Number,
  /** Names the campaign in addresses of this organization. Another organization may see another slug. */
  slug: String,
  name: String,
  buyerId: Number,
  buyer: String,
  /** Never show it to a company that neither is the buyer nor sells to it. */
  buyerSlug: String,
  isArchived: isOne,
  /** How many lines the organization sees in it, without archived ones. */
  lines: Number,
  /** Whether the organization has created it or sells a line in it, so that it may add lines and share it. */
  isSeller: isOne,
  /** Whether no other organization sells in it either. Then it may be edited, because no other seller's buyer would change. */
  isOnlySeller: isOne,
}

/** A campaign as an organization that buys it or sells in it sees it. */
export type Campaign = RowOf<typeof COLUMNS>

const campaignsWhere = (read: ReadTx, where: string, values: readonly Value[]): Promise<Campaign[]> =>
  read.rows(`${SELECT_CAMPAIGNS} WHERE ${where} ORDER BY campaign.name, campaign.id`, values, COLUMNS)

/** Shows a buyer the lines of one seller in one campaign, without an account. */
export type ShareLink = Row<"shareLink">

/** The links of a seller to a campaign, the newest first. Revoked and expired ones are among them. */
export async function shareLinksOf({ db, shareLink }: ReadTx, organizationId: number, campaignId: number) {
  const isTheirs = and(eq(shareLink.organizationId, organizationId), eq(shareLink.campaignId, campaignId))
  return db.select().from(shareLink).where(isTheirs).orderBy(desc(shareLink.id))
}

const OPENED = `SELECT campaign_id AS "campaignId", organization_id AS "organizationId", expires_at AS "expiresAt",
    campaign.name AS campaign, campaign.slug AS "campaignSlug", buyer.name AS buyer, seller.name AS seller,
    seller.time_zone AS "timeZone"
  FROM share_link
    JOIN campaign ON campaign.id = campaign_id
    JOIN organization AS buyer ON buyer.id = buyer_id
    JOIN organization AS seller ON seller.id = organization_id
  WHERE token_hash = $1 AND revoked_at IS NULL AND expires_at > $2`

const OPENED_COLUMNS = {
  campaignId: Number,
  organizationId: Number,
  expiresAt: Number,
  campaign: String,
  campaignSlug: String,
  buyer: String,
  seller: String,
  timeZone: String,
}

/** What the holder of a link may know of the campaign and its seller. */
export type OpenedShareLink = RowOf<typeof OPENED_COLUMNS>

/** The link with this token. Null if it has expired, was revoked or never existed. */
export const openShareLink = (read: ReadTx, tokenHash: string, now: Moment): Promise<OpenedShareLink | null> =>
  firstOf(read.rows(OPENED, [tokenHash, now], OPENED_COLUMNS))

/** Revokes a link of the seller to the campaign. Returns its label, or null if no working link has this ID. */
export async function markShareLinkRevoked(
  tx: Tx,
  { id, organizationId, campaignId }: Pick<ShareLink, "id" | "organizationId" | "campaignId">,
  now: Moment,
): Promise<string | null> {
  const { shareLink } = tx
  const isOwn = and(eq(shareLink.organizationId, organizationId), eq(shareLink.campaignId, campaignId))
  const isActive = and(eq(shareLink.id, id), isOwn, isNull(shareLink.revokedAt))
  const [revoked] = await tx.db.update(shareLink).set({ revokedAt: now }).where(isActive).returning()
  return revoked?.label ?? null
}
