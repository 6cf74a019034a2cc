import { hash } from "node:crypto"
import { freeName } from "../../text.ts"
import {
  type CreativeFormat,
  type FormatAsset,
  type FormatRef,
  haveSameParameters,
  type ProductFormatRef,
  publicRef,
} from "../schema/creative-format.ts"
import { addressBeside } from "../text.ts"

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

/** The format that a reference of a product names. Undefined if it's another agent's, which may have the same ID. */
export const ownFormat = (ref: FormatRef, own: OwnFormats): CreativeFormat | undefined =>
  ref.agent_url === undefined ? own.get(ref.id) : undefined

/** The parameters of a reference that the format doesn't take from it. */
export function unacceptedParameters(ref: FormatRef, format: CreativeFormat): string[] {
  if (haveSameParameters(format.format_id, ref)) return []
  const given = { dimensions: ref.width, duration: ref.duration_ms }
  const names = ["dimensions", "duration"] as const
  return names.filter((name) => given[name] !== undefined && !format.accepts_parameters?.includes(name))
}

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
  const isText = (asset: FormatAsset) =>
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

/** What a file or text is asked to be like. Empty if it isn't. */
export const requirementsIn = (asset: object | undefined): Requirements =>
  asset !== undefined && "requirements" in asset ? (asset.requirements as Requirements) : {}

const pick = (from: Requirements, names: readonly string[]): object =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])))

/** The ID under which the schema of formats that other agents define is published. */
export const FOREIGN_FORMAT_ID = "of_another_agent"

/** A JSON Schema as it's published, and how a custom format refers to it. */
interface PublishedSchema {
  readonly text: string
  readonly reference: { readonly uri: string; readonly digest: string }
}

/** Describes a format that fits no kind of AdCP by its parts. Buyers fetch it by the address in the reference. */
export function customSchema(format: CreativeFormat, agentUrl: string): PublishedSchema {
  const { format_id, name, description, assets = [] } = format
  const parts = assets.map((asset) => {
    const isGroup = asset.item_type === "repeatable_group"
    const part = isGroup ? asset.asset_group_id : asset.asset_id
    const schema = isGroup ? { type: "array", minItems: asset.min_count, maxItems: asset.max_count } : {}
    return { part, schema: { title: isGroup ? part : asset.asset_type, ...schema }, isRequired: asset.required }
  })
  return published(format_id.id, agentUrl, {
    title: name,
    ...(description !== undefined && { description }),
    type: "object",
    properties: Object.fromEntries(parts.map(({ part, schema }) => [part, schema])),
    required: parts.filter(({ isRequired }) => isRequired).map(({ part }) => part),
  })
}

/** We don't know another agent's format, unless the product says its kind. */
export const foreignSchema = (agentUrl: string): PublishedSchema =>
  published(FOREIGN_FORMAT_ID, agentUrl, {
    title: "A format of another agent",
    description: "The agent that v1_format_ref names defines it.",
    type: "object",
  })

/** AdCP wants the address to begin with https. */
function published(id: string, agentUrl: string, schema: object): PublishedSchema {
  const text = JSON.stringify({ $schema: "http://json-schema.org/draft-07/schema#", ...schema })
  const address = addressBeside(agentUrl).replace(/^http:/, "https:")
  return {
    text,
    reference: { uri: `${address}/formats/${id}.json`, digest: `sha256:${hash("sha256", text, "hex")}` },
  }
}

/** Declares a format of a product in AdCP's own terms. The newest official clients read nothing else. */
export interface FormatOption {
  readonly format_kind: string
  readonly format_option_id: string
  readonly display_name: string
  readonly params: object
  readonly v1_format_ref: readonly object[]
  readonly format_shape?: string
  readonly format_schema?: object
}

/** One option for each format, in the same order. */
export function formatOptions(refs: readonly ProductFormatRef[], own: OwnFormats, agentUrl: string): FormatOption[] {
  const taken = new Set<string>()
  return refs.map((ref) => {
    const format = ownFormat(ref, own)
    const canonical = format === undefined ? null : canonicalOf(format)
    const kind = canonical?.kind ?? ref.format_kind ?? "custom"
    // Formats of two agents may have the same ID.
    const id = freeName(idOf(ref), taken, "_")
    taken.add(id)
    return {
      format_kind: kind,
      format_option_id: id,
      display_name: format?.name ?? ref.id,
      params: paramsOf(ref, format),
      v1_format_ref: [publicRef(ref, agentUrl)],
      ...(kind === "custom" && {
        format_shape: canonical?.format_shape ?? "of_another_agent",
        format_schema: (format === undefined ? foreignSchema(agentUrl) : customSchema(format, agentUrl)).reference,
      }),
    }
  })
}

const idOf = ({ id, width, height, duration_ms }: ProductFormatRef): string =>
  [id, ...(width === undefined ? [] : [`${width}x${height}`]), ...(duration_ms ? [`${duration_ms}ms`] : [])].join("_")
