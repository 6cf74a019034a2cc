import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { DevicePlatform, GeoLevel, LegacyPostalSystem, MetroSystem } from "../vocabulary.ts"
import { PostalCountrySystem } from "./postal.ts"
import { SignalRef } from "./signal.ts"

export const PlacementRef = Type.Object({ placement_id: s.Text, ...s.optional({ publisher_domain: s.Domain }) })

export const ForecastDimensionGeo = s.ruled(
  Type.Object(
    {
      kind: Type.Literal("geo"),
      geo_level: GeoLevel,
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
  s.when(s.is("geo_level", "metro"), s.ruled(Type.Object({ system: MetroSystem }), s.hasNone("country"))),
  s.when(
    s.is("geo_level", "postal_area"),
    Type.Union([PostalCountrySystem, s.ruled(Type.Object({ system: LegacyPostalSystem }), s.hasNone("country"))]),
  ),
)

export const ForecastDimensionPlacement = Type.Object(
  { kind: Type.Literal("placement"), placement_ref: PlacementRef, ...s.optional({ placement_name: s.Text }) },
  s.closed,
)

export const ForecastDimensionDeviceType = Type.Object(
  { kind: Type.Literal("device_type"), device_type: s.choice("desktop mobile tablet ctv dooh unknown") },
  s.closed,
)

export const ForecastDimensionDevicePlatform = Type.Object(
  { kind: Type.Literal("device_platform"), device_platform: DevicePlatform },
  s.closed,
)

export const ForecastDimensionAudience = Type.Object(
  {
    kind: Type.Literal("audience"),
    audience_id: s.Text,
    audience_source: s.choice("synced platform third_party lookalike retargeting unknown"),
    ...s.optional({ audience_name: s.Text }),
  },
  s.closed,
)

export const ForecastDimensionSignal = s.ruled(
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

export const ForecastPointDimensions = s.nonEmptySet(
  Type.Union([
    ForecastDimensionGeo,
    ForecastDimensionPlacement,
    ForecastDimensionDeviceType,
    ForecastDimensionDevicePlatform,
    ForecastDimensionAudience,
    ForecastDimensionSignal,
  ]),
)
