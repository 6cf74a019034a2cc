import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { VendorPricingOption } from "../product/signal-price.ts"
import { AvailableMetric, DimensionUnit, DisclosurePersistence, DisclosurePosition, WcagLevel } from "../vocabulary.ts"
import { CanonicalProjectionRef } from "./canonical-projection.ts"
import { FormatAsset } from "./creative-asset.ts"
import { ProductFormatDeclaration } from "./format-declaration.ts"
import { FormatRef } from "./format-id.ts"

const Dimensions = s.partial({
  ...s.fields(s.Positive, "width height min_width min_height max_width max_height"),
  unit: DimensionUnit,
  responsive: Type.Object({ width: s.Flag, height: s.Flag }),
  aspect_ratio: s.Ratio,
})
export type Dimensions = Static<typeof Dimensions>

const Render = s.ruled(
  Type.Object({
    role: s.Text,
    ...s.optional({ dimensions: Dimensions, parameters_from_format_id: Type.Literal(true) }),
  }),
  s.hasAny("dimensions", "parameters_from_format_id"),
  Type.Not(s.has("dimensions", "parameters_from_format_id")),
)

const Card = Type.Object({ format_id: FormatRef, manifest: s.AnyObject })

const DisclosureCapability = Type.Object({
  position: DisclosurePosition,
  persistence: s.nonEmptySet(DisclosurePersistence),
})

/** A creative format as the operator writes it: AdCP's own, except that a format_id may leave out our own agent_url. */
export const CreativeFormat = s.ruled(
  Type.Object({
    format_id: FormatRef,
    name: s.Text,
    ...s.optional({
      description: s.Text,
      example_url: s.Url,
      accepts_parameters: s.unique(s.choice("dimensions duration")),
      renders: s.nonEmpty(Render),
      assets: Type.Array(FormatAsset),
      delivery: s.AnyObject,
      supported_macros: Type.Array(s.Text),
      input_format_ids: Type.Array(FormatRef),
      output_format_ids: Type.Array(FormatRef),
      format_card: Card,
      format_card_detailed: Card,
      accessibility: Type.Object({ wcag_level: WcagLevel, ...s.optional({ requires_accessible_assets: s.Flag }) }),
      supported_disclosure_positions: s.nonEmptySet(DisclosurePosition),
      disclosure_capabilities: s.nonEmpty(DisclosureCapability),
      reported_metrics: s.nonEmptySet(AvailableMetric),
      pricing_options: s.nonEmpty(VendorPricingOption),
      canonical: CanonicalProjectionRef,
      canonical_parameters: ProductFormatDeclaration,
    }),
  }),
  s.when(s.has("canonical_parameters"), s.has("canonical")),
)
export type CreativeFormat = Static<typeof CreativeFormat>
