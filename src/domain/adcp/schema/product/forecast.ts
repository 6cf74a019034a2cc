import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { BrandRef } from "../brand.ts"
import * as words from "../vocabulary.ts"
import { VendorMetricId } from "./measurement.ts"
import { PostalCountrySystem } from "./postal.ts"
import { SignalRef } from "./signal.ts"

const Region = Type.String({ pattern: "^[A-Z]{2}-[A-Z0-9]{1,3}$" })

const Geo = s.ruled(
  s.closed({
    kind: "geo",
    geo_level: words.GeoLevel,
    ...s.fields(s.Text, "geo_code system?"),
    "country?": s.Country,
    "geo_name?": s.Text,
  }),
  s.when(s.is("geo_level", "country"), s.ruled(s.partial({ geo_code: s.Country }), s.hasNone("system", "country"))),
  s.when(s.is("geo_level", "region"), s.ruled(s.partial({ geo_code: Region }), s.hasNone("system", "country"))),
  s.when(s.is("geo_level", "metro"), s.ruled(Type.Object({ system: words.MetroSystem }), s.hasNone("country"))),
  s.when(
    s.is("geo_level", "postal_area"),
    Type.Union([PostalCountrySystem, s.ruled(Type.Object({ system: words.LegacyPostalSystem }), s.hasNone("country"))]),
  ),
)

const Known = Type.Union([s.Text, Type.Number(), s.Flag])

const Signal = s.ruled(
  s.closed({
    kind: "signal",
    presence: "present absent",
    "signal_ref?": SignalRef,
    "signal_id?": s.Identifier,
    "signal_value?": Type.Union([...Known.anyOf, Type.Null()]),
    ...s.fields(s.Text, "signal_name? signal_value_name?"),
  }),
  s.when(s.is("presence", "absent"), Type.Object({ signal_value: Type.Null() })),
  s.when(s.is("presence", "present"), s.partial({ signal_value: Known })),
  s.hasAny("signal_ref", "signal_id"),
)

const Dimension = Type.Union([
  Geo,
  s.closed({
    kind: "placement",
    placement_ref: s.object({ placement_id: s.Text, "publisher_domain?": s.Domain }),
    "placement_name?": s.Text,
  }),
  s.closed({ kind: "device_type", device_type: "desktop mobile tablet ctv dooh unknown" }),
  s.closed({ kind: "device_platform", device_platform: words.DevicePlatform }),
  s.closed({
    kind: "audience",
    audience_id: s.Text,
    audience_source: "synced platform third_party lookalike retargeting unknown",
    "audience_name?": s.Text,
  }),
  Signal,
])

const ForecastRange = s.ruled(
  s.partial(s.fields(s.Amount, "low mid high")),
  Type.Union([s.has("mid"), s.has("low", "high")]),
)

const ForecastRate = Type.Intersect([ForecastRange, s.partial(s.fields(Type.Number({ maximum: 1 }), "low mid high"))])

const ForecastVendorMetricValue = s.closed({
  vendor: BrandRef,
  metric_id: VendorMetricId,
  value: ForecastRange,
  "unit?": s.Text,
  "measurable_impressions?": ForecastRange,
  "breakdown?": s.AnyObject,
})

const ForecastPoint = s.object({
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
  "label?": Type.String({ maxLength: 128 }),
  "budget?": s.Amount,
  "product_id?": s.Text,
  "dimensions?": s.nonEmptySet(Dimension),
  "viewability?": s.ruled(
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
  "vendor_metric_values?": Type.Array(ForecastVendorMetricValue),
})

export const DeliveryForecast = s.object({
  points: s.nonEmpty(ForecastPoint),
  method: "estimate modeled guaranteed",
  currency: s.Text,
  "forecast_range_unit?": "spend availability reach_freq weekly daily clicks conversions package",
  "demographic_system?": words.DemographicSystem,
  "demographic?": s.Text,
  "measurement_source?": Type.String({ maxLength: 64, pattern: "^[a-z0-9_]+$" }),
  "reach_unit?": words.ReachUnit,
  ...s.fields(s.Timestamp, "generated_at? valid_until?"),
  "ext?": s.Ext,
})
