import type { PacedLine } from "../../../domain/campaign/line-state.ts"
import type { PackageId } from "../../../domain/campaign/package-line.ts"
import type { PlannedLine } from "../../../domain/import/import-plan.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { TimeZone } from "../../../domain/time/time-zone.ts"

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
  readonly campaignName: string
  readonly externalId: string | null
  /** Null before the first report. */
  readonly total: { readonly quantity: number; readonly asOf: Moment } | null
}
