import { type TProperties, Type } from "@sinclair/typebox"
import * as s from "../../schema/build.ts"
import * as v from "../../schema/build.ts"
import { DimensionUnit } from "./vocabulary.ts"

const REQUIREMENTS = {
  image: s.ruled(
    s.partial({
      ...s.fields(v.Positive, "min_width max_width min_height max_height"),
      unit: DimensionUnit,
      aspect_ratio: v.Ratio,
      formats: Type.Array(s.choice("jpg jpeg png gif webp svg avif tiff pdf eps")),
      min_dpi: v.AtLeastOne,
      color_space: "rgb cmyk grayscale",
      max_file_size_kb: v.AtLeastOne,
      ...s.fields(v.Flag, "transparency_required animation_allowed"),
      max_animation_duration_ms: v.Whole,
    }),
    s.when(s.has("min_dpi"), s.has("unit")),
  ),
  video: s.partial({
    ...s.fields(
      v.AtLeastOne,
      "min_width max_width min_height max_height min_duration_ms max_duration_ms max_file_size_kb",
      "min_bitrate_kbps max_bitrate_kbps",
    ),
    aspect_ratio: Type.String({ title: "a ratio such as 16:9", pattern: "^\\d+:\\d+$" }),
    containers: Type.Array(s.choice("mp4 webm mov avi mkv")),
    codecs: Type.Array(s.choice("h264 h265 vp8 vp9 av1 prores")),
    frame_rates: Type.Array(Type.Number({ minimum: 1 })),
    audio_required: v.Flag,
    audio_codecs: Type.Array(s.choice("aac pcm ac3 eac3 mp3 opus vorbis flac")),
    loudness_lufs: Type.Number(),
  }),
  audio: s.partial({
    ...s.fields(v.AtLeastOne, "min_duration_ms max_duration_ms"),
    formats: Type.Array(s.choice("mp3 aac wav ogg flac")),
    max_file_size_kb: v.AtLeastOne,
    sample_rates: Type.Array(v.AtLeastOne),
    channels: Type.Array(s.choice("mono stereo")),
    ...s.fields(v.AtLeastOne, "min_bitrate_kbps max_bitrate_kbps"),
  }),
  text: s.partial({
    min_length: v.Whole,
    ...s.fields(v.AtLeastOne, "max_length min_lines max_lines"),
    prohibited_terms: Type.Array(v.Text),
    allowed_values: s.nonEmptySet(v.Text),
  }),
  markdown: s.partial({ max_length: v.AtLeastOne }),
  html: s.partial({
    max_file_size_kb: v.AtLeastOne,
    sandbox: "none iframe safeframe fencedframe",
    external_resources_allowed: v.Flag,
    allowed_external_domains: Type.Array(v.Hostname),
  }),
  css: s.partial({ max_file_size_kb: v.AtLeastOne }),
  javascript: s.partial({
    max_file_size_kb: v.AtLeastOne,
    module_type: "script module iife",
    ...s.fields(v.Flag, "strict_mode_required external_resources_allowed"),
    allowed_external_domains: Type.Array(v.Hostname),
  }),
  vast: s.partial({ vast_version: "2.0 3.0 4.0 4.1 4.2" }),
  daast: s.partial({ daast_version: s.choice("1.0") }),
  url: s.partial({
    role: s.choice(
      "clickthrough landing_page impression_tracker click_tracker viewability_tracker third_party_tracker",
    ),
    protocols: Type.Array(s.choice("https http")),
    allowed_domains: Type.Array(v.Hostname),
    max_length: v.AtLeastOne,
    macro_support: v.Flag,
  }),
  webhook: s.partial({ methods: Type.Array(s.choice("GET POST")) }),
}

const shared = {
  asset_id: v.Text,
  required: v.Flag,
  ...s.optional({ asset_role: v.Text, asset_group_id: v.Text }),
}

/** One shape for each type of asset, because each has its own requirements. */
function assetsOf<Shared extends TProperties>(shared: Shared) {
  const withRequirements = Object.entries(REQUIREMENTS).map(([type, requirements]) =>
    Type.Object({ ...shared, asset_type: Type.Literal(type), ...s.optional({ requirements }) }),
  )
  return [...withRequirements, s.object({ ...shared, asset_type: "zip" })]
}

const individual = { item_type: Type.Literal("individual"), ...shared }

const RepeatableGroup = s.object({
  item_type: "repeatable_group",
  asset_group_id: v.Text,
  required: v.Flag,
  min_count: v.Whole,
  max_count: v.AtLeastOne,
  assets: Type.Array(Type.Union(assetsOf(shared))),
  "selection_mode?": "sequential optimize",
})

/** One part of a creative: a file, a text, an address, or a group that repeats. */
export const FormatAsset = Type.Union([
  ...assetsOf(individual),
  s.object({ ...individual, asset_type: "brief" }),
  s.object({ ...individual, asset_type: "catalog" }),
  RepeatableGroup,
])
