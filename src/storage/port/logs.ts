import type { AuditEntry } from "../../domain/people/audit.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx } from "../steps/step.ts"

/** One page of a list that grows, newest first: at most `limit` entries with ids below `before` (null: from the newest on). */
export type PageRequest = Readonly<{ before: number | null; limit: number }>

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

/** One logged call of the sales agent, with the key's label, also when the key is revoked; null for anonymous callers. */
export type LoggedCall = Omit<ReadTx["agentCall"]["$inferSelect"], "bytes" | "matched" | "countries"> & {
  readonly agentKey: string | null
}

/** A call that has just been answered. */
export interface NewCall extends Omit<LoggedCall, "id" | "agentKey" | "demand"> {
  readonly demand?: string | null
  /** How many products fitted, and for which countries they were asked. */
  readonly matched?: number | null
  readonly countries?: readonly string[]
}

export interface CallFilter {
  /** An agent key's id, or "anonymous". */
  readonly caller?: string
  readonly tool?: string
  readonly outcome?: string
  readonly result?: CallResult
  /** A country that was asked for. */
  readonly country?: string
  /** Part of the arguments. */
  readonly text?: string
  readonly from?: Moment
  /** Exclusive. */
  readonly until?: Moment
}

/** What came of a call: a tool refused it (what is refused before is only counted), or get_products found something or nothing. */
export type CallResult = "found" | "nothing" | "refused"
