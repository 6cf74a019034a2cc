import type { SQL } from "drizzle-orm"
import type { Membership, User } from "../../domain/people/user.ts"
import type { ReadTx, ResultOf, Step } from "./step.ts"
import { all, and, asc, eq, inArray, isThere, ne } from "./step.ts"

export type UserHead = Pick<User, "id" | "email" | "name" | "isOperator" | "hasPassword" | "createdAt">

export const userReads = {
  findByEmail: userByEmail,
  findById: userById,
  /** By email address. */
  list: (tx: ReadTx) => usersWhere(tx, undefined),
  heads,
  /** By email address. */
  findByIds: (tx: ReadTx, ids: readonly number[]) => usersWhere(tx, inArray(tx.user.id, [...ids])),
  hasOperator,
}

export function* userByEmail(tx: ReadTx, email: string): Step<User | null> {
  return (yield* usersWhere(tx, eq(tx.user.email, email)))[0] ?? null
}

export function* userById(tx: ReadTx, id: number): Step<User | null> {
  return (yield* usersWhere(tx, eq(tx.user.id, id)))[0] ?? null
}

/** By their ids, as texts may say them; a text that is no id finds nobody. */
export function* usersById({ db, user: { id, email, name }, user }: ReadTx, texts: readonly string[]) {
  const ids = new Set(texts.flatMap((text) => (/^\d{1,15}$/.test(text) ? [Number(text)] : [])))
  const named = db.select({ id, email, name }).from(user)
  const rows = ids.size === 0 ? [] : yield* all(named.where(inArray(id, [...ids])))
  return new Map(rows.map((row) => [String(row.id), row]))
}

/** Whether there is an operator, other than the excepted user. */
export function hasOperator({ db, user }: ReadTx, except = 0): Step<boolean> {
  const isOther = and(eq(user.isOperator, 1), ne(user.id, except))
  return isThere(db.select({ id: user.id }).from(user).where(isOther).limit(1))
}

/** Users by email address, each with the memberships by slug, in one statement: it sees one moment. */
export function* usersWhere({ db, user, membership, organization }: ReadTx, which: SQL | undefined): Step<User[]> {
  const { organizationId, role } = membership
  const columns = { user, organizationId, organization: organization.slug, organizationName: organization.name, role }
  const members = db.select(columns).from(user).leftJoin(membership, eq(membership.userId, user.id))
  const named = members.leftJoin(organization, eq(organization.id, organizationId)).where(which)
  const rows = yield* all(named.orderBy(asc(user.email), asc(organization.slug)))
  const users = new Map<number, User & { readonly memberships: Membership[] }>()
  for (const { user: row, organizationId, organization, organizationName, role } of rows) {
    const person = users.get(row.id) ?? { ...headOf(row), hasTotp: row.totpSecret !== null, memberships: [] }
    users.set(row.id, person)
    if (organizationId !== null && organization !== null && organizationName !== null && role !== null)
      person.memberships.push({ organizationId, organization, organizationName, role })
  }
  return [...users.values()]
}

/** The first users by id, with only what a list is searched and sorted by. */
function* heads({ db, user }: ReadTx, most = Number.MAX_SAFE_INTEGER): Step<UserHead[]> {
  return (yield* all(db.select().from(user).orderBy(asc(user.id)).limit(most))).map(headOf)
}

function headOf(row: ReadTx["user"]["$inferSelect"]): UserHead {
  const { id, email, name, isOperator, passwordHash, createdAt } = row
  return { id, email, name, isOperator: isOperator === 1, hasPassword: passwordHash !== null, createdAt }
}

export type Member = ResultOf<typeof membersWhere>[number]

/** The users of one organization. Users of other organizations are not found. */
export const memberReads = {
  /** By name, then email address. */
  list: (tx: ReadTx, organizationId: number) => membersWhere(tx, eq(tx.membership.organizationId, organizationId)),
  find: memberOf,
}

export function* memberOf(tx: ReadTx, organizationId: number, userId: number): Step<Member | null> {
  const { membership } = tx
  const isTheOne = and(eq(membership.organizationId, organizationId), eq(membership.userId, userId))
  return (yield* membersWhere(tx, isTheOne))[0] ?? null
}

function* membersWhere({ db, membership, user }: ReadTx, which: SQL | undefined) {
  const { id, email, name, passwordHash } = user
  const people = db.select({ userId: id, email, name, role: membership.role, passwordHash }).from(membership)
  const members = people.innerJoin(user, eq(id, membership.userId)).where(which)
  const rows = yield* all(members.orderBy(asc(name), asc(email)))
  return rows.map(({ passwordHash, ...member }) => ({ ...member, hasPassword: passwordHash !== null }))
}
