import { Type } from "@sinclair/typebox"
import { AtLeastOne, choice, Flag, optional, Ratio, ruled, Text, Whole } from "../../../schema/schema-helpers.ts"
import { OneSizeMode, Size } from "../../catalogue/size.ts"
import { CanonicalBase } from "./canonical-base.ts"
import { AssetSource } from "./canonical-projection.ts"

export const ImageParams = ruled(
  Type.Object(
    optional({
      width: AtLeastOne,
      height: AtLeastOne,
      sizes: Type.Array(Size, { minItems: 1 }),
      min_width: AtLeastOne,
      max_width: AtLeastOne,
      min_height: AtLeastOne,
      max_height: AtLeastOne,
      aspect_ratio: Ratio,
      max_file_size_kb: AtLeastOne,
      image_formats: Type.Array(choice("jpg jpeg png gif webp svg")),
      ssl_required: Flag,
      headline_max_chars: AtLeastOne,
      body_text_max_chars: AtLeastOne,
      cta_values: Type.Array(Text),
      asset_source: AssetSource,
      buyer_asset_acceptance: choice("accepted rejected"),
    }),
  ),
  CanonicalBase,
  OneSizeMode,
)

export const Html5Params = ruled(
  Type.Object(
    optional({
      width: AtLeastOne,
      height: AtLeastOne,
      sizes: Type.Array(Size, { minItems: 1 }),
      min_width: AtLeastOne,
      max_width: AtLeastOne,
      min_height: AtLeastOne,
      max_height: AtLeastOne,
      max_initial_load_kb: AtLeastOne,
      max_polite_load_kb: AtLeastOne,
      host_initiated_subload: Flag,
      max_animation_duration_ms: Whole,
      max_cpu_load_percent: Type.Integer({ minimum: 1, maximum: 100 }),
      mraid_required: Flag,
      mraid_version: choice("2.0 3.0"),
      om_sdk_required: Flag,
      clicktag_macro: choice("clickTag clickTAG"),
      backup_image_required: Flag,
      backup_image_max_size_kb: AtLeastOne,
      ssl_required: Flag,
    }),
  ),
  CanonicalBase,
  OneSizeMode,
)

export const DisplayTagParams = ruled(
  Type.Object(
    optional({
      width: AtLeastOne,
      height: AtLeastOne,
      sizes: Type.Array(Size, { minItems: 1 }),
      min_width: AtLeastOne,
      max_width: AtLeastOne,
      min_height: AtLeastOne,
      max_height: AtLeastOne,
      supported_tag_types: Type.Array(choice("iframe javascript 1x1_redirect")),
      ssl_required: Flag,
      max_redirect_depth: Whole,
      max_response_time_ms: AtLeastOne,
      backup_image_required: Flag,
      backup_image_max_size_kb: AtLeastOne,
      om_sdk_required: Flag,
    }),
  ),
  CanonicalBase,
  OneSizeMode,
)

export const ImageCarouselParams = ruled(
  Type.Object(
    optional({
      card_aspect_ratio: Ratio,
      min_cards: Type.Integer({ minimum: 2 }),
      max_cards: Type.Integer(),
      allowed_card_media_asset_types: Type.Array(choice("image video")),
      allowed_card_asset_types: Type.Array(choice("image video")),
      card_image_max_file_size_kb: AtLeastOne,
      card_video_max_file_size_kb: AtLeastOne,
      card_video_max_duration_ms: AtLeastOne,
      primary_text_max_chars: AtLeastOne,
      card_headline_max_chars: AtLeastOne,
      card_description_max_chars: AtLeastOne,
      ssl_required: Flag,
    }),
  ),
  CanonicalBase,
)
