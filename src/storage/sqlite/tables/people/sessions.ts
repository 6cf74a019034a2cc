import { and, asc, desc, eq, gt, lte, ne } from "drizzle-orm"
import type { Sessions, SignedIn } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import { membership, organization, session, user } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"
import { credentialsOf } from "./credentials.ts"
import { endLinks } from "./one-time-links.ts"

export function sessions(connection: Connection): Sessions {
  const { drizzle, write } = connection
  return {
    open: (opened, { previousHash, passwordHash }) =>
      write.run(() => {
        const known = credentialsOf(connection, opened.userId)
        if (known === null || (passwordHash !== undefined && known.passwordHash !== passwordHash)) return false
        // Expired sessions of all users are deleted on this occasion, so that the table does not grow.
        drizzle.delete(session).where(lte(session.expiresAt, opened.createdAt)).run()
        if (previousHash !== null) drizzle.delete(session).where(eq(session.tokenHash, previousHash)).run()
        drizzle.insert(session).values(opened).run()
        return true
      }),
    async find(tokenHash, now) {
      const row = drizzle
        .select({ user, session })
        .from(session)
        .innerJoin(user, eq(user.id, session.userId))
        .where(and(eq(session.tokenHash, tokenHash), gt(session.expiresAt, now)))
        .get()
      if (row === undefined) return null
      const { createdAt, expiresAt } = row.session
      return { ...signedIn(connection, row.user), session: { createdAt, expiresAt } }
    },
    async list(userId, now, currentHash) {
      const open = and(eq(session.userId, userId), gt(session.expiresAt, now))
      const rows = drizzle.select().from(session).where(open).orderBy(desc(session.createdAt), desc(session.id)).all()
      return rows.map(({ tokenHash, userId: _, ...listed }) => ({ ...listed, isCurrent: tokenHash === currentHash }))
    },
    endOne: (userId, sessionId, change) =>
      write.run(() => {
        const own = and(eq(session.id, sessionId), eq(session.userId, userId))
        if (drizzle.delete(session).where(own).returning({ id: session.id }).all().length === 0) return false
        addAuditEntry(connection, change, { action: "end session", subject: `user:${userId}` })
        return true
      }),
    extend: (tokenHash, until, now) =>
      write.runKeepingCaches(() => {
        const open = and(eq(session.tokenHash, tokenHash), gt(session.expiresAt, now))
        drizzle.update(session).set({ expiresAt: until }).where(open).run()
      }),
    end: (tokenHash) => write.run(() => void drizzle.delete(session).where(eq(session.tokenHash, tokenHash)).run()),
    endAll: (userId, keepTokenHash, change) =>
      write.run(() => {
        endSessions(connection, userId, keepTokenHash)
        // A sign-in that waits for its code must not become a session after this.
        endLinks(connection, userId, ["second_factor"])
        addAuditEntry(connection, change, { action: "end sessions", subject: `user:${userId}` })
      }),
  }
}

/** Ends all sessions of a user but the one of `keepTokenHash`. Call it inside a transaction. */
export function endSessions({ drizzle }: Connection, userId: number, keepTokenHash: string | null): void {
  const others = keepTokenHash === null ? undefined : ne(session.tokenHash, keepTokenHash)
  drizzle
    .delete(session)
    .where(and(eq(session.userId, userId), others))
    .run()
}

function signedIn({ drizzle }: Connection, row: typeof user.$inferSelect): Omit<SignedIn, "session"> {
  const organizations = drizzle
    .select({
      id: organization.id,
      slug: organization.slug,
      name: organization.name,
      timeZone: organization.timeZone,
      role: membership.role,
    })
    .from(membership)
    .innerJoin(organization, eq(organization.id, membership.organizationId))
    .where(eq(membership.userId, row.id))
    .orderBy(asc(organization.name), asc(organization.slug))
    .all()
  const { id: userId, email, name } = row
  return { userId, email, name, isOperator: row.isOperator === 1, hasTotp: row.totpSecret !== null, organizations }
}
