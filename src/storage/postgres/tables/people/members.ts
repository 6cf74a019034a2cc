import { and, asc, eq } from "drizzle-orm"
import { isStale } from "../../../../domain/edit-conflict.ts"
import type { Member, Members } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import type { Session } from "../../engine/session.ts"
import { membership, user } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"
import { changePeople } from "./change-people.ts"

const ACCESS = `
  SELECT (SELECT count(*) FROM membership WHERE user_id = $1) AS organizations,
    EXISTS (SELECT 1 FROM "user" WHERE id = $1 AND is_operator = 1) AS "isOperator"`

type Access = Awaited<ReturnType<Members["access"]>>

export function members(connection: Connection): Members {
  const { read } = connection
  return {
    list: (organizationId) => read((session) => select(session, organizationId)),
    async find(organizationId, userId) {
      const [found] = await read((session) => select(session, organizationId, userId))
      return found ?? null
    },
    setRole: (organizationId, userId, role, by) =>
      changePeople(connection, async (transaction) => {
        const [before] = await select(transaction, organizationId, userId)
        if (before !== undefined && isStale(by.seen, { role: before.role })) return "changed"
        if (role !== "admin" && (await isLastAdmin(transaction, organizationId, userId))) return "last admin"
        const changed = await transaction.drizzle
          .update(membership)
          .set({ role })
          .where(here(organizationId, userId))
          .returning({ userId: membership.userId })
        if (changed.length === 0) return "not found"
        const what = { action: "edit member", subject: `user:${userId}`, organizationId, details: { role } }
        await addAuditEntry(transaction, by, what)
        return "done"
      }),
    remove: (organizationId, userId, by) =>
      changePeople(connection, async (transaction) => {
        if (await isLastAdmin(transaction, organizationId, userId)) return "last admin"
        const removed = await transaction.drizzle
          .delete(membership)
          .where(here(organizationId, userId))
          .returning({ userId: membership.userId })
        if (removed.length === 0) return "not found"
        await addAuditEntry(transaction, by, { action: "remove member", subject: `user:${userId}`, organizationId })
        return "done"
      }),
    async access(userId) {
      const [found] = await read(({ rows }) => rows<Access>(ACCESS, [userId]))
      return found ?? { organizations: 0, isOperator: false }
    },
  }
}

function here(organizationId: number, userId: number) {
  return and(eq(membership.organizationId, organizationId), eq(membership.userId, userId))
}

async function select({ drizzle }: Session, organizationId: number, userId?: number): Promise<Member[]> {
  const who = userId === undefined ? eq(membership.organizationId, organizationId) : here(organizationId, userId)
  const { id, email, name, passwordHash } = user
  const rows = await drizzle
    .select({ userId: id, email, name, role: membership.role, passwordHash })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(who)
    .orderBy(asc(user.name), asc(user.email))
  return rows.map(({ passwordHash, ...member }) => ({ ...member, hasPassword: passwordHash !== null }))
}

/** Call it inside the transaction of the change, so that two admins cannot step down at the same time. */
export async function isLastAdmin({ drizzle }: Session, organizationId: number, userId: number): Promise<boolean> {
  const admins = await drizzle
    .select({ userId: membership.userId })
    .from(membership)
    .where(and(eq(membership.organizationId, organizationId), eq(membership.role, "admin")))
    .limit(2)
  return admins.length === 1 && admins[0]?.userId === userId
}
