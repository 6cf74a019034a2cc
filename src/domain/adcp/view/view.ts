import { formatMoment, MICROS_PER_DAY, type Moment, readTimestamp } from "../../time/moment.ts"
import { type BriefIndex, createIndex, type SearchableProduct } from "../brief/index.ts"
import type { OwnFormats } from "../catalogue/references.ts"
import { digestOf } from "../digest.ts"
import type { Product } from "../schema/product.ts"
import { productLine } from "../text.ts"
import { type PublicProduct, publicProduct } from "./public-product.ts"

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
  /** The product in one line of text. */
  readonly line: string
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
  /** The link to order a product. Null if this server takes no orders. */
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
      return [seen(product, opening.territories, parts)]
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

function seen(
  product: Product,
  territories: readonly string[],
  { own, agentUrl }: Pick<ViewParts, "own" | "agentUrl">,
) {
  const shown = publicProduct(product, territories, own, agentUrl)
  return {
    id: product.product_id,
    product: shown,
    stored: product,
    territories,
    line: productLine(product, territories),
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
  const formats = stored.format_ids.map((ref) => own.get(ref.id)?.name ?? ref.id)
  const domains = stored.publisher_properties.map(({ publisher_domain }) => publisher_domain)
  const { name, description, channels = [] } = stored
  return { id, name, description, channels, territories, keywords: [...channels, ...formats, ...domains] }
}
