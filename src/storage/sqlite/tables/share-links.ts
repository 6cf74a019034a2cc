import { and, desc, eq, gt, isNull } from "drizzle-orm"
import type { ShareLinks } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { campaign, shareLink } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"

const columns = {
  id: shareLink.id,
  label: shareLink.label,
  createdAt: shareLink.createdAt,
  expiresAt: shareLink.expiresAt,
  revokedAt: shareLink.revokedAt,
}

export function shareLinks(connection: Connection): ShareLinks {
  const { drizzle, write } = connection
  const ofOwner = (organizationId: number, campaignId: number) =>
    and(eq(shareLink.organizationId, organizationId), eq(shareLink.campaignId, campaignId))
  return {
    create: (link, change) =>
      write.run(() => {
        const { id } = drizzle.insert(shareLink).values(link).returning({ id: shareLink.id }).get()
        const { organizationId, label } = link
        addAuditEntry(connection, change, {
          action: "create share_link",
          subject: String(id),
          organizationId,
          details: { label, campaign: link.campaignId },
        })
      }),
    async list(organizationId, campaignId) {
      const owned = ofOwner(organizationId, campaignId)
      const rows = drizzle.select(columns).from(shareLink).where(owned)
      return rows.orderBy(desc(shareLink.createdAt), desc(shareLink.id)).limit(100).all()
    },
    async find(organizationId, campaignId, id) {
      const owned = and(eq(shareLink.id, id), ofOwner(organizationId, campaignId))
      return drizzle.select(columns).from(shareLink).where(owned).get() ?? null
    },
    revoke: (organizationId, campaignId, id, change) =>
      write.run(() => {
        const revoked = drizzle
          .update(shareLink)
          .set({ revokedAt: change.at })
          .where(and(eq(shareLink.id, id), ofOwner(organizationId, campaignId), isNull(shareLink.revokedAt)))
          .returning({ id: shareLink.id })
          .all()
        if (revoked.length === 0) return false
        addAuditEntry(connection, change, { action: "revoke share_link", subject: String(id), organizationId })
        return true
      }),
    async findByToken(tokenHash, now) {
      const works = and(eq(shareLink.tokenHash, tokenHash), isNull(shareLink.revokedAt), gt(shareLink.expiresAt, now))
      const row = drizzle
        .select({
          organizationId: shareLink.organizationId,
          campaign: campaign.slug,
          expiresAt: shareLink.expiresAt,
        })
        .from(shareLink)
        .innerJoin(campaign, eq(campaign.id, shareLink.campaignId))
        .where(works)
        .get()
      return row ?? null
    },
  }
}
