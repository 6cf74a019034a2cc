import type { CallLogSize } from "../../domain/operations/call-log.ts"
import type { Moment } from "../../domain/time/moment.ts"

/** One call of the sales agent, as it was logged. */
export interface LoggedCall {
  readonly id: number
  readonly at: Moment
  readonly agentKeyId: string | null
  /** The key's label, also when the key is revoked; null for anonymous callers. */
  readonly agentKey: string | null
  /** Where an anonymous caller came from. */
  readonly address: string | null
  readonly method: string
  readonly tool: string | null
  /** The arguments as JSON text, masked. */
  readonly arguments: string | null
  readonly outcome: string
  readonly durationMicros: number
}

/** A call that has just been answered. */
export type NewCall = Omit<LoggedCall, "id" | "agentKey">

export interface CallFilter {
  /** An agent key's id, or "anonymous". */
  readonly caller?: string
  readonly tool?: string
  readonly outcome?: string
  /** Some text of the arguments. */
  readonly text?: string
  readonly from?: Moment
  /** Up to, not including. */
  readonly until?: Moment
}

/** A page of something that grows: newest first, older than `before` where that is given. */
export interface PageRequest {
  readonly before: number | null
  readonly limit: number
}

export interface FoundCalls {
  readonly calls: readonly LoggedCall[]
  /** From where to go on looking further back; null at the end. */
  readonly before: number | null
}

export type AgentCallLog = AgentCallLogReads & AgentCallLogWrites

export interface AgentCallLogReads {
  size(): Promise<CallLogSize>
  /** Calls after the one of this id, oldest first. */
  after(id: number, limit: number): Promise<LoggedCall[]>
  /** Looks through a part of a long log, with pauses, so that a server goes on answering meanwhile. */
  search(filter: CallFilter, page: PageRequest): Promise<FoundCalls>
  /** The tools and outcomes of the newest calls, to choose a filter from. */
  words(): Promise<{ readonly tools: readonly string[]; readonly outcomes: readonly string[] }>
}

export interface AgentCallLogWrites {
  /** Keeps the call with the next commit, at the latest by `flushNotes`. True each time that so many wait that it is time for one. */
  note(call: NewCall): boolean
  /** From now on the oldest calls make room for new ones: the log stays within these bounds, but for what one commit adds. */
  keepWithin(bounds: CallLogSize): void
  /** Removes some of the calls that are older or beyond the bounds, in a step that holds nobody up; tells how many, 0 when done. */
  prune(before: Moment): Promise<number>
}
