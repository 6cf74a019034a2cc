import { and, asc, count, eq } from "drizzle-orm"
import { isStale } from "../../../../domain/edit-conflict.ts"
import type { Member, Members } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import { membership, user } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"

export function members(connection: Connection): Members {
  const { drizzle, write } = connection
  return {
    async list(organizationId) {
      return select(connection, organizationId)
    },
    async find(organizationId, userId) {
      return select(connection, organizationId, userId)[0] ?? null
    },
    setRole: (organizationId, userId, role, change) =>
      write.run(() => {
        const [before] = select(connection, organizationId, userId)
        if (before !== undefined && isStale(change.seen, { role: before.role })) return "changed"
        if (role !== "admin" && isLastAdmin(connection, organizationId, userId)) return "last admin"
        const changed = drizzle
          .update(membership)
          .set({ role })
          .where(here(organizationId, userId))
          .returning({ userId: membership.userId })
          .all()
        if (changed.length === 0) return "not found"
        const details = { role }
        addAuditEntry(connection, change, { action: "edit member", subject: `user:${userId}`, organizationId, details })
        return "done"
      }),
    remove: (organizationId, userId, change) =>
      write.run(() => {
        if (isLastAdmin(connection, organizationId, userId)) return "last admin"
        const removed = drizzle
          .delete(membership)
          .where(here(organizationId, userId))
          .returning({ userId: membership.userId })
          .all()
        if (removed.length === 0) return "not found"
        addAuditEntry(connection, change, { action: "remove member", subject: `user:${userId}`, organizationId })
        return "done"
      }),
    async access(userId) {
      const row = drizzle.select({ isOperator: user.isOperator }).from(user).where(eq(user.id, userId)).get()
      const belongs = drizzle.select({ n: count() }).from(membership).where(eq(membership.userId, userId)).get()
      return { organizations: belongs?.n ?? 0, isOperator: row?.isOperator === 1 }
    },
  }
}

function select({ drizzle }: Connection, organizationId: number, userId?: number): Member[] {
  const who = userId === undefined ? eq(membership.organizationId, organizationId) : here(organizationId, userId)
  return drizzle
    .select({ user, role: membership.role })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(who)
    .orderBy(asc(user.name), asc(user.email))
    .all()
    .map(({ user: { id, email, name, passwordHash }, role }) => ({
      userId: id,
      email,
      name,
      role,
      hasPassword: passwordHash !== null,
    }))
}

const here = (organizationId: number, userId: number) =>
  and(eq(membership.organizationId, organizationId), eq(membership.userId, userId))

/** Call it inside the transaction of the change, so that two admins cannot step down at the same time. */
export function isLastAdmin({ drizzle }: Connection, organizationId: number, userId: number): boolean {
  const admins = drizzle
    .select({ userId: membership.userId })
    .from(membership)
    .where(and(eq(membership.organizationId, organizationId), eq(membership.role, "admin")))
    .limit(2)
    .all()
  return admins.length === 1 && admins[0]?.userId === userId
}
