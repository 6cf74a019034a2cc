import { type Static, Type } from "@sinclair/typebox"

/** Why a row isn't written. */
export const ROW_REASONS = ["invalid_row", "not_seller", "date_in_future", "internal_error"] as const
export type RowReason = (typeof ROW_REASONS)[number]

export interface RowRejection {
  readonly reason: RowReason
  readonly message: string
}

const RowErrorSchema = Type.Object({
  index: Type.Integer({ description: "Zero-based position of the row in the request." }),
  status: Type.Unsafe<400 | 500>({
    type: "integer",
    enum: [400, 500],
    description: "400 for a row that is rejected, 500 for a failure on our side.",
  }),
  reason: Type.Unsafe<RowReason>({ type: "string", enum: ROW_REASONS, description: "Why the row wasn't written." }),
  message: Type.String({ description: "The field and the problem, for people." }),
})

/** The answer of both affiliate feeds. */
export const AffiliateReportSchema = Type.Object({
  ok: Type.Boolean({ description: "Whether every row was written." }),
  upserted: Type.Integer({ description: "Number of rows written." }),
  errors: Type.Array(RowErrorSchema, { description: "One entry for each row that wasn't written, in request order." }),
  dry_run: Type.Optional(Type.Literal(true, { description: "Present if nothing was stored." })),
})
export type AffiliateReport = Static<typeof AffiliateReportSchema>

export const isAccepted = <Row extends object>(row: Row | RowRejection): row is Row => !("reason" in row)

export const invalidRow = (message: string): RowRejection => ({ reason: "invalid_row", message })

export const NOT_YOUR_PACKAGE: RowRejection = {
  reason: "not_seller",
  message: "packageId isn't a package that your organization sells.",
}

export const NOT_YOUR_CODE: RowRejection = {
  reason: "not_seller",
  message: "code isn't a code of a package that your organization sells.",
}

export const DATE_IN_FUTURE: RowRejection = {
  reason: "date_in_future",
  message: "date is later than today in your organization's time zone.",
}

export const ROW_NOT_STORED: RowRejection = {
  reason: "internal_error",
  message: "The row could not be stored because of an error on our side. Send it again later.",
}

/** The answer to the rows of a request. Null stands for a row that was written. */
export function affiliateReport(
  outcomes: readonly (RowRejection | null)[],
  { isDryRun }: { readonly isDryRun: boolean },
): AffiliateReport {
  const errors = outcomes.flatMap((outcome, index) => {
    if (outcome === null) return []
    const status = outcome.reason === "internal_error" ? 500 : 400
    return [{ index, status, reason: outcome.reason, message: outcome.message } as const]
  })
  const report = { ok: errors.length === 0, upserted: outcomes.length - errors.length, errors }
  return isDryRun ? { ...report, dry_run: true } : report
}
