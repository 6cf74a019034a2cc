import type { AskedBrief, DemandCall, DemandCount, DemandLimits } from "../../domain/demand/demand-buffer.ts"

export type { AskedBrief, DemandCall, DemandCount, DemandLimits } from "../../domain/demand/demand-buffer.ts"

export interface BriefFilter {
  /** The Monday of the first week. */
  readonly fromWeek: string
  /** Those that matched nothing, or those that matched something. */
  readonly unmatched: boolean
}

/** What buyers' agents asked for. What this process noted is read too, even if it was not written yet. */
export type DemandLog = DemandReads & DemandWrites

export interface DemandReads {
  /** All counts from this week on, oldest first. */
  counts(fromWeek: string): Promise<DemandCount[]>
  /** Briefs by week, newest first, and within a week the most asked first; and how many there are. */
  briefs(
    filter: BriefFilter,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly briefs: readonly AskedBrief[]; readonly count: number }>
}

export interface DemandWrites {
  /** Counts a call. Written by `flushWriteBuffer`. */
  note(call: DemandCall): void
  /**
   * Deletes some of what was asked before a week, and of a week from `fromWeek` on that has too much what was asked least: every process
   * keeps to the limits of a week by itself, so that several together, or one that is restarted, may exceed them. Returns how many rows;
   * 0 when none are left to delete.
   */
  prune(beforeWeek: string, fromWeek: string, perWeek: DemandLimits): Promise<number>
}
