import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { BrandRef } from "../brand.ts"
import * as words from "../vocabulary.ts"
import { VendorMetricId } from "./measurement.ts"
import { PostalCountrySystem } from "./postal.ts"
import { SignalRef } from "./signal.ts"

const PlacementRef = Type.Object({ placement_id: s.Text, ...s.optional({ publisher_domain: s.Domain }) })

const ForecastDimensionGeo = s.ruled(
  Type.Object(
    {
      kind: Type.Literal("geo"),
      geo_level: words.GeoLevel,
      geo_code: s.Text,
      ...s.optional({ system: s.Text, country: s.Country, geo_name: s.Text }),
    },
    s.closed,
  ),
  s.when(s.is("geo_level", "country"), s.ruled(s.partial({ geo_code: s.Country }), s.hasNone("system", "country"))),
  s.when(
    s.is("geo_level", "region"),
    s.ruled(
      s.partial({ geo_code: Type.String({ pattern: "^[A-Z]{2}-[A-Z0-9]{1,3}$" }) }),
      s.hasNone("system", "country"),
    ),
  ),
  s.when(s.is("geo_level", "metro"), s.ruled(Type.Object({ system: words.MetroSystem }), s.hasNone("country"))),
  s.when(
    s.is("geo_level", "postal_area"),
    Type.Union([PostalCountrySystem, s.ruled(Type.Object({ system: words.LegacyPostalSystem }), s.hasNone("country"))]),
  ),
)

const ForecastDimensionPlacement = Type.Object(
  { kind: Type.Literal("placement"), placement_ref: PlacementRef, ...s.optional({ placement_name: s.Text }) },
  s.closed,
)

const ForecastDimensionDeviceType = Type.Object(
  { kind: Type.Literal("device_type"), device_type: s.choice("desktop mobile tablet ctv dooh unknown") },
  s.closed,
)

const ForecastDimensionDevicePlatform = Type.Object(
  { kind: Type.Literal("device_platform"), device_platform: words.DevicePlatform },
  s.closed,
)

const ForecastDimensionAudience = Type.Object(
  {
    kind: Type.Literal("audience"),
    audience_id: s.Text,
    audience_source: s.choice("synced platform third_party lookalike retargeting unknown"),
    ...s.optional({ audience_name: s.Text }),
  },
  s.closed,
)

const ForecastDimensionSignal = s.ruled(
  Type.Object(
    {
      kind: Type.Literal("signal"),
      presence: s.choice("present absent"),
      ...s.optional({
        signal_ref: SignalRef,
        signal_id: s.Identifier,
        signal_value: Type.Union([s.Text, Type.Number(), s.Flag, Type.Null()]),
        signal_name: s.Text,
        signal_value_name: s.Text,
      }),
    },
    s.closed,
  ),
  s.when(s.is("presence", "absent"), Type.Object({ signal_value: Type.Null() })),
  s.when(s.is("presence", "present"), s.partial({ signal_value: Type.Union([s.Text, Type.Number(), s.Flag]) })),
  s.hasAny("signal_ref", "signal_id"),
)

const ForecastPointDimensions = s.nonEmptySet(
  Type.Union([
    ForecastDimensionGeo,
    ForecastDimensionPlacement,
    ForecastDimensionDeviceType,
    ForecastDimensionDevicePlatform,
    ForecastDimensionAudience,
    ForecastDimensionSignal,
  ]),
)

const ForecastRange = s.ruled(
  s.partial(s.fields(s.Amount, "low mid high")),
  Type.Union([s.has("mid"), s.has("low", "high")]),
)

const ForecastRate = Type.Intersect([ForecastRange, s.partial(s.fields(Type.Number({ maximum: 1 }), "low mid high"))])

const ForecastVendorMetricValue = Type.Object(
  {
    vendor: BrandRef,
    metric_id: VendorMetricId,
    value: ForecastRange,
    ...s.optional({ unit: s.Text, measurable_impressions: ForecastRange, breakdown: s.AnyObject }),
  },
  s.closed,
)

const ForecastPoint = Type.Object({
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
        standard: words.ViewabilityStandard,
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
    demographic_system: words.DemographicSystem,
    demographic: s.Text,
    measurement_source: Type.String({ maxLength: 64, pattern: "^[a-z0-9_]+$" }),
    reach_unit: words.ReachUnit,
    generated_at: s.Timestamp,
    valid_until: s.Timestamp,
    ext: s.Ext,
  }),
})
