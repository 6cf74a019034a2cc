import { Type } from "@sinclair/typebox"
import {
  Amount,
  AtLeastOne,
  choice,
  closed,
  Flag,
  has,
  optional,
  Positive,
  Ratio,
  ruled,
  Whole,
  when,
} from "../../../schema/schema-helpers.ts"
import { AudioChannelLayout, DimensionUnit, FrameRateType, GopType, MoovAtomPosition, ScanType } from "../vocabulary.ts"

export const ImageAssetRequirements = ruled(
  Type.Object(
    optional({
      min_width: Positive,
      max_width: Positive,
      min_height: Positive,
      max_height: Positive,
      unit: DimensionUnit,
      aspect_ratio: Ratio,
      formats: Type.Array(choice("jpg jpeg png gif webp svg avif tiff pdf eps")),
      min_dpi: AtLeastOne,
      bleed: Type.Union([
        Type.Object({ uniform: Amount }, closed),
        Type.Object({ top: Amount, right: Amount, bottom: Amount, left: Amount }, closed),
      ]),
      color_space: choice("rgb cmyk grayscale"),
      max_file_size_kb: AtLeastOne,
      transparency_required: Flag,
      animation_allowed: Flag,
      max_animation_duration_ms: Whole,
      max_weight_grams: AtLeastOne,
    }),
  ),
  when(has("min_dpi"), has("unit")),
)

export const VideoAssetRequirements = Type.Object(
  optional({
    min_width: AtLeastOne,
    max_width: AtLeastOne,
    min_height: AtLeastOne,
    max_height: AtLeastOne,
    aspect_ratio: Type.String({ pattern: "^\\d+:\\d+$" }),
    min_duration_ms: AtLeastOne,
    max_duration_ms: AtLeastOne,
    containers: Type.Array(choice("mp4 webm mov avi mkv")),
    codecs: Type.Array(choice("h264 h265 vp8 vp9 av1 prores")),
    max_file_size_kb: AtLeastOne,
    min_bitrate_kbps: AtLeastOne,
    max_bitrate_kbps: AtLeastOne,
    frame_rates: Type.Array(Type.Number({ minimum: 1 })),
    audio_required: Flag,
    frame_rate_type: FrameRateType,
    scan_type: ScanType,
    gop_type: GopType,
    min_gop_interval_seconds: Amount,
    max_gop_interval_seconds: Amount,
    moov_atom_position: MoovAtomPosition,
    audio_codecs: Type.Array(choice("aac pcm ac3 eac3 mp3 opus vorbis flac")),
    audio_sample_rates: Type.Array(AtLeastOne),
    audio_channels: Type.Array(AudioChannelLayout),
    loudness_lufs: Type.Number(),
    loudness_tolerance_db: Amount,
    true_peak_dbfs: Type.Number(),
  }),
)
