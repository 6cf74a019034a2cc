import { type Static, Type } from "@sinclair/typebox"
import {
  AnyObject,
  Flag,
  has,
  optional,
  Positive,
  Ratio,
  ruled,
  Text,
  Url,
  when,
} from "../../../schema/schema-helpers.ts"
import { VendorPricingOption } from "../product/signal-price.ts"
import {
  AvailableMetric,
  DimensionUnit,
  DisclosurePersistence,
  DisclosurePosition,
  FormatIdParameter,
  WcagLevel,
} from "../vocabulary.ts"
import { CanonicalProjectionRef } from "./canonical-projection.ts"
import { FormatAsset } from "./creative-asset.ts"
import { ProductFormatDeclaration } from "./format-declaration.ts"
import { FormatRef } from "./format-id.ts"

const someUnique = { minItems: 1, uniqueItems: true } as const

const Dimensions = Type.Object(
  optional({
    width: Positive,
    height: Positive,
    min_width: Positive,
    min_height: Positive,
    max_width: Positive,
    max_height: Positive,
    unit: DimensionUnit,
    responsive: Type.Object({ width: Flag, height: Flag }),
    aspect_ratio: Ratio,
  }),
)
export type Dimensions = Static<typeof Dimensions>

const Render = ruled(
  Type.Object({
    role: Text,
    ...optional({ dimensions: Dimensions, parameters_from_format_id: Type.Literal(true) }),
  }),
  Type.Union([has("dimensions"), has("parameters_from_format_id")]),
  Type.Not(has("dimensions", "parameters_from_format_id")),
)

const Card = Type.Object({ format_id: FormatRef, manifest: AnyObject })

const DisclosureCapability = Type.Object({
  position: DisclosurePosition,
  persistence: Type.Array(DisclosurePersistence, someUnique),
})

/** A creative format as the operator writes it: AdCP's own, except that a format_id may leave out our own agent_url. */
export const CreativeFormat = ruled(
  Type.Object({
    format_id: FormatRef,
    name: Text,
    ...optional({
      description: Text,
      example_url: Url,
      accepts_parameters: Type.Array(FormatIdParameter, { uniqueItems: true }),
      renders: Type.Array(Render, { minItems: 1 }),
      assets: Type.Array(FormatAsset),
      delivery: AnyObject,
      supported_macros: Type.Array(Text),
      input_format_ids: Type.Array(FormatRef),
      output_format_ids: Type.Array(FormatRef),
      format_card: Card,
      format_card_detailed: Card,
      accessibility: Type.Object({ wcag_level: WcagLevel, ...optional({ requires_accessible_assets: Flag }) }),
      supported_disclosure_positions: Type.Array(DisclosurePosition, someUnique),
      disclosure_capabilities: Type.Array(DisclosureCapability, { minItems: 1 }),
      reported_metrics: Type.Array(AvailableMetric, someUnique),
      pricing_options: Type.Array(VendorPricingOption, { minItems: 1 }),
      canonical: CanonicalProjectionRef,
      canonical_parameters: ProductFormatDeclaration,
    }),
  }),
  when(has("canonical_parameters"), has("canonical")),
)
export type CreativeFormat = Static<typeof CreativeFormat>
