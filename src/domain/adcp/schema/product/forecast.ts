import { Type } from "@sinclair/typebox"
import {
  Amount,
  AnyObject,
  closed,
  Ext,
  has,
  optional,
  ruled,
  Text,
  Timestamp,
} from "../../../schema/schema-helpers.ts"
import { BrandRef } from "../brand.ts"
import { DemographicSystem, ForecastMethod, ForecastRangeUnit, ReachUnit, ViewabilityStandard } from "../vocabulary.ts"
import { ForecastPointDimensions } from "./forecast-dimension.ts"
import { VendorMetricId } from "./vendor-metric.ts"

export const ForecastRange = ruled(
  Type.Object(optional({ low: Amount, mid: Amount, high: Amount })),
  Type.Union([has("mid"), has("low", "high")]),
)

export const ForecastVendorMetricValue = Type.Object(
  {
    vendor: BrandRef,
    metric_id: VendorMetricId,
    value: ForecastRange,
    ...optional({ unit: Text, measurable_impressions: ForecastRange, breakdown: AnyObject }),
  },
  closed,
)

export const ForecastPoint = Type.Object({
  metrics: Type.Object(
    optional({
      audience_size: ForecastRange,
      reach: ForecastRange,
      frequency: ForecastRange,
      impressions: ForecastRange,
      clicks: ForecastRange,
      spend: ForecastRange,
      views: ForecastRange,
      completed_views: ForecastRange,
      grps: ForecastRange,
      engagements: ForecastRange,
      follows: ForecastRange,
      saves: ForecastRange,
      profile_visits: ForecastRange,
      measured_impressions: ForecastRange,
      downloads: ForecastRange,
      plays: ForecastRange,
      coverage_rate: Type.Intersect([
        ForecastRange,
        Type.Object(
          optional({
            low: Type.Number({ maximum: 1 }),
            mid: Type.Number({ maximum: 1 }),
            high: Type.Number({ maximum: 1 }),
          }),
        ),
      ]),
    }),
    { additionalProperties: ForecastRange },
  ),
  ...optional({
    label: Type.String({ maxLength: 128 }),
    budget: Amount,
    product_id: Text,
    dimensions: ForecastPointDimensions,
    viewability: ruled(
      Type.Object(
        optional({
          vendor: BrandRef,
          measurable_impressions: ForecastRange,
          viewable_impressions: ForecastRange,
          viewable_rate: Type.Intersect([
            ForecastRange,
            Type.Object(
              optional({
                low: Type.Number({ maximum: 1 }),
                mid: Type.Number({ maximum: 1 }),
                high: Type.Number({ maximum: 1 }),
              }),
            ),
          ]),
          viewed_seconds: ForecastRange,
          standard: ViewabilityStandard,
        }),
      ),
      Type.Union([
        Type.Not(
          Type.Union([
            has("measurable_impressions"),
            has("viewable_impressions"),
            has("viewable_rate"),
            has("viewed_seconds"),
          ]),
        ),
        has("standard"),
      ]),
    ),
    vendor_metric_values: Type.Array(ForecastVendorMetricValue),
  }),
})

export const DeliveryForecast = Type.Object({
  points: Type.Array(ForecastPoint, { minItems: 1 }),
  method: ForecastMethod,
  currency: Text,
  ...optional({
    forecast_range_unit: ForecastRangeUnit,
    demographic_system: DemographicSystem,
    demographic: Text,
    measurement_source: Type.String({ maxLength: 64, pattern: "^[a-z0-9_]+$" }),
    reach_unit: ReachUnit,
    generated_at: Timestamp,
    valid_until: Timestamp,
    ext: Ext,
  }),
})
