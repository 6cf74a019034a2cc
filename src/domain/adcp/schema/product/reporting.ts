import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { BrandRef } from "../brand.ts"
import { AvailableMetric, ReportingFrequency } from "../vocabulary.ts"
import { PostalAreaSupport } from "./postal.ts"
import { VendorMetricId } from "./vendor-metric.ts"

const Metros = s.partial(s.fields(s.Flag, "nielsen_dma uk_itl1 uk_itl2 eurostat_nuts2 custom"), s.closed)

export const GeoBreakdownSupport = s.partial(
  { country: s.Flag, region: s.Flag, metro: Metros, postal_area: PostalAreaSupport },
  s.closed,
)

export const MeasurementWindow = Type.Object({
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
    supports_device_type_breakdown: s.Flag,
    supports_device_platform_breakdown: s.Flag,
    supports_audience_breakdown: s.Flag,
    supports_placement_breakdown: s.Flag,
    windowed_pull_granularities: s.unique(ReportingFrequency),
    measurement_windows: s.nonEmptySet(MeasurementWindow),
  }),
})
