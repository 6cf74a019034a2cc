import { sql } from "drizzle-orm"
import type { Moment } from "../../domain/time/moment.ts"
import type { ShareLinkReads } from "../port/store.ts"
import { all, and, desc, eq, first, type ReadTx, type Steps } from "./step.ts"

const LISTED_MAX = 100
const SHARED = sql.raw(`s.organization_id AS "organizationId", c.slug AS campaign, s.expires_at AS "expiresAt"`)

type SharedCampaign = Readonly<{ organizationId: number | null; campaign: string; expiresAt: Moment }>

export function shareLinkReads({ query }: Pick<Steps, "query">): ShareLinkReads {
  return {
    list: (organizationId, campaignId) =>
      query((tx) => {
        const { db, shareLink } = tx
        const rows = db
          .select(columnsOf(shareLink))
          .from(shareLink)
          .where(linksOf(tx, organizationId, campaignId))
        return all(rows.orderBy(desc(shareLink.createdAt), desc(shareLink.id)).limit(LISTED_MAX))
      }),
    find: (organizationId, campaignId, id) =>
      query(function* (tx) {
        const rows = tx.db.select(columnsOf(tx.shareLink)).from(tx.shareLink)
        return (yield* first(rows.where(shareLinkIs(tx, organizationId, campaignId, id)))) ?? null
      }),
    findByToken: (tokenHash, now) =>
      query(function* ({ firstStatement }) {
        const works = sql`s.token_hash = ${tokenHash} AND s.revoked_at IS NULL AND s.expires_at > ${now}`
        const link = yield* first(
          firstStatement<SharedCampaign>(
            SHARED,
            sql`LEFT JOIN share_link s ON ${works} LEFT JOIN campaign c ON c.id = s.campaign_id`,
          ),
        )
        if (link === undefined || link.organizationId === null) return null
        const { organizationId, campaign, expiresAt } = link
        return { organizationId, campaign, expiresAt }
      }),
  }
}

export function shareLinkIs(tx: ReadTx, organizationId: number, campaignId: number, id: number) {
  return and(eq(tx.shareLink.id, id), linksOf(tx, organizationId, campaignId))
}

function linksOf({ shareLink }: ReadTx, organizationId: number, campaignId: number) {
  return and(eq(shareLink.organizationId, organizationId), eq(shareLink.campaignId, campaignId))
}

function columnsOf({ id, label, createdAt, expiresAt, revokedAt }: ReadTx["shareLink"]) {
  return { id, label, createdAt, expiresAt, revokedAt }
}
