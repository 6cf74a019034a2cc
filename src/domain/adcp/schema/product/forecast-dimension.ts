import { Type } from "@sinclair/typebox"
import {
  Country,
  choice,
  closed,
  Domain,
  Flag,
  has,
  Identifier,
  optional,
  ruled,
  Text,
  when,
} from "../../../schema/schema-helpers.ts"
import { AudienceSource, DevicePlatform, DeviceType, GeoLevel, LegacyPostalSystem, MetroSystem } from "../vocabulary.ts"
import { PostalCountrySystem } from "./postal.ts"
import { SignalRef } from "./signal.ts"

export const PlacementRef = Type.Object({ placement_id: Text, ...optional({ publisher_domain: Domain }) })

export const ForecastDimensionGeo = ruled(
  Type.Object(
    {
      kind: Type.Literal("geo"),
      geo_level: GeoLevel,
      geo_code: Text,
      ...optional({ system: Text, country: Country, geo_name: Text }),
    },
    closed,
  ),
  when(
    Type.Object({ geo_level: Type.Literal("country") }),
    ruled(Type.Object(optional({ geo_code: Country })), Type.Not(Type.Union([has("system"), has("country")]))),
  ),
  when(
    Type.Object({ geo_level: Type.Literal("region") }),
    ruled(
      Type.Object(optional({ geo_code: Type.String({ pattern: "^[A-Z]{2}-[A-Z0-9]{1,3}$" }) })),
      Type.Not(Type.Union([has("system"), has("country")])),
    ),
  ),
  when(
    Type.Object({ geo_level: Type.Literal("metro") }),
    ruled(Type.Object({ system: MetroSystem }), Type.Not(has("country"))),
  ),
  when(
    Type.Object({ geo_level: Type.Literal("postal_area") }),
    Type.Union([PostalCountrySystem, ruled(Type.Object({ system: LegacyPostalSystem }), Type.Not(has("country")))]),
  ),
)

export const ForecastDimensionPlacement = Type.Object(
  { kind: Type.Literal("placement"), placement_ref: PlacementRef, ...optional({ placement_name: Text }) },
  closed,
)

export const ForecastDimensionDeviceType = Type.Object(
  { kind: Type.Literal("device_type"), device_type: DeviceType },
  closed,
)

export const ForecastDimensionDevicePlatform = Type.Object(
  { kind: Type.Literal("device_platform"), device_platform: DevicePlatform },
  closed,
)

export const ForecastDimensionAudience = Type.Object(
  {
    kind: Type.Literal("audience"),
    audience_id: Text,
    audience_source: AudienceSource,
    ...optional({ audience_name: Text }),
  },
  closed,
)

export const ForecastDimensionSignal = ruled(
  Type.Object(
    {
      kind: Type.Literal("signal"),
      presence: choice("present absent"),
      ...optional({
        signal_ref: SignalRef,
        signal_id: Identifier,
        signal_value: Type.Union([Text, Type.Number(), Flag, Type.Null()]),
        signal_name: Text,
        signal_value_name: Text,
      }),
    },
    closed,
  ),
  when(Type.Object({ presence: Type.Literal("absent") }), Type.Object({ signal_value: Type.Null() })),
  when(
    Type.Object({ presence: Type.Literal("present") }),
    Type.Object(optional({ signal_value: Type.Union([Text, Type.Number(), Flag]) })),
  ),
  Type.Union([has("signal_ref"), has("signal_id")]),
)

export const ForecastPointDimensions = Type.Array(
  Type.Union([
    ForecastDimensionGeo,
    ForecastDimensionPlacement,
    ForecastDimensionDeviceType,
    ForecastDimensionDevicePlatform,
    ForecastDimensionAudience,
    ForecastDimensionSignal,
  ]),
  { minItems: 1, uniqueItems: true },
)
