import { and, eq, gt, isNull } from "drizzle-orm"
import type { ShareLinkReads } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { campaign, shareLink } from "../schema.ts"

export function shareLinks({ drizzle }: Connection): Pick<ShareLinkReads, "findByToken"> {
  return {
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
