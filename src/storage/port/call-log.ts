import type { DemandCall } from "../../domain/demand/demand-tally.ts"
import type { CallLogSize } from "../../domain/operations/call-log.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { PageRequest } from "./page-request.ts"

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
  /** Part of the arguments. */
  readonly text?: string
  readonly from?: Moment
  /** Exclusive. */
  readonly until?: Moment
}

/** What came of a call: it was answered with an error, or get_products found something or nothing. */
export type CallResult = "found" | "nothing" | "refused"

export interface FoundCalls {
  readonly calls: readonly LoggedCall[]
  /** `before` of the next page; null when the whole log was searched. */
  readonly before: number | null
}

export type AgentCallLog = AgentCallLogReads & AgentCallLogWrites

export interface AgentCallLogReads {
  size(): Promise<CallLogSize>
  /** Calls with ids above this one, oldest first. */
  after(id: number, limit: number): Promise<LoggedCall[]>
  /** Calls that match, newest first. A long log is searched in parts, with pauses in which the server answers others. */
  search(filter: CallFilter, page: PageRequest): Promise<FoundCalls>
  /** The tools and outcomes of the newest calls, as choices for a filter. */
  filterOptions(): Promise<{ readonly tools: readonly string[]; readonly outcomes: readonly string[] }>
  /**
   * The calls of get_products that count as demand, from a moment on and after a call, in the order of their time. What was noted by this
   * process is read too, even if it was not written yet.
   */
  demand(after: Pick<DemandCall, "at" | "id">, limit: number): Promise<DemandCall[]>
}

export interface AgentCallLogWrites {
  /** Logs the call with the next commit, when there are many, or by `flushWriteBuffer`. */
  note(call: NewCall): void
  /** From now on old calls are deleted as new ones come in, so that the log stays within this size, give or take one commit. */
  keepWithin(bytesMax: number): void
  /** Deletes some of the calls that are older than `before` or beyond that size. Returns how many; 0 when none are left. */
  prune(before: Moment): Promise<number>
}
