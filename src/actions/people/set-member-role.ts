import type { MemberRole, Organization } from "../../domain/people/organization.ts"
import type { MemberChange } from "../../storage/port/store.ts"
import type { Context } from "../context.ts"

/** Makes a member an admin or the other way round. An organization that has an admin keeps one. */
export function setMemberRole(
  { store, clock }: Context,
  organization: Pick<Organization, "id">,
  userId: number,
  role: MemberRole,
  actor: string,
): Promise<MemberChange> {
  return store.members.setRole(organization.id, userId, role, { actor, at: clock() })
}
