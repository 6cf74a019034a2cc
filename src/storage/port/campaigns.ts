import type { Company } from "../../domain/campaign/buyer-choice.ts"
import type { SummedLine } from "../../domain/campaign/campaign-summary.ts"
import type { LineFields } from "../../domain/campaign/line-fields.ts"
import type { PackageId } from "../../domain/campaign/package-line.ts"
import type { DeliveryTotal } from "../../domain/delivery/delivery.ts"
import type { Organization } from "../../domain/people/organization.ts"
import type { CalendarDate, Moment } from "../../domain/time/moment.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"

// Campaigns as their sellers and buyers may see them. A caller names the organization that asks, and finds nothing that this
// organization may not see.

export type { Company, LineFields }

export interface ShownLine extends LineFields {
  readonly lineId: number
  readonly packageId: PackageId
  readonly archived: boolean
  readonly seller: Company & { readonly id: number; readonly timeZone: TimeZone }
  /** Null before the first report. */
  readonly total: DeliveryTotal | null
}

/** A line that its seller has in flight, with the campaign it belongs to. */
export type FlyingLine = ShownLine & { readonly campaign: Company & { readonly buyer: Company } }

/** Lines whose flight includes one of these days. */
export interface FlightDays {
  readonly from: CalendarDate
  readonly to: CalendarDate
  /** And lines whose current total was measured then or later, whenever their flight was. */
  readonly measuredSince?: Moment
  /** Also what is archived: it counts in the sums of its days. */
  readonly withArchived?: boolean
  /** No more than so many of them. */
  readonly limit?: number
}

export interface CampaignHead extends Company {
  readonly id: number
  readonly buyer: Company & { readonly id: number }
  readonly archived: boolean
}

export interface ShownCampaign extends CampaignHead {
  /** The chosen lines, of those that the organization may see: the buyer sees all lines, a seller its own. Empty without a choice. */
  readonly lines: readonly ShownLine[]
  /** Whether the organization sells at least one line of the campaign. */
  readonly sells: boolean
  /** Whether the organization sells every line, and therefore may edit the campaign itself. */
  readonly isSoleSeller: boolean
}

/** What the summary of a campaign needs to know about a line, and no more: lists read thousands of them. */
export type ListedLine = SummedLine & Readonly<{ lineId: number; campaignId: number; name: string }>

export type ListedCampaign = CampaignHead & { readonly createdAt: Moment }

export type Bought = Readonly<{ buyer: Organization; campaigns: readonly ListedCampaign[] }>

/** All lines that the organization may see or, with `sold`, only those that it sells itself. */
export interface LineScope {
  readonly sold?: boolean
  /** Only archived lines; without it, only those that are not. */
  readonly archived?: boolean
}

/** Some lines of a campaign: one of them, or a page. */
export type LineChoice =
  | { readonly packageId: PackageId }
  | (LineScope & { readonly offset: number; readonly limit: number })

export type NewLine = LineFields & { readonly packageId: PackageId }
