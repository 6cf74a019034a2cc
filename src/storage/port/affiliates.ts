import type { Figures } from "../../domain/affiliate/affiliate-figures.ts"
import type { AffiliateMetric } from "../../domain/affiliate/affiliate-metric.ts"
import type { AffiliateCode } from "../../domain/affiliate/affiliate-report.ts"
import type { CalendarDate, Moment } from "../../domain/time/moment.ts"
import type { Terms } from "./deliveries.ts"

export type Affiliates = AffiliateReads & AffiliateWrites

export interface AffiliateReads {
  /** The ids of each code that belongs to a line this organization sells; undefined for every other code. */
  codesSold(sellerId: number, codes: readonly string[]): Promise<Terms<SoldCode>>
}

export interface AffiliateWrites {
  /**
   * Writes all rows in order, or none. A missing slug leaves the stored one. False, and nothing is written, when the terms may have
   * changed since the revision `termsRevision`.
   */
  saveCodes(sellerId: number, rows: readonly CodeToSave[], at: Moment, termsRevision: number): Promise<boolean>
  /**
   * Writes all rows in order, or none. Missing figures leave the stored ones, and a day that was reported before stays with its line.
   * False, and nothing is written, when the terms may have changed since the revision `termsRevision`.
   */
  saveMetrics(rows: readonly MetricToSave[], at: Moment, termsRevision: number): Promise<boolean>
}

export type CodeToSave = Omit<AffiliateCode, "packageId"> & { readonly lineId: number }

/** A code, and the line that it points to now. Days that are reported for the first time are counted for that line. */
export type SoldCode = Readonly<{ codeId: number; lineId: number }>

export interface MetricToSave extends Omit<AffiliateMetric, "code">, SoldCode {}

export type CampaignName = Readonly<{ slug: string; name: string }>

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

export type DayFigures = Figures & { readonly date: CalendarDate }
