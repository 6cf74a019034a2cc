import { type CreativeFormat, type FormatRef, haveSameParameters } from "../schema/creative-format.ts"

export type Canonical = NonNullable<CreativeFormat["canonical"]>

const KIND_OF_ASSET: readonly (readonly [asset: string, kind: Canonical["kind"]])[] = [
  ["vast", "video_vast"],
  ["daast", "audio_daast"],
  ["video", "video_hosted"],
  ["audio", "audio_hosted"],
  ["html", "html5"],
  ["zip", "html5"],
  ["javascript", "display_tag"],
]

/**
 * The kind of a format in AdCP's own terms. If the format doesn't say so, its files decide. Without known files it's
 * custom.
 */
export function canonicalOf({ canonical, format_id, assets = [] }: CreativeFormat): Canonical {
  if (canonical !== undefined) return canonical
  if (assets.some(({ item_type }) => item_type === "repeatable_group")) return { kind: "image_carousel" }
  const types = assets.flatMap((asset) => (asset.item_type === "individual" ? [asset.asset_type] : []))
  const found = KIND_OF_ASSET.find(([type]) => types.includes(type))
  if (found !== undefined) return { kind: found[1] }
  const hasText = types.includes("text") || types.includes("markdown")
  if (types.includes("image")) return { kind: hasText ? "native_in_feed" : "image" }
  if (hasText) return { kind: "native_in_feed" }
  return { kind: "custom", format_shape: format_id.id.toLowerCase().replaceAll("-", "_") }
}

/** The formats of this server by ID: built-in ones and the operator's. */
export type OwnFormats = ReadonlyMap<string, CreativeFormat>

/** The parameters of a reference that the format doesn't take from it. */
export function unacceptedParameters(ref: FormatRef, format: CreativeFormat): string[] {
  if (haveSameParameters(format.format_id, ref)) return []
  const given = { dimensions: ref.width, duration: ref.duration_ms }
  const names = ["dimensions", "duration"] as const
  return names.filter((name) => given[name] !== undefined && !format.accepts_parameters?.includes(name))
}
