import type { AuditEntry } from "../../domain/people/audit.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { PageRequest } from "./page-request.ts"

export interface AuditReads {
  /**
   * Entries that match, newest first. A long audit trail is searched in parts: a page may be empty and still say where to continue.
   */
  list(filter: AuditFilter, page: PageRequest): Promise<FoundEntries>
  /** Every action that occurs in the trail, as choices for a filter. */
  actions(): Promise<string[]>
}

export interface FoundEntries {
  readonly entries: readonly ListedAuditEntry[]
  /** `before` of the next page; null when the whole trail was searched. */
  readonly before: number | null
}

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
  /** The organization's slug. */
  readonly organization: string | null
}
