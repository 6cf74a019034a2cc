import { and, desc, eq, gt, lte, ne, or } from "drizzle-orm"
import type { MemberRole } from "../../../../domain/people/organization.ts"
import type { Moment } from "../../../../domain/time/moment.ts"
import type { Sessions, SignedIn } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import type { Session } from "../../engine/session.ts"
import { session } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"
import { changePeople } from "./change-people.ts"
import { credentialsOf } from "./credentials.ts"
import { endLinks } from "./one-time-links.ts"

// The first read of a person's request: it brings the revisions along, even without a session. A row for each organization.
const FIND = `
  SELECT r.terms, r.catalogue, u.id AS "userId", u.email, u.name, u.is_operator = 1 AS "isOperator",
    u.totp_secret IS NOT NULL AS "hasTotp", s.created_at AS "createdAt", s.expires_at AS "expiresAt",
    o.id AS "organizationId", o.slug, o.name AS "organizationName", o.time_zone AS "timeZone", m.role
  FROM revision r
  LEFT JOIN (session s JOIN "user" u ON u.id = s.user_id) ON s.token_hash = $1 AND s.expires_at > $2
  LEFT JOIN membership m ON m.user_id = u.id
  LEFT JOIN organization o ON o.id = m.organization_id
  ORDER BY o.name, o.slug`

interface Row extends Omit<SignedIn, "userId" | "organizations" | "session"> {
  readonly createdAt: Moment
  readonly expiresAt: Moment
  readonly terms: number
  readonly catalogue: number
  readonly userId: number | null
  readonly organizationId: number | null
  readonly slug: string
  readonly organizationName: string
  readonly timeZone: string
  readonly role: MemberRole
}

export function sessions(connection: Connection): Sessions {
  const { read, caches } = connection
  return {
    open: (opened, { previousHash, passwordHash }) =>
      changePeople(connection, async (transaction) => {
        const known = await credentialsOf(transaction, opened.userId)
        if (known === null || (passwordHash !== undefined && known.passwordHash !== passwordHash)) return false
        const previous = previousHash === null ? undefined : eq(session.tokenHash, previousHash)
        // Expired sessions of all users are deleted on this occasion, so that the table does not grow.
        await transaction.drizzle.delete(session).where(or(lte(session.expiresAt, opened.createdAt), previous))
        await transaction.drizzle.insert(session).values(opened)
        return true
      }),
    async find(tokenHash, now) {
      const found = await read(({ rows }) => rows<Row>(FIND, [tokenHash, now]))
      const [first] = found
      if (first === undefined) return null
      caches.saw(first.terms, first.catalogue)
      const { userId, email, name, isOperator, hasTotp, createdAt, expiresAt } = first
      if (userId === null) return null
      const person = { userId, email, name, isOperator, hasTotp, session: { createdAt, expiresAt } }
      return { ...person, organizations: found.flatMap(organizationOf) }
    },
    async list(userId, now, currentHash) {
      const open = and(eq(session.userId, userId), gt(session.expiresAt, now))
      const rows = await read(({ drizzle }) =>
        drizzle.select().from(session).where(open).orderBy(desc(session.createdAt), desc(session.id)),
      )
      return rows.map(({ tokenHash, userId: _, ...listed }) => ({ ...listed, isCurrent: tokenHash === currentHash }))
    },
    endOne: (userId, sessionId, by) =>
      changePeople(connection, async (transaction) => {
        const own = and(eq(session.id, sessionId), eq(session.userId, userId))
        const ended = await transaction.drizzle.delete(session).where(own).returning({ id: session.id })
        if (ended.length === 0) return false
        await addAuditEntry(transaction, by, { action: "end session", subject: `user:${userId}` })
        return true
      }),
    extend: (tokenHash, until, now) =>
      connection.change(
        async ({ drizzle }) => {
          const open = and(eq(session.tokenHash, tokenHash), gt(session.expiresAt, now))
          await drizzle.update(session).set({ expiresAt: until }).where(open)
        },
        { moves: "nothing" },
      ),
    end: (tokenHash) =>
      changePeople(connection, async ({ drizzle }) => {
        await drizzle.delete(session).where(eq(session.tokenHash, tokenHash))
      }),
    endAll: (userId, keepTokenHash, by) =>
      changePeople(connection, async (transaction) => {
        await endSessions(transaction, userId, keepTokenHash)
        // A sign-in that waits for its code must not become a session after this.
        await endLinks(transaction, userId, ["second_factor"])
        await addAuditEntry(transaction, by, { action: "end sessions", subject: `user:${userId}` })
      }),
  }
}

/** Ends all sessions of a user but the one of `keepTokenHash`. Call it inside a transaction. */
export async function endSessions({ drizzle }: Session, userId: number, keepTokenHash: string | null): Promise<void> {
  const others = keepTokenHash === null ? undefined : ne(session.tokenHash, keepTokenHash)
  await drizzle.delete(session).where(and(eq(session.userId, userId), others))
}

function organizationOf({ organizationId: id, slug, organizationName: name, timeZone, role }: Row) {
  return id === null ? [] : [{ id, slug, name, timeZone, role }]
}
