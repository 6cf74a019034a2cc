import type { Seen } from "../edit-conflict.ts"
import type { Moment } from "../time/moment.ts"

/** Who changes something, and when: stored in the audit entry of the change. */
export interface Change {
  /** "user:12", "command", "import" or "setup". */
  readonly actor: string
  readonly at: Moment
  /** The revision that the person saw; absent where nothing was shown first, as for a command. */
  readonly seen?: Seen
}

export interface AuditEntry extends Omit<Change, "seen"> {
  /** Verb and noun, such as "revoke ingest_key". */
  readonly action: string
  readonly subject: string
  readonly organizationId: number | null
  readonly details: unknown
}
