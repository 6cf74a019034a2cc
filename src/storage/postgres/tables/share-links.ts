import { and, desc, eq, isNull } from "drizzle-orm"
import type { Moment } from "../../../domain/time/moment.ts"
import type { ShareLinks } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { shareLink } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"

const LISTED_MAX = 100

const columns = {
  id: shareLink.id,
  label: shareLink.label,
  createdAt: shareLink.createdAt,
  expiresAt: shareLink.expiresAt,
  revokedAt: shareLink.revokedAt,
}

// The first read of a guest's request: it brings the revisions along, even if the link does not work.
const FIND_BY_TOKEN = `
  SELECT r.terms, r.catalogue, s.organization_id AS "organizationId", c.slug AS campaign, s.expires_at AS "expiresAt"
  FROM revision r
  LEFT JOIN (share_link s JOIN campaign c ON c.id = s.campaign_id)
    ON s.token_hash = $1 AND s.revoked_at IS NULL AND s.expires_at > $2`

interface FoundRow {
  readonly terms: number
  readonly catalogue: number
  readonly organizationId: number | null
  readonly campaign: string
  readonly expiresAt: Moment
}

export function shareLinks({ read, change, caches }: Connection): ShareLinks {
  const ofOwner = (organizationId: number, campaignId: number) =>
    and(eq(shareLink.organizationId, organizationId), eq(shareLink.campaignId, campaignId))
  return {
    create: (link, by) =>
      change(
        async (transaction) => {
          const [made] = await transaction.drizzle.insert(shareLink).values(link).returning({ id: shareLink.id })
          const { organizationId, label, campaignId: campaign } = link
          const subject = String(made?.id)
          const details = { label, campaign }
          await addAuditEntry(transaction, by, { action: "create share_link", subject, organizationId, details })
        },
        { moves: "nothing" },
      ),
    list: (organizationId, campaignId) =>
      read(({ drizzle }) =>
        drizzle
          .select(columns)
          .from(shareLink)
          .where(ofOwner(organizationId, campaignId))
          .orderBy(desc(shareLink.createdAt), desc(shareLink.id))
          .limit(LISTED_MAX),
      ),
    async find(organizationId, campaignId, id) {
      const owned = and(eq(shareLink.id, id), ofOwner(organizationId, campaignId))
      const [found] = await read(({ drizzle }) => drizzle.select(columns).from(shareLink).where(owned))
      return found ?? null
    },
    revoke: (organizationId, campaignId, id, by) =>
      change(
        async (transaction) => {
          const revoked = await transaction.drizzle
            .update(shareLink)
            .set({ revokedAt: by.at })
            .where(and(eq(shareLink.id, id), ofOwner(organizationId, campaignId), isNull(shareLink.revokedAt)))
            .returning({ id: shareLink.id })
          if (revoked.length === 0) return false
          await addAuditEntry(transaction, by, { action: "revoke share_link", subject: String(id), organizationId })
          return true
        },
        { moves: "nothing" },
      ),
    async findByToken(tokenHash, now) {
      const [found] = await read(({ rows }) => rows<FoundRow>(FIND_BY_TOKEN, [tokenHash, now]))
      if (found === undefined) return null
      const { terms, catalogue, organizationId, campaign, expiresAt } = found
      caches.saw(terms, catalogue)
      return organizationId === null ? null : { organizationId, campaign, expiresAt }
    },
  }
}
