import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { canonical } from "./canonical-base.ts"
import { AssetSource } from "./canonical-projection.ts"

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
