import type { Organization } from "../../domain/people/organization.ts"
import { type Context, writesOf } from "../context.ts"

/** Takes a campaign out of the default lists, or puts it back. False unless the organization sells every line of it. */
export function archiveCampaign(
  context: Context,
  seller: Pick<Organization, "id">,
  slug: string,
  archived: boolean,
  actor: string,
): Promise<boolean> {
  return writesOf(context).campaigns.archive(seller.id, slug, archived, { actor, at: context.clock() })
}
