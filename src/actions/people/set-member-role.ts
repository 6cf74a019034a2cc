import type { Change } from "../../domain/people/audit.ts"
import type { MemberRole, Organization } from "../../domain/people/organization.ts"
import type { MemberChange } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Changes the role of a member, unless somebody else changed it since it was seen. The last admin stays one. */
export function setMemberRole(
  context: Context,
  organization: Pick<Organization, "id">,
  userId: number,
  role: MemberRole,
  by: Pick<Change, "actor" | "seen">,
): Promise<MemberChange | "changed"> {
  return writesOf(context).members.setRole(organization.id, userId, role, { ...by, at: context.clock() })
}
