import type { CreativeFormat, FormatAsset } from "../schema/creative-format.ts"
import builtIn from "./built-in-formats.json"
import type { OwnFormats } from "./format-options.ts"

/** What several formats contain, by its name in their list of assets. */
const PARTS = builtIn.parts as Readonly<Record<string, unknown>>

export const LANDING_PAGE = builtIn.parts.landing_page_url as FormatAsset

/** The public catalog that every server starts with, by ID. The operator may extend, replace or hide its formats. */
export const BUILT_IN_FORMATS: OwnFormats = new Map(
  builtIn.formats.map((format) => {
    const assets = format.assets.map((asset) => (typeof asset === "string" ? PARTS[asset] : asset))
    return [format.format_id.id, { ...format, assets } as CreativeFormat]
  }),
)

/** The built-in formats, with the operator's. One of the operator's replaces a built-in one, and null hides it. */
export function withOperatorFormats(stored: ReadonlyMap<string, CreativeFormat | null>): OwnFormats {
  const formats = new Map([...BUILT_IN_FORMATS, ...stored])
  return new Map([...formats].flatMap(([id, format]) => (format === null ? [] : [[id, format] as const])))
}
