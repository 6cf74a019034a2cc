import type { PackageId, PackageLine } from "../../domain/campaign/package-line.ts"
import type { DeliveryEffect, DeliverySource, DeliveryTotal } from "../../domain/delivery/delivery.ts"
import type { LineViewer, SeenSource } from "../../domain/delivery/line-viewer.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { AnswerBy } from "./answer-by.ts"
import type { Terms } from "./seller-terms.ts"

/** What a report of a line is checked against. */
export interface SoldLine extends Pick<PackageLine, "pricingBasis" | "flightStart"> {
  readonly lineId: number
}

export type Deliveries = DeliveryReads & DeliveryWrites

export interface DeliveryReads {
  /** The line of each package that this organization sells. A line of another seller is undefined, like one that does not exist. */
  linesSold(sellerId: number, packageIds: readonly PackageId[], answerBy?: AnswerBy): Promise<Terms<SoldLine>>
  /** What `record` would answer now. Writes nothing. */
  preview(totals: readonly ReportedTotal[], answerBy?: AnswerBy): Promise<DeliveryEffect[]>
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

export interface ReportedTotal extends DeliveryTotal {
  readonly lineId: number
}

/** A total, and the current total of its line at the time of the preview; null when there was no total yet. */
export interface PreviewedTotal extends ReportedTotal {
  readonly before: DeliveryTotal | null
}

/** When and how reports came in, and by when their sender has to be answered. */
export interface DeliveryReceipt {
  readonly receivedAt: Moment
  readonly source: DeliverySource
  readonly answerBy?: AnswerBy
}

/** The first report of the next page. */
export interface HistoryCursor extends DeliveryTotal {}

export interface HistoryEntry extends DeliveryTotal {
  readonly receivedAt: Moment
  /** As much as the viewer may know. */
  readonly source: SeenSource
}

export interface DeliveryHistory {
  /**
   * Reports of a line, latest arrival first, starting at `from` (null: at the latest), with as much of the source as the viewer may
   * see. `next` is where the next page starts; null when there is none.
   */
  page(
    lineId: number,
    viewer: LineViewer,
    from: HistoryCursor | null,
    limit: number,
  ): Promise<{ readonly entries: readonly HistoryEntry[]; readonly next: HistoryCursor | null }>
  /** The `perLine` latest arrivals of each line, ordered by the time of measurement. */
  points(lineIds: readonly number[], perLine: number): Promise<ReadonlyMap<number, readonly DeliveryTotal[]>>
}
