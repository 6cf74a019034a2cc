import { type Errors, errorsIn, hasErrors } from "../../errors.ts"
import type { Problem } from "../../schema/explain.ts"
import { readNumber } from "../../typed-number.ts"
import { LANDING_PAGE } from "../catalogue/built-in.ts"
import { errorsByField, type FieldPointer } from "../catalogue/check.ts"
import { canonicalOf, requirementsIn } from "../catalogue/format-options.ts"
import type { CreativeFormat, FormatAsset } from "../schema/creative-format.ts"

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

/** What the form begins with for a new format. */
export const NEW_FORMAT: Texts = { kind: "image", file: "image", landing: "yes" }

/** The texts of a stored format. Fields that the form doesn't show are kept when the format is saved. */
export function formatTexts(format: CreativeFormat): Texts {
  const { kind, format_shape = "" } = canonicalOf(format)
  const { assets = [] } = format
  return {
    formatId: format.format_id.id,
    name: format.name,
    description: format.description ?? "",
    kind,
    shape: kind === "custom" ? format_shape : "",
    size: sizeOf(format),
    ...fileTexts(mainAsset(assets)),
    landing: assets.some(isLandingPage) ? "yes" : "",
  }
}

/** "300x250". Empty if the size is in the format_id, has bounds, or isn't in pixels. */
function sizeOf({ renders = [] }: CreativeFormat): string {
  const { width, height, unit = "px" } = renders[0]?.dimensions ?? {}
  const isPlain = renders.length === 1 && width !== undefined && height !== undefined && unit === "px"
  return isPlain ? `${width}x${height}` : ""
}

/** The file or tag that a creative is: the first part that isn't an address. */
const mainAsset = (assets: readonly FormatAsset[]): FormatAsset | undefined =>
  assets.find((asset) => asset.item_type === "individual" && asset.asset_type !== "url")

const isLandingPage = (asset: FormatAsset): boolean =>
  asset.item_type === "individual" && asset.asset_type === "url" && requirementsIn(asset)["role"] === "clickthrough"

function fileTexts(asset: FormatAsset | undefined): Texts {
  if (asset?.item_type !== "individual") return { file: "", kilobytes: "", seconds: "" }
  const { max_file_size_kb = "", min_duration_ms: least, max_duration_ms: most } = requirementsIn(asset)
  const ends = least === undefined && most !== undefined ? [0, most] : [...new Set([least, most])]
  const seconds = ends.flatMap((ms) => (typeof ms === "number" ? [ms / 1_000] : []))
  return { file: asset.asset_type, kilobytes: String(max_file_size_kb), seconds: seconds.join("-") }
}

type Read<Value> = { readonly value: Value; readonly error?: undefined } | { readonly error: string }

/** The AdCP format that the texts describe. It's checked when it's saved. Here, only texts that can't be read are errors. */
export function readFormat(
  texts: Texts,
  stored: CreativeFormat | null,
): { readonly format: unknown } | { readonly errors: Errors } {
  const before: Texts = stored === null ? {} : formatTexts(stored)
  const isSame = (...names: string[]) => stored !== null && names.every((name) => (texts[name] ?? "") === before[name])
  const { name = "", description = "", kind = "", shape = "", file = "" } = texts
  const size = readSize(texts["size"] ?? "")
  const kilobytes = readKilobytes(file, texts["kilobytes"] ?? "")
  const length = readSeconds(file, texts["seconds"] ?? "")
  const errors = errorsIn({
    name: name === "" ? "Enter a name." : undefined,
    shape: kind === "custom" && shape === "" ? "Enter the kind of ad, such as newsletter_sponsorship." : undefined,
    size: size.error,
    kilobytes: kilobytes.error,
    seconds: length.error,
  })
  if (size.error !== undefined || kilobytes.error !== undefined || length.error !== undefined) return { errors }
  if (hasErrors(errors)) return { errors }
  const { description: _, canonical, renders: storedRenders, assets: storedAssets, ...kept } = stored ?? {}
  const renders = isSame("size") ? storedRenders : size.value
  const main = isSame("file", "kilobytes", "seconds")
    ? storedAssets
    : withFile(storedAssets ?? [], file, { ...kilobytes.value, ...length.value })
  const assets = isSame("landing") ? main : withLanding(main ?? [], texts["landing"] === "yes")
  const format = {
    ...kept,
    format_id: stored?.format_id ?? { id: texts["formatId"] ?? "" },
    name,
    ...(description !== "" && { description }),
    ...(isSame("kind", "shape") ? canonical && { canonical } : { canonical: canonicalFrom(texts, canonical) }),
    ...(renders !== undefined && { renders }),
    ...(assets !== undefined && { assets }),
  }
  return { format }
}

/** Another kind has nothing in common with the stored one. */
function canonicalFrom({ kind = "", shape = "" }: Texts, stored: CreativeFormat["canonical"]): object {
  const { format_shape: _, ...kept } = stored?.kind === kind ? stored : {}
  return { ...kept, kind, ...(kind === "custom" && { format_shape: shape }) }
}

/** "970x250", "970 × 250" */
function readSize(text: string): Read<readonly object[] | undefined> {
  if (text === "") return { value: undefined }
  const [, width, height] = /^(\d{1,5})\s*[x×*]\s*(\d{1,5})$/i.exec(text) ?? []
  if (width === undefined) return { error: "Enter a width and a height, such as 970x250." }
  return { value: [{ role: "primary", dimensions: { width: Number(width), height: Number(height), unit: "px" } }] }
}

function readKilobytes(file: string, text: string): Read<object> {
  if (text === "") return { value: {} }
  if (!WITH_SIZE.includes(file)) return { error: "Only files have a size. Leave this empty." }
  const read = readNumber(text, { isWhole: true })
  if ("error" in read) return read
  return read.value > 0 ? { value: { max_file_size_kb: read.value } } : { error: "Enter 1 or more." }
}

/** "30", or "15-30" for anything in between. */
function readSeconds(file: string, text: string): Read<object> {
  if (text === "") return { value: {} }
  if (!WITH_LENGTH.includes(file)) return { error: "Only video and audio have a length. Leave this empty." }
  const [, from, to = from] = /^(\d{1,5}(?:\.\d{1,3})?)(?:\s*[-–]\s*(\d{1,5}(?:\.\d{1,3})?))?$/.exec(text) ?? []
  const [least, most] = [Math.round(Number(from) * 1_000), Math.round(Number(to) * 1_000)]
  if (from === undefined || most === 0 || least > most) return { error: "Enter a length, such as 30 or 15-30." }
  return { value: { ...(least > 0 && { min_duration_ms: least }), max_duration_ms: most } }
}

/** The stored parts, with the file changed or replaced. A file of the same type keeps its other requirements. */
function withFile(stored: readonly FormatAsset[], file: string, changes: object): readonly object[] {
  const before = mainAsset(stored)
  const others = stored.filter((asset) => asset !== before)
  if (file === "") return others
  const asset = before !== undefined && "asset_type" in before && before.asset_type === file ? before : newAsset(file)
  const { max_file_size_kb: _, min_duration_ms: __, max_duration_ms: ___, ...kept } = requirementsIn(asset)
  const { requirements: ____, ...fields } = { requirements: {}, ...asset }
  const requirements = { ...kept, ...changes }
  return [{ ...fields, ...(Object.keys(requirements).length > 0 && { requirements }) }, ...others]
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

const withLanding = (assets: readonly object[], hasLanding: boolean): readonly object[] =>
  hasLanding ? [...assets, LANDING_PAGE] : assets.filter((asset) => !isLandingPage(asset as FormatAsset))

const FIELDS: readonly FieldPointer[] = [
  ["/format_id", "formatId"],
  ["/name", "name"],
  ["/description", "description"],
  ["/canonical/format_shape", "shape"],
  ["/canonical", "kind"],
  ["/renders", "size"],
  ["/assets", "file"],
]

/** The problems of a format by field of the form. */
export const formatErrors = (problems: readonly Problem[]): Errors => errorsByField(problems, FIELDS)
