import { type Problem, pathOf } from "../../schema/explain.ts"
import {
  type CreativeFormat,
  type FormatRef,
  haveSameParameters,
  type ProductFormatRef,
} from "../schema/creative-format.ts"
import type { Product } from "../schema/product.ts"

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

/** A reference with the pointer to it. */
export type PlacedRef = readonly [pointer: string, ref: ProductFormatRef]

const placed = (pointer: string, refs: readonly ProductFormatRef[] = []): PlacedRef[] =>
  refs.map((ref, i) => [`${pointer}/${i}`, ref])

/** Every format that a product names, with the ones of its placements. */
export const refsOfProduct = ({ format_ids, placements = [] }: Partial<Product>): PlacedRef[] => [
  ...placed("/format_ids", format_ids ?? []),
  ...placements.flatMap((placement, i) => placed(`/placements/${i}/format_ids`, placement.format_ids)),
]

export const refsOfFormat = ({ input_format_ids, output_format_ids }: CreativeFormat): PlacedRef[] => [
  ...placed("/input_format_ids", input_format_ids),
  ...placed("/output_format_ids", output_format_ids),
]

/** A reference without agent_url must name one of our formats, so that buyers can look up every format. */
export function checkRefs(refs: readonly PlacedRef[], own: OwnFormats): Problem[] {
  return refs.flatMap(([pointer, ref]) =>
    problemsOfRef(ref, own).map((what) => ({ pointer, message: `${pathOf(pointer)}: ${what}`, keyword: "rule" })),
  )
}

function problemsOfRef(ref: FormatRef, own: OwnFormats): string[] {
  if (ref.agent_url !== undefined) return []
  const format = own.get(ref.id)
  if (format === undefined) return [`"${ref.id}" isn't a format of this catalog`]
  const agent = format.format_id.agent_url
  if (agent !== undefined) return [`"${ref.id}" is a format of ${agent}, so add that agent_url`]
  return unacceptedParameters(ref, format).map((name) => `the format "${ref.id}" doesn't accept ${name}`)
}

/** The parameters of a reference that the format doesn't take from it. */
export function unacceptedParameters(ref: FormatRef, format: CreativeFormat): string[] {
  if (haveSameParameters(format.format_id, ref)) return []
  const given = { dimensions: ref.width, duration: ref.duration_ms }
  const names = ["dimensions", "duration"] as const
  return names.filter((name) => given[name] !== undefined && !format.accepts_parameters?.includes(name))
}
