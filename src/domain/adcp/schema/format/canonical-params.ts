import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { CatalogType } from "../vocabulary.ts"
import { AssetSource, canonical, OneSizeMode, Size } from "./canonical.ts"

const BOUNDS = "min_width max_width min_height max_height"
const exactLength = s.fields(s.AtLeastOne, "duration_ms_exact")
const supplied = { asset_source: AssetSource, buyer_asset_acceptance: "accepted rejected" } as const
const lengthRange = Type.Array(s.Whole, { minItems: 2, maxItems: 2 })
const openLengthRange = Type.Array(Type.Union([s.Whole, Type.Null()]), { minItems: 2, maxItems: 2, contains: s.Whole })

const sized = <const Own extends s.Fields>(own: Own) =>
  canonical({ ...s.fields(s.AtLeastOne, "width height", BOUNDS), sizes: s.nonEmpty(Size), ...own }, OneSizeMode)
const PRODUCED = "seller_pre_rendered_from_brief seller_human_designed agent_synthesized"

/** What a format of each kind says of itself. */
export const PARAMS_BY_KIND = {
  image: sized({
    ...s.fields(s.AtLeastOne, "max_file_size_kb headline_max_chars body_text_max_chars"),
    aspect_ratio: s.Ratio,
    image_formats: Type.Array(s.choice("jpg jpeg png gif webp svg")),
    ssl_required: s.Flag,
    cta_values: Type.Array(s.Text),
    ...supplied,
  }),
  html5: sized({
    ...s.fields(s.AtLeastOne, "max_initial_load_kb max_polite_load_kb backup_image_max_size_kb"),
    ...s.fields(s.Flag, "host_initiated_subload mraid_required om_sdk_required backup_image_required ssl_required"),
    max_animation_duration_ms: s.Whole,
    max_cpu_load_percent: Type.Integer({ minimum: 1, maximum: 100 }),
    mraid_version: "2.0 3.0",
    clicktag_macro: "clickTag clickTAG",
  }),
  display_tag: sized({
    ...s.fields(s.AtLeastOne, "max_response_time_ms backup_image_max_size_kb"),
    supported_tag_types: Type.Array(s.choice("iframe javascript 1x1_redirect")),
    ...s.fields(s.Flag, "ssl_required backup_image_required om_sdk_required"),
    max_redirect_depth: s.Whole,
  }),
  image_carousel: canonical({
    card_aspect_ratio: s.Ratio,
    min_cards: Type.Integer({ minimum: 2 }),
    max_cards: Type.Integer(),
    ...s.fields(Type.Array(s.choice("image video")), "allowed_card_media_asset_types allowed_card_asset_types"),
    ...s.fields(
      s.AtLeastOne,
      "card_image_max_file_size_kb card_video_max_file_size_kb card_video_max_duration_ms",
      "primary_text_max_chars card_headline_max_chars card_description_max_chars",
    ),
    ssl_required: s.Flag,
  }),
  video_hosted: canonical({
    orientation: "vertical horizontal square",
    aspect_ratio: s.Ratio,
    ...s.fields(s.AtLeastOne, BOUNDS, "min_bitrate_kbps max_bitrate_kbps max_file_size_mb"),
    ...s.fields(s.AtLeastOne, "headline_max_chars primary_text_max_chars brand_name_max_chars"),
    ...exactLength,
    duration_ms_range: openLengthRange,
    video_codecs: Type.Array(s.choice("h264 h265 vp8 vp9 av1 prores")),
    audio_codecs: Type.Array(s.choice("aac mp3 opus pcm")),
    containers: Type.Array(s.choice("mp4 webm mov")),
    frame_rates: Type.Array(Type.Number()),
    captions: "required recommended not_required",
    om_sdk_required: s.Flag,
    cta_values: Type.Array(s.Text),
    ...s.fields(Type.Array(s.AtLeastOne), "companion_banner_widths companion_banner_heights"),
    ...supplied,
  }),
  video_vast: canonical({
    orientation: "vertical horizontal square",
    aspect_ratio: s.Ratio,
    vast_version: "2.0 3.0 4.0 4.1 4.2",
    ...s.fields(s.Flag, "vpaid_enabled simid_supported linear_required ssl_required"),
    vpaid_version: "1.0 2.0",
    ...s.fields(s.AtLeastOne, BOUNDS),
    ...exactLength,
    duration_ms_range: lengthRange,
    ...s.fields(s.Whole, "skippable_after_ms max_wrapper_depth"),
  }),
  audio_hosted: canonical({
    ...exactLength,
    duration_ms_range: openLengthRange,
    audio_codecs: Type.Array(s.choice("mp3 aac wav opus flac")),
    audio_sample_rates: Type.Array(s.AtLeastOne),
    audio_channels: Type.Array(s.choice("mono stereo")),
    ...s.fields(s.AtLeastOne, "min_bitrate_kbps max_bitrate_kbps brand_name_max_chars"),
    ...s.fields(Type.Number(), "loudness_lufs true_peak_dbfs"),
    loudness_tolerance_db: s.Amount,
    companion_image_required: s.Flag,
    companion_image_aspect_ratio: s.Text,
    companion_image_max_file_size_kb: s.AtLeastOne,
    ...supplied,
  }),
  audio_daast: canonical({
    daast_version: "1.0 1.1",
    ...exactLength,
    duration_ms_range: lengthRange,
    ...s.fields(s.Flag, "linear_required ssl_required companion_image_required"),
    max_wrapper_depth: s.Whole,
  }),
  sponsored_placement: canonical({
    supported_catalog_types: Type.Array(CatalogType),
    min_items: s.AtLeastOne,
    max_items: Type.Integer(),
    fanout_mode: "per_item multi_item_in_creative single_item",
    required_catalog_fields: Type.Array(s.Text),
    supported_id_types: Type.Array(
      s.choice(
        "asin sku gtin offering_id store_id hotel_id flight_id vehicle_id listing_id program_id",
        "destination_id app_id job_id",
      ),
    ),
    hero_asset_supported: s.Flag,
    item_production_model: s.choice("buyer_uploaded", PRODUCED),
  }),
  native_in_feed: canonical({
    ...s.fields(s.AtLeastOne, "title_max_chars body_text_max_chars cta_max_chars max_image_file_size_kb"),
    cta_values: Type.Array(s.Text),
    main_image_sizes: s.nonEmpty(Size),
    icon_size: Size,
    image_formats: Type.Array(s.choice("jpg jpeg png gif webp")),
    ssl_required: s.Flag,
    ...supplied,
    asset_source: s.choice("buyer_uploaded", PRODUCED, "publisher_owned_reference"),
  }),
  responsive_creative: canonical({
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
  }),
  agent_placement: canonical({
    output_modality: "text audio card",
    ...s.fields(s.AtLeastOne, "max_mention_length_chars max_mention_duration_ms"),
    ...s.fields(s.Flag, "supports_offering_reference supports_landing_page_url disclosure_required"),
    tone_constraints: Type.Array(s.Text),
  }),
}
