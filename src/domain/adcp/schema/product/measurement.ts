import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { BrandRef } from "../brand.ts"
import { AvailableMetric, EventType, ReachUnit, ReportingFrequency, ViewabilityStandard } from "../vocabulary.ts"
import { PostalAreaSupport } from "./postal.ts"

export const VendorMetricId = Type.String({ minLength: 1, maxLength: 64, pattern: "^[a-z][a-z0-9_]*$" })

const VendorMetric = { vendor: BrandRef, metric_id: VendorMetricId }
const Targets = s.choice("cost_per threshold_rate")

export const VendorMetricOptimization = Type.Object({
  supported_metrics: s.unique(s.closed({ ...VendorMetric, "supported_targets?": s.unique(Targets) })),
})

const Duration = s.closed({ interval: s.AtLeastOne, unit: "seconds minutes hours days campaign" })

export const OutcomeMeasurement = s.object({ ...s.fields(s.Text, "type attribution reporting"), "window?": Duration })

export const PerformanceMetric = s.choice("viewability ivt completion_rate brand_safety attention_score")

export const PerformanceStandard = s.object({
  metric: PerformanceMetric,
  threshold: s.Fraction,
  vendor: BrandRef,
  "standard?": ViewabilityStandard,
})

export const MeasurementTerms = s.partial({
  billing_measurement: s.object({
    vendor: BrandRef,
    "max_variance_percent?": Type.Number({ minimum: 0, exclusiveMaximum: 100 }),
    "measurement_window?": s.Text,
    "finalization_deadline_hours?": s.Whole,
  }),
  makegood_policy: Type.Object({
    available_remedies: s.nonEmptySet(s.choice("additional_delivery credit invoice_adjustment")),
  }),
})

const DiagnosticIssue = s.object({ severity: "error warning info", message: s.Text })

export const MeasurementReadiness = s.object({
  status: "insufficient minimum good excellent",
  "required_event_types?": s.nonEmpty(EventType),
  "missing_event_types?": Type.Array(EventType),
  "issues?": Type.Array(DiagnosticIssue),
  "notes?": s.Text,
})

export const CancellationPolicy = Type.Object({
  notice_period: Duration,
  cancellation_fee: s.ruled(
    s.object({ type: "percent_remaining full_commitment fixed_fee none", "rate?": s.Fraction, "amount?": s.Amount }),
    s.when(s.is("type", "percent_remaining"), s.has("rate")),
    s.when(s.is("type", "fixed_fee"), s.has("amount")),
  ),
})

const Metros = s.closed(s.optional(s.fields(s.Flag, "nielsen_dma uk_itl1 uk_itl2 eurostat_nuts2 custom")))

const GeoBreakdownSupport = s.closed(
  s.optional({ country: s.Flag, region: s.Flag, metro: Metros, postal_area: PostalAreaSupport }),
)

const MeasurementWindow = s.object({
  window_id: Type.String({ maxLength: 50 }),
  duration_days: s.Whole,
  "description?": Type.String({ maxLength: 500 }),
  "expected_availability_days?": s.Whole,
  "is_guarantee_basis?": s.Flag,
})

export const ReportingCapabilities = s.object({
  available_reporting_frequencies: s.nonEmptySet(ReportingFrequency),
  expected_delay_minutes: s.Whole,
  timezone: s.Text,
  supports_webhooks: s.Flag,
  available_metrics: s.unique(AvailableMetric),
  date_range_support: "date_range lifetime_only",
  "vendor_metrics?": Type.Array(s.closed(VendorMetric)),
  ...s.fields(s.Flag, "supports_creative_breakdown? supports_keyword_breakdown?"),
  "supports_geo_breakdown?": GeoBreakdownSupport,
  ...s.fields(
    s.Flag,
    "supports_device_type_breakdown? supports_device_platform_breakdown? supports_audience_breakdown?",
    "supports_placement_breakdown?",
  ),
  "windowed_pull_granularities?": s.unique(ReportingFrequency),
  "measurement_windows?": s.nonEmptySet(MeasurementWindow),
})

export const MetricOptimization = s.object({
  supported_metrics: s.nonEmpty(
    s.choice(
      "clicks views completed_views viewed_seconds attention_seconds attention_score engagements follows saves",
      "profile_visits reach",
    ),
  ),
  "supported_reach_units?": s.nonEmpty(ReachUnit),
  "supported_view_durations?": Type.Array(s.Positive),
  "supported_targets?": Type.Array(Targets),
})

export const ConversionTracking = s.partial({
  action_sources: s.nonEmpty(s.choice("website app offline phone_call chat email in_store system_generated other")),
  supported_targets: s.nonEmpty(s.choice("cost_per per_ad_spend maximize_value")),
  platform_managed: s.Flag,
})

export const CatalogMatch = s.object({
  submitted_count: s.Whole,
  "matched_gtins?": Type.Array(Type.String({ pattern: "^[0-9]{8,14}$" })),
  "matched_ids?": Type.Array(s.Text),
  "matched_count?": s.Whole,
})
