import { Type } from "@sinclair/typebox"
import { Amount, AtLeastOne, choice, Flag, optional, ruled, Text, Whole } from "../../../schema/schema-helpers.ts"
import { CanonicalBase } from "./canonical-base.ts"
import { AssetSource } from "./canonical-projection.ts"

export const AudioHostedParams = ruled(
  Type.Object(
    optional({
      duration_ms_range: Type.Array(Type.Union([Whole, Type.Null()]), { minItems: 2, maxItems: 2, contains: Whole }),
      duration_ms_exact: AtLeastOne,
      audio_codecs: Type.Array(choice("mp3 aac wav opus flac")),
      audio_sample_rates: Type.Array(AtLeastOne),
      audio_channels: Type.Array(choice("mono stereo")),
      min_bitrate_kbps: AtLeastOne,
      max_bitrate_kbps: AtLeastOne,
      loudness_lufs: Type.Number(),
      loudness_tolerance_db: Amount,
      true_peak_dbfs: Type.Number(),
      asset_source: AssetSource,
      buyer_asset_acceptance: choice("accepted rejected"),
      companion_image_required: Flag,
      companion_image_aspect_ratio: Text,
      companion_image_max_file_size_kb: AtLeastOne,
      brand_name_max_chars: AtLeastOne,
    }),
  ),
  CanonicalBase,
)

export const AudioDaastParams = ruled(
  Type.Object(
    optional({
      daast_version: choice("1.0 1.1"),
      duration_ms_range: Type.Array(Whole, { minItems: 2, maxItems: 2 }),
      duration_ms_exact: AtLeastOne,
      linear_required: Flag,
      max_wrapper_depth: Whole,
      ssl_required: Flag,
      companion_image_required: Flag,
    }),
  ),
  CanonicalBase,
)
