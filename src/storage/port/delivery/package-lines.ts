import type { PacedLine } from "../../../domain/campaign/line-state.ts"
import type { PackageId } from "../../../domain/campaign/package-line.ts"
import type { PlannedLine } from "../../../domain/import/import-plan.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { TimeZone } from "../../../domain/time/time-zone.ts"

export interface PackageLines {
  /** Lines with their current totals: those of one seller, or all with null. By campaign, then name. */
  listWithTotals(sellerId: number | null): Promise<LineWithTotal[]>
  /** Whose line this is, and of which campaign, by their slugs; null when there is no such line. */
  locate(packageId: PackageId): Promise<Pick<LineWithTotal, "seller" | "campaign"> | null>
  /** The slugs of all organizations that sell a line of the campaign; none when there is no such campaign. */
  sellersOf(campaign: string): Promise<string[]>
  /** Any one line of the seller, to show in examples; null when the seller has no lines. */
  example(sellerId: number): Promise<Pick<LineWithTotal, "packageId" | "pricingBasis"> | null>
  /**
   * One result per package id, in order: the line with its current total when this organization sells it. A line of another
   * seller is undefined, exactly like a line that does not exist.
   */
  findSold(sellerId: number, packageIds: readonly PackageId[]): Promise<(SoldLineWithTotal | undefined)[]>
  /** The same by the seller's own ids, which are compared exactly. */
  findByExternalIds(sellerId: number, externalIds: readonly string[]): Promise<(SoldLineWithTotal | undefined)[]>
}

/** A line with everything that is needed to check a report of it and to warn about an unlikely one. */
export interface SoldLineWithTotal extends PacedLine {
  readonly lineId: number
  readonly packageId: PackageId
  readonly name: string
  readonly externalId: string | null
}

export interface LineWithTotal extends PlannedLine {
  /** That of the seller. */
  readonly timeZone: TimeZone
  readonly externalId: string | null
  /** Null before the first report. */
  readonly total: { readonly quantity: number; readonly asOf: Moment } | null
}
