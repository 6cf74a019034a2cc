import { type Static, Type } from "@sinclair/typebox"
import { choice, Domain, Flag } from "../../schema/build.ts"
import { AccountInput, described, FormatIdInput, listOf, Pagination, toolInput } from "../input.ts"
import type { CreativeFormat, FormatAsset } from "../schema/creative-format.ts"
import { AssetContentType, DisclosurePersistence, DisclosurePosition, WcagLevel } from "../schema/vocabulary.ts"
import type { PublicFormat } from "../view.ts"

const formatIds = (description: string) => listOf(FormatIdInput, description)
const pixels = (description: string) => Type.Integer({ description })

/** AdCP has two variants of this tool, one for media buying and one for creative agents. This one takes the arguments of both. */
export const ListCreativeFormatsInput = toolInput({
  format_ids: formatIds("Only these formats."),
  type: described(choice("audio video display dooh"), "Only formats of this general type. Prefer asset_types."),
  asset_types: listOf(AssetContentType, "Only formats that use one of these asset types."),
  max_width: pixels("Only formats with a render no wider than this."),
  max_height: pixels("Only formats with a render no taller than this."),
  min_width: pixels("Only formats with a render at least this wide."),
  min_height: pixels("Only formats with a render at least this tall."),
  is_responsive: described(Flag, "true keeps only responsive formats, false only fixed ones."),
  name_search: Type.String({ description: "Only formats whose name contains this text. Not case-sensitive." }),
  publisher_domain: described(Domain, "Only formats accepted by this publisher's products that you can see."),
  property_id: Type.String({
    pattern: "^[a-z0-9_]+$",
    description: "Only formats accepted by products on this property. Best combined with publisher_domain.",
  }),
  wcag_level: described(WcagLevel, "Only formats that meet at least this accessibility level."),
  disclosure_positions: Type.Array(DisclosurePosition, {
    minItems: 1,
    maxItems: 8,
    uniqueItems: true,
    description: "Only formats that can show a disclosure in all of these positions.",
  }),
  disclosure_persistence: Type.Array(DisclosurePersistence, {
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
    description: "Only formats that support all of these kinds of disclosure persistence.",
  }),
  output_format_ids: formatIds("Only formats that can produce one of these."),
  input_format_ids: formatIds("Only formats that can be made from one of these."),
  include_pricing: described(Flag, "true asks for prices per format, of which there are none here. Requires account."),
  account: AccountInput,
  pagination: Pagination,
})
export type ListCreativeFormatsInput = Static<typeof ListCreativeFormatsInput>

type Render = NonNullable<CreativeFormat["renders"]>[number]

// No format here says any of these, so nothing matches.
const NEVER = [
  "wcag_level",
  "disclosure_positions",
  "disclosure_persistence",
  "output_format_ids",
  "input_format_ids",
] as const

/** Whether a format passes every filter. */
export function fitsFilters(format: PublicFormat, input: ListCreativeFormatsInput): boolean {
  const { type, asset_types, is_responsive, name_search } = input
  return (
    NEVER.every((name) => input[name] === undefined) &&
    is_responsive !== true &&
    (type === undefined || broadKind(format) === type) &&
    (asset_types === undefined || hasAsset(format, asset_types)) &&
    (!asksSize(input) || (format.renders ?? []).some((render) => fitsSize(render, input))) &&
    (name_search === undefined || format.name.toLowerCase().includes(name_search.toLowerCase()))
  )
}

/** The broad kind that older clients filter by. */
function broadKind({ format_id, canonical: { kind } }: PublicFormat): "audio" | "video" | "display" | "dooh" {
  if (format_id.id.startsWith("dooh_")) return "dooh"
  if (kind.startsWith("video_")) return "video"
  return kind.startsWith("audio_") ? "audio" : "display"
}

const partsOf = (asset: FormatAsset): readonly { readonly asset_type: string }[] =>
  asset.item_type === "repeatable_group" ? asset.assets : [asset]

const hasAsset = ({ assets = [] }: PublicFormat, types: readonly string[]): boolean =>
  assets.flatMap(partsOf).some(({ asset_type }) => types.includes(asset_type))

const SIDES = ["width", "height"] as const

const asksSize = (input: ListCreativeFormatsInput): boolean =>
  SIDES.some((side) => input[`min_${side}`] !== undefined || input[`max_${side}`] !== undefined)

/** A render without dimensions of its own fits any size. Sizes on paper aren't pixels. */
function fitsSize({ dimensions }: Render, input: ListCreativeFormatsInput): boolean {
  if (dimensions === undefined) return true
  const { unit = "px" } = dimensions
  if (unit !== "px" && unit !== "dp") return false
  return SIDES.every((side) => {
    const { [side]: exact, [`min_${side}` as const]: low = 0, [`max_${side}` as const]: high = ANY } = dimensions
    const { [`min_${side}` as const]: least = 0, [`max_${side}` as const]: most = ANY } = input
    return (exact ?? high) >= least && (exact ?? low) <= most
  })
}

const ANY = Number.POSITIVE_INFINITY
