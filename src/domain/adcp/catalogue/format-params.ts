import type { CreativeFormat, FormatRef } from "../schema/creative-format.ts"
import { canonicalOf } from "./format-names.ts"

type Asset = NonNullable<CreativeFormat["assets"]>[number]
type Requirements = Readonly<Record<string, unknown>>

/** The parameters that narrow a canonical format: sizes, durations, versions. `list_creative_formats` has the rest. */
export function paramsOf(ref: FormatRef, format: CreativeFormat | undefined): object {
  if (format === undefined) return { ...sizeOf(ref), ...durationOf(ref, {}) }
  const { asset_source, slots_override } = canonicalOf(format)
  return {
    ...kindParams(ref, format),
    ...(asset_source !== undefined && { asset_source }),
    ...(slots_override !== undefined && { slots: slots_override }),
  }
}

function kindParams(ref: FormatRef, format: CreativeFormat): object {
  switch (canonicalOf(format).kind) {
    case "image":
    case "html5":
    case "display_tag":
      return sizeOf(ref, format)
    case "video_hosted": {
      const video = requirementsOf(format, "video")
      return { ...pick(video, ["aspect_ratio"]), ...durationOf(ref, video) }
    }
    case "audio_hosted":
      return durationOf(ref, requirementsOf(format, "audio"))
    case "video_vast":
      return { ...pick(requirementsOf(format, "vast"), ["vast_version"]), ...durationOf(ref, {}) }
    case "audio_daast":
      return { ...pick(requirementsOf(format, "daast"), ["daast_version"]), ...durationOf(ref, {}) }
    case "native_in_feed":
      return { ...charactersOf(format, "headline", "title"), ...charactersOf(format, "body_text", "body_text") }
    case "image_carousel":
      return cardsOf(format)
    default:
      return {}
  }
}

/** The size in pixels: from the reference, or the only one that the format has. Posters are measured in millimeters. */
function sizeOf(ref: FormatRef, format?: CreativeFormat): object {
  if (ref.width !== undefined && ref.height !== undefined) return { width: ref.width, height: ref.height }
  const [render, ...others] = format?.renders ?? []
  const { width, height, unit = "px" } = render?.dimensions ?? {}
  const isFixed = others.length === 0 && width !== undefined && height !== undefined
  return isFixed && unit === "px" ? { width: Math.round(width), height: Math.round(height) } : {}
}

/** Exactly so long, at most so long, or anything in between. */
function durationOf({ duration_ms }: FormatRef, { min_duration_ms: min, max_duration_ms: max }: Requirements): object {
  if (duration_ms !== undefined) return { duration_ms_exact: Math.round(duration_ms) }
  if (min === undefined && max === undefined) return {}
  return min === max ? { duration_ms_exact: min } : { duration_ms_range: [min ?? null, max ?? null] }
}

function charactersOf(format: CreativeFormat, group: string, name: string): object {
  const isText = (asset: Asset) =>
    asset.item_type === "individual" && asset.asset_type === "text" && asset.asset_group_id === group
  const most = requirementsIn(format.assets?.find(isText))["max_length"]
  return most === undefined ? {} : { [`${name}_max_chars`]: most }
}

function cardsOf({ assets = [] }: CreativeFormat): object {
  const group = assets.find((asset) => asset.item_type === "repeatable_group")
  return group === undefined ? {} : { min_cards: Math.max(2, group.min_count), max_cards: group.max_count }
}

const requirementsOf = ({ assets = [] }: CreativeFormat, type: string): Requirements =>
  requirementsIn(assets.find((asset) => asset.item_type === "individual" && asset.asset_type === type))

const requirementsIn = (asset: Asset | undefined): Requirements =>
  asset !== undefined && "requirements" in asset ? ((asset.requirements ?? {}) as Requirements) : {}

const pick = (from: Requirements, names: readonly string[]): object =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])))
