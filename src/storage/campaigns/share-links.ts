import { and, desc, eq, isNull } from "drizzle-orm"
import type { Moment } from "../../domain/time/moment.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import type { Columns, ReadTx, Tx } from "../database.ts"
import { orNull } from "../sql-text.ts"

/** Shows a buyer the lines of one seller in one campaign, without an account. */
export interface ShareLink {
  readonly id: number
  readonly campaignId: number
  /** The seller whose lines it shows. */
  readonly organizationId: number
  readonly label: string
  readonly createdAt: Moment
  readonly expiresAt: Moment
  readonly revokedAt: Moment | null
}

interface NewShareLink extends Omit<ShareLink, "id" | "revokedAt"> {
  readonly tokenHash: string
}

/** The links of a seller to a campaign, the newest first. Revoked and expired ones are among them. */
export function shareLinksOf(read: ReadTx, organizationId: number, campaignId: number): Promise<readonly ShareLink[]> {
  const { shareLink } = read
  const { id, label, createdAt, expiresAt, revokedAt } = shareLink
  return read.db
    .select({
      id,
      campaignId: shareLink.campaignId,
      organizationId: shareLink.organizationId,
      label,
      createdAt,
      expiresAt,
      revokedAt,
    })
    .from(shareLink)
    .where(and(eq(shareLink.organizationId, organizationId), eq(shareLink.campaignId, campaignId)))
    .orderBy(desc(shareLink.id))
}

/** What the holder of a link may know of the campaign and its seller. */
export interface OpenedShareLink extends ShareLink {
  readonly campaign: string
  readonly campaignSlug: string
  readonly buyer: string
  readonly seller: string
  readonly timeZone: TimeZone
}

const OPENED = `SELECT share_link.id, campaign_id AS "campaignId", organization_id AS "organizationId", label,
    created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt", campaign.name AS campaign,
    campaign.slug AS "campaignSlug", buyer.name AS buyer, seller.name AS seller, seller.time_zone AS "timeZone"
  FROM share_link
    JOIN campaign ON campaign.id = campaign_id
    JOIN organization AS buyer ON buyer.id = buyer_id
    JOIN organization AS seller ON seller.id = organization_id
  WHERE token_hash = $1 AND revoked_at IS NULL AND expires_at > $2`

const OPENED_COLUMNS: Columns<OpenedShareLink> = {
  id: Number,
  campaignId: Number,
  organizationId: Number,
  label: String,
  createdAt: Number,
  expiresAt: Number,
  revokedAt: orNull(Number),
  campaign: String,
  campaignSlug: String,
  buyer: String,
  seller: String,
  timeZone: String,
}

/** The link with this token. Null if it has expired, was revoked or never existed. */
export async function openShareLink(read: ReadTx, tokenHash: string, now: Moment): Promise<OpenedShareLink | null> {
  const [link] = await read.rows(OPENED, [tokenHash, now], OPENED_COLUMNS)
  return link ?? null
}

export async function addShareLink(tx: Tx, link: NewShareLink): Promise<void> {
  await tx.db.insert(tx.shareLink).values(link)
}

/** Revokes a link of the seller to the campaign. Returns its label, or null if no working link has this ID. */
export async function markShareLinkRevoked(
  tx: Tx,
  { id, organizationId, campaignId }: Pick<ShareLink, "id" | "organizationId" | "campaignId">,
  now: Moment,
): Promise<string | null> {
  const { shareLink } = tx
  const isOwn = and(eq(shareLink.organizationId, organizationId), eq(shareLink.campaignId, campaignId))
  const isActive = and(eq(shareLink.id, id), isOwn, isNull(shareLink.revokedAt))
  const [revoked] = await tx.db
    .update(shareLink)
    .set({ revokedAt: now })
    .where(isActive)
    .returning({ label: shareLink.label })
  return revoked?.label ?? null
}
