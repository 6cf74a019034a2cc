import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { DimensionUnit } from "../vocabulary.ts"

export const ImageAssetRequirements = s.ruled(
  s.partial({
    min_width: s.Positive,
    max_width: s.Positive,
    min_height: s.Positive,
    max_height: s.Positive,
    unit: DimensionUnit,
    aspect_ratio: s.Ratio,
    formats: Type.Array(s.choice("jpg jpeg png gif webp svg avif tiff pdf eps")),
    min_dpi: s.AtLeastOne,
    bleed: Type.Union([
      Type.Object({ uniform: s.Amount }, s.closed),
      Type.Object(s.fields(s.Amount, "top right bottom left"), s.closed),
    ]),
    color_space: s.choice("rgb cmyk grayscale"),
    max_file_size_kb: s.AtLeastOne,
    transparency_required: s.Flag,
    animation_allowed: s.Flag,
    max_animation_duration_ms: s.Whole,
    max_weight_grams: s.AtLeastOne,
  }),
  s.when(s.has("min_dpi"), s.has("unit")),
)

export const VideoAssetRequirements = s.partial({
  ...s.fields(
    s.AtLeastOne,
    "min_width max_width min_height max_height min_duration_ms max_duration_ms max_file_size_kb",
    "min_bitrate_kbps max_bitrate_kbps",
  ),
  aspect_ratio: Type.String({ pattern: "^\\d+:\\d+$" }),
  containers: Type.Array(s.choice("mp4 webm mov avi mkv")),
  codecs: Type.Array(s.choice("h264 h265 vp8 vp9 av1 prores")),
  frame_rates: Type.Array(Type.Number({ minimum: 1 })),
  audio_required: s.Flag,
  frame_rate_type: s.choice("constant variable"),
  scan_type: s.choice("progressive interlaced"),
  gop_type: s.choice("closed open"),
  ...s.fields(s.Amount, "min_gop_interval_seconds max_gop_interval_seconds loudness_tolerance_db"),
  moov_atom_position: s.choice("start end"),
  audio_codecs: Type.Array(s.choice("aac pcm ac3 eac3 mp3 opus vorbis flac")),
  audio_sample_rates: Type.Array(s.AtLeastOne),
  audio_channels: Type.Array(s.choice("mono stereo 5.1 7.1")),
  loudness_lufs: Type.Number(),
  true_peak_dbfs: Type.Number(),
})
