import { and, asc, eq, inArray, ne, type SQL } from "drizzle-orm"
import { isStale } from "../../../../domain/edit-conflict.ts"
import { adminRolesLost, type Membership, type User, userFields } from "../../../../domain/people/user.ts"
import type { UserEdit, UserHead, Users } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import type { Session } from "../../engine/session.ts"
import { isStorable } from "../../engine/storable.ts"
import { membership, organization, user } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"
import { changePeople } from "./change-people.ts"
import { replacePassword } from "./passwords.ts"
import { changingRights } from "./rights.ts"

const HEADS = `SELECT id, email, name, is_operator = 1 AS "isOperator", password_hash IS NOT NULL AS "hasPassword",
    created_at AS "createdAt"
  FROM "user" WHERE id > $1 ORDER BY id LIMIT $2`

export function users(connection: Connection): Users {
  const { read } = connection
  return {
    create: (added, by) =>
      changePeople(connection, async (transaction) => {
        const { drizzle } = transaction
        const { email, name, passwordHash, isOperator: operator } = added
        const row = { email, name, passwordHash, isOperator: operator ? 1 : 0, createdAt: by.at }
        const inserting = drizzle.insert(user).values(row).onConflictDoNothing({ target: user.email })
        const [made] = await inserting.returning({ id: user.id })
        if (made === undefined) return null
        if (added.membership) await drizzle.insert(membership).values({ userId: made.id, ...added.membership })
        await addAuditEntry(transaction, by, { action: "create user", subject: email, details: { operator } })
        return (await findById(transaction, made.id)) ?? null
      }),
    async findByEmail(email) {
      if (!isStorable(email)) return null
      const [found] = await read((session) => usersWhere(session, eq(user.email, email)))
      return found ?? null
    },
    findById: async (id) => (await read((session) => findById(session, id))) ?? null,
    list: () => read(allUsers),
    heads: (after, limit) => read(({ rows }) => rows<UserHead>(HEADS, [after ?? 0, limit])),
    findByIds: async (ids) =>
      ids.length === 0 ? [] : read((session) => usersWhere(session, inArray(user.id, [...ids]))),
    hasOperator: async () => (await read(anOperator)) !== undefined,
    setPassword: (userId, passwordHash, { keepTokenHash, ...by }) =>
      changePeople(connection, async (transaction) => {
        await replacePassword(transaction, userId, passwordHash, keepTokenHash)
        await addAuditEntry(transaction, by, { action: "set password", subject: `user:${userId}` })
      }),
    edit: (userId, edited, by) =>
      changePeople(connection, async (transaction) => {
        const before = await findById(transaction, userId)
        if (before === undefined) return "not found"
        if (isStale(by.seen, userFields(before))) return "changed"
        if (!edited.isOperator && (await isLastOperator(transaction, before))) return "last operator"
        const left = await lastAdminOf(transaction, before, edited.memberships)
        if (left !== undefined) return { lastAdminOf: left }
        await changingRights(transaction, userId, () => saveEdit(transaction, userId, edited))
        const { name, isOperator: operator, memberships } = edited
        const details = { name, operator, memberships }
        await addAuditEntry(transaction, by, { action: "edit user", subject: before.email, details })
        return "done"
      }),
    remove: (userId, by) =>
      changePeople(connection, async (transaction) => {
        const before = await findById(transaction, userId)
        if (before === undefined) return "not found"
        if (await isLastOperator(transaction, before)) return "last operator"
        const left = await lastAdminOf(transaction, before, [])
        if (left !== undefined) return { lastAdminOf: left }
        await transaction.drizzle.delete(user).where(eq(user.id, userId))
        await addAuditEntry(transaction, by, { action: "remove user", subject: before.email })
        return "done"
      }),
  }
}

/** Any one operator, other than the excepted user. */
export async function anOperator({ drizzle }: Session, except = 0): Promise<{ readonly id: number } | undefined> {
  const other = and(eq(user.isOperator, 1), ne(user.id, except))
  const [found] = await drizzle.select({ id: user.id }).from(user).where(other).limit(1)
  return found
}

async function isLastOperator(transaction: Session, { id, isOperator }: User): Promise<boolean> {
  return isOperator && (await anOperator(transaction, id)) === undefined
}

/** The organization that would lose its last admin if these were the only memberships left. */
async function lastAdminOf(transaction: Session, { id, memberships }: User, left: UserEdit["memberships"]) {
  for (const { organizationId, organization } of adminRolesLost(memberships, left))
    if (await isLastAdmin(transaction, organizationId, id)) return organization
  return undefined
}

async function saveEdit({ drizzle }: Session, userId: number, edited: UserEdit): Promise<void> {
  const { name, isOperator, memberships } = edited
  await drizzle
    .update(user)
    .set({ name, isOperator: isOperator ? 1 : 0 })
    .where(eq(user.id, userId))
  await drizzle.delete(membership).where(eq(membership.userId, userId))
  const rows = memberships.map(({ organizationId, role }) => ({ userId, organizationId, role }))
  if (rows.length > 0) await drizzle.insert(membership).values(rows)
}

async function findById(session: Session, id: number): Promise<User | undefined> {
  const [found] = await usersWhere(session, eq(user.id, id))
  return found
}

export function allUsers(session: Session): Promise<User[]> {
  return usersWhere(session, undefined)
}

/** Users by email address, each with the memberships by slug, in one statement: it sees one moment. */
async function usersWhere({ drizzle }: Session, which: SQL | undefined): Promise<User[]> {
  const rows = await drizzle
    .select({ user, organizationId: organization.id, organization: organization.slug, role: membership.role })
    .from(user)
    .leftJoin(membership, eq(membership.userId, user.id))
    .leftJoin(organization, eq(organization.id, membership.organizationId))
    .where(which)
    .orderBy(asc(user.email), asc(organization.slug))
  const found = new Map<number, User & { readonly memberships: Membership[] }>()
  for (const { user: row, organizationId, organization, role } of rows) {
    const one = found.get(row.id) ?? toUser(row)
    found.set(row.id, one)
    if (organizationId !== null && organization !== null && role !== null)
      one.memberships.push({ organizationId, organization, role })
  }
  return [...found.values()]
}

function toUser(row: typeof user.$inferSelect): User & { readonly memberships: Membership[] } {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    isOperator: row.isOperator === 1,
    hasPassword: row.passwordHash !== null,
    hasTotp: row.totpSecret !== null,
    createdAt: row.createdAt,
    memberships: [],
  }
}

/** Call it inside the transaction of the change, so that two admins cannot step down at the same time. */
async function isLastAdmin({ drizzle }: Session, organizationId: number, userId: number): Promise<boolean> {
  const admins = await drizzle
    .select({ userId: membership.userId })
    .from(membership)
    .where(and(eq(membership.organizationId, organizationId), eq(membership.role, "admin")))
    .limit(2)
  return admins.length === 1 && admins[0]?.userId === userId
}
