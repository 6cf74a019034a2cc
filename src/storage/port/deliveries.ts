import type { LastRequest, RejectedItem } from "../../domain/activity/feed-request.ts"
import type { PacedLine } from "../../domain/campaign/line-state.ts"
import type { JudgedLine, PackageId } from "../../domain/campaign/package-line.ts"
import type { DeliveryEffect, DeliverySource, DeliveryTotal } from "../../domain/delivery/delivery.ts"
import type { SeenSource } from "../../domain/delivery/line-viewer.ts"
import type { ArrivedReport, Withdrawal } from "../../domain/delivery/withdrawal.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import type { ListedIngestKey } from "./keys.ts"

/** What a report of a line is checked against. */
export type SoldLine = JudgedLine & { readonly lineId: number }

export type Deliveries = DeliveryReads & DeliveryWrites

export interface DeliveryReads {
  /** The line of each package that this organization sells. A line of another seller is undefined, like one that does not exist. */
  linesSold(sellerId: number, packageIds: readonly PackageId[]): Promise<Terms<SoldLine>>
  /** What `record` would answer now. Writes nothing. */
  preview(totals: readonly ReportedTotal[]): Promise<DeliveryEffect[]>
}

export interface DeliveryWrites {
  /**
   * Adds all totals to the history, makes the newest of each line its current total, and tells the effect of each. All or nothing.
   * Null, and nothing is written, when the terms may have changed since the revision `termsRevision`.
   */
  record(
    totals: readonly ReportedTotal[],
    receipt: DeliveryReceipt,
    termsRevision: number,
  ): Promise<DeliveryEffect[] | null>
  /**
   * Like `record`, for totals that somebody has previewed, one after the other: a total whose line has another current total when its
   * turn comes is answered with "outdated" and is not written.
   */
  recordUnlessOutdated(
    totals: readonly PreviewedTotal[],
    receipt: DeliveryReceipt,
    termsRevision: number,
  ): Promise<(DeliveryEffect | "outdated")[] | null>
}

export type ReportedTotal = DeliveryTotal & { readonly lineId: number }

/** A total, and the current total of its line at the time of the preview; null when there was no total yet. */
export type PreviewedTotal = ReportedTotal & { readonly before: DeliveryTotal | null }

/** When and how reports came in, and in which time zone their seller counts days. */
export type DeliveryReceipt = Readonly<{ receivedAt: Moment; source: DeliverySource; timeZone: TimeZone }>

/** The last report of a page of a history, after which the next begins. Reports that count have the id 0, withdrawn ones their own. */
export type HistoryCursor = ArrivedReport & { readonly id: number }

export interface HistoryEntry extends ArrivedReport {
  /** As much as the viewer may know. */
  readonly source: SeenSource
  /** Null for a report that counts. */
  readonly withdrawn: Withdrawal | null
}

/** What a seller's rows are checked against: the seller's time zone, and what was found for each row, all at one revision. */
export interface Terms<Found> {
  /** Pass it on when writing rows that were checked against these terms: if the terms have changed, nothing is written. */
  readonly revision: number
  readonly timeZone: TimeZone
  readonly items: readonly (Found | undefined)[]
}

/** A line with everything that is needed to check a report of it and to warn about an unlikely one. */
export interface SoldLineWithTotal extends PacedLine {
  readonly lineId: number
  readonly packageId: PackageId
  readonly name: string
  readonly externalId: string | null
  readonly archived: boolean
}

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
