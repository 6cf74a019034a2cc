import type { Organization } from "../../domain/people/organization.ts"
import type { MemberChange } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Removes a member from an organization; the account stays. The last admin cannot be removed. */
export function removeMember(
  context: Context,
  organization: Pick<Organization, "id">,
  userId: number,
  actor: string,
): Promise<MemberChange> {
  return writesOf(context).members.remove(organization.id, userId, { actor, at: context.clock() })
}
