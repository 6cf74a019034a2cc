import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { BrandRef } from "../brand.ts"
import { AvailableMetric, EventType, ReachUnit, ReportingFrequency, ViewabilityStandard } from "../vocabulary.ts"
import { PostalAreaSupport } from "./postal.ts"

export const VendorMetricId = Type.String({ minLength: 1, maxLength: 64, pattern: "^[a-z][a-z0-9_]*$" })

const VendorMetricOptimizationSupportedMetric = Type.Object(
  {
    vendor: BrandRef,
    metric_id: VendorMetricId,
    ...s.optional({ supported_targets: s.unique(s.choice("cost_per threshold_rate")) }),
  },
  s.closed,
)

export const VendorMetricOptimization = Type.Object({
  supported_metrics: s.unique(VendorMetricOptimizationSupportedMetric),
})

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

const DiagnosticIssue = Type.Object({ severity: s.choice("error warning info"), message: s.Text })

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

const Metros = s.partial(s.fields(s.Flag, "nielsen_dma uk_itl1 uk_itl2 eurostat_nuts2 custom"), s.closed)

const GeoBreakdownSupport = s.partial(
  { country: s.Flag, region: s.Flag, metro: Metros, postal_area: PostalAreaSupport },
  s.closed,
)

const MeasurementWindow = Type.Object({
  window_id: Type.String({ maxLength: 50 }),
  duration_days: s.Whole,
  ...s.optional({
    description: Type.String({ maxLength: 500 }),
    expected_availability_days: s.Whole,
    is_guarantee_basis: s.Flag,
  }),
})

export const ReportingCapabilities = Type.Object({
  available_reporting_frequencies: s.nonEmptySet(ReportingFrequency),
  expected_delay_minutes: s.Whole,
  timezone: s.Text,
  supports_webhooks: s.Flag,
  available_metrics: s.unique(AvailableMetric),
  date_range_support: s.choice("date_range lifetime_only"),
  ...s.optional({
    vendor_metrics: Type.Array(Type.Object({ vendor: BrandRef, metric_id: VendorMetricId }, s.closed)),
    supports_creative_breakdown: s.Flag,
    supports_keyword_breakdown: s.Flag,
    supports_geo_breakdown: GeoBreakdownSupport,
    ...s.fields(
      s.Flag,
      "supports_device_type_breakdown supports_device_platform_breakdown supports_audience_breakdown",
      "supports_placement_breakdown",
    ),
    windowed_pull_granularities: s.unique(ReportingFrequency),
    measurement_windows: s.nonEmptySet(MeasurementWindow),
  }),
})

export const MetricOptimization = Type.Object({
  supported_metrics: s.nonEmpty(
    s.choice(
      "clicks views completed_views viewed_seconds attention_seconds attention_score engagements follows saves",
      "profile_visits reach",
    ),
  ),
  ...s.optional({
    supported_reach_units: s.nonEmpty(ReachUnit),
    supported_view_durations: Type.Array(s.Positive),
    supported_targets: Type.Array(s.choice("cost_per threshold_rate")),
  }),
})

export const ConversionTracking = s.partial({
  action_sources: s.nonEmpty(s.choice("website app offline phone_call chat email in_store system_generated other")),
  supported_targets: s.nonEmpty(s.choice("cost_per per_ad_spend maximize_value")),
  platform_managed: s.Flag,
})

export const CatalogMatch = Type.Object({
  submitted_count: s.Whole,
  ...s.optional({
    matched_gtins: Type.Array(Type.String({ pattern: "^[0-9]{8,14}$" })),
    matched_ids: Type.Array(s.Text),
    matched_count: s.Whole,
  }),
})
