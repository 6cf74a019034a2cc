import type { Organization } from "../../domain/people/organization.ts"
import type { MemberChange } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Takes a person out of an organization; the account stays. An organization that has an admin keeps one. */
export function removeMember(
  context: Context,
  organization: Pick<Organization, "id">,
  userId: number,
  actor: string,
): Promise<MemberChange> {
  return writesOf(context).members.remove(organization.id, userId, { actor, at: context.clock() })
}
