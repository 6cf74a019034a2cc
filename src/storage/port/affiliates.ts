import type { AffiliateMetric } from "../../domain/affiliate/affiliate-metric.ts"
import type { AffiliateCode } from "../../domain/affiliate/affiliate-report.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { AnswerBy } from "./answer-by.ts"
import type { Terms } from "./delivery/seller-terms.ts"

export type Affiliates = AffiliateReads & AffiliateWrites

export interface AffiliateReads {
  /** The ids of each code that belongs to a line this organization sells; undefined for every other code. */
  codesSold(sellerId: number, codes: readonly string[], answerBy?: AnswerBy): Promise<Terms<SoldCode>>
}

export interface AffiliateWrites {
  /**
   * Writes all rows in order, or none. A missing slug leaves the stored one. False, and nothing is written, when the terms may have
   * changed since the revision `termsRevision`.
   */
  saveCodes(
    sellerId: number,
    rows: readonly CodeToSave[],
    at: Moment,
    termsRevision: number,
    answerBy?: AnswerBy,
  ): Promise<boolean>
  /**
   * Writes all rows in order, or none. Missing figures leave the stored ones, and a day that was reported before stays with its line.
   * False, and nothing is written, when the terms may have changed since the revision `termsRevision`.
   */
  saveMetrics(rows: readonly MetricToSave[], at: Moment, termsRevision: number, answerBy?: AnswerBy): Promise<boolean>
}

export interface CodeToSave extends Omit<AffiliateCode, "packageId"> {
  readonly lineId: number
}

/** A code, and the line that it points to now. Days that are reported for the first time are counted for that line. */
export interface SoldCode {
  readonly codeId: number
  readonly lineId: number
}

export interface MetricToSave extends Omit<AffiliateMetric, "code">, SoldCode {}
