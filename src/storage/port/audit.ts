import type { AuditEntry } from "../../domain/people/audit.ts"
import type { Moment } from "../../domain/time/moment.ts"

export interface AuditFilter {
  readonly actor?: string
  readonly action?: string
  readonly organizationId?: number
  /** Part of the subject or of the details. */
  readonly text?: string
  readonly from?: Moment
  /** Exclusive. */
  readonly until?: Moment
}

export interface ListedAuditEntry extends AuditEntry {
  readonly id: number
  /** The user's email address, if the actor is a user whose account still exists. */
  readonly email: string | null
  readonly organization: string | null
}
