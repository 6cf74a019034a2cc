import { MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

// Refused requests are counted by the hour, not stored, so that nobody can fill the disk with them. Doors and reasons are closed
// sets: strangers cannot add new rows.

export const REFUSAL_REASONS = {
  400: "malformed",
  401: "wrong or missing key",
  403: "foreign host or origin",
  406: "wrong Accept header",
  408: "body too slow",
  413: "body too large",
  415: "wrong content type",
  429: "over the rate limit",
  503: "server overloaded",
} as const

type RefusalStatus = keyof typeof REFUSAL_REASONS
export type RefusingDoor = "agent" | "ingest"

export interface RefusalCount {
  /** The start of the hour. */
  readonly hour: Moment
  readonly door: RefusingDoor
  readonly status: RefusalStatus
  readonly requests: number
}

export const isRefusal = (status: number): status is RefusalStatus => status in REFUSAL_REASONS

const MICROS_PER_HOUR = 3_600 * MICROS_PER_SECOND

export const hourOf = (moment: Moment): Moment => moment - (moment % MICROS_PER_HOUR)

export function totalsByReason(counts: readonly RefusalCount[]) {
  const totals = new Map<RefusalStatus, number>()
  for (const { status, requests } of counts) totals.set(status, (totals.get(status) ?? 0) + requests)
  return [...totals]
    .map(([status, requests]) => ({ reason: REFUSAL_REASONS[status], requests }))
    .sort((a, b) => b.requests - a.requests)
}
