import { isObject } from "../schema/explain.ts"
import { formatMoment, MICROS_PER_DAY, type Moment, readTimestamp } from "../time/moment.ts"
import { type BriefIndex, createIndex, type SearchableProduct } from "./brief/search.ts"
import {
  type Canonical,
  canonicalOf,
  type FormatOption,
  formatOptions,
  type OwnFormats,
  ownFormat,
  unacceptedParameters,
} from "./catalogue/format-options.ts"
import { territorySentence } from "./catalogue/territory.ts"
import {
  type CreativeFormat,
  canonicalUrl,
  type FormatRef,
  haveSameParameters,
  type PublicRef,
  publicRef,
  refKey,
} from "./schema/creative-format.ts"
import type { Product } from "./schema/product.ts"
import { digestOf } from "./text.ts"

/** A product as one key sees it. Links to order and matches are added with each answer. */
export interface PublicProduct extends Omit<Product, "format_ids" | "ext"> {
  readonly format_ids: readonly PublicRef[]
  readonly format_options: readonly FormatOption[]
  readonly ext: Readonly<Record<string, unknown>> & { readonly adbooth: object }
}

/** Only the territories that the product is shown in appear in it. */
function publicProduct(
  product: Product,
  territories: readonly string[],
  own: OwnFormats,
  agentUrl: string,
): PublicProduct {
  const refs = [...new Map(product.format_ids.map((ref) => [refKey(ref, agentUrl), ref])).values()]
  return {
    ...product,
    description: describe(product.description, territories),
    format_ids: refs.map((ref) => publicRef(ref, agentUrl)),
    format_options: formatOptions(refs, own, agentUrl),
    ext: publicExt(product, territories),
  }
}

function describe(description: string, territories: readonly string[]): string {
  const text = description.trimEnd()
  return `${text}${/[.!?…]$/.test(text) ? "" : "."} ${territorySentence(territories)}`
}

/** A product that was copied from an answer may still have the link and the matches of that answer. */
function publicExt({ ext = {} }: Product, territories: readonly string[]): PublicProduct["ext"] {
  const { adbooth, ...others } = ext as Record<string, unknown>
  const { order_url: _, matches: __, ...own } = isObject(adbooth) ? adbooth : {}
  return { ...others, adbooth: { ...own, territories: [...territories].sort() } }
}

/** A product that is shown to a key, and where. */
export interface Opening {
  readonly productId: string
  readonly territories: readonly string[]
}

export interface SeenProduct {
  readonly id: string
  readonly product: PublicProduct
  /** As it's stored. */
  readonly stored: Product
  readonly territories: readonly string[]
}

/** The products that one caller may see, and how they are searched. */
export interface ProductView {
  /** The ID of the key. Null for a caller without one. */
  readonly buyerKeyId: string | null
  readonly agentUrl: string
  readonly own: OwnFormats
  /** In the order of their IDs. */
  readonly products: readonly SeenProduct[]
  /** A sentence for callers without a key. */
  readonly notice: string | null
  /** The link to order a product. Null for a caller without a key, or if this server takes no orders. */
  readonly orderUrl: ((productId: string) => string) | null
  readonly feedVersion: string
  /** When the view is no longer right, because a product expires. */
  readonly until: Moment
  searchIndex(): BriefIndex
}

interface ViewParts extends Pick<ProductView, "buyerKeyId" | "agentUrl" | "own" | "notice" | "orderUrl"> {
  readonly products: ReadonlyMap<string, Product>
  readonly openings: readonly Opening[]
  readonly now: Moment
}

/** Products that aren't shown to the caller, or have expired, are left out. */
export function productView({ products: stored, openings, now, ...parts }: ViewParts): ProductView {
  const products = openings
    .flatMap((opening) => {
      const product = stored.get(opening.productId)
      if (product === undefined || hiddenReason(product, opening, now) !== null) return []
      const { territories } = opening
      const shown = publicProduct(product, territories, parts.own, parts.agentUrl)
      return [{ id: product.product_id, product: shown, stored: product, territories }]
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  let index: BriefIndex | undefined
  return {
    ...parts,
    products,
    feedVersion: feedVersionOf(products),
    until: Math.min(now + MICROS_PER_DAY, ...products.map(({ product }) => expiryOf(product))),
    // Only over these products, because statistics over others would reveal them.
    searchIndex() {
      index ??= createIndex(products.map((each) => searchable(each, parts.own)))
      return index
    },
  }
}

/** Changes if anything changes that these products show. */
export const feedVersionOf = (products: readonly SeenProduct[]): string =>
  digestOf(...products.map(({ product }) => JSON.stringify(product)))

/** Whether the product has expired, so that no buyer sees it. */
export const hasExpired = (product: Pick<Product, "expires_at">, now: Moment): boolean => expiryOf(product) <= now

const expiryOf = ({ expires_at }: Pick<Product, "expires_at">): Moment =>
  (expires_at === undefined ? null : readTimestamp(expires_at)) ?? Number.POSITIVE_INFINITY

/** Why a caller doesn't see a product, in the operator's words. Null if the caller sees it. */
export function hiddenReason(product: Product, opening: Opening | undefined, now: Moment): string | null {
  if (opening === undefined || opening.territories.length === 0) return "Hidden from this buyer."
  return hasExpired(product, now) ? `Expired on ${formatMoment(expiryOf(product)).slice(0, 10)}.` : null
}

function searchable({ id, stored, territories }: SeenProduct, own: OwnFormats): SearchableProduct {
  const formats = stored.format_ids.map((ref) => ownFormat(ref, own)?.name ?? ref.id)
  const domains = stored.publisher_properties.map(({ publisher_domain }) => publisher_domain)
  const { name, description, channels = [] } = stored
  return { id, name, description, channels, territories, keywords: [...channels, ...formats, ...domains] }
}

/** A format as buyers see it: our own references have this agent's URL. */
export interface PublicFormat extends Omit<CreativeFormat, "format_id" | "canonical"> {
  readonly format_id: PublicRef
  readonly canonical: Canonical
}

export function publicFormat(format: CreativeFormat, agentUrl: string): PublicFormat {
  const { format_shape: _, ...canonical } = canonicalOf(format)
  return { ...format, canonical, format_id: publicRef(format.format_id, agentUrl) }
}

/** The format that a reference names. A template gets the parameters of the reference in its format_id. */
export function resolveFormat(
  formats: readonly PublicFormat[],
  ref: FormatRef,
  agentUrl: string,
): PublicFormat | undefined {
  const agent = canonicalUrl(ref.agent_url ?? agentUrl)
  const named = formats.filter(
    ({ format_id }) => format_id.id === ref.id && canonicalUrl(format_id.agent_url) === agent,
  )
  const exact = named.find(({ format_id }) => haveSameParameters(format_id, ref))
  if (exact !== undefined) return exact
  const template = named.find((format) => unacceptedParameters(ref, format).length === 0)
  if (template === undefined) return undefined
  const parameters = publicRef({ ...ref, agent_url: template.format_id.agent_url }, agentUrl)
  return { ...template, format_id: { ...template.format_id, ...parameters } }
}
