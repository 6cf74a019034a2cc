import type { Errors } from "../../errors.ts"
import { readNumber } from "../../typed-number.ts"
import type { CreativeFormat } from "../schema/creative-format.ts"

export { LANDING_PAGE } from "../catalogue/built-in/parts.ts"

export type Asset = NonNullable<CreativeFormat["assets"]>[number]

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
export function readFile(
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
