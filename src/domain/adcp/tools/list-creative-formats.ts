import { readArguments } from "../arguments.ts"
import type { OwnFormats } from "../catalogue/format-names.ts"
import { canonicalUrl, type FormatRef, namesSameFormat, type PublicRef, refKey } from "../schema/creative-format.ts"
import type { PublisherProperty } from "../schema/product.ts"
import { cutText, formatLine } from "../text.ts"
import { type PublicFormat, publicFormat, resolveFormat, type SeenProduct } from "../view.ts"
import { type AdcpAnswer, AdcpError, type Arguments, brokenRule, completed } from "./answer.ts"
import { fitsFilters, ListCreativeFormatsInput } from "./formats-filter.ts"
import { bindingOf, nextPageLines, pageOf } from "./page.ts"

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
  return [...new Set(foreign.map(({ agent_url }) => agent_url))].sort()
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
  const message = [countText(formats.length, items.length), ...remarksOn(view, input, formats.length, agents)].join(" ")
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
  const others = creativeAgentsAt(view, {}).map(canonicalUrl)
  const isOfOthers = refs.some(({ agent_url = view.agentUrl }) => others.includes(canonicalUrl(agent_url)))
  if (formats.length > 0 || isOfOthers) return formats
  throw new AdcpError("REFERENCE_NOT_FOUND", "None of the format_ids names a format of this agent.", {
    field: "format_ids",
    suggestion: "Call list_creative_formats without arguments for the whole catalog.",
  })
}

function countText(total: number, listed: number): string {
  const formats = total === 1 ? "1 format" : `${total} formats`
  return listed < total ? `${listed} of ${formats}.` : `${formats}.`
}

function remarksOn(view: FormatView, input: ListCreativeFormatsInput, total: number, agents: readonly string[]) {
  const place = [input.property_id, input.publisher_domain].filter((name) => name !== undefined).join(" of ")
  const isNothingThere = place !== "" && total === 0 && productsAt(view, input).length === 0
  return [
    ...(isNothingThere ? [`Nothing that you may see is sold for ${cutText(place, 300)}.`] : []),
    ...(agents.length > 0 ? [`Ask ${agents.join(", ")} for the formats of that agent.`] : []),
  ]
}
