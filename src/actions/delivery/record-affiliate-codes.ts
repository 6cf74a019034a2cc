import {
  type AffiliateCode,
  type AffiliateReport,
  type Refusal,
  readCodeRow,
} from "../../domain/affiliate/affiliate-report.ts"
import type { CodeToSave } from "../../storage/port/store.ts"
import { type ReportContext, writesOf } from "../context.ts"
import { type AffiliateFeed, recordRows } from "./record-rows.ts"
import type { Reporter, ReportOptions } from "./report-delivery.ts"

const NOT_SELLER: Refusal = {
  reason: "not_seller",
  message: "packageId is not a package that your organization sells.",
}

const CODES: AffiliateFeed<AffiliateCode, CodeToSave> = {
  read: readCodeRow,
  async judge({ store }, { organizationId, answerBy }, rows) {
    const packageIds = rows.map(({ packageId }) => packageId)
    const { found, revision } = await store.deliveries.linesSold(organizationId, packageIds, answerBy)
    const judged = rows.map(({ code, slug }, i) => {
      const line = found[i]
      return line === undefined ? NOT_SELLER : { lineId: line.lineId, code, slug }
    })
    return { rows: judged, revision }
  },
  keep: (context, { organizationId, answerBy }, rows, now, termsRevision) =>
    writesOf(context).affiliates.saveCodes(organizationId, rows, now, termsRevision, answerBy),
}

/** Adds, moves or renames affiliate codes of packages that the organization sells. */
export function recordAffiliateCodes(
  context: ReportContext,
  reporter: Reporter,
  rows: readonly unknown[],
  options: ReportOptions,
): Promise<AffiliateReport> {
  return recordRows(context, reporter, rows, options, CODES)
}
