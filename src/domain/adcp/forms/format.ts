import type { Errors } from "../../errors.ts"
import type { Problem } from "../../schema/explain.ts"
import { readNumber } from "../../typed-number.ts"
import { LANDING_PAGE } from "../catalogue/built-in.ts"
import { canonicalOf } from "../catalogue/format-options.ts"
import type { CreativeFormat } from "../schema/creative-format.ts"

export { LANDING_PAGE } from "../catalogue/built-in.ts"

type Asset = NonNullable<CreativeFormat["assets"]>[number]

type Texts = Readonly<Record<string, string>>

/** What a creative may be made of, in words. */
export const FILES = {
  image: "Image",
  video: "Video",
  audio: "Audio",
  html: "HTML document",
  zip: "ZIP archive",
  javascript: "JavaScript tag",
  vast: "VAST tag",
  daast: "DAAST tag",
  text: "Text",
} as const

const WITH_SIZE: readonly string[] = ["image", "video", "audio", "html", "javascript"]
const WITH_LENGTH: readonly string[] = ["video", "audio"]

/** The slot that a file fills, as in the built-in formats. */
const SLOTS: Texts = { image: "image_main", video: "video_main", audio: "audio_main" }

/** Reads the file of a creative. One of the same type keeps its other requirements. Null if it has no file. */
function readFile(
  texts: Texts,
  stored: Asset | undefined,
): { readonly asset: Asset | null } | { readonly errors: Errors } {
  const { file = "", kilobytes = "", seconds = "" } = texts
  const size = readKilobytes(file, kilobytes)
  const length = readSeconds(file, seconds)
  const errors = { ...("errors" in size && size.errors), ...("errors" in length && length.errors) }
  if ("errors" in size || "errors" in length) return { errors }
  if (file === "") return { asset: null }
  const isSame = stored !== undefined && "asset_type" in stored && stored.asset_type === file
  const asset = isSame ? stored : newAsset(file)
  const requirements = { ...keptOf(asset), ...size, ...length }
  const { requirements: _, ...rest } = { requirements: {}, ...asset }
  return { asset: { ...rest, ...(Object.keys(requirements).length > 0 && { requirements }) } as Asset }
}

function newAsset(file: string): object {
  const slot = SLOTS[file]
  return {
    item_type: "individual",
    asset_id: `${file}_file`,
    asset_type: file,
    ...(slot !== undefined && { asset_group_id: slot }),
    required: true,
  }
}

const IN_FORM: readonly string[] = ["max_file_size_kb", "min_duration_ms", "max_duration_ms"]

/** The requirements that the form doesn't show. */
function keptOf(asset: object): object {
  const requirements = "requirements" in asset ? { ...(asset.requirements as object) } : {}
  return Object.fromEntries(Object.entries(requirements).filter(([name]) => !IN_FORM.includes(name)))
}

function readKilobytes(
  file: string,
  text: string,
): { readonly max_file_size_kb?: number } | { readonly errors: Errors } {
  if (text === "") return {}
  if (!WITH_SIZE.includes(file)) return { errors: { kilobytes: "Only files have a size. Leave this empty." } }
  const read = readNumber(text, { isWhole: true })
  if ("error" in read) return { errors: { kilobytes: read.error } }
  return read.value > 0 ? { max_file_size_kb: read.value } : { errors: { kilobytes: "Enter 1 or more." } }
}

/** "30", or "15-30" for anything in between. */
function readSeconds(file: string, text: string): object | { readonly errors: Errors } {
  if (text === "") return {}
  if (!WITH_LENGTH.includes(file))
    return { errors: { seconds: "Only video and audio have a length. Leave this empty." } }
  const [, from, to = from] = /^(\d{1,5}(?:\.\d{1,3})?)(?:\s*[-–]\s*(\d{1,5}(?:\.\d{1,3})?))?$/.exec(text) ?? []
  const [least, most] = [Math.round(Number(from) * 1_000), Math.round(Number(to) * 1_000)]
  if (from === undefined || most === 0 || least > most)
    return { errors: { seconds: "Enter a length, such as 30 or 15-30." } }
  return { ...(least > 0 && { min_duration_ms: least }), max_duration_ms: most }
}

/** What the form begins with for a new format. */
export const NEW_FORMAT: Texts = { kind: "image", file: "image", landing: "yes" }

/** The texts of a stored format. Fields that the form doesn't show are kept when the format is saved. */
export function formatTexts(format: CreativeFormat): Texts {
  const { kind, format_shape = "" } = canonicalOf(format)
  return {
    formatId: format.format_id.id,
    name: format.name,
    description: format.description ?? "",
    kind,
    shape: kind === "custom" ? format_shape : "",
    size: sizeOf(format),
    ...fileTexts(mainAsset(format.assets)),
    landing: (format.assets ?? []).some(isLandingPage) ? "yes" : "",
  }
}

/** "300x250". Empty if the size is in the format_id, has bounds, or isn't in pixels. */
function sizeOf({ renders = [] }: CreativeFormat): string {
  const { width, height, unit = "px" } = renders[0]?.dimensions ?? {}
  const isPlain = renders.length === 1 && width !== undefined && height !== undefined && unit === "px"
  return isPlain ? `${width}x${height}` : ""
}

/** The file or tag that a creative is: the first part that isn't an address. */
const mainAsset = (assets: readonly Asset[] = []): Asset | undefined =>
  assets.find((asset) => asset.item_type === "individual" && asset.asset_type !== "url")

function isLandingPage(asset: Asset): boolean {
  if (asset.item_type !== "individual" || asset.asset_type !== "url") return false
  const { role } = (asset.requirements ?? {}) as { readonly role?: string }
  return role === "clickthrough"
}

function fileTexts(asset: Asset | undefined): Texts {
  if (asset === undefined || asset.item_type !== "individual") return { file: "", kilobytes: "", seconds: "" }
  const requirements: Readonly<Record<string, unknown>> = "requirements" in asset ? { ...asset.requirements } : {}
  const [least, most] = [requirements["min_duration_ms"], requirements["max_duration_ms"]]
  const seconds = [...new Set([least, most])].flatMap((ms) => (typeof ms === "number" ? [String(ms / 1_000)] : []))
  return {
    file: asset.asset_type,
    kilobytes: String(requirements["max_file_size_kb"] ?? ""),
    seconds: least === undefined && most !== undefined ? `0-${seconds.join("-")}` : seconds.join("-"),
  }
}

/** The AdCP format that the texts describe. It's checked when it's saved. Here, only texts that can't be read are errors. */
export function readFormat(
  texts: Texts,
  stored: CreativeFormat | null,
): { readonly format: unknown } | { readonly errors: Errors } {
  const before: Texts = stored === null ? {} : formatTexts(stored)
  const isSame = (...names: string[]) => stored !== null && names.every((name) => (texts[name] ?? "") === before[name])
  const { name = "", description = "", kind = "", shape = "" } = texts
  const renders = isSame("size") ? { value: stored?.renders } : readSize(texts["size"] ?? "")
  const assets = isSame("file", "kilobytes", "seconds") ? { value: stored?.assets } : readAssets(texts, stored)
  const errors = {
    ...(name === "" && { name: "Enter a name." }),
    ...(kind === "custom" && shape === "" && { shape: "Enter what it is, such as newsletter_sponsorship." }),
    ...("errors" in renders && renders.errors),
    ...("errors" in assets && assets.errors),
  }
  if ("errors" in renders || "errors" in assets || Object.keys(errors).length > 0) return { errors }
  const { description: _, canonical, renders: __, assets: ___, ...kept } = stored ?? {}
  const parts = isSame("landing") ? assets.value : withLanding(assets.value ?? [], texts["landing"] === "yes")
  const format = {
    ...kept,
    format_id: stored?.format_id ?? { id: texts["formatId"] ?? "" },
    name,
    ...(description !== "" && { description }),
    ...(isSame("kind", "shape") ? canonical && { canonical } : { canonical: canonicalFrom(texts, canonical) }),
    ...(renders.value !== undefined && { renders: renders.value }),
    ...(parts !== undefined && { assets: parts }),
  }
  return { format }
}

/** Another kind has nothing in common with the stored one. */
function canonicalFrom({ kind = "", shape = "" }: Texts, stored: CreativeFormat["canonical"]): object {
  const { format_shape: _, ...kept } = stored?.kind === kind ? stored : {}
  return { ...kept, kind, ...(kind === "custom" && { format_shape: shape }) }
}

type Read<Value> = { readonly value: Value | undefined } | { readonly errors: Errors }

/** "970x250", "970 × 250" */
function readSize(text: string): Read<readonly object[]> {
  if (text === "") return { value: undefined }
  const [, width, height] = /^(\d{1,5})\s*[x×*]\s*(\d{1,5})$/i.exec(text) ?? []
  if (width === undefined) return { errors: { size: "Enter a width and a height, such as 970x250." } }
  return { value: [{ role: "primary", dimensions: { width: Number(width), height: Number(height), unit: "px" } }] }
}

/** The stored parts, with the file changed or replaced. */
function readAssets(texts: Texts, stored: CreativeFormat | null): Read<readonly Asset[]> {
  const before = stored?.assets ?? []
  const main = mainAsset(before)
  const read = readFile(texts, main)
  if ("errors" in read) return read
  const others = before.filter((asset) => asset !== main)
  return { value: read.asset === null ? others : [read.asset, ...others] }
}

const withLanding = (assets: readonly Asset[], hasLanding: boolean): readonly Asset[] =>
  hasLanding ? [...assets, LANDING_PAGE] : assets.filter((asset) => !isLandingPage(asset))

const FIELDS: readonly (readonly [pointer: string, field: string])[] = [
  ["/format_id", "formatId"],
  ["/name", "name"],
  ["/description", "description"],
  ["/canonical/format_shape", "shape"],
  ["/canonical", "kind"],
  ["/renders", "size"],
  ["/assets", "file"],
]

/** The problems of a format by field of the form. */
export function formatErrors(problems: readonly Problem[]): Errors {
  const errors: Record<string, string> = {}
  for (const { pointer, message } of problems) {
    const field = FIELDS.find(([start]) => pointer.startsWith(start))?.[1] ?? ""
    errors[field] ??= `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
  }
  return errors
}
