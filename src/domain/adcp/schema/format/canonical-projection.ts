import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"

export const AssetSource = s.choice(
  "buyer_uploaded publisher_host_recorded seller_pre_rendered_from_brief seller_human_designed",
  "agent_synthesized publisher_owned_reference",
)

export const CanonicalFormatKind = s.choice(
  "image html5 display_tag image_carousel video_hosted video_vast audio_hosted audio_daast",
  "sponsored_placement native_in_feed responsive_creative agent_placement custom",
)

export const CanonicalProjectionSlotOverride = Type.Object({
  asset_group_id: s.Text,
  asset_type: s.Text,
  ...s.optional({ required: s.Flag, max_chars: s.AtLeastOne, consumed_for_production: s.Flag }),
})

export const CanonicalProjectionRef = Type.Object({
  kind: CanonicalFormatKind,
  ...s.optional({
    asset_source: AssetSource,
    slots_override: s.nonEmpty(CanonicalProjectionSlotOverride),
  }),
})
