import { isStale } from "../../domain/edit-conflict.ts"
import type { Change } from "../../domain/people/audit.ts"
import { nameErrors } from "../../domain/people/organization.ts"
import { adminRolesLost, type Membership, normalEmail, type User, userFields } from "../../domain/people/user.ts"
import { audit } from "../../storage/steps/audit.ts"
import { eq, exec, first, flag, type ReadTx, type Step, type Tx } from "../../storage/steps/step.ts"
import { hasOperator, userById } from "../../storage/steps/users.ts"
import { type Context, transact, verb } from "../context.ts"
import { isLastAdmin } from "./members.ts"
import { changingRights, newPasswordLink, storeLink } from "./one-time-links.ts"

type NewMembership = Pick<Membership, "organizationId" | "role">

export interface NewPerson extends Pick<User, "email" | "name" | "isOperator"> {
  readonly membership: NewMembership | null
  /** Null to create a one-time link instead. */
  readonly passwordHash: string | null
}

/** Creates an account, with the path of a link to set its password where it has none. Null when the address already has one. */
export function createUser(context: Context, person: NewPerson, actor: string) {
  const { path, link } = newPasswordLink(context)
  const by = { actor, at: link.createdAt }
  return transact(context, function* (tx) {
    const user = yield* addUser(tx, { ...person, email: normalEmail(person.email) }, by)
    if (user === null) return null
    if (user.hasPassword) return { user, passwordLink: null }
    yield* storeLink(tx, { ...link, userId: user.id }, by)
    return { user, passwordLink: path }
  })
}

/** Null when a user with this email address exists already. */
export function* addUser(tx: Tx, { membership, ...person }: NewPerson, by: Change): Step<User | null> {
  const { db, user } = tx
  const row = { ...person, isOperator: flag(person.isOperator), createdAt: by.at }
  const inserting = db.insert(user).values(row).onConflictDoNothing({ target: user.email })
  const made = yield* first(inserting.returning({ id: user.id }))
  if (made === undefined) return null
  if (membership !== null) yield* exec(db.insert(tx.membership).values({ userId: made.id, ...membership }))
  const details = { operator: person.isOperator }
  yield* audit(tx, by, { action: "create user", subject: person.email, details })
  return yield* userById(tx, made.id)
}

export type UserEdit = Pick<User, "name" | "isOperator"> & { readonly memberships: readonly NewMembership[] }

/**
 * last operator: there is always one. lastAdminOf: an organization with an admin keeps one. changed: the user is no longer as the editor
 * saw it. Nothing is written unless the outcome is "done".
 */
export type UserChange = "done" | "not found" | "last operator" | "changed" | { readonly lastAdminOf: string }

/** Replaces the name, operator flag and memberships of a user. The last operator, and the last admin of an organization, stay so. */
export const editUser = verb(function* (tx, userId: number, edited: UserEdit, by: Change): Step<UserChange> {
  const before = yield* userById(tx, userId)
  if (before === null) return "not found"
  if (isStale(by.seen, userFields(before))) return "changed"
  const refusal = yield* whatWouldLack(tx, before, edited)
  if (refusal !== null) return refusal
  yield* changingRights(tx, eq(tx.user.id, userId), saveUser(tx, userId, edited))
  const { name, isOperator: operator, memberships } = edited
  yield* audit(tx, by, { action: "edit user", subject: before.email, details: { name, operator, memberships } })
  return "done"
})

/** Somebody's own name; what is wrong with it, or null. */
export async function changeOwnName(context: Context, userId: number, name: string): Promise<string | null> {
  const { name: problem } = nameErrors("name", name)
  if (problem !== undefined) return problem
  await transact(context, function* (tx) {
    const { db, user } = tx
    yield* exec(db.update(user).set({ name }).where(eq(user.id, userId)))
    const by = { actor: `user:${userId}`, at: context.clock() }
    yield* audit(tx, by, { action: "change own name", subject: name })
  })
  return null
}

function* saveUser(tx: Tx, userId: number, { name, isOperator, memberships }: UserEdit): Step<void> {
  const { db, user, membership } = tx
  const set = { name, isOperator: flag(isOperator) }
  yield* exec(db.update(user).set(set).where(eq(user.id, userId)))
  yield* exec(db.delete(membership).where(eq(membership.userId, userId)))
  const rows = memberships.map(({ organizationId, role }) => ({ userId, organizationId, role }))
  if (rows.length > 0) yield* exec(db.insert(membership).values(rows))
}

/** Removes an account with all its sessions. The last operator, and the last admin of an organization, cannot be removed. */
export const removeUser = verb(function* (tx, userId: number, by: Change): Step<UserChange> {
  const before = yield* userById(tx, userId)
  if (before === null) return "not found"
  const refusal = yield* whatWouldLack(tx, before, { isOperator: false, memberships: [] })
  if (refusal !== null) return refusal
  yield* exec(tx.db.delete(tx.user).where(eq(tx.user.id, userId)))
  yield* audit(tx, by, { action: "remove user", subject: before.email })
  return "done"
})

/** Who would be missing if the user had only these rights left; null when nobody would. */
function* whatWouldLack(tx: ReadTx, user: User, left: Pick<UserEdit, "isOperator" | "memberships">) {
  if (user.isOperator && !left.isOperator && !(yield* hasOperator(tx, user.id))) return "last operator"
  for (const { organizationId, organization } of adminRolesLost(user.memberships, left.memberships))
    if (yield* isLastAdmin(tx, organizationId, user.id)) return { lastAdminOf: organization }
  return null
}
