import { and, desc, eq, gte, lt, or, type SQL, sql } from "drizzle-orm"
import type { Change } from "../../domain/audit.ts"
import type { Audit, AuditFilter } from "../store.ts"
import { holds } from "./agent-call-log.ts"
import type { Connection } from "./connection.ts"
import { auditEntry, organization, user } from "./schema.ts"

export function audit(connection: Connection): Audit {
  const { drizzle, write } = connection
  return {
    async list(filter, { before, limit }) {
      const rows = drizzle
        .select({ entry: auditEntry, email: user.email, organization: organization.slug })
        .from(auditEntry)
        .leftJoin(user, eq(auditEntry.actor, sql`'user:' || ${user.id}`))
        .leftJoin(organization, eq(organization.id, auditEntry.organizationId))
        .where(and(matches(filter), before === null ? undefined : lt(auditEntry.id, before)))
        .orderBy(desc(auditEntry.id))
        .limit(limit)
        .all()
      return rows.map(({ entry, ...names }) => ({
        ...entry,
        ...names,
        details: entry.details === null ? null : JSON.parse(entry.details),
      }))
    },
    async actions() {
      const rows = drizzle.selectDistinct({ action: auditEntry.action }).from(auditEntry).orderBy(auditEntry.action)
      return rows.all().map(({ action }) => action)
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
