import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import * as words from "../vocabulary.ts"
import { FormatAsset } from "./creative-asset.ts"
import { FormatRef } from "./format-id.ts"

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

const Canonical = s.object({
  kind: s.choice(
    "image html5 display_tag image_carousel video_hosted video_vast audio_hosted audio_daast",
    "sponsored_placement native_in_feed responsive_creative agent_placement custom",
  ),
  "asset_source?": s.choice(
    "buyer_uploaded publisher_host_recorded seller_pre_rendered_from_brief seller_human_designed",
    "agent_synthesized publisher_owned_reference",
  ),
  "slots_override?": s.nonEmpty(
    s.object({
      ...s.fields(s.Text, "asset_group_id asset_type"),
      "required?": s.Flag,
      "max_chars?": s.AtLeastOne,
      "consumed_for_production?": s.Flag,
    }),
  ),
})

const DisclosureCapability = Type.Object({
  position: words.DisclosurePosition,
  persistence: s.nonEmptySet(words.DisclosurePersistence),
})

/** A creative format as the operator writes it, as a product is: with the fields of AdCP that are used here. */
export const CreativeFormat = s.object({
  format_id: FormatRef,
  name: s.Text,
  "description?": s.Text,
  "example_url?": s.Url,
  "accepts_parameters?": s.unique(s.choice("dimensions duration")),
  "renders?": s.nonEmpty(Render),
  "assets?": Type.Array(FormatAsset),
  "supported_macros?": Type.Array(s.Text),
  ...s.fields(Type.Array(FormatRef), "input_format_ids? output_format_ids?"),
  "accessibility?": s.object({ wcag_level: words.WcagLevel, "requires_accessible_assets?": s.Flag }),
  "supported_disclosure_positions?": s.nonEmptySet(words.DisclosurePosition),
  "disclosure_capabilities?": s.nonEmpty(DisclosureCapability),
  "reported_metrics?": s.nonEmptySet(words.AvailableMetric),
  "canonical?": Canonical,
})
export type CreativeFormat = Static<typeof CreativeFormat>
