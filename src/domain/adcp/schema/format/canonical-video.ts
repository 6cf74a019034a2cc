import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { canonical } from "./canonical-base.ts"
import { AssetSource } from "./canonical-projection.ts"

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
