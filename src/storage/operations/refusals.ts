import { hourOf } from "../../domain/activity/series.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx } from "../database.ts"
import type { Later } from "../later.ts"

/** Requests that were refused, by the way in, the status of the answer and the hour. */
export interface RefusalCount {
  readonly hour: Moment
  /** "api", "agent" or "app". */
  readonly way: string
  readonly status: number
  readonly count: number
}

/** Counts a request that was refused. Strangers can only raise counts, so they can't fill the disk. */
export function noteRefusal(later: Later, way: string, status: number, at: Moment): void {
  later.count("refusal", { hour: hourOf(at), way, status })
}

/** The counts of all hours that start at this moment or later, oldest first. Call `later.flush` first, for a page. */
export async function refusalsSince(read: ReadTx, from: Moment): Promise<RefusalCount[]> {
  const query = "SELECT hour, way, status, count FROM refusal WHERE hour >= $1 ORDER BY hour, way, status"
  return read.rows(query, [from], { hour: Number, way: String, status: Number, count: Number })
}
