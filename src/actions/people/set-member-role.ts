import type { MemberRole, Organization } from "../../domain/people/organization.ts"
import type { MemberChange } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Changes the role of a member. The last admin stays one. */
export function setMemberRole(
  context: Context,
  organization: Pick<Organization, "id">,
  userId: number,
  role: MemberRole,
  actor: string,
): Promise<MemberChange> {
  return writesOf(context).members.setRole(organization.id, userId, role, { actor, at: context.clock() })
}
