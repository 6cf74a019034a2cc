import type { FailureCode } from "../failure.ts"
import { MICROS_PER_DAY, type Moment } from "../time/moment.ts"

// What sellers' systems sent, and the outcome. Requests and items are counted by the hour; of the rejected items some are kept.

/** Counts and rejected items are kept this long. */
export const ACTIVITY_DAYS = 90
export const ACTIVITY_MICROS = ACTIVITY_DAYS * MICROS_PER_DAY
/** Rejected items that are kept for each organization, give or take what is written between two trims. */
export const REJECTED_ITEMS_MAX = 10_000

/** What became of a request: its items were checked, with or without being written, or it was refused as a whole. */
type RequestOutcome = "answered" | "dry_run" | FailureCode

/** A rejected item's place in its request, and why. Both kinds of report have these. */
export type Rejection = Readonly<{ index: number; reason: string; message: string }>

export interface FeedRequest {
  readonly organizationId: number
  readonly keyId: string
  readonly at: Moment
  readonly feed: string
  readonly outcome: RequestOutcome
  readonly accepted: number
  readonly rejected: readonly Rejection[]
  readonly items: readonly unknown[]
}

/** A number of requests by outcome, or of items that were accepted or rejected for a reason, in one hour. */
export interface FeedCount {
  readonly keyId: string
  readonly hour: Moment
  readonly feed: string
  readonly unit: "request" | "item"
  readonly outcome: string
  readonly count: number
}

export type LastRequest = Omit<FeedRequest, "organizationId" | "rejected" | "items"> & { readonly rejected: number }

type Sent = Pick<FeedRequest, "organizationId" | "keyId" | "at" | "feed">

export interface RejectedItem extends Sent, Omit<Rejection, "index"> {
  /** What it was about, where that could be read: a package or an affiliate code. */
  readonly packageId: string | null
  readonly code: string | null
  /** As sent, shortened, with keys masked. */
  readonly sent: string
  /** How many more like it followed that were not kept. */
  readonly more: number
}
