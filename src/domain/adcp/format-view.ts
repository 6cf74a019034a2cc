import { type OwnFormats, unacceptedParameters } from "./catalogue/check.ts"
import { emitFormat } from "./catalogue/emit.ts"
import { namesSameFormat } from "./filters/formats.ts"
import { keepJson } from "./json.ts"
import type { CreativeFormat } from "./schema/format/creative-format.ts"
import { canonicalUrl, type FormatRef, isOwnRef, sameParameters } from "./schema/format/format-id.ts"
import type { Product } from "./schema/product/product.ts"
import type { SeenProduct } from "./seen-product.ts"
import type { Surface } from "./tools/capabilities.ts"

/** The public catalogue, prepared once per revision and the same for everybody, and what the caller's products take of it. */
export interface FormatView {
  readonly agentUrl: string
  readonly formats: readonly CreativeFormat[]
  readonly products: readonly SeenProduct[]
  readonly publishedDomains: readonly string[]
  /** Other agents, whose formats the caller's products take. */
  readonly creativeAgents: readonly string[]
}

export function prepareFormats(own: OwnFormats, agentUrl: string): FormatView {
  const formats = [...own.values()].map((format) => {
    // Prices that an earlier version stored were never public.
    const { pricing_options: _, ...unpriced } = format as CreativeFormat & { pricing_options?: unknown }
    return keepJson(emitFormat(unpriced, agentUrl))
  })
  return { agentUrl, formats: keepJson(formats), products: [], publishedDomains: [], creativeAgents: [] }
}

export function formatsFor(view: FormatView, { products, publishedDomains }: Surface): FormatView {
  return { ...view, products, publishedDomains, creativeAgents: creativeAgentsOf(view, products) }
}

/** The agents that define what cannot be looked up here. */
export function creativeAgentsOf(view: FormatView, products: readonly SeenProduct[]): string[] {
  const foreign = refsOf(products).filter((ref) => !isOwnRef(ref, view.agentUrl) && !resolveFormat(view, ref))
  return [...new Set(foreign.map(({ agent_url }) => agent_url ?? view.agentUrl))].sort()
}

const refsOf = (products: readonly SeenProduct[]): FormatRef[] =>
  products.flatMap(({ product }) => [
    ...(product.format_ids ?? []),
    ...(product.placements ?? []).flatMap(({ format_ids = [] }) => format_ids),
  ])

type PropertyChoice = Readonly<{ publisher_domain?: string; property_id?: string }>

/** The caller's products at a publisher or property; all of them where neither is named. */
export function productsAt(view: FormatView, place: PropertyChoice): readonly SeenProduct[] {
  if (place.publisher_domain === undefined && place.property_id === undefined) return view.products
  return view.products.filter(({ product }) => product.publisher_properties.some((each) => isAt(each, place)))
}

/**
 * Whether a format is taken at a publisher or property, as far as the caller may know: what products there take; the whole catalogue
 * for a published domain without any; nothing elsewhere.
 */
export function takenAt(view: FormatView, place: PropertyChoice): (format: CreativeFormat) => boolean {
  const { publisher_domain: domain } = place
  const there = productsAt(view, place)
  if (there.length === 0) return () => domain !== undefined && view.publishedDomains.includes(domain)
  const refs = refsOf(there)
  return ({ format_id }) => refs.some((ref) => namesSameFormat(ref, format_id, view.agentUrl))
}

type Property = Product["publisher_properties"][number]

/** Which properties carry a tag is known to the publisher only, so that a tag may mean any of them. */
function isAt(property: Property, { publisher_domain: domain, property_id: id }: PropertyChoice): boolean {
  if (domain !== undefined && property.publisher_domain !== domain) return false
  return id === undefined || property.selection_type !== "by_id" || property.property_ids.includes(id)
}

/** The format of a reference; a template gets the requested parameters in its format_id. */
export function resolveFormat({ formats, agentUrl }: FormatView, ref: FormatRef): CreativeFormat | undefined {
  const agent = canonicalUrl(ref.agent_url ?? agentUrl)
  const named = formats.filter(
    ({ format_id: own }) => own.id === ref.id && canonicalUrl(own.agent_url ?? agentUrl) === agent,
  )
  const exact = named.find(({ format_id: own }) => sameParameters(own, ref))
  if (exact) return exact
  const template = named.find((format) => unacceptedParameters(ref, format).length === 0)
  return template && keepJson({ ...template, format_id: { ...template.format_id, ...parametersOf(ref) } })
}

function parametersOf({ width, height, duration_ms }: FormatRef): Partial<FormatRef> {
  const size = width === undefined || height === undefined ? {} : { width, height }
  return { ...size, ...(duration_ms === undefined ? {} : { duration_ms }) }
}
