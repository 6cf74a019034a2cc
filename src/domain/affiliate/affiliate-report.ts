import { type Static, Type } from "@sinclair/typebox"

/** Why a row of an affiliate feed is refused. */
export const ROW_REASONS = ["invalid_row", "not_seller", "date_in_future", "internal_error"] as const
type RowReason = (typeof ROW_REASONS)[number]

export const RowError = Type.Object({
  index: Type.Integer({ minimum: 0, description: "Zero-based position of the row in the request." }),
  status: Type.Union([Type.Literal(400), Type.Literal(500)], {
    description: "400 for a row that is refused, 500 for a failure on our side.",
  }),
  reason: Type.Union(ROW_REASONS.map((reason) => Type.Literal(reason))),
  message: Type.String({ description: "What to do about it." }),
})
export type RowError = Static<typeof RowError>

/** The answer of both affiliate feeds. */
export const AffiliateReport = Type.Object({
  ok: Type.Boolean({ description: "Whether every row was written." }),
  upserted: Type.Integer({ minimum: 0, description: "Number of rows written." }),
  errors: Type.Array(RowError, { description: "One entry per row that was not written, in request order." }),
  dry_run: Type.Optional(Type.Literal(true, { description: "Present when nothing was written because of dry_run." })),
})
export type AffiliateReport = Static<typeof AffiliateReport>

/** Why a row is not written, before its place in the request is added. */
export interface Refusal {
  readonly reason: RowReason
  readonly message: string
}

/** Whether a row was not refused. */
export function isAccepted<Row extends object>(row: Row | Refusal): row is Row {
  return !("reason" in row)
}

export function invalidRow(message: string): Refusal {
  return { reason: "invalid_row", message }
}

export const INTERNAL_ERROR: Refusal = {
  reason: "internal_error",
  message: "This row could not be stored. Send it again later.",
}

export function rowError(index: number, { reason, message }: Refusal): RowError {
  return { index, status: reason === "internal_error" ? 500 : 400, reason, message }
}
