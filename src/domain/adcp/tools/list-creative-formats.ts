import { type Static, Type } from "@sinclair/typebox"
import { choice, Domain, Flag, Text } from "../../schema/build.ts"
import { readArguments } from "../arguments.ts"
import type { OwnFormats } from "../catalogue/format-options.ts"
import { AccountInput, described, FormatIdInput, listOf, Pagination, toolInput } from "../input.ts"
import {
  type CreativeFormat,
  canonicalUrl,
  type FormatAsset,
  type FormatRef,
  namesSameFormat,
  type PublicRef,
  refKey,
} from "../schema/creative-format.ts"
import { PropertyName, type PublisherProperty } from "../schema/product.ts"
import { AssetContentType } from "../schema/vocabulary.ts"
import { cutText, formatLine } from "../text.ts"
import { type PublicFormat, publicFormat, resolveFormat, type SeenProduct } from "../view.ts"
import {
  type AdcpAnswer,
  AdcpError,
  type Arguments,
  bindingOf,
  brokenRule,
  completed,
  countText,
  nextPageLines,
  pageOf,
} from "./answer.ts"

const unanswered = (what: string) => listOf(Type.Unknown(), `${what}. No format here states them, so none matches.`)
const pixels = (description: string) => Type.Integer({ description })

/** AdCP has two variants of this tool, one for media buying and one for creative agents. This one takes the arguments of both. */
export const ListCreativeFormatsInput = toolInput({
  format_ids: listOf(FormatIdInput, "Only these formats."),
  type: described(choice("audio video display dooh"), "Only formats of this general type. Prefer asset_types."),
  asset_types: listOf(AssetContentType, "Only formats that use one of these asset types."),
  max_width: pixels("Only formats with a render no wider than this."),
  max_height: pixels("Only formats with a render no taller than this."),
  min_width: pixels("Only formats with a render at least this wide."),
  min_height: pixels("Only formats with a render at least this tall."),
  is_responsive: described(Flag, "true keeps only responsive formats, false only fixed ones."),
  name_search: Type.String({ description: "Only formats whose name contains this text. Not case-sensitive." }),
  publisher_domain: described(Domain, "Only formats accepted by this publisher's products that you can see."),
  property_id: described(
    PropertyName,
    "Only formats accepted by products on this property. Best combined with publisher_domain.",
  ),
  wcag_level: described(Text, "An accessibility level. No format here states one, so none matches."),
  disclosure_positions: unanswered("Positions of a disclosure"),
  disclosure_persistence: unanswered("Kinds of disclosure"),
  output_format_ids: unanswered("Formats that it can produce"),
  input_format_ids: unanswered("Formats that it can be made from"),
  include_pricing: described(Flag, "true asks for prices per format, of which there are none here. Requires account."),
  account: AccountInput,
  pagination: Pagination,
})
export type ListCreativeFormatsInput = Static<typeof ListCreativeFormatsInput>

type Render = NonNullable<CreativeFormat["renders"]>[number]

// No format here has any of these, so nothing matches.
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

/** The public formats, and what the caller's products take of them. */
export interface FormatView {
  readonly agentUrl: string
  readonly formats: readonly PublicFormat[]
  readonly products: readonly SeenProduct[]
  /** The domains that the operator publishes in adagents.json. */
  readonly publishedDomains: readonly string[]
}

export const publicFormats = (own: OwnFormats, agentUrl: string): PublicFormat[] =>
  [...own.values()].map((format) => publicFormat(format, agentUrl))

/** A publisher, one of its properties, or neither. */
interface Place {
  readonly publisher_domain?: string | undefined
  readonly property_id?: string | undefined
}

const isPlaced = ({ publisher_domain, property_id }: Place): boolean =>
  publisher_domain !== undefined || property_id !== undefined

/** The caller's products at a place. */
const productsAt = ({ products }: FormatView, place: Place): readonly SeenProduct[] =>
  isPlaced(place)
    ? products.filter(({ product }) => product.publisher_properties.some((property) => isAt(property, place)))
    : products

/** Only the publisher knows which properties have a tag, so a tag may mean any of them. */
function isAt(property: PublisherProperty, { publisher_domain: domain, property_id: id }: Place): boolean {
  if (domain !== undefined && property.publisher_domain !== domain) return false
  return id === undefined || property.selection_type !== "by_id" || property.property_ids.includes(id)
}

const refsOf = (products: readonly SeenProduct[]): PublicRef[] => products.flatMap(({ product }) => product.format_ids)

/**
 * The formats that products at a place take, as far as the caller may know: the whole catalog for a published domain
 * without a product, and nothing elsewhere.
 */
function formatsTakenAt(view: FormatView, place: Place, formats: readonly PublicFormat[]): PublicFormat[] {
  const there = productsAt(view, place)
  if (there.length === 0) return view.publishedDomains.includes(place.publisher_domain ?? "") ? [...formats] : []
  const refs = refsOf(there)
  return formats.filter(({ format_id }) => refs.some((ref) => namesSameFormat(ref, format_id, view.agentUrl)))
}

/** The agents that define formats which products at a place take and we don't have. */
function creativeAgentsAt(view: FormatView, place: Place): string[] {
  // A public reference to one of our own formats always has the same agent_url.
  const foreign = refsOf(productsAt(view, place)).filter(
    (ref) => ref.agent_url !== view.agentUrl && resolveFormat(view.formats, ref, view.agentUrl) === undefined,
  )
  return [...new Set(foreign.map(({ agent_url }) => canonicalUrl(agent_url)))].sort()
}

/** The response schema wants a list of formats even in a failed answer. */
export const NO_FORMATS = { formats: [] }

const OTHER_ARGUMENTS = [
  "pagination",
  "context",
  "ext",
  "account",
  "adcp_version",
  "adcp_major_version",
  "idempotency_key",
]

export function listCreativeFormats(view: FormatView, args: Arguments): AdcpAnswer {
  const input = readArguments(ListCreativeFormatsInput, args)
  if (input.include_pricing && input.account === undefined)
    throw brokenRule("/account", "account is required when include_pricing is true", "required")
  const formats = matching(view, input)
  const deciding = Object.fromEntries(Object.entries(input).filter(([name]) => !OTHER_ARGUMENTS.includes(name)))
  // The whole catalog is small, so clients that don't support pages get all of it.
  const request = input.pagination ?? { max_results: Number.POSITIVE_INFINITY }
  const idOf = ({ format_id }: PublicFormat) => refKey(format_id, view.agentUrl)
  const { items, pagination } = pageOf(formats, idOf, request, bindingOf("formats", deciding))
  const agents = creativeAgentsAt(view, input)
  const payload = {
    formats: items,
    ...(agents.length > 0 && { creative_agents: agents.map((agent_url) => ({ agent_url })) }),
    ...(input.publisher_domain !== undefined && { source: "agent_derived" }),
    pagination,
  }
  const message = [
    `${countText(items.length, formats.length, "format")}.`,
    ...remarksOn(view, input, formats.length, agents),
  ].join(" ")
  return completed(message, payload, args, { lines: [...items.map(formatLine), ...nextPageLines(pagination)] })
}

function matching(view: FormatView, input: ListCreativeFormatsInput): PublicFormat[] {
  const named = input.format_ids === undefined ? view.formats : resolveAll(view, input.format_ids)
  const there = isPlaced(input) ? formatsTakenAt(view, input, named) : named
  return there.filter((format) => fitsFilters(format, input))
}

/** The formats that the references name. If there are none, other agents may have them, or they don't exist. */
function resolveAll(view: FormatView, refs: readonly FormatRef[]): PublicFormat[] {
  const distinct = new Map(refs.map((ref) => [refKey(ref, view.agentUrl), ref])).values()
  const formats = [...distinct].flatMap((ref) => resolveFormat(view.formats, ref, view.agentUrl) ?? [])
  const others = creativeAgentsAt(view, {})
  const isOfOthers = refs.some(({ agent_url = view.agentUrl }) => others.includes(canonicalUrl(agent_url)))
  if (formats.length > 0 || isOfOthers) return formats
  throw new AdcpError("REFERENCE_NOT_FOUND", "None of the format_ids names a format of this agent.", {
    field: "format_ids",
    suggestion: "Call list_creative_formats without arguments for the whole catalog.",
  })
}

function remarksOn(view: FormatView, input: ListCreativeFormatsInput, total: number, agents: readonly string[]) {
  const place = [input.property_id, input.publisher_domain].filter((name) => name !== undefined).join(" of ")
  const isNothingThere = place !== "" && total === 0 && productsAt(view, input).length === 0
  return [
    ...(isNothingThere ? [`Nothing that you may see is sold for ${cutText(place, 300)}.`] : []),
    ...(agents.length > 0 ? [`Ask ${agents.join(", ")} for the formats of that agent.`] : []),
  ]
}
