import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { OneSizeMode, Size } from "../../catalogue/size.ts"
import { canonical } from "./canonical-base.ts"
import { AssetSource } from "./canonical-projection.ts"

export const ImageParams = canonical(
  {
    ...s.fields(
      s.AtLeastOne,
      "width height min_width max_width min_height max_height max_file_size_kb headline_max_chars",
      "body_text_max_chars",
    ),
    sizes: s.nonEmpty(Size),
    aspect_ratio: s.Ratio,
    image_formats: Type.Array(s.choice("jpg jpeg png gif webp svg")),
    ssl_required: s.Flag,
    cta_values: Type.Array(s.Text),
    asset_source: AssetSource,
    buyer_asset_acceptance: s.choice("accepted rejected"),
  },
  OneSizeMode,
)

export const Html5Params = canonical(
  {
    ...s.fields(
      s.AtLeastOne,
      "width height min_width max_width min_height max_height max_initial_load_kb max_polite_load_kb",
      "backup_image_max_size_kb",
    ),
    sizes: s.nonEmpty(Size),
    host_initiated_subload: s.Flag,
    max_animation_duration_ms: s.Whole,
    max_cpu_load_percent: Type.Integer({ minimum: 1, maximum: 100 }),
    mraid_required: s.Flag,
    mraid_version: s.choice("2.0 3.0"),
    om_sdk_required: s.Flag,
    clicktag_macro: s.choice("clickTag clickTAG"),
    backup_image_required: s.Flag,
    ssl_required: s.Flag,
  },
  OneSizeMode,
)

export const DisplayTagParams = canonical(
  {
    ...s.fields(
      s.AtLeastOne,
      "width height min_width max_width min_height max_height max_response_time_ms backup_image_max_size_kb",
    ),
    sizes: s.nonEmpty(Size),
    supported_tag_types: Type.Array(s.choice("iframe javascript 1x1_redirect")),
    ...s.fields(s.Flag, "ssl_required backup_image_required om_sdk_required"),
    max_redirect_depth: s.Whole,
  },
  OneSizeMode,
)

export const ImageCarouselParams = canonical({
  card_aspect_ratio: s.Ratio,
  min_cards: Type.Integer({ minimum: 2 }),
  max_cards: Type.Integer(),
  allowed_card_media_asset_types: Type.Array(s.choice("image video")),
  allowed_card_asset_types: Type.Array(s.choice("image video")),
  card_image_max_file_size_kb: s.AtLeastOne,
  card_video_max_file_size_kb: s.AtLeastOne,
  card_video_max_duration_ms: s.AtLeastOne,
  primary_text_max_chars: s.AtLeastOne,
  card_headline_max_chars: s.AtLeastOne,
  card_description_max_chars: s.AtLeastOne,
  ssl_required: s.Flag,
})
