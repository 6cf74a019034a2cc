import { type TProperties, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { DimensionUnit } from "../vocabulary.ts"

const requirementsByType = {
  image: s.ruled(
    s.partial({
      ...s.fields(s.Positive, "min_width max_width min_height max_height"),
      unit: DimensionUnit,
      aspect_ratio: s.Ratio,
      formats: Type.Array(s.choice("jpg jpeg png gif webp svg avif tiff pdf eps")),
      min_dpi: s.AtLeastOne,
      bleed: Type.Union([s.closed({ uniform: s.Amount }), s.closed(s.fields(s.Amount, "top right bottom left"))]),
      color_space: "rgb cmyk grayscale",
      max_file_size_kb: s.AtLeastOne,
      ...s.fields(s.Flag, "transparency_required animation_allowed"),
      max_animation_duration_ms: s.Whole,
      max_weight_grams: s.AtLeastOne,
    }),
    s.when(s.has("min_dpi"), s.has("unit")),
  ),
  video: s.partial({
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
    frame_rate_type: "constant variable",
    scan_type: "progressive interlaced",
    gop_type: "closed open",
    ...s.fields(s.Amount, "min_gop_interval_seconds max_gop_interval_seconds loudness_tolerance_db"),
    moov_atom_position: "start end",
    audio_codecs: Type.Array(s.choice("aac pcm ac3 eac3 mp3 opus vorbis flac")),
    audio_sample_rates: Type.Array(s.AtLeastOne),
    audio_channels: Type.Array(s.choice("mono stereo 5.1 7.1")),
    ...s.fields(Type.Number(), "loudness_lufs true_peak_dbfs"),
  }),
  audio: s.partial({
    ...s.fields(s.AtLeastOne, "min_duration_ms max_duration_ms"),
    formats: Type.Array(s.choice("mp3 aac wav ogg flac")),
    max_file_size_kb: s.AtLeastOne,
    sample_rates: Type.Array(s.AtLeastOne),
    channels: Type.Array(s.choice("mono stereo")),
    ...s.fields(s.AtLeastOne, "min_bitrate_kbps max_bitrate_kbps"),
  }),
  text: s.partial({
    min_length: s.Whole,
    ...s.fields(s.AtLeastOne, "max_length min_lines max_lines"),
    character_pattern: s.Text,
    prohibited_terms: Type.Array(s.Text),
    allowed_values: s.nonEmptySet(s.Text),
  }),
  markdown: s.partial({ max_length: s.AtLeastOne }),
  html: s.partial({
    max_file_size_kb: s.AtLeastOne,
    sandbox: "none iframe safeframe fencedframe",
    external_resources_allowed: s.Flag,
    allowed_external_domains: Type.Array(s.Hostname),
  }),
  css: s.partial({ max_file_size_kb: s.AtLeastOne }),
  javascript: s.partial({
    max_file_size_kb: s.AtLeastOne,
    module_type: "script module iife",
    ...s.fields(s.Flag, "strict_mode_required external_resources_allowed"),
    allowed_external_domains: Type.Array(s.Hostname),
  }),
  vast: s.partial({ vast_version: "2.0 3.0 4.0 4.1 4.2" }),
  daast: s.partial({ daast_version: s.choice("1.0") }),
  url: s.partial({
    role: s.choice(
      "clickthrough landing_page impression_tracker click_tracker viewability_tracker third_party_tracker",
    ),
    protocols: Type.Array(s.choice("https http")),
    allowed_domains: Type.Array(s.Hostname),
    max_length: s.AtLeastOne,
    macro_support: s.Flag,
  }),
  webhook: s.partial({ methods: Type.Array(s.choice("GET POST")) }),
}

const always = {
  asset_id: s.Text,
  required: s.Flag,
  ...s.optional({ asset_role: s.Text, asset_group_id: s.Text }),
}

/** One shape per asset type, each with its own requirements. */
function assetsOf<Shared extends TProperties>(shared: Shared) {
  const withRequirements = Object.entries(requirementsByType).map(([type, requirements]) =>
    Type.Object({ ...shared, asset_type: Type.Literal(type), ...s.optional({ requirements }) }),
  )
  return [...withRequirements, s.object({ ...shared, asset_type: "zip" })]
}

const individual = { item_type: Type.Literal("individual"), ...always }

const RepeatableGroup = s.object({
  item_type: "repeatable_group",
  asset_group_id: s.Text,
  required: s.Flag,
  min_count: s.Whole,
  max_count: s.AtLeastOne,
  assets: Type.Array(Type.Union(assetsOf(always))),
  "selection_mode?": "sequential optimize",
})

export const FormatAsset = Type.Union([
  ...assetsOf(individual),
  s.object({ ...individual, asset_type: "brief" }),
  s.object({ ...individual, asset_type: "catalog" }),
  RepeatableGroup,
])
