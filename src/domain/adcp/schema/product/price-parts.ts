import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { AdjustmentKind } from "../vocabulary.ts"

export const PriceGuidance = s.partial(s.fields(s.Amount, "p25 p50 p75 p90"))

export const PriceBreakdown = Type.Object({
  list_price: s.Positive,
  adjustments: Type.Array(
    s.ruled(
      Type.Object({
        kind: AdjustmentKind,
        name: Type.String({ maxLength: 64 }),
        ...s.optional({
          rate: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
          amount: s.Positive,
          description: Type.String({ maxLength: 256 }),
          beneficiary: Type.String({ maxLength: 256 }),
        }),
      }),
      s.hasAny("rate", "amount"),
      Type.Not(s.has("rate", "amount")),
    ),
    { minItems: 1, maxItems: 20 },
  ),
})
