import type { Moment } from "../../domain/time/moment.ts"

/** One logged call of the sales agent. */
export interface LoggedCall {
  readonly id: number
  readonly at: Moment
  readonly agentKeyId: string | null
  /** The key's label, also when the key is revoked; null for anonymous callers. */
  readonly agentKey: string | null
  /** The network address of an anonymous caller. */
  readonly address: string | null
  readonly method: string
  readonly tool: string | null
  /** The arguments as JSON text, with secrets masked. */
  readonly arguments: string | null
  readonly outcome: string
  readonly durationMicros: number
  /** What get_products understood of the brief and showed, as JSON text; null for other tools and refused calls. */
  readonly demand: string | null
}

/** A call that has just been answered. */
export interface NewCall extends Omit<LoggedCall, "id" | "agentKey" | "demand"> {
  readonly demand?: string | null
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

/** What came of a call: it was answered with an error, or get_products found something or nothing. */
export type CallResult = "found" | "nothing" | "refused"
