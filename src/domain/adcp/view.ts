import type { Opening } from "../keys/opening.ts"
import { type BriefSearch, briefSearch } from "./brief/brief-search.ts"
import type { OwnFormats } from "./catalogue/check-refs.ts"
import { emitProduct } from "./catalogue/emit-product.ts"
import { digestOf } from "./digest.ts"
import { jsonOf, keepJson } from "./json-fragment.ts"
import type { Product } from "./schema/product/product.ts"

/** A product as one caller sees it. */
export interface SeenProduct {
  readonly id: string
  readonly product: Product
  readonly territories: readonly string[]
}

/** Everything that one caller may see, prepared once per revision of the catalogue. */
export interface View {
  /** Cursors are bound to the caller. */
  readonly caller: string
  readonly agentUrl: string
  readonly own: OwnFormats
  /** Sorted by product_id, the order of the wholesale feed. */
  readonly products: readonly SeenProduct[]
  readonly feedVersion: string
  /** Indexes only these products: statistics over others would reveal them. */
  readonly search: () => BriefSearch
  /** The day, by which briefs and windows are understood. */
  readonly today: string
}

export interface ViewParts {
  readonly caller: string
  readonly agentUrl: string
  readonly own: OwnFormats
  readonly products: readonly Product[]
  readonly openings: readonly Opening[]
  readonly today: string
}

export function prepareView({ caller, agentUrl, own, products, openings, today }: ViewParts): View {
  const territories = new Map(openings.map((opening) => [opening.productId, opening.territories]))
  const seen = products.flatMap((product) => {
    const opened = territories.get(product.product_id)
    return opened === undefined || opened.length === 0 ? [] : [see(product, opened, own, agentUrl)]
  })
  seen.sort((a, b) => (a.id < b.id ? -1 : 1))
  let search: BriefSearch | undefined
  return {
    caller,
    agentUrl,
    own,
    today,
    products: seen,
    feedVersion: feedVersionOf(seen),
    search: () => {
      search ??= briefSearch(seen, own, today)
      return search
    },
  }
}

function see(product: Product, territories: readonly string[], own: OwnFormats, agentUrl: string): SeenProduct {
  return { id: product.product_id, product: keepJson(emitProduct(product, territories, own, agentUrl)), territories }
}

/** A digest of what the caller sees, so that a version from another key never matches by mistake. */
export function feedVersionOf(seen: readonly SeenProduct[]): string {
  return digestOf(...seen.map(({ product }) => jsonOf(product)))
}
