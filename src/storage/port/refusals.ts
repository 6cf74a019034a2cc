import type { RefusalCount } from "../../domain/operations/refusal.ts"
import type { Moment } from "../../domain/time/moment.ts"

/** Requests that were turned away, counted by the hour. */
export type Refusals = RefusalReads & RefusalWrites

export interface RefusalReads {
  /** Counts of the hours from this moment on, oldest first. */
  since(from: Moment): Promise<RefusalCount[]>
}

export interface RefusalWrites {
  /** Counts one with the next commit, at the latest by `flushNotes`. */
  note(refusal: Omit<RefusalCount, "requests">): void
  /** Removes the counts of hours before this moment. */
  forget(before: Moment): Promise<void>
}
