import { isStale } from "../../domain/edit-conflict.ts"
import type { Change } from "../../domain/people/audit.ts"
import { takesLast } from "../../domain/people/last-admin.ts"
import type { MemberRole } from "../../domain/people/organization.ts"
import type { User } from "../../domain/people/user.ts"
import { audit } from "../../storage/steps/audit.ts"
import { all, and, eq, exec, type ReadTx, type Step } from "../../storage/steps/step.ts"
import { memberOf, userById } from "../../storage/steps/users.ts"
import { type Context, transact, verbOf } from "../context.ts"
import { newPasswordLink, storeLink } from "./one-time-links.ts"

/** last admin: an organization with an admin keeps one. Nothing is written unless the outcome is "done". */
export type MemberChange = "done" | "not found" | "last admin"

/** Changes the role of a member, unless somebody else changed it since it was seen. The last admin stays one. */
export const setMemberRole = verbOf(function* (tx, organizationId: number, user: number, role: MemberRole, by: Change) {
  const before = yield* memberOf(tx, organizationId, user)
  if (before === null) return "not found"
  if (isStale(by.seen, { role: before.role })) return "changed"
  if (role !== "admin" && (yield* isLastAdmin(tx, organizationId, user))) return "last admin"
  const updating = tx.db.update(tx.membership).set({ role })
  yield* exec(updating.where(membershipIs(tx, organizationId, user)))
  yield* audit(tx, by, { action: "edit member", subject: `user:${user}`, organizationId, details: { role } })
  return "done"
})

/** Removes a member from an organization; the account stays. The last admin cannot be removed. */
export const removeMember = verbOf(function* (tx, organizationId: number, userId: number, by: Change) {
  if ((yield* memberOf(tx, organizationId, userId)) === null) return "not found"
  if (yield* isLastAdmin(tx, organizationId, userId)) return "last admin"
  yield* exec(tx.db.delete(tx.membership).where(membershipIs(tx, organizationId, userId)))
  yield* audit(tx, by, { action: "remove member", subject: `user:${userId}`, organizationId })
  return "done"
})

/**
 * A new password link for a member. Null for a member of several organizations or an operator: one organization's admin must not be
 * able to take over such an account.
 */
export function resetMember(context: Context, { id }: { readonly id: number }, userId: number, actor: string) {
  const { path, link } = newPasswordLink(context)
  return transact(context, function* (tx) {
    const member = yield* userById(tx, userId)
    if (member === null || !mayReset(member, id)) return null
    yield* storeLink(tx, { ...link, userId }, { actor, at: link.createdAt })
    return path
  })
}

/** Whether admins of this organization may reset somebody: not an operator, nor who also belongs elsewhere. */
export const mayReset = ({ isOperator, memberships: [place, ...more] }: User, organizationId: number): boolean =>
  !isOperator && place?.organizationId === organizationId && more.length === 0

/** Whether the organization would have no admin without this one. */
export function* isLastAdmin({ db, membership }: ReadTx, organizationId: number, userId: number): Step<boolean> {
  const isAdmin = and(eq(membership.organizationId, organizationId), eq(membership.role, "admin"))
  const admins = yield* all(db.select({ userId: membership.userId }).from(membership).where(isAdmin).limit(2))
  const ids = new Set(admins.map((admin) => admin.userId))
  return takesLast(ids, ids.difference(new Set([userId])))
}

const membershipIs = ({ membership }: ReadTx, organizationId: number, userId: number) =>
  and(eq(membership.organizationId, organizationId), eq(membership.userId, userId))
