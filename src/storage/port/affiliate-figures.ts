import type { Figures } from "../../domain/affiliate/affiliate-figures.ts"
import type { CalendarDate } from "../../domain/time/moment.ts"
import type { Company } from "./campaigns.ts"

/**
 * Which codes: those of lines that these organizations sell or buy (null: of everybody), and within that of one campaign or line.
 * A day's figures belong to the line that the code pointed to when that day was first reported.
 */
export interface AffiliateScope {
  readonly organizationIds: readonly number[] | null
  readonly campaign?: string
  readonly packageId?: string
  readonly codeId?: number
  readonly from?: CalendarDate
  /** Including this day. */
  readonly to?: CalendarDate
}

export interface CodeFigures extends Figures {
  readonly codeId: number
  readonly code: string
  /** Null, too, on a line that the code was moved away from. */
  readonly slug: string | null
  readonly packageId: string
  readonly line: string
  readonly campaign: string
  readonly campaignName: string
  readonly seller: string
  readonly currency: string | null
  readonly lastDate: CalendarDate | null
}

export interface DayFigures extends Figures {
  readonly date: CalendarDate
}

export interface AffiliateFigures {
  /** Every code in scope with the sum of its days; by campaign, line and code. Once for each line where a code was moved. */
  byCode(scope: AffiliateScope): Promise<CodeFigures[]>
  /** The days in scope on which something was reported, oldest first. */
  byDay(scope: AffiliateScope): Promise<DayFigures[]>
  /** The campaigns that have a code in scope, by slug. */
  campaigns(scope: Pick<AffiliateScope, "organizationIds">): Promise<Company[]>
}
