import type { OwnFormats } from "../catalogue/references.ts"
import { namesSameFormat, type PublicRef } from "../schema/format-ref.ts"
import type { PublisherProperty } from "../schema/inventory.ts"
import { type PublicFormat, publicFormat, resolveFormat } from "./public-format.ts"
import type { SeenProduct } from "./view.ts"

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
export interface Place {
  readonly publisher_domain?: string | undefined
  readonly property_id?: string | undefined
}

export const isPlaced = ({ publisher_domain, property_id }: Place): boolean =>
  publisher_domain !== undefined || property_id !== undefined

/** The caller's products at a place. */
export const productsAt = ({ products }: FormatView, place: Place): readonly SeenProduct[] =>
  isPlaced(place)
    ? products.filter(({ product }) => product.publisher_properties.some((property) => isAt(property, place)))
    : products

/** Only the publisher knows which properties have a tag, so a tag may mean any of them. */
function isAt(property: PublisherProperty, { publisher_domain: domain, property_id: id }: Place): boolean {
  if (domain !== undefined && property.publisher_domain !== domain) return false
  return id === undefined || property.selection_type !== "by_id" || property.property_ids.includes(id)
}

const refsOf = (products: readonly SeenProduct[]): PublicRef[] =>
  products.flatMap(({ product: { format_ids, placements = [] } }) => [
    ...format_ids,
    ...placements.flatMap((placement) => (placement.format_ids ?? []) as PublicRef[]),
  ])

/**
 * The formats that products at a place take, as far as the caller may know: the whole catalog for a published domain
 * without a product, and nothing elsewhere.
 */
export function formatsTakenAt(view: FormatView, place: Place, formats: readonly PublicFormat[]): PublicFormat[] {
  const there = productsAt(view, place)
  if (there.length === 0) return view.publishedDomains.includes(place.publisher_domain ?? "") ? [...formats] : []
  const refs = refsOf(there)
  return formats.filter(({ format_id }) => refs.some((ref) => namesSameFormat(ref, format_id, view.agentUrl)))
}

/** The agents that define formats which products at a place take and we don't have. */
export function creativeAgentsAt(view: FormatView, place: Place): string[] {
  // A public reference to one of our own formats always has the same agent_url.
  const foreign = refsOf(productsAt(view, place)).filter(
    (ref) => ref.agent_url !== view.agentUrl && resolveFormat(view.formats, ref, view.agentUrl) === undefined,
  )
  return [...new Set(foreign.map(({ agent_url }) => agent_url))].sort()
}
