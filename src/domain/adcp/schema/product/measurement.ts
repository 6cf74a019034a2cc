import { Type } from "@sinclair/typebox"
import { Amount, choice, Fraction, has, optional, ruled, Text, Whole, when } from "../../../schema/schema-helpers.ts"
import { BrandRef } from "../brand.ts"
import { Duration } from "../duration.ts"
import {
  AssessmentStatus,
  EventType,
  MakegoodRemedy,
  PerformanceStandardMetric,
  ViewabilityStandard,
} from "../vocabulary.ts"

export const OutcomeMeasurement = Type.Object({
  type: Text,
  attribution: Text,
  reporting: Text,
  ...optional({ window: Duration }),
})

export const PerformanceStandard = Type.Object({
  metric: PerformanceStandardMetric,
  threshold: Fraction,
  vendor: BrandRef,
  ...optional({ standard: ViewabilityStandard }),
})

export const MeasurementTerms = Type.Object(
  optional({
    billing_measurement: Type.Object({
      vendor: BrandRef,
      ...optional({
        max_variance_percent: Type.Number({ minimum: 0, exclusiveMaximum: 100 }),
        measurement_window: Text,
        finalization_deadline_hours: Whole,
      }),
    }),
    makegood_policy: Type.Object({
      available_remedies: Type.Array(MakegoodRemedy, { minItems: 1, uniqueItems: true }),
    }),
  }),
)

export const DiagnosticIssue = Type.Object({ severity: choice("error warning info"), message: Text })

export const MeasurementReadiness = Type.Object({
  status: AssessmentStatus,
  ...optional({
    required_event_types: Type.Array(EventType, { minItems: 1 }),
    missing_event_types: Type.Array(EventType),
    issues: Type.Array(DiagnosticIssue),
    notes: Text,
  }),
})

export const CancellationPolicy = Type.Object({
  notice_period: Duration,
  cancellation_fee: ruled(
    Type.Object({
      type: choice("percent_remaining full_commitment fixed_fee none"),
      ...optional({ rate: Fraction, amount: Amount }),
    }),
    when(Type.Object({ type: Type.Literal("percent_remaining") }), has("rate")),
    when(Type.Object({ type: Type.Literal("fixed_fee") }), has("amount")),
  ),
})
