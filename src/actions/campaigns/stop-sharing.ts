import type { Organization } from "../../domain/people/organization.ts"
import type { CampaignHead } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Revokes a share link at once. False unless it was an active link of this organization and campaign. */
export function stopSharing(
  context: Context,
  seller: Pick<Organization, "id">,
  campaign: Pick<CampaignHead, "id">,
  linkId: number,
  actor: string,
): Promise<boolean> {
  return writesOf(context).shareLinks.revoke(seller.id, campaign.id, linkId, { actor, at: context.clock() })
}
