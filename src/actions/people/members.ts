import type { Role } from "../../domain/people/role.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import type { ReadTx } from "../../storage/database.ts"
import { deleteSeat, membersOf, otherAdmins, setRole } from "../../storage/people/users.ts"
import type { Actor, Context } from "../context.ts"

interface Place {
  readonly organizationId: number
  readonly userId: number
}

/** "last admin": an organization that has an admin keeps one. */
export type MemberChange = "done" | "not found" | "last admin"

/** Makes a member an admin, or an admin a member. */
export async function changeRole(
  { database, clock }: Context,
  actor: Actor,
  place: Place,
  role: Role,
): Promise<MemberChange> {
  return database.transact(async (tx) => {
    const member = await memberOf(tx, place)
    if (member === null) return "not found"
    if (member.role === "admin" && role !== "admin" && (await isLastAdmin(tx, place))) return "last admin"
    await setRole(tx, { ...place, role })
    const text = `made ${member.email} ${role === "admin" ? "an admin" : "a member"}`
    await addAuditEntry(tx, { at: clock(), actor, organizationId: place.organizationId, text })
    return "done"
  })
}

/** Removes a member from the organization. The account stays. */
export async function removeMember({ database, clock }: Context, actor: Actor, place: Place): Promise<MemberChange> {
  return database.transact(async (tx) => {
    const member = await memberOf(tx, place)
    if (member === null) return "not found"
    if (member.role === "admin" && (await isLastAdmin(tx, place))) return "last admin"
    await deleteSeat(tx, place.userId, place.organizationId)
    const text = `removed ${member.email}`
    await addAuditEntry(tx, { at: clock(), actor, organizationId: place.organizationId, text })
    return "done"
  })
}

async function memberOf(read: ReadTx, { organizationId, userId }: Place) {
  const members = await membersOf(read, organizationId)
  return members.find(({ id }) => id === userId) ?? null
}

/** Whether the organization would have no admin without this one. */
export const isLastAdmin = async (read: ReadTx, { organizationId, userId }: Place): Promise<boolean> =>
  (await otherAdmins(read, organizationId, userId)) === 0
