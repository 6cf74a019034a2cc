import type { Figures } from "../../domain/affiliate/affiliate-figures.ts"
import type { CalendarDate } from "../../domain/time/moment.ts"

/**
 * Which figures: those of lines that any of these organizations sells or buys (null: of all lines), optionally of one campaign, line
 * or code only. The figures of a day belong to the line that the code pointed to when that day was first reported.
 */
export interface AffiliateScope {
  readonly organizationIds: readonly number[] | null
  readonly campaign?: string
  readonly packageId?: string
  readonly codeId?: number
  readonly from?: CalendarDate
  /** Inclusive. */
  readonly to?: CalendarDate
}

export interface CodeFigures extends Figures {
  readonly codeId: number
  readonly code: string
  /** Whether the code points to this line now. */
  readonly isCurrent: boolean
  /** Also null on a line that the code no longer points to. */
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

export interface ScopeFigures {
  /** The sums of every code in scope, by campaign, line and code. A code that was moved has one entry for each of its lines. */
  readonly codes: readonly CodeFigures[]
  /** The sums of every day in scope that has a report, oldest first. */
  readonly days: readonly DayFigures[]
}
