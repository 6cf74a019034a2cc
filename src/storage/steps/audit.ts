import type { Change } from "../../domain/people/audit.ts"
import { exec, type Step, type Tx } from "./step.ts"

export interface Audited {
  readonly action: string
  readonly subject: string
  readonly organizationId?: number
  readonly details?: unknown
}

/** Adds an entry to the audit trail, in the transaction of the change: neither exists without the other. */
export function* audit(
  { db, auditEntry }: Pick<Tx, "db" | "auditEntry">,
  { at, actor }: Change,
  what: Audited,
): Step<void> {
  const { action, subject, organizationId = null } = what
  const details = what.details === undefined ? null : JSON.stringify(what.details)
  yield* exec(db.insert(auditEntry).values({ at, actor, action, subject, organizationId, details }))
}
