import { Type } from "@sinclair/typebox"
import { Amount, has, optional, Positive, ruled } from "../../../schema/schema-helpers.ts"
import { AdjustmentKind } from "../vocabulary.ts"

export const PriceGuidance = Type.Object(optional({ p25: Amount, p50: Amount, p75: Amount, p90: Amount }))

export const PriceBreakdown = Type.Object({
  list_price: Positive,
  adjustments: Type.Array(
    ruled(
      Type.Object({
        kind: AdjustmentKind,
        name: Type.String({ maxLength: 64 }),
        ...optional({
          rate: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
          amount: Positive,
          description: Type.String({ maxLength: 256 }),
          beneficiary: Type.String({ maxLength: 256 }),
        }),
      }),
      Type.Union([has("rate"), has("amount")]),
      Type.Not(has("rate", "amount")),
    ),
    { minItems: 1, maxItems: 20 },
  ),
})
