import { sql } from "drizzle-orm"
import type { Moment } from "../../domain/time/moment.ts"
import { all, and, desc, eq, first, type ReadTx } from "./step.ts"

const LISTED_MAX = 100
const SHARED = sql.raw(`s.organization_id AS "organizationId", c.slug AS campaign, s.expires_at AS "expiresAt"`)

type SharedCampaign = Readonly<{ organizationId: number | null; campaign: string; expiresAt: Moment }>

/** Links that show a seller's lines of one campaign to people without an account. */
export const shareLinkReads = {
  /** The newest ones, newest first. */
  list(tx: ReadTx, organizationId: number, campaignId: number) {
    const { db, shareLink } = tx
    const isOurs = linksOf(tx, organizationId, campaignId)
    const rows = db.select(columnsOf(shareLink)).from(shareLink).where(isOurs)
    return all(rows.orderBy(desc(shareLink.createdAt), desc(shareLink.id)).limit(LISTED_MAX))
  },
  *find(tx: ReadTx, organizationId: number, campaignId: number, id: number) {
    const rows = tx.db.select(columnsOf(tx.shareLink)).from(tx.shareLink)
    return (yield* first(rows.where(shareLinkIs(tx, organizationId, campaignId, id)))) ?? null
  },
  /** What the link with this token shows. Null when it was revoked, has expired or never existed. */
  *findByToken({ firstStatement }: ReadTx, tokenHash: string, now: Moment) {
    const works = sql`s.token_hash = ${tokenHash} AND s.revoked_at IS NULL AND s.expires_at > ${now}`
    const joins = sql`LEFT JOIN share_link s ON ${works} LEFT JOIN campaign c ON c.id = s.campaign_id`
    const link = yield* first(firstStatement<SharedCampaign>(SHARED, joins))
    if (link === undefined || link.organizationId === null) return null
    const { organizationId, campaign, expiresAt } = link
    return { organizationId, campaign, expiresAt }
  },
}

export function shareLinkIs(tx: ReadTx, organizationId: number, campaignId: number, id: number) {
  return and(eq(tx.shareLink.id, id), linksOf(tx, organizationId, campaignId))
}

function linksOf({ shareLink }: ReadTx, organizationId: number, campaignId: number) {
  return and(eq(shareLink.organizationId, organizationId), eq(shareLink.campaignId, campaignId))
}

export type ShareLink = Pick<
  ReadTx["shareLink"]["$inferSelect"],
  "id" | "label" | "createdAt" | "expiresAt" | "revokedAt"
>

function columnsOf({ id, label, createdAt, expiresAt, revokedAt }: ReadTx["shareLink"]) {
  return { id, label, createdAt, expiresAt, revokedAt }
}
