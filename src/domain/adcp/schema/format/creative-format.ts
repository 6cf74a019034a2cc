import { type Static, type TLiteral, type TObject, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { VendorPricingOption } from "../product/signal.ts"
import * as words from "../vocabulary.ts"
import { CanonicalProjectionRef, PlatformExtensionRef } from "./canonical.ts"
import { PARAMS_BY_KIND } from "./canonical-params.ts"
import { FormatAsset } from "./creative-asset.ts"
import { FormatRef } from "./format-id.ts"

const common = s.optional({
  format_option_id: s.Text,
  publisher_domain: s.Domain,
  display_name: s.Text,
  applies_to_channels: s.unique(words.Channel),
  seller_preference: s.choice("preferred accepted discouraged"),
  ...s.fields(s.Flag, "canonical_formats_only experimental"),
  v1_format_ref: s.nonEmpty(FormatRef),
})

const canonicalOnly = Type.Object({ canonical_formats_only: Type.Literal(true) })
const notBoth = Type.Not(Type.Intersect([canonicalOnly, s.has("v1_format_ref")]), {
  sentence: "canonical_formats_only and v1_format_ref exclude each other",
})
const noCapability = s.hasNone("capability_id")

type Kinds = typeof PARAMS_BY_KIND
type Declared = {
  [Kind in keyof Kinds]: Static<TObject<{ format_kind: TLiteral<Kind>; params: Kinds[Kind] } & typeof common>>
}[keyof Kinds]

const declarations = Object.entries(PARAMS_BY_KIND).map(([kind, params]) =>
  s.ruled(
    Type.Object({ format_kind: Type.Literal(kind), params, ...common }),
    notBoth,
    noCapability,
    s.hasNone("format_shape", "format_schema"),
  ),
)

const CustomDeclaration = s.ruled(
  s.object({
    format_kind: "custom",
    params: s.AnyObject,
    format_shape: s.Text,
    format_schema: PlatformExtensionRef,
    ...common,
  }),
  notBoth,
  noCapability,
  Type.Union([canonicalOnly, s.has("v1_format_ref")], {
    sentence: "a custom format needs v1_format_ref or canonical_formats_only",
  }),
)

/** A format that a product accepts, as one of the protocol's canonical kinds. */
export const ProductFormatDeclaration = Type.Unsafe<Declared | Static<typeof CustomDeclaration>>(
  Type.Union([...declarations, CustomDeclaration]),
)

const Dimensions = s.partial({
  ...s.fields(s.Positive, "width height min_width min_height max_width max_height"),
  unit: words.DimensionUnit,
  responsive: Type.Object({ width: s.Flag, height: s.Flag }),
  aspect_ratio: s.Ratio,
})
export type Dimensions = Static<typeof Dimensions>

const Render = s.ruled(
  s.object({ role: s.Text, "dimensions?": Dimensions, "parameters_from_format_id?": Type.Literal(true) }),
  s.hasAny("dimensions", "parameters_from_format_id"),
  Type.Not(s.has("dimensions", "parameters_from_format_id")),
)

const Card = Type.Object({ format_id: FormatRef, manifest: s.AnyObject })

const DisclosureCapability = Type.Object({
  position: words.DisclosurePosition,
  persistence: s.nonEmptySet(words.DisclosurePersistence),
})

/** A creative format as the operator writes it: AdCP's own, except that a format_id may leave out our own agent_url. */
export const CreativeFormat = s.ruled(
  s.object({
    format_id: FormatRef,
    name: s.Text,
    "description?": s.Text,
    "example_url?": s.Url,
    "accepts_parameters?": s.unique(s.choice("dimensions duration")),
    "renders?": s.nonEmpty(Render),
    "assets?": Type.Array(FormatAsset),
    "delivery?": s.AnyObject,
    "supported_macros?": Type.Array(s.Text),
    ...s.fields(Type.Array(FormatRef), "input_format_ids? output_format_ids?"),
    ...s.fields(Card, "format_card? format_card_detailed?"),
    "accessibility?": s.object({ wcag_level: words.WcagLevel, "requires_accessible_assets?": s.Flag }),
    "supported_disclosure_positions?": s.nonEmptySet(words.DisclosurePosition),
    "disclosure_capabilities?": s.nonEmpty(DisclosureCapability),
    "reported_metrics?": s.nonEmptySet(words.AvailableMetric),
    "pricing_options?": s.nonEmpty(VendorPricingOption),
    "canonical?": CanonicalProjectionRef,
    "canonical_parameters?": ProductFormatDeclaration,
  }),
  s.when(s.has("canonical_parameters"), s.has("canonical")),
)
export type CreativeFormat = Static<typeof CreativeFormat>
