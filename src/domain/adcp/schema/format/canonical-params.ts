import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { CatalogType } from "../vocabulary.ts"
import { AssetSource, canonical, OneSizeMode, Size } from "./canonical.ts"

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
  ...s.fields(
    s.AtLeastOne,
    "card_image_max_file_size_kb card_video_max_file_size_kb card_video_max_duration_ms",
    "primary_text_max_chars card_headline_max_chars card_description_max_chars",
  ),
  ssl_required: s.Flag,
})

export const VideoHostedParams = canonical({
  orientation: s.choice("vertical horizontal square"),
  aspect_ratio: s.Ratio,
  ...s.fields(
    s.AtLeastOne,
    "min_width min_height max_width max_height duration_ms_exact min_bitrate_kbps max_bitrate_kbps",
    "max_file_size_mb headline_max_chars primary_text_max_chars brand_name_max_chars",
  ),
  duration_ms_range: Type.Array(Type.Union([s.Whole, Type.Null()]), { minItems: 2, maxItems: 2, contains: s.Whole }),
  video_codecs: Type.Array(s.choice("h264 h265 vp8 vp9 av1 prores")),
  audio_codecs: Type.Array(s.choice("aac mp3 opus pcm")),
  containers: Type.Array(s.choice("mp4 webm mov")),
  frame_rates: Type.Array(Type.Number()),
  captions: s.choice("required recommended not_required"),
  om_sdk_required: s.Flag,
  cta_values: Type.Array(s.Text),
  companion_banner_widths: Type.Array(s.AtLeastOne),
  companion_banner_heights: Type.Array(s.AtLeastOne),
  asset_source: AssetSource,
  buyer_asset_acceptance: s.choice("accepted rejected"),
})

export const VideoVastParams = canonical({
  orientation: s.choice("vertical horizontal square"),
  aspect_ratio: s.Ratio,
  vast_version: s.choice("2.0 3.0 4.0 4.1 4.2"),
  ...s.fields(s.Flag, "vpaid_enabled simid_supported linear_required ssl_required"),
  vpaid_version: s.choice("1.0 2.0"),
  duration_ms_range: Type.Array(s.Whole, { minItems: 2, maxItems: 2 }),
  ...s.fields(s.AtLeastOne, "duration_ms_exact min_width max_width min_height max_height"),
  skippable_after_ms: s.Whole,
  max_wrapper_depth: s.Whole,
})

export const AudioHostedParams = canonical({
  duration_ms_range: Type.Array(Type.Union([s.Whole, Type.Null()]), { minItems: 2, maxItems: 2, contains: s.Whole }),
  duration_ms_exact: s.AtLeastOne,
  audio_codecs: Type.Array(s.choice("mp3 aac wav opus flac")),
  audio_sample_rates: Type.Array(s.AtLeastOne),
  audio_channels: Type.Array(s.choice("mono stereo")),
  min_bitrate_kbps: s.AtLeastOne,
  max_bitrate_kbps: s.AtLeastOne,
  loudness_lufs: Type.Number(),
  loudness_tolerance_db: s.Amount,
  true_peak_dbfs: Type.Number(),
  asset_source: AssetSource,
  buyer_asset_acceptance: s.choice("accepted rejected"),
  companion_image_required: s.Flag,
  companion_image_aspect_ratio: s.Text,
  companion_image_max_file_size_kb: s.AtLeastOne,
  brand_name_max_chars: s.AtLeastOne,
})

export const AudioDaastParams = canonical({
  daast_version: s.choice("1.0 1.1"),
  duration_ms_range: Type.Array(s.Whole, { minItems: 2, maxItems: 2 }),
  duration_ms_exact: s.AtLeastOne,
  ...s.fields(s.Flag, "linear_required ssl_required companion_image_required"),
  max_wrapper_depth: s.Whole,
})

export const NativeInFeedParams = canonical({
  ...s.fields(s.AtLeastOne, "title_max_chars body_text_max_chars cta_max_chars"),
  cta_values: Type.Array(s.Text),
  main_image_sizes: s.nonEmpty(Size),
  icon_size: Size,
  max_image_file_size_kb: s.AtLeastOne,
  image_formats: Type.Array(s.choice("jpg jpeg png gif webp")),
  ssl_required: s.Flag,
  asset_source: s.choice(
    "buyer_uploaded seller_pre_rendered_from_brief seller_human_designed agent_synthesized",
    "publisher_owned_reference",
  ),
  buyer_asset_acceptance: s.choice("accepted rejected"),
})

export const SponsoredPlacementParams = canonical({
  supported_catalog_types: Type.Array(CatalogType),
  min_items: s.AtLeastOne,
  max_items: Type.Integer(),
  fanout_mode: s.choice("per_item multi_item_in_creative single_item"),
  required_catalog_fields: Type.Array(s.Text),
  supported_id_types: Type.Array(
    s.choice(
      "asin sku gtin offering_id store_id hotel_id flight_id vehicle_id listing_id program_id",
      "destination_id app_id job_id",
    ),
  ),
  hero_asset_supported: s.Flag,
  item_production_model: s.choice(
    "buyer_uploaded seller_pre_rendered_from_brief seller_human_designed agent_synthesized",
  ),
})

export const ResponsiveCreativeParams = canonical({
  ...s.fields(
    s.Whole,
    "headlines_min headlines_max long_headlines_min long_headlines_max descriptions_min descriptions_max",
    "images_landscape_min images_landscape_max images_square_min images_square_max images_vertical_min",
    "images_vertical_max videos_min videos_max logo_min logo_max",
  ),
  ...s.fields(
    s.AtLeastOne,
    "headline_max_chars long_headline_max_chars description_max_chars video_min_duration_ms",
    "video_max_duration_ms business_name_max_chars asset_image_max_file_size_kb",
  ),
  images_landscape_aspect_ratio: s.Text,
  logo_aspect_ratios: Type.Array(s.Text),
  supports_catalog_input: s.Flag,
})

export const AgentPlacementParams = canonical({
  output_modality: s.choice("text audio card"),
  max_mention_length_chars: s.AtLeastOne,
  max_mention_duration_ms: s.AtLeastOne,
  ...s.fields(s.Flag, "supports_offering_reference supports_landing_page_url disclosure_required"),
  tone_constraints: Type.Array(s.Text),
})
