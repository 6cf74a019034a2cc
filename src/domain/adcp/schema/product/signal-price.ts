import { Type } from "@sinclair/typebox"
import { Amount, Currency, choice, Ext, optional, Text } from "../../../schema/schema-helpers.ts"
import { FormatId } from "../format/format-id.ts"

export const SignalPricing = Type.Union([
  Type.Object({ model: Type.Literal("cpm"), cpm: Amount, currency: Currency, ...optional({ ext: Ext }) }),
  Type.Object({
    model: Type.Literal("percent_of_media"),
    percent: Type.Number({ minimum: 0, maximum: 100 }),
    currency: Currency,
    ...optional({ max_cpm: Amount, ext: Ext }),
  }),
  Type.Object({
    model: Type.Literal("flat_fee"),
    amount: Amount,
    period: choice("monthly quarterly annual campaign"),
    currency: Currency,
    ...optional({ ext: Ext }),
  }),
  Type.Object({
    model: Type.Literal("per_unit"),
    unit: Text,
    unit_price: Amount,
    currency: Currency,
    ...optional({ ext: Ext }),
  }),
  Type.Object({
    model: Type.Literal("custom"),
    description: Type.String({ minLength: 1 }),
    metadata: Type.Object(optional({ summary_for_operator: Type.String({ minLength: 1 }) }), { minProperties: 1 }),
    ...optional({ currency: Currency, ext: Ext }),
  }),
])

export const VendorPricingOption = Type.Intersect([
  Type.Object({
    pricing_option_id: Text,
    ...optional({ applies_to_output_format_ids: Type.Array(FormatId, { minItems: 1 }) }),
  }),
  SignalPricing,
])
