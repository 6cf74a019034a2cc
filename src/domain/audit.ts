import type { Moment } from "./moment.ts"

/** Who is changing something, and when: every change that people make is kept with it. */
export interface Change {
  /** "user:12", "command", "import" or "setup". */
  readonly actor: string
  readonly at: Moment
}

export interface AuditEntry extends Change {
  /** Verb and noun, such as "revoke ingest_key". */
  readonly action: string
  readonly subject: string
  readonly organizationId: number | null
  readonly details: unknown
}
