import { desc } from "drizzle-orm"
import type { Change } from "../../domain/audit.ts"
import type { Audit } from "../store.ts"
import type { Connection } from "./connection.ts"
import { auditEntry } from "./schema.ts"

export function audit({ drizzle }: Connection): Audit {
  return {
    async list(limit) {
      const rows = drizzle.select().from(auditEntry).orderBy(desc(auditEntry.id)).limit(limit).all()
      return rows.map((row) => ({ ...row, details: row.details === null ? null : JSON.parse(row.details) }))
    },
  }
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
