import type { AffiliateReport, Refusal } from "../domain/affiliate.ts"
import { type AffiliateCode, readCodeRow } from "../domain/affiliate-code.ts"
import type { CodeToKeep } from "../storage/store.ts"
import type { ReportContext } from "./context.ts"
import { type AffiliateFeed, recordRows } from "./record-rows.ts"
import type { Reporter, ReportOptions } from "./report-delivery.ts"

const NOT_SELLER: Refusal = { reason: "not_seller", message: "Your organization sells no package with this packageId." }

const CODES: AffiliateFeed<AffiliateCode, CodeToKeep> = {
  read: readCodeRow,
  async judge({ store }, { organizationId }, rows) {
    const packageIds = rows.map(({ packageId }) => packageId)
    const lines = await store.deliveries.linesSold(organizationId, packageIds)
    return rows.map(({ code, slug }, i) => {
      const line = lines[i]
      return line === undefined ? NOT_SELLER : { lineId: line.lineId, code, slug }
    })
  },
  keep: ({ store }, { organizationId }, rows, now) => store.affiliates.keepCodes(organizationId, rows, now),
}

/** Adds affiliate codes to packages that the organization sells, or moves and renames them. */
export function recordAffiliateCodes(
  context: ReportContext,
  reporter: Reporter,
  rows: readonly unknown[],
  options: ReportOptions,
): Promise<AffiliateReport> {
  return recordRows(context, reporter, rows, options, CODES)
}
