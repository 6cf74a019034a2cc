import type { Product } from "../product/product.ts"
import type { CreativeFormat, Dimensions } from "./creative-format.ts"
import type { FormatRef } from "./format-id.ts"

export type FormatOption = NonNullable<Product["format_options"]>[number]
type Params = Record<string, unknown>
type Asset = NonNullable<CreativeFormat["assets"]>[number]

/** A format as an option of a product, in its canonical kind; its name is where the link leads. Undefined if it has none. */
export function optionFrom(format: CreativeFormat, ref: FormatRef): FormatOption | undefined {
  const kind = kindOf(format)
  if (kind === undefined || kind === "custom") return undefined
  const asset_source = format.canonical?.asset_source
  const option = {
    format_option_id: optionId(ref),
    format_kind: kind,
    params: { ...paramsByKind[kind]?.(format, ref), ...(asset_source ? { asset_source } : {}) },
    v1_format_ref: [ref],
  }
  return option as FormatOption
}

// The asset that decides the kind of a format; the first match counts.
const kindByAsset = [
  ["vast", "video_vast"],
  ["daast", "audio_daast"],
  ["video", "video_hosted"],
  ["audio", "audio_hosted"],
  ["zip", "html5"],
  ["html", "html5"],
  ["javascript", "display_tag"],
  ["image", "image"],
] as const

function kindOf(format: CreativeFormat): FormatOption["format_kind"] | undefined {
  if (format.canonical) return format.canonical.kind
  const types = new Set((format.assets ?? []).map((asset) => ("asset_type" in asset ? asset.asset_type : "")))
  return kindByAsset.find(([type]) => types.has(type))?.[1]
}

function optionId(ref: FormatRef): string {
  const size = ref.width === undefined ? "" : `_${ref.width}x${ref.height}`
  const length = ref.duration_ms === undefined ? "" : `_${ref.duration_ms}ms`
  return `${ref.id}${size}${length}`
}

const paramsByKind: Partial<Record<string, (format: CreativeFormat, ref: FormatRef) => Params>> = {
  image: (format, ref) => ({ ...sizeOf(format, ref), ...imageFiles(format) }),
  html5: (format, ref) => sizeOf(format, ref),
  display_tag: (format, ref) => sizeOf(format, ref),
  video_hosted: (format, ref) => ({ ...boundsOf(format), ...duration(format, "video", ref) }),
  video_vast: (format, ref) => ({ ...boundsOf(format), ...vastVersion(format), ...exactDuration(ref) }),
  audio_hosted: (format, ref) => duration(format, "audio", ref),
  audio_daast: (_, ref) => exactDuration(ref),
  native_in_feed: nativeTexts,
}

const isPixels = (dimensions: Dimensions) => dimensions.unit === undefined || dimensions.unit === "px"

function pixelsOf(format: CreativeFormat): Dimensions {
  const dimensions = format.renders?.[0]?.dimensions
  return dimensions && isPixels(dimensions) ? dimensions : {}
}

/** Exact size if both sides are known, else the bounds; whole pixels only. */
function sizeOf(format: CreativeFormat, ref: FormatRef): Params {
  const { width, height } = ref.width === undefined ? pixelsOf(format) : ref
  return Number.isInteger(width) && Number.isInteger(height) ? { width, height } : boundsOf(format)
}

function boundsOf(format: CreativeFormat): Params {
  const pixels = pixelsOf(format)
  const bounds = ["min_width", "min_height", "max_width", "max_height"] as const
  const numbers = bounds.filter((name) => Number.isInteger(pixels[name])).map((name) => [name, pixels[name]])
  return Object.fromEntries(numbers)
}

function requirementsOf(format: CreativeFormat, type: string): Params {
  const asset = (format.assets ?? []).find((each): each is Asset & { requirements: Params } => {
    return "asset_type" in each && each.asset_type === type && "requirements" in each
  })
  return asset?.requirements ?? {}
}

const canonicalImageFiles = ["jpg", "jpeg", "png", "gif", "webp", "svg"]

function imageFiles(format: CreativeFormat): Params {
  const { formats, max_file_size_kb } = requirementsOf(format, "image")
  const files = Array.isArray(formats) ? formats.filter((file) => canonicalImageFiles.includes(file)) : []
  return {
    ...(files.length > 0 && { image_formats: files }),
    ...(max_file_size_kb !== undefined && { max_file_size_kb }),
  }
}

const exactDuration = ({ duration_ms }: FormatRef): Params =>
  Number.isInteger(duration_ms) ? { duration_ms_exact: duration_ms } : {}

function duration(format: CreativeFormat, type: "video" | "audio", ref: FormatRef): Params {
  if (ref.duration_ms !== undefined) return exactDuration(ref)
  const { min_duration_ms: shortest, max_duration_ms: longest } = requirementsOf(format, type)
  if (shortest === undefined && longest === undefined) return {}
  return shortest === longest
    ? { duration_ms_exact: longest }
    : { duration_ms_range: [shortest ?? null, longest ?? null] }
}

function vastVersion(format: CreativeFormat): Params {
  const { vast_version } = requirementsOf(format, "vast")
  return vast_version === undefined ? {} : { vast_version }
}

const nativeLimits = { headline: "title_max_chars", body_text: "body_text_max_chars", cta: "cta_max_chars" } as const

function nativeTexts(format: CreativeFormat): Params {
  const texts = (format.assets ?? []).filter((asset) => "asset_type" in asset && asset.asset_type === "text")
  const limits = texts.flatMap((asset) => {
    const name = nativeLimits[asset.asset_group_id as keyof typeof nativeLimits]
    const longest = (asset as { requirements?: { max_length?: number } }).requirements?.max_length
    return name && longest !== undefined ? [[name, longest]] : []
  })
  return Object.fromEntries(limits)
}
