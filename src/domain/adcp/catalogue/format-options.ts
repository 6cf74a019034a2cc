import type { CreativeFormat } from "../schema/format/creative-format.ts"
import { type FormatRef, isOwnRef } from "../schema/format/format-id.ts"
import type { OwnFormats } from "./check.ts"

// The same formats once more, as AdCP 3.1 declares them: the newest official clients show no product that has only references. Each option
// is of one of AdCP's own kinds, narrowed by what the format asks for, and names the reference that it stands for.

type Kind = NonNullable<CreativeFormat["canonical"]>["kind"]

/** An asset of any type, or a group of them. */
interface Asset {
  readonly asset_type?: string
  readonly asset_id?: string
  readonly asset_group_id?: string
  readonly required: boolean
  readonly requirements?: object
  readonly assets?: readonly Asset[]
  readonly min_count?: number
  readonly max_count?: number
}

type Params = Readonly<Record<string, unknown>>

export interface FormatOption {
  readonly format_kind: Kind
  readonly format_option_id: string
  readonly display_name?: string
  readonly params: Params
  readonly v1_format_ref: readonly FormatRef[]
}

/** An option for each reference, in the same order; undefined where one of them is of no kind that we know: both lists are of the same formats. */
export function formatOptions(
  refs: readonly FormatRef[],
  own: OwnFormats,
  agentUrl: string,
): FormatOption[] | undefined {
  const used = new Set<string>()
  const options = refs.map((ref): FormatOption | undefined => {
    const format = isOwnRef(ref, agentUrl) ? own.get(ref.id) : undefined
    const kind = format === undefined ? kindOfName(ref.id) : kindOf(format)
    if (kind === undefined) return undefined
    return {
      format_kind: kind,
      format_option_id: unused(optionIdOf(ref), used),
      ...(format !== undefined && { display_name: format.name }),
      params: paramsOf(kind, ref, format),
      v1_format_ref: [ref],
    }
  })
  return options.every((option) => option !== undefined) && options.length > 0 ? options : undefined
}

function optionIdOf({ id, width, height, duration_ms }: FormatRef): string {
  const size = width === undefined ? [] : [`${width}x${height}`]
  return [id, ...size, ...(duration_ms === undefined ? [] : [`${duration_ms}ms`])].join("_")
}

function unused(id: string, used: Set<string>): string {
  let name = id
  for (let n = 2; used.has(name); n += 1) name = `${id}_${n}`
  used.add(name)
  return name
}

// Kinds

/** What a format says of itself, or what its assets show. A custom kind needs a schema that anybody can fetch. */
function kindOf({ canonical, assets: given = [] }: CreativeFormat): Kind | undefined {
  if (canonical?.kind === "custom") return undefined
  if (canonical !== undefined) return canonical.kind
  const assets: readonly Asset[] = given
  if (assets.some((asset) => asset.assets !== undefined)) return "image_carousel"
  const types = new Set(assets.map(({ asset_type }) => asset_type))
  const [, kind] = KIND_OF_ASSET.find(([type]) => types.has(type)) ?? []
  return kind === "image" && types.has("text") ? "native_in_feed" : kind
}

// In this order: a video may have a picture beside it.
const KIND_OF_ASSET: readonly (readonly [type: string, kind: Kind])[] = [
  ["vast", "video_vast"],
  ["daast", "audio_daast"],
  ["video", "video_hosted"],
  ["audio", "audio_hosted"],
  ["html", "html5"],
  ["zip", "html5"],
  ["javascript", "display_tag"],
  ["image", "image"],
  ["markdown", "native_in_feed"],
  ["text", "native_in_feed"],
]

/** Of a format of another agent only the name is known. */
const kindOfName = (id: string): Kind | undefined => KIND_OF_NAME.find(([words]) => words.test(id))?.[1]

const KIND_OF_NAME: readonly (readonly [words: RegExp, kind: Kind])[] = [
  [/daast/i, "audio_daast"],
  [/vast/i, "video_vast"],
  [/carousel/i, "image_carousel"],
  [/html5/i, "html5"],
  [/tag|javascript|js/i, "display_tag"],
  [/native/i, "native_in_feed"],
  [/audio|podcast|radio/i, "audio_hosted"],
  [/video|ctv|olv/i, "video_hosted"],
  [/image|display|banner|dooh/i, "image"],
]

// Parameters

const ANY_SIZE = new Set<Kind>(["image", "html5", "display_tag"])
const SOURCED = new Set<Kind>(["image", "video_hosted", "audio_hosted"])

function paramsOf(kind: Kind, ref: FormatRef, format: CreativeFormat | undefined): Params {
  const canonical = format?.canonical
  const assets: readonly Asset[] = format?.assets ?? []
  const slots = (canonical?.slots_override ?? (kind === "native_in_feed" ? slotsOf(assets) : [])).map(knownSlot)
  return said({
    ...(ANY_SIZE.has(kind) ? sizeOf(ref, format) : {}),
    ...PARAMS[kind]?.(assets, ref, format),
    asset_source: SOURCED.has(kind) ? canonical?.asset_source : undefined,
    slots: slots.length === 0 || slots.includes(undefined) ? undefined : slots,
  })
}

/** Without what is not known. */
const said = (params: Params): Params =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))

function sizeOf(ref: FormatRef, format: CreativeFormat | undefined): Params {
  if (ref.width !== undefined) return { width: ref.width, height: ref.height }
  const { width, height, ...bounds } = pixelsOf(format)
  return width !== undefined && height !== undefined ? { width, height } : bounds
}

/** The same where there is no exact size. */
function boundsOf(ref: FormatRef, format: CreativeFormat | undefined): Params {
  const { width, height, ...bounds } = sizeOf(ref, format)
  if (width === undefined) return bounds
  return { min_width: width, max_width: width, min_height: height, max_height: height }
}

/** Whole pixels, as far as they are said. */
function pixelsOf(format: CreativeFormat | undefined): Readonly<Record<string, number | undefined>> {
  const [{ dimensions } = { dimensions: undefined }] = format?.renders ?? []
  if (dimensions === undefined || (dimensions.unit ?? "px") !== "px") return {}
  const { width, height, min_width, min_height, max_width, max_height } = dimensions
  const sizes = { width, height, min_width, min_height, max_width, max_height }
  return Object.fromEntries(Object.entries(sizes).filter(([, pixels]) => Number.isSafeInteger(pixels)))
}

/** Also of what is measured in millimetres. */
function shapeOf(format: CreativeFormat | undefined): string | undefined {
  const { aspect_ratio, width, height } = format?.renders?.[0]?.dimensions ?? {}
  return aspect_ratio ?? (width === undefined || height === undefined ? undefined : `${width}:${height}`)
}

/** What the first asset that is meant asks for. */
const askedOf = (assets: readonly Asset[], isMeant: (asset: Asset) => boolean): Params => ({
  ...assets.find(isMeant)?.requirements,
})

const ofType = (type: string) => (asset: Asset) => asset.asset_type === type
const ofGroup = (group: string) => (asset: Asset) => asset.asset_group_id === group

function lastingOf({ duration_ms }: FormatRef, { min_duration_ms: least, max_duration_ms: most }: Params): Params {
  const exact = duration_ms ?? (least === most ? least : undefined)
  if (exact !== undefined) return Number.isSafeInteger(exact) ? { duration_ms_exact: exact } : {}
  if (least === undefined && most === undefined) return {}
  return { duration_ms_range: [least ?? null, most ?? null] }
}

/** Those of some names that the kind knows; undefined where it knows none. */
function known(given: unknown, ...names: string[]): string[] | undefined {
  const both = Array.isArray(given) ? given.filter((name) => names.includes(name)) : []
  return both.length === 0 ? undefined : both
}

const imageFormats = (given: unknown) => known(given, "jpg", "jpeg", "png", "gif", "webp")
const longest = (assets: readonly Asset[], group: string) => askedOf(assets, ofGroup(group))["max_length"]

type ParamsOf = (assets: readonly Asset[], ref: FormatRef, format: CreativeFormat | undefined) => Params

const PARAMS: Readonly<Partial<Record<Kind, ParamsOf>>> = {
  image(assets, ref, format) {
    const { formats, max_file_size_kb } = askedOf(assets, ofType("image"))
    const isSized = sizeOf(ref, format)["width"] !== undefined
    const aspect_ratio = isSized ? undefined : shapeOf(format)
    return { aspect_ratio, image_formats: imageFormats(formats), max_file_size_kb }
  },
  html5: (assets) => ({ backup_image_required: assets.some((asset) => ofType("image")(asset) && asset.required) }),
  display_tag: (assets) => ({ supported_tag_types: assets.some(ofType("javascript")) ? ["javascript"] : undefined }),
  image_carousel(assets) {
    const { assets: parts = [], min_count = 0, max_count } = assets.find((asset) => asset.assets !== undefined) ?? {}
    const { aspect_ratio, max_file_size_kb } = askedOf(parts, ofType("image"))
    return {
      min_cards: min_count < 2 ? undefined : min_count,
      max_cards: max_count,
      card_aspect_ratio: aspect_ratio,
      card_image_max_file_size_kb: max_file_size_kb,
      card_headline_max_chars: askedOf(parts, ofType("text"))["max_length"],
    }
  },
  video_hosted(assets, ref, format) {
    const asked = askedOf(assets, ofType("video"))
    const megabytes = Math.floor(Number(asked["max_file_size_kb"]) / 1_024)
    return {
      ...boundsOf(ref, format),
      aspect_ratio: asked["aspect_ratio"] ?? shapeOf(format),
      ...lastingOf(ref, asked),
      containers: known(asked["containers"], "mp4", "webm", "mov"),
      video_codecs: known(asked["codecs"], "h264", "h265", "vp8", "vp9", "av1", "prores"),
      max_file_size_mb: megabytes >= 1 ? megabytes : undefined,
    }
  },
  video_vast: (assets, ref, format) => ({
    ...boundsOf(ref, format),
    aspect_ratio: shapeOf(format),
    ...lastingOf(ref, {}),
    vast_version: askedOf(assets, ofType("vast"))["vast_version"],
  }),
  audio_hosted(assets, ref) {
    const asked = askedOf(assets, ofType("audio"))
    return { ...lastingOf(ref, asked), audio_codecs: known(asked["formats"], "mp3", "aac", "wav", "flac") }
  },
  audio_daast: (assets, ref) => ({
    ...lastingOf(ref, {}),
    daast_version: askedOf(assets, ofType("daast"))["daast_version"],
  }),
  native_in_feed(assets) {
    const {
      formats,
      max_file_size_kb,
      min_width: width,
      min_height: height,
      ...more
    } = askedOf(assets, ofType("image"))
    const isWhole = Number.isSafeInteger(width) && Number.isSafeInteger(height)
    const isExact = isWhole && width === more["max_width"] && height === more["max_height"]
    return {
      title_max_chars: longest(assets, "headline"),
      body_text_max_chars: longest(assets, "body_text"),
      cta_max_chars: longest(assets, "cta"),
      main_image_sizes: isExact ? [{ width, height }] : undefined,
      max_image_file_size_kb: max_file_size_kb,
      image_formats: imageFormats(formats),
    }
  },
}

const SLOT_TYPES = new Set(
  [
    "image video audio text markdown url html css javascript vast daast webhook brief catalog published_post zip",
    "card object pixel_tracker vast_tracker daast_tracker",
  ].flatMap((types) => types.split(" ")),
)
const WITH_CHARACTERS = new Set(["text", "markdown", "brief"])

/** Undefined for a type of asset that options do not know. */
function knownSlot<Slot extends Readonly<{ asset_type: string; max_chars?: number }>>({ max_chars, ...slot }: Slot) {
  if (!SLOT_TYPES.has(slot.asset_type)) return undefined
  return max_chars !== undefined && WITH_CHARACTERS.has(slot.asset_type) ? { ...slot, max_chars } : slot
}

/** What has to be sent: a native ad of AdCP's own has other parts. */
const slotsOf = (assets: readonly Asset[]) =>
  assets.flatMap(({ asset_type, asset_id, asset_group_id = asset_id, required }) =>
    asset_type === undefined ? [] : [{ asset_group_id, asset_type, required }],
  )
