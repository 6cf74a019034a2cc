import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { FormatId } from "../format/format-id.ts"

export const SignalPricing = Type.Union([
  Type.Object({ model: Type.Literal("cpm"), cpm: s.Amount, currency: s.Currency, ...s.optional({ ext: s.Ext }) }),
  Type.Object({
    model: Type.Literal("percent_of_media"),
    percent: Type.Number({ minimum: 0, maximum: 100 }),
    currency: s.Currency,
    ...s.optional({ max_cpm: s.Amount, ext: s.Ext }),
  }),
  Type.Object({
    model: Type.Literal("flat_fee"),
    amount: s.Amount,
    period: s.choice("monthly quarterly annual campaign"),
    currency: s.Currency,
    ...s.optional({ ext: s.Ext }),
  }),
  Type.Object({
    model: Type.Literal("per_unit"),
    unit: s.Text,
    unit_price: s.Amount,
    currency: s.Currency,
    ...s.optional({ ext: s.Ext }),
  }),
  Type.Object({
    model: Type.Literal("custom"),
    description: Type.String({ minLength: 1 }),
    metadata: s.partial({ summary_for_operator: Type.String({ minLength: 1 }) }, { minProperties: 1 }),
    ...s.optional({ currency: s.Currency, ext: s.Ext }),
  }),
])

export const VendorPricingOption = Type.Intersect([
  Type.Object({
    pricing_option_id: s.Text,
    ...s.optional({ applies_to_output_format_ids: s.nonEmpty(FormatId) }),
  }),
  SignalPricing,
])
