import type { LastRequest, RejectedItem } from "../../../domain/activity/feed-request.ts"
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
