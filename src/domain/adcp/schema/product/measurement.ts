import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { BrandRef } from "../brand.ts"
import { EventType, ViewabilityStandard } from "../vocabulary.ts"

const Duration = Type.Object(
  { interval: s.AtLeastOne, unit: s.choice("seconds minutes hours days campaign") },
  s.closed,
)

export const OutcomeMeasurement = Type.Object({
  ...s.fields(s.Text, "type attribution reporting"),
  ...s.optional({ window: Duration }),
})

export const PerformanceMetric = s.choice("viewability ivt completion_rate brand_safety attention_score")

export const PerformanceStandard = Type.Object({
  metric: PerformanceMetric,
  threshold: s.Fraction,
  vendor: BrandRef,
  ...s.optional({ standard: ViewabilityStandard }),
})

export const MeasurementTerms = s.partial({
  billing_measurement: Type.Object({
    vendor: BrandRef,
    ...s.optional({
      max_variance_percent: Type.Number({ minimum: 0, exclusiveMaximum: 100 }),
      measurement_window: s.Text,
      finalization_deadline_hours: s.Whole,
    }),
  }),
  makegood_policy: Type.Object({
    available_remedies: s.nonEmptySet(s.choice("additional_delivery credit invoice_adjustment")),
  }),
})

export const DiagnosticIssue = Type.Object({ severity: s.choice("error warning info"), message: s.Text })

export const MeasurementReadiness = Type.Object({
  status: s.choice("insufficient minimum good excellent"),
  ...s.optional({
    required_event_types: s.nonEmpty(EventType),
    missing_event_types: Type.Array(EventType),
    issues: Type.Array(DiagnosticIssue),
    notes: s.Text,
  }),
})

export const CancellationPolicy = Type.Object({
  notice_period: Duration,
  cancellation_fee: s.ruled(
    Type.Object({
      type: s.choice("percent_remaining full_commitment fixed_fee none"),
      ...s.optional({ rate: s.Fraction, amount: s.Amount }),
    }),
    s.when(s.is("type", "percent_remaining"), s.has("rate")),
    s.when(s.is("type", "fixed_fee"), s.has("amount")),
  ),
})
