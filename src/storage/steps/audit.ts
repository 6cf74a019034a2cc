import { sql } from "drizzle-orm"
import type { Change } from "../../domain/people/audit.ts"
import type { AuditFilter, ListedAuditEntry, PageRequest } from "../port/logs.ts"
import { contains, searchBackwards } from "./search-backwards.ts"
import { exec, type Steps, type Tx } from "./step.ts"
import { usersById } from "./users.ts"

export type Audited = Readonly<{ action: string; subject: string; organizationId?: number; details?: unknown }>

/** Adds an entry to the audit trail, in the transaction of the change: neither exists without the other. */
export function* audit({ db, auditEntry }: Pick<Tx, "db" | "auditEntry">, { at, actor }: Change, what: Audited) {
  const { action, subject, organizationId = null } = what
  const details = what.details === undefined ? null : JSON.stringify(what.details)
  yield* exec(db.insert(auditEntry).values({ at, actor, action, subject, organizationId, details }))
}

const ENTRIES = sql`SELECT e.id, e.at, e.actor, e.action, e.subject, e.organization_id AS "organizationId", e.details,
  o.slug AS organization FROM audit_entry e LEFT JOIN organization o ON o.id = e.organization_id`

type Row = Omit<ListedAuditEntry, "details" | "email"> & { readonly details: string | null }

export function auditReads(steps: Pick<Steps, "query">) {
  return {
    /** Entries that match, newest first. A page may be empty and still say where to continue: null when the whole trail was searched. */
    async list({ actor, action, organizationId, text, ...time }: AuditFilter, page: PageRequest) {
      const matching = [
        actor === undefined ? undefined : sql`e.actor = ${actor}`,
        action === undefined ? undefined : sql`e.action = ${action}`,
        organizationId === undefined ? undefined : sql`e.organization_id = ${organizationId}`,
        text === undefined ? undefined : sql`(${contains(sql`e.subject`, text)} OR ${contains(sql`e.details`, text)})`,
      ]
      const search = { table: "audit_entry", select: ENTRIES, matching, time } as const
      const { rows, before } = await searchBackwards<Row>(steps, search, page)
      const userOf = (who: string) => (who.startsWith("user:") ? who.slice("user:".length) : "")
      const ids = rows.map((row) => userOf(row.actor))
      const people = await steps.query((tx) => usersById(tx, ids))
      const entries = rows.map((row): ListedAuditEntry => {
        const email = people.get(userOf(row.actor))?.email ?? null
        return { ...row, email, details: row.details === null ? null : JSON.parse(row.details) }
      })
      return { entries, before }
    },
  }
}
