import type { FeedCount, FeedRequest, LastRequest, RejectedItem } from "../../../domain/activity/feed-request.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { ListedIngestKey } from "../keys.ts"

/** An ingest key, and when it sent something. */
export interface KeyActivity extends ListedIngestKey {
  readonly lastRequest: LastRequest | null
  /** The starts of its latest hours with requests, at most `RHYTHM_HOURS_MAX`, newest first. */
  readonly hours: readonly Moment[]
}

export interface RejectedFilter {
  readonly organizationId: number
  readonly keyId: string
  readonly from: Moment
  /** Exclusive. */
  readonly until?: Moment | undefined
  readonly reason?: string | undefined
}

/** A rejected item with the line that it meant, if the organization sells such a line. */
export interface ListedRejection extends Omit<RejectedItem, "organizationId"> {
  readonly id: number
  readonly line: { readonly packageId: string; readonly name: string; readonly campaign: string } | null
}

export type FeedActivity = FeedActivityReads & FeedActivityWrites

/** What was noted by this process is read too, even if it was not written yet. */
export interface FeedActivityReads {
  /** The keys of one organization, or all with null; newest first, revoked keys included. */
  keys(organizationId: number | null): Promise<KeyActivity[]>
  /** Of the same keys those that are not revoked, and whose last request (or use) was before this moment. */
  quietKeys(organizationId: number, since: Moment): Promise<KeyActivity[]>
  /** The counts of a key in all hours that start at this moment or later, oldest first. */
  counts(keyId: string, from: Moment): Promise<FeedCount[]>
  /** Rejected items that were kept, newest first, and how many rows there are in all. */
  rejected(
    filter: RejectedFilter,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly items: readonly ListedRejection[]; readonly rows: number }>
}

export interface FeedActivityWrites {
  /** Counts a request and keeps some of its rejected items. Written by `flushWriteBuffer`. */
  note(request: FeedRequest): void
  /** Deletes some of what is older than `before`. Returns how many rows; 0 when none are left. */
  prune(before: Moment): Promise<number>
}
