import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../schema/build.ts"
import * as v from "../../schema/values.ts"
import { FormatAsset } from "./creative-asset.ts"
import { FormatRef } from "./format-ref.ts"
import * as words from "./vocabulary.ts"

const Dimensions = s.partial({
  ...s.fields(v.Positive, "width height min_width min_height max_width max_height"),
  unit: words.DimensionUnit,
  responsive: Type.Object({ width: v.Flag, height: v.Flag }),
  aspect_ratio: v.Ratio,
})
export type Dimensions = Static<typeof Dimensions>

const Render = s.ruled(
  s.object({ role: v.Text, "dimensions?": Dimensions, "parameters_from_format_id?": Type.Literal(true) }),
  s.hasAny("dimensions", "parameters_from_format_id"),
  Type.Not(s.has("dimensions", "parameters_from_format_id")),
)

/** What the format is in AdCP's own terms: see `canonicalOf` if it's missing. A format that fits no kind is `custom`, and says its shape. */
const Canonical = s.ruled(
  s.object({
    kind: words.FormatKind,
    "asset_source?": s.choice(
      "buyer_uploaded publisher_host_recorded seller_pre_rendered_from_brief seller_human_designed",
      "agent_synthesized publisher_owned_reference",
    ),
    "slots_override?": s.nonEmpty(
      s.object({
        ...s.fields(v.Text, "asset_group_id asset_type"),
        "required?": v.Flag,
        "max_chars?": v.AtLeastOne,
        "consumed_for_production?": v.Flag,
      }),
    ),
    "format_shape?": Type.String({ title: "words such as newsletter_sponsorship", pattern: "^[a-z][a-z0-9_]*$" }),
  }),
  s.when(s.is("kind", "custom"), s.has("format_shape")),
)

const DisclosureCapability = Type.Object({
  position: words.DisclosurePosition,
  persistence: s.nonEmptySet(words.DisclosurePersistence),
})

/** A creative format as the operator writes it. Without agent_url, it's a format of this server. */
export const CreativeFormat = s.object({
  format_id: FormatRef,
  name: v.Text,
  "description?": v.Text,
  "canonical?": Canonical,
  "example_url?": v.Url,
  "accepts_parameters?": s.unique(s.choice("dimensions duration")),
  "renders?": s.nonEmpty(Render),
  "assets?": Type.Array(FormatAsset),
  "supported_macros?": Type.Array(v.Text),
  ...s.fields(Type.Array(FormatRef), "input_format_ids? output_format_ids?"),
  "accessibility?": s.object({ wcag_level: words.WcagLevel, "requires_accessible_assets?": v.Flag }),
  "supported_disclosure_positions?": s.nonEmptySet(words.DisclosurePosition),
  "disclosure_capabilities?": s.nonEmpty(DisclosureCapability),
  "reported_metrics?": s.nonEmptySet(words.AvailableMetric),
})
export type CreativeFormat = Static<typeof CreativeFormat>
