import { Type } from "@sinclair/typebox"
import * as s from "../../schema/build.ts"
import * as v from "../../schema/values.ts"
import { BrandRef } from "./brand.ts"
import { AvailableMetric, ReportingFrequency, ViewabilityStandard } from "./vocabulary.ts"

const VendorMetric = s.object({
  vendor: BrandRef,
  metric_id: Type.String({ minLength: 1, maxLength: 64, pattern: "^[a-z][a-z0-9_]*$" }),
})

export const PerformanceMetric = s.choice("viewability ivt completion_rate brand_safety attention_score")

export const PerformanceStandard = s.object({
  metric: PerformanceMetric,
  threshold: v.Fraction,
  vendor: BrandRef,
  "standard?": ViewabilityStandard,
})

const Duration = s.object({ interval: v.AtLeastOne, unit: "seconds minutes hours days campaign" })

export const CancellationPolicy = Type.Object({
  notice_period: Duration,
  cancellation_fee: s.ruled(
    s.object({ type: "percent_remaining full_commitment fixed_fee none", "rate?": v.Fraction, "amount?": v.Amount }),
    s.when(s.is("type", "percent_remaining"), s.has("rate")),
    s.when(s.is("type", "fixed_fee"), s.has("amount")),
  ),
})

/** What the operator reports about a campaign, and how often. */
export const ReportingCapabilities = s.object({
  available_reporting_frequencies: s.nonEmptySet(ReportingFrequency),
  expected_delay_minutes: v.Whole,
  timezone: v.Text,
  supports_webhooks: v.Flag,
  available_metrics: s.unique(AvailableMetric),
  date_range_support: "date_range lifetime_only",
  "vendor_metrics?": Type.Array(VendorMetric),
  ...s.fields(
    v.Flag,
    "supports_creative_breakdown? supports_keyword_breakdown? supports_device_type_breakdown?",
    "supports_device_platform_breakdown? supports_audience_breakdown? supports_placement_breakdown?",
  ),
})
