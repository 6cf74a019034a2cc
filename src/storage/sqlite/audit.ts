import { and, desc, eq, gte, lt, or, type SQL, sql } from "drizzle-orm"
import type { Change } from "../../domain/audit.ts"
import type { Moment } from "../../domain/moment.ts"
import type { Audit, AuditFilter } from "../store.ts"
import { holds } from "./agent-call-log.ts"
import type { Connection } from "./connection.ts"
import { auditEntry, organization, user } from "./schema.ts"

// So many entries are looked through in one go: a search for what is rare takes some pages rather than a second of everybody.
const SEARCHED_AT_ONCE = 10_000

// From each action to the next one along the index: a trail has few kinds of entries, and very many of each.
const ACTIONS = `
  WITH RECURSIVE kind (action) AS (
    SELECT min(action) FROM audit_entry
    UNION ALL
    SELECT (SELECT min(action) FROM audit_entry WHERE action > kind.action) FROM kind WHERE kind.action IS NOT NULL
  )
  SELECT action FROM kind WHERE action IS NOT NULL`

export function audit(connection: Connection): Audit {
  const { database, drizzle, write } = connection
  return {
    async list(filter, { before, limit }) {
      const { first, last } = boundsOf(connection, filter)
      const high = Math.min(before ?? last + 1, last + 1)
      const low = Math.max(first, high - SEARCHED_AT_ONCE)
      const rows = drizzle
        .select({ entry: auditEntry, email: user.email, organization: organization.slug })
        .from(auditEntry)
        .leftJoin(user, eq(user.id, personIn(auditEntry.actor)))
        .leftJoin(organization, eq(organization.id, auditEntry.organizationId))
        .where(and(matches(filter), gte(auditEntry.id, low), lt(auditEntry.id, high)))
        .orderBy(desc(auditEntry.id))
        .limit(limit)
        .all()
      const entries = rows.map(({ entry, ...names }) => ({
        ...entry,
        ...names,
        details: entry.details === null ? null : JSON.parse(entry.details),
      }))
      const reached = entries.length === limit ? (entries.at(-1)?.id ?? low) : low
      return { entries, before: reached > first ? reached : null }
    },
    async actions() {
      return database
        .query<{ action: string }, []>(ACTIONS)
        .all()
        .map(({ action }) => action)
    },
    note: (action, subject, change) => write.run(() => keepTrail(connection, change, { action, subject })),
  }
}

function matches({ actor, action, organizationId, text, from, until }: AuditFilter): SQL | undefined {
  return and(
    actor === undefined ? undefined : eq(auditEntry.actor, actor),
    action === undefined ? undefined : eq(auditEntry.action, action),
    organizationId === undefined ? undefined : eq(auditEntry.organizationId, organizationId),
    text === undefined ? undefined : or(holds(auditEntry.subject, text), holds(auditEntry.details, text)),
    from === undefined ? undefined : gte(auditEntry.at, from),
    until === undefined ? undefined : lt(auditEntry.at, until),
  )
}

/** The id of the person that "user:12" names; null for the others who change things. */
function personIn(actor: typeof auditEntry.actor): SQL {
  return sql`iif(substr(${actor}, 1, 5) = 'user:', CAST(substr(${actor}, 6) AS INTEGER), NULL)`
}

/** The ids between which the entries of a filter's time are. Ids grow with time, so the index on the time finds them. */
function boundsOf({ database }: Connection, { from, until }: AuditFilter): { first: number; last: number } {
  const id = (found: string, ...values: Moment[]) =>
    database.query<{ id: number }, Moment[]>(`SELECT id FROM audit_entry ${found} LIMIT 1`).get(...values)?.id
  const newest = until === undefined ? id("ORDER BY id DESC") : id("WHERE at < ?1 ORDER BY at DESC, id DESC", until)
  const oldest = from === undefined ? id("ORDER BY id") : id("WHERE at >= ?1 ORDER BY at, id", from)
  return { first: oldest ?? Number.MAX_SAFE_INTEGER, last: newest ?? 0 }
}

export interface Audited {
  readonly action: string
  readonly subject: string
  readonly organizationId?: number
  readonly details?: unknown
}

/** Adds to the trail. Called inside the transaction that makes the change, so that there is never one without the other. */
export function keepTrail({ drizzle }: Connection, change: Change, what: Audited): void {
  drizzle
    .insert(auditEntry)
    .values({
      at: change.at,
      actor: change.actor,
      action: what.action,
      subject: what.subject,
      organizationId: what.organizationId ?? null,
      details: what.details === undefined ? null : JSON.stringify(what.details),
    })
    .run()
}
