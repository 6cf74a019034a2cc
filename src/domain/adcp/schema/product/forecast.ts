import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import * as words from "../vocabulary.ts"

const Region = Type.String({ pattern: "^[A-Z]{2}-[A-Z0-9]{1,3}$" })

const Geo = s.ruled(
  s.object({
    kind: "geo",
    geo_level: "country region metro",
    ...s.fields(s.Text, "geo_code system? geo_name?"),
  }),
  s.when(s.is("geo_level", "country"), s.ruled(s.partial({ geo_code: s.Country }), s.hasNone("system", "country"))),
  s.when(s.is("geo_level", "region"), s.ruled(s.partial({ geo_code: Region }), s.hasNone("system", "country"))),
  s.when(s.is("geo_level", "metro"), s.ruled(Type.Object({ system: words.MetroSystem }), s.hasNone("country"))),
)

const Stored = s.object({ kind: "geo placement device_type device_platform audience signal" }, { unsupported: true })

const ForecastRange = s.ruled(
  s.partial(s.fields(s.Amount, "low mid high")),
  Type.Union([s.has("mid"), s.has("low", "high")]),
)

const ForecastRate = Type.Intersect([ForecastRange, s.partial(s.fields(Type.Number({ maximum: 1 }), "low mid high"))])

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
  "dimensions?": s.nonEmptySet(Type.Union([Geo, Stored])),
})

export const DeliveryForecast = s.object({
  points: s.nonEmpty(ForecastPoint),
  method: "estimate modeled guaranteed",
  currency: s.Text,
  "forecast_range_unit?": "spend availability reach_freq weekly daily clicks conversions package",
  "reach_unit?": words.ReachUnit,
  ...s.fields(s.Timestamp, "generated_at? valid_until?"),
  "ext?": s.Ext,
})
