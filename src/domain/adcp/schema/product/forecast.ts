import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { BrandRef } from "../brand.ts"
import { DemographicSystem, ReachUnit, ViewabilityStandard } from "../vocabulary.ts"
import { ForecastPointDimensions } from "./forecast-dimension.ts"
import { VendorMetricId } from "./vendor-metric.ts"

export const ForecastRange = s.ruled(
  s.partial(s.fields(s.Amount, "low mid high")),
  Type.Union([s.has("mid"), s.has("low", "high")]),
)

const ForecastRate = Type.Intersect([ForecastRange, s.partial(s.fields(Type.Number({ maximum: 1 }), "low mid high"))])

export const ForecastVendorMetricValue = Type.Object(
  {
    vendor: BrandRef,
    metric_id: VendorMetricId,
    value: ForecastRange,
    ...s.optional({ unit: s.Text, measurable_impressions: ForecastRange, breakdown: s.AnyObject }),
  },
  s.closed,
)

export const ForecastPoint = Type.Object({
  metrics: s.partial(
    {
      ...s.fields(
        ForecastRange,
        "audience_size reach frequency impressions clicks spend views completed_views grps engagements",
        "follows saves profile_visits measured_impressions downloads plays",
      ),
      coverage_rate: ForecastRate,
    },
    { additionalProperties: ForecastRange },
  ),
  ...s.optional({
    label: Type.String({ maxLength: 128 }),
    budget: s.Amount,
    product_id: s.Text,
    dimensions: ForecastPointDimensions,
    viewability: s.ruled(
      s.partial({
        vendor: BrandRef,
        ...s.fields(ForecastRange, "measurable_impressions viewable_impressions viewed_seconds"),
        viewable_rate: ForecastRate,
        standard: ViewabilityStandard,
      }),
      Type.Union([
        s.hasNone("measurable_impressions", "viewable_impressions", "viewable_rate", "viewed_seconds"),
        s.has("standard"),
      ]),
    ),
    vendor_metric_values: Type.Array(ForecastVendorMetricValue),
  }),
})

export const DeliveryForecast = Type.Object({
  points: s.nonEmpty(ForecastPoint),
  method: s.choice("estimate modeled guaranteed"),
  currency: s.Text,
  ...s.optional({
    forecast_range_unit: s.choice("spend availability reach_freq weekly daily clicks conversions package"),
    demographic_system: DemographicSystem,
    demographic: s.Text,
    measurement_source: Type.String({ maxLength: 64, pattern: "^[a-z0-9_]+$" }),
    reach_unit: ReachUnit,
    generated_at: s.Timestamp,
    valid_until: s.Timestamp,
    ext: s.Ext,
  }),
})
