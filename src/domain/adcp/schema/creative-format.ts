import { type Static, type TProperties, Type } from "@sinclair/typebox"
import * as s from "../../schema/build.ts"
import * as words from "./vocabulary.ts"

const reference = {
  id: s.Identifier,
  "agent_url?": s.Url,
  ...s.fields(s.AtLeastOne, "width? height?"),
  "duration_ms?": Type.Number({ minimum: 1 }),
} as const

type Sides = { readonly width?: number; readonly height?: number }

const BOTH_SIDES = "needs both width and height, or neither"
const hasBothSides = ({ width, height }: Sides) => (width === undefined) === (height === undefined)

/** Names a creative format. Without agent_url it's a format of this server. */
const FormatRef = s.ruled(s.object(reference), BOTH_SIDES, hasBothSides)
export type FormatRef = Static<typeof FormatRef>

/** The same on a product. We can't look up the kind of another agent's format, so the product may say it. */
export const ProductFormatRef = s.ruled(
  s.object({ ...reference, "format_kind?": words.FormatKind }),
  BOTH_SIDES,
  hasBothSides,
)
export type ProductFormatRef = Static<typeof ProductFormatRef>

/** A reference as buyers see it. */
export type PublicRef = FormatRef & { readonly agent_url: string }

/** The reference with its agent_url. Every spelling of our own address becomes the same one. */
export function publicRef({ id, agent_url, width, height, duration_ms }: FormatRef, agentUrl: string): PublicRef {
  const isOwn = agent_url === undefined || canonicalUrl(agent_url) === canonicalUrl(agentUrl)
  return {
    agent_url: isOwn ? agentUrl : agent_url,
    id,
    ...(width !== undefined && height !== undefined && { width, height }),
    ...(duration_ms !== undefined && { duration_ms }),
  }
}

/** Equal references have equal keys. */
export const refKey = (ref: FormatRef, agentUrl: string): string => {
  const { agent_url, id, width = 0, height = 0, duration_ms = 0 } = publicRef(ref, agentUrl)
  return `${canonicalUrl(agent_url)} ${id} ${width}x${height} ${duration_ms}`
}

export const haveSameParameters = (a: FormatRef, b: FormatRef): boolean =>
  a.width === b.width && a.height === b.height && a.duration_ms === b.duration_ms

/** Whether a reference names a format. An ID without a size or duration matches every one, on either side. */
export function namesSameFormat(a: FormatRef, b: FormatRef, agentUrl: string): boolean {
  if (a.id !== b.id || canonicalUrl(a.agent_url ?? agentUrl) !== canonicalUrl(b.agent_url ?? agentUrl)) return false
  const isSize = a.width === undefined || b.width === undefined || (a.width === b.width && a.height === b.height)
  return isSize && (a.duration_ms === undefined || b.duration_ms === undefined || a.duration_ms === b.duration_ms)
}

/** With the host in lower case, and without a default port or an empty path. */
export const canonicalUrl = (url: string): string => URL.parse(url)?.href ?? url

const Dimensions = s.partial({
  ...s.fields(s.Positive, "width height min_width min_height max_width max_height"),
  unit: words.DimensionUnit,
  aspect_ratio: s.Ratio,
})
export type Dimensions = Static<typeof Dimensions>

const Render = s.ruled(
  s.object({ role: s.Text, "dimensions?": Dimensions, "parameters_from_format_id?": Type.Literal(true) }),
  "needs dimensions or parameters_from_format_id, and not both",
  ({ dimensions, parameters_from_format_id }) => (dimensions === undefined) === (parameters_from_format_id === true),
)

/** What the format is in AdCP's own terms: see `canonicalOf` if it's missing. A format that fits no kind is `custom`, and says its shape. */
const Canonical = s.ruled(
  s.object({
    kind: words.FormatKind,
    "asset_source?": s.choice(
      "buyer_uploaded publisher_host_recorded seller_pre_rendered_from_brief seller_human_designed",
      "agent_synthesized publisher_owned_reference",
    ),
    "slots_override?": s.nonEmpty(s.object({ ...s.fields(s.Text, "asset_group_id asset_type"), "required?": s.Flag })),
    "format_shape?": Type.String({ title: "words such as newsletter_sponsorship", pattern: "^[a-z][a-z0-9_]*$" }),
  }),
  "needs format_shape, because its kind is custom",
  ({ kind, format_shape }) => kind !== "custom" || format_shape !== undefined,
)

const bytes = { max_file_size_kb: s.AtLeastOne }
const length = s.fields(s.AtLeastOne, "min_duration_ms max_duration_ms")

/** What a file or text of each type may be asked to be like. */
const REQUIREMENTS = {
  image: s.ruled(
    s.partial({
      ...s.fields(s.Positive, "min_width max_width min_height max_height"),
      unit: words.DimensionUnit,
      aspect_ratio: s.Ratio,
      formats: Type.Array(s.choice("jpg jpeg png gif webp svg avif tiff pdf eps")),
      min_dpi: s.AtLeastOne,
      color_space: "rgb cmyk grayscale",
      ...bytes,
      animation_allowed: s.Flag,
      max_animation_duration_ms: s.Whole,
    }),
    "needs unit beside min_dpi",
    ({ min_dpi, unit }) => min_dpi === undefined || unit !== undefined,
  ),
  video: s.partial({
    ...s.fields(s.AtLeastOne, "min_width max_width min_height max_height"),
    ...length,
    ...bytes,
    aspect_ratio: Type.String({ title: "a ratio such as 16:9", pattern: "^\\d+:\\d+$" }),
    containers: Type.Array(s.choice("mp4 webm mov avi mkv")),
    codecs: Type.Array(s.choice("h264 h265 vp8 vp9 av1 prores")),
    audio_required: s.Flag,
  }),
  audio: s.partial({ ...length, ...bytes, formats: Type.Array(s.choice("mp3 aac wav ogg flac")) }),
  text: s.partial({ max_length: s.AtLeastOne }),
  markdown: s.partial({ max_length: s.AtLeastOne }),
  html: s.partial({ ...bytes, external_resources_allowed: s.Flag }),
  javascript: s.partial({ ...bytes, external_resources_allowed: s.Flag }),
  vast: s.partial({ vast_version: "2.0 3.0 4.0 4.1 4.2" }),
  daast: s.partial({ daast_version: s.choice("1.0") }),
  url: s.partial({
    role: "clickthrough landing_page impression_tracker click_tracker viewability_tracker third_party_tracker",
    protocols: Type.Array(s.choice("https http")),
    max_length: s.AtLeastOne,
    macro_support: s.Flag,
  }),
}

const shared = { asset_id: s.Text, required: s.Flag, ...s.optional({ asset_group_id: s.Text }) }

/** One shape for each type of asset, because each has its own requirements. */
function assetsOf<Shared extends TProperties>(shared: Shared) {
  const withRequirements = Object.entries(REQUIREMENTS).map(([type, requirements]) =>
    Type.Object({ ...shared, asset_type: Type.Literal(type), ...s.optional({ requirements }) }),
  )
  return [...withRequirements, s.object({ ...shared, asset_type: "zip" })]
}

/** One part of a creative: a file, a text, an address, or a group that repeats. */
const FormatAsset = Type.Union([
  ...assetsOf({ item_type: Type.Literal("individual"), ...shared }),
  s.object({
    item_type: "repeatable_group",
    asset_group_id: s.Text,
    required: s.Flag,
    min_count: s.Whole,
    max_count: s.AtLeastOne,
    assets: Type.Array(Type.Union(assetsOf(shared))),
    "selection_mode?": "sequential optimize",
  }),
])
export type FormatAsset = Static<typeof FormatAsset>

/** A creative format as the operator writes it, with the fields of AdCP that forms and filters use. */
export const CreativeFormat = s.closed(
  s.object({
    format_id: FormatRef,
    name: s.NotBlank,
    "description?": s.Text,
    "canonical?": Canonical,
    "accepts_parameters?": s.unique(s.choice("dimensions duration")),
    "renders?": s.nonEmpty(Render),
    "assets?": Type.Array(FormatAsset),
    "reported_metrics?": s.nonEmptySet(words.AvailableMetric),
  }),
)
export type CreativeFormat = Static<typeof CreativeFormat>
