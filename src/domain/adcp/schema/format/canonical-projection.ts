import { Type } from "@sinclair/typebox"
import { AtLeastOne, choice, Flag, optional, Text } from "../../../schema/schema-helpers.ts"

export const AssetSource = choice(
  "buyer_uploaded publisher_host_recorded seller_pre_rendered_from_brief seller_human_designed",
  "agent_synthesized publisher_owned_reference",
)

export const CanonicalFormatKind = choice(
  "image html5 display_tag image_carousel video_hosted video_vast audio_hosted audio_daast",
  "sponsored_placement native_in_feed responsive_creative agent_placement custom",
)

export const CanonicalProjectionSlotOverride = Type.Object({
  asset_group_id: Text,
  asset_type: Text,
  ...optional({ required: Flag, max_chars: AtLeastOne, consumed_for_production: Flag }),
})

export const CanonicalProjectionRef = Type.Object({
  kind: CanonicalFormatKind,
  ...optional({
    asset_source: AssetSource,
    slots_override: Type.Array(CanonicalProjectionSlotOverride, { minItems: 1 }),
  }),
})
