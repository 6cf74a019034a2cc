import { withField } from "../json-fragment.ts"
import type { Product } from "../schema/product/product.ts"
import type { SeenProduct, View } from "../view.ts"
import type { GetProductsInput } from "./get-products-input.ts"
import type { Relevance } from "./product-search.ts"

export interface Ranked {
  readonly products: SeenProduct[]
  /** The product with the reason for its place. */
  readonly show: (seen: SeenProduct) => Product
}

/** The products by relevance to the brief, most relevant first. The same brief gives the same order. */
export function rankByBrief(
  view: View,
  products: readonly SeenProduct[],
  brief: string,
  args: GetProductsInput,
): Ranked {
  const relevance = view.search().rank(brief)
  return {
    products: byRelevance(products, relevance, args),
    show: ({ id, product }) => withField(product, "brief_relevance", explainRelevance(relevance.get(id))),
  }
}

/** Ties go by the preferred delivery type, then by product_id. */
export function byRelevance(
  products: readonly SeenProduct[],
  relevance: ReadonlyMap<string, Relevance>,
  { preferred_delivery_types: preferred = [] }: GetProductsInput,
): SeenProduct[] {
  const preference = ({ product }: SeenProduct) =>
    (preferred.indexOf(product.delivery_type) + preferred.length + 1) % (preferred.length + 1)
  return products
    .map((seen) => ({ seen, score: relevance.get(seen.id)?.score ?? 0, preference: preference(seen) }))
    .sort((a, b) => b.score - a.score || a.preference - b.preference || (a.seen.id < b.seen.id ? -1 : 1))
    .map(({ seen }) => seen)
}

const WORDS_SHOWN_MAX = 8

function explainRelevance(relevance: Relevance | undefined): string {
  if (relevance === undefined || relevance.words.length === 0)
    return "None of the words of the brief are found in this product."
  const words = relevance.words.slice(0, WORDS_SHOWN_MAX).join(", ")
  return `Found in this product: ${words}.`
}
