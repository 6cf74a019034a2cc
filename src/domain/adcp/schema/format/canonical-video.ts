import { Type } from "@sinclair/typebox"
import { AtLeastOne, choice, Flag, optional, Ratio, ruled, Text, Whole } from "../../../schema/schema-helpers.ts"
import { CanonicalBase } from "./canonical-base.ts"
import { AssetSource } from "./canonical-projection.ts"

export const VideoHostedParams = ruled(
  Type.Object(
    optional({
      orientation: choice("vertical horizontal square"),
      aspect_ratio: Ratio,
      min_width: AtLeastOne,
      min_height: AtLeastOne,
      max_width: AtLeastOne,
      max_height: AtLeastOne,
      duration_ms_range: Type.Array(Type.Union([Whole, Type.Null()]), { minItems: 2, maxItems: 2, contains: Whole }),
      duration_ms_exact: AtLeastOne,
      video_codecs: Type.Array(choice("h264 h265 vp8 vp9 av1 prores")),
      audio_codecs: Type.Array(choice("aac mp3 opus pcm")),
      containers: Type.Array(choice("mp4 webm mov")),
      min_bitrate_kbps: AtLeastOne,
      max_bitrate_kbps: AtLeastOne,
      max_file_size_mb: AtLeastOne,
      frame_rates: Type.Array(Type.Number()),
      captions: choice("required recommended not_required"),
      om_sdk_required: Flag,
      headline_max_chars: AtLeastOne,
      primary_text_max_chars: AtLeastOne,
      brand_name_max_chars: AtLeastOne,
      cta_values: Type.Array(Text),
      companion_banner_widths: Type.Array(AtLeastOne),
      companion_banner_heights: Type.Array(AtLeastOne),
      asset_source: AssetSource,
      buyer_asset_acceptance: choice("accepted rejected"),
    }),
  ),
  CanonicalBase,
)

export const VideoVastParams = ruled(
  Type.Object(
    optional({
      orientation: choice("vertical horizontal square"),
      aspect_ratio: Ratio,
      vast_version: choice("2.0 3.0 4.0 4.1 4.2"),
      vpaid_enabled: Flag,
      vpaid_version: choice("1.0 2.0"),
      simid_supported: Flag,
      duration_ms_range: Type.Array(Whole, { minItems: 2, maxItems: 2 }),
      duration_ms_exact: AtLeastOne,
      min_width: AtLeastOne,
      max_width: AtLeastOne,
      min_height: AtLeastOne,
      max_height: AtLeastOne,
      linear_required: Flag,
      skippable_after_ms: Whole,
      max_wrapper_depth: Whole,
      ssl_required: Flag,
    }),
  ),
  CanonicalBase,
)
