import type { Organization } from "../../domain/people/organization.ts"
import type { CampaignHead } from "../../storage/port/store.ts"
import type { Context } from "../context.ts"

/** Revokes a share link at once. False unless it is the organization's, for this campaign, and worked until now. */
export function stopSharing(
  { store, clock }: Context,
  seller: Pick<Organization, "id">,
  campaign: Pick<CampaignHead, "id">,
  linkId: number,
  actor: string,
): Promise<boolean> {
  return store.shareLinks.revoke(seller.id, campaign.id, linkId, { actor, at: clock() })
}
