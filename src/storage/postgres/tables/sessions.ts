import type { MemberRole } from "../../../domain/people/organization.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { SessionReads, SignedIn } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"

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

export function sessions({ read, caches }: Connection): Pick<SessionReads, "find"> {
  return {
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
  }
}

function organizationOf({ organizationId: id, slug, organizationName: name, timeZone, role }: Row) {
  return id === null ? [] : [{ id, slug, name, timeZone, role }]
}
