import type { RefusalCount } from "../../domain/operations/refusal.ts"
import type { Moment } from "../../domain/time/moment.ts"

/** Refused requests, counted by the hour. */
export type Refusals = RefusalReads & RefusalWrites

export interface RefusalReads {
  /** The counts of all hours that start at this moment or later, oldest first. */
  since(from: Moment): Promise<RefusalCount[]>
}

export interface RefusalWrites {
  /** Counts one refused request. Written with the next commit, or by `flushWriteBuffer`. */
  note(refusal: Omit<RefusalCount, "requests">): void
  /** Deletes the counts of hours that start before this moment. */
  prune(before: Moment): Promise<void>
}
