import { Type } from "@sinclair/typebox"
import { choice, closed, Flag, optional, Text, Whole } from "../../../schema/schema-helpers.ts"
import { BrandRef } from "../brand.ts"
import { AvailableMetric, ReportingFrequency } from "../vocabulary.ts"
import { PostalAreaSupport } from "./postal.ts"
import { VendorMetricId } from "./vendor-metric.ts"

const Metros = Type.Object(
  optional({ nielsen_dma: Flag, uk_itl1: Flag, uk_itl2: Flag, eurostat_nuts2: Flag, custom: Flag }),
  closed,
)

export const GeoBreakdownSupport = Type.Object(
  optional({ country: Flag, region: Flag, metro: Metros, postal_area: PostalAreaSupport }),
  closed,
)

export const MeasurementWindow = Type.Object({
  window_id: Type.String({ maxLength: 50 }),
  duration_days: Whole,
  ...optional({
    description: Type.String({ maxLength: 500 }),
    expected_availability_days: Whole,
    is_guarantee_basis: Flag,
  }),
})

export const ReportingCapabilities = Type.Object({
  available_reporting_frequencies: Type.Array(ReportingFrequency, { minItems: 1, uniqueItems: true }),
  expected_delay_minutes: Whole,
  timezone: Text,
  supports_webhooks: Flag,
  available_metrics: Type.Array(AvailableMetric, { uniqueItems: true }),
  date_range_support: choice("date_range lifetime_only"),
  ...optional({
    vendor_metrics: Type.Array(Type.Object({ vendor: BrandRef, metric_id: VendorMetricId }, closed)),
    supports_creative_breakdown: Flag,
    supports_keyword_breakdown: Flag,
    supports_geo_breakdown: GeoBreakdownSupport,
    supports_device_type_breakdown: Flag,
    supports_device_platform_breakdown: Flag,
    supports_audience_breakdown: Flag,
    supports_placement_breakdown: Flag,
    windowed_pull_granularities: Type.Array(ReportingFrequency, { uniqueItems: true }),
    measurement_windows: Type.Array(MeasurementWindow, { minItems: 1, uniqueItems: true }),
  }),
})
