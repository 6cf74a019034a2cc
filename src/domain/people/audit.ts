import type { Revision } from "../revision.ts"
import type { Moment } from "../time/moment.ts"

/** Who is changing something, and when: every change that people make is kept with it. */
export interface Change {
  /** "user:12", "command", "import" or "setup". */
  readonly actor: string
  readonly at: Moment
  /** How it was when the person looked at it; absent where nobody looked first, as with a command. */
  readonly seen?: Revision
}

export interface AuditEntry extends Omit<Change, "seen"> {
  /** Verb and noun, such as "revoke ingest_key". */
  readonly action: string
  readonly subject: string
  readonly organizationId: number | null
  readonly details: unknown
}
