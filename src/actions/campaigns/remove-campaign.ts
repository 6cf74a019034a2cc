import type { Organization } from "../../domain/people/organization.ts"
import type { RemoveOutcome } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Deletes a campaign without figures, with its lines and share links. */
export function removeCampaign(
  context: Context,
  seller: Pick<Organization, "id">,
  slug: string,
  actor: string,
): Promise<RemoveOutcome> {
  return writesOf(context).campaigns.remove(seller.id, slug, { actor, at: context.clock() })
}
