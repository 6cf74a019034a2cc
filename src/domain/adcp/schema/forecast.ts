import { Type } from "@sinclair/typebox"
import * as s from "../../schema/build.ts"
import * as v from "../../schema/values.ts"
import * as words from "./vocabulary.ts"

const Region = Type.String({ title: "a region code such as DE-BY", pattern: "^[A-Z]{2}-[A-Z0-9]{1,3}$" })

const Place = s.ruled(
  s.object({
    kind: "geo",
    geo_level: "country region metro",
    ...s.fields(v.Text, "geo_code system? geo_name?"),
  }),
  s.when(s.is("geo_level", "country"), s.ruled(s.partial({ geo_code: v.Country }), s.hasNone("system"))),
  s.when(s.is("geo_level", "region"), s.ruled(s.partial({ geo_code: Region }), s.hasNone("system"))),
  s.when(s.is("geo_level", "metro"), Type.Object({ system: words.MetroSystem })),
)

const Range = s.ruled(s.partial(s.fields(v.Amount, "low mid high")), Type.Union([s.has("mid"), s.has("low", "high")]))

const ForecastPoint = s.object({
  metrics: s.partial(
    s.fields(
      Range,
      "audience_size reach frequency impressions clicks spend views completed_views grps engagements",
      "follows saves profile_visits measured_impressions downloads plays",
    ),
  ),
  "label?": Type.String({ maxLength: 128 }),
  "budget?": v.Amount,
  "dimensions?": s.nonEmptySet(Place),
})

/** What a product is expected to deliver. */
export const DeliveryForecast = s.object({
  points: s.nonEmpty(ForecastPoint),
  method: "estimate modeled guaranteed",
  currency: v.Text,
  "forecast_range_unit?": "spend availability reach_freq weekly daily clicks conversions package",
  "reach_unit?": words.ReachUnit,
  ...s.fields(v.Timestamp, "generated_at? valid_until?"),
  "ext?": v.AnyObject,
})
