import { and, asc, eq, inArray, ne, type SQL } from "drizzle-orm"
import { isStale } from "../../../../domain/edit-conflict.ts"
import type { Change } from "../../../../domain/people/audit.ts"
import { adminRolesLost, type Membership, type User, userFields } from "../../../../domain/people/user.ts"
import type { NewUser, UserChange, UserEdit, UserHead, Users } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import { membership, organization, user } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"
import { replacePassword } from "./passwords.ts"
import { changingRights } from "./rights.ts"

const HEADS = `SELECT id, email, name, is_operator, password_hash IS NOT NULL, created_at FROM user
  WHERE id > ?1 ORDER BY id LIMIT ?2`

type Row = typeof user.$inferSelect
type HeadRow = [id: number, email: string, name: string, isOperator: number, hasPassword: number, createdAt: number]
type EditOutcome = UserChange | { readonly lastAdminOf: string }

export function users(connection: Connection): Users {
  const { database, drizzle, write } = connection
  const heads = database.query<unknown, [number, number]>(HEADS)
  return {
    create: (added, change) => write.run(() => createUser(connection, added, change)),
    async findByEmail(email) {
      return find(connection, email)
    },
    async findById(id) {
      return findById(connection, id) ?? null
    },
    async list() {
      return usersWhere(connection)
    },
    async heads(after, limit) {
      return (heads.values(after ?? 0, limit) as HeadRow[]).map(headOf)
    },
    async findByIds(ids) {
      return usersWhere(connection, [...ids])
    },
    async hasOperator() {
      return drizzle.select({ id: user.id }).from(user).where(eq(user.isOperator, 1)).limit(1).get() !== undefined
    },
    setPassword: (userId, passwordHash, { keepTokenHash, ...change }) =>
      write.run(() => {
        replacePassword(connection, userId, passwordHash, keepTokenHash)
        addAuditEntry(connection, change, { action: "set password", subject: `user:${userId}` })
      }),
    edit: (userId, edited, change) => write.run(() => editUser(connection, userId, edited, change)),
    remove: (userId, change) =>
      write.run(() => {
        const before = findById(connection, userId)
        if (before === undefined) return "not found"
        if (isLastOperator(connection, before)) return "last operator"
        const left = lastAdminOf(connection, before, [])
        if (left !== undefined) return { lastAdminOf: left }
        drizzle.delete(user).where(eq(user.id, userId)).run()
        addAuditEntry(connection, change, { action: "remove user", subject: before.email })
        return "done"
      }),
  }
}

function createUser(connection: Connection, added: NewUser, change: Change): User | null {
  if (find(connection, added.email) !== null) return null
  const { email, name, passwordHash } = added
  const isOperator = added.isOperator ? 1 : 0
  const { id } = connection.drizzle
    .insert(user)
    .values({ email, name, isOperator, passwordHash, createdAt: change.at })
    .returning({ id: user.id })
    .get()
  if (added.membership)
    connection.drizzle
      .insert(membership)
      .values({ userId: id, ...added.membership })
      .run()
  addAuditEntry(connection, change, {
    action: "create user",
    subject: email,
    details: { operator: added.isOperator },
  })
  return find(connection, email)
}

function editUser(connection: Connection, userId: number, edited: UserEdit, change: Change): EditOutcome {
  const before = findById(connection, userId)
  if (before === undefined) return "not found"
  if (isStale(change.seen, userFields(before))) return "changed"
  if (!edited.isOperator && isLastOperator(connection, before)) return "last operator"
  const left = lastAdminOf(connection, before, edited.memberships)
  if (left !== undefined) return { lastAdminOf: left }
  changingRights(connection, userId, () => saveEdit(connection, userId, edited))
  const { name, isOperator: operator, memberships } = edited
  const details = { name, operator, memberships }
  addAuditEntry(connection, change, { action: "edit user", subject: before.email, details })
  return "done"
}

/** The organization that would lose its last admin if these were the only memberships left. */
function lastAdminOf(connection: Connection, { id, memberships }: User, left: UserEdit["memberships"]) {
  const lost = adminRolesLost(memberships, left)
  return lost.find(({ organizationId }) => isLastAdmin(connection, organizationId, id))?.organization
}

function saveEdit({ drizzle }: Connection, userId: number, { name, isOperator, memberships }: UserEdit): void {
  drizzle
    .update(user)
    .set({ name, isOperator: isOperator ? 1 : 0 })
    .where(eq(user.id, userId))
    .run()
  drizzle.delete(membership).where(eq(membership.userId, userId)).run()
  for (const one of memberships) {
    drizzle
      .insert(membership)
      .values({ userId, ...one })
      .run()
  }
}

/** All users, or those with these ids, by email address. */
export function usersWhere(connection: Connection, ids?: number[]): User[] {
  const which = ids && inArray(user.id, ids)
  const rows = connection.drizzle.select().from(user).where(which).orderBy(asc(user.email)).all()
  const theirs = ids && inArray(membership.userId, ids)
  const memberships = Map.groupBy(membershipsWhere(connection, theirs), ({ userId }) => userId)
  return rows.map((row) => toUser(row, (memberships.get(row.id) ?? []).map(plain)))
}

function find(connection: Connection, email: string): User | null {
  const row = connection.drizzle.select().from(user).where(eq(user.email, email)).get()
  return row === undefined ? null : toUser(row, membershipsOf(connection, row.id))
}

function findById(connection: Connection, id: number): User | undefined {
  const row = connection.drizzle.select().from(user).where(eq(user.id, id)).get()
  return row && toUser(row, membershipsOf(connection, row.id))
}

function isLastOperator({ drizzle }: Connection, { id, isOperator }: User): boolean {
  const other = and(eq(user.isOperator, 1), ne(user.id, id))
  return isOperator && drizzle.select({ id: user.id }).from(user).where(other).limit(1).get() === undefined
}

function headOf([id, email, name, isOperator, hasPassword, createdAt]: HeadRow): UserHead {
  return { id, email, name, isOperator: isOperator === 1, hasPassword: hasPassword === 1, createdAt }
}

function toUser(row: Row, memberships: Membership[]): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    isOperator: row.isOperator === 1,
    hasPassword: row.passwordHash !== null,
    hasTotp: row.totpSecret !== null,
    createdAt: row.createdAt,
    memberships,
  }
}

const plain = ({ userId: _, ...membership }: Membership & { userId: number }): Membership => membership

function membershipsOf(connection: Connection, userId: number): Membership[] {
  return membershipsWhere(connection, eq(membership.userId, userId)).map(plain)
}

function membershipsWhere({ drizzle }: Connection, which: SQL | undefined) {
  return drizzle
    .select({
      userId: membership.userId,
      organizationId: organization.id,
      organization: organization.slug,
      role: membership.role,
    })
    .from(membership)
    .innerJoin(organization, eq(organization.id, membership.organizationId))
    .where(which)
    .orderBy(asc(organization.slug))
    .all()
}

/** Call it inside the transaction of the change, so that two admins cannot step down at the same time. */
function isLastAdmin({ drizzle }: Connection, organizationId: number, userId: number): boolean {
  const admins = drizzle
    .select({ userId: membership.userId })
    .from(membership)
    .where(and(eq(membership.organizationId, organizationId), eq(membership.role, "admin")))
    .limit(2)
    .all()
  return admins.length === 1 && admins[0]?.userId === userId
}
