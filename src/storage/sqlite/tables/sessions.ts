import { and, asc, eq, gt } from "drizzle-orm"
import type { SessionReads, SignedIn } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { membership, organization, session, user } from "../schema.ts"

export function sessions(connection: Connection): Pick<SessionReads, "find"> {
  const { drizzle } = connection
  return {
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
  }
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
