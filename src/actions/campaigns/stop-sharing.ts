import type { Organization } from "../../domain/people/organization.ts"
import type { CampaignHead } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Revokes a share link at once. False unless it is the organization's, for this campaign, and worked until now. */
export function stopSharing(
  context: Context,
  seller: Pick<Organization, "id">,
  campaign: Pick<CampaignHead, "id">,
  linkId: number,
  actor: string,
): Promise<boolean> {
  return writesOf(context).shareLinks.revoke(seller.id, campaign.id, linkId, { actor, at: context.clock() })
}
