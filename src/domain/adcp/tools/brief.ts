import type { Brief, Relevance } from "../brief/brief-search.ts"
import { points } from "../brief/points.ts"
import type { Reading } from "../brief/reading/read-brief.ts"
import { summarize, understood } from "../brief/wording.ts"
import type { SeenProduct, View } from "../view.ts"
import type { GetProductsInput } from "./get-products-input.ts"

export interface Ranked {
  readonly products: SeenProduct[]
  /** Why a product has its place; undefined where the brief says nothing about it. */
  readonly reasonFor: (seen: SeenProduct) => string | undefined
  /** What was understood of the brief, for people and for programs. */
  readonly note: string
  /** How many products fit the brief. */
  readonly matched: number
  readonly reading: Reading
  readonly extras: { ext?: { adbooth: { understood: object } } }
}

const CUT = " The brief is long: only its start was read."

/** The products by relevance to the brief, most relevant first. The same brief gives the same order. */
export function rankByBrief(
  view: View,
  products: readonly SeenProduct[],
  text: string,
  args: GetProductsInput,
): Ranked {
  const brief = view.search().read(text)
  const places = placed(products, brief, args)
  // Where nothing fits, reasons for an order that means nothing would mislead.
  const matched = places.filter(({ fits }) => fits).length
  const anyFits = matched > 0
  const summary = summarize(brief.reading)
  const none = products.length === 0 || anyFits ? "" : " None of them matches the brief."
  return {
    products: places.map(({ seen }) => seen),
    matched,
    reading: brief.reading,
    reasonFor: (seen) => (anyFits ? brief.explain(seen) : undefined),
    note: `${none}${summary === "" ? "" : ` Understood: ${summary}.`}${brief.reading.isCut ? CUT : ""}`,
    extras: summary === "" ? {} : { ext: { adbooth: { understood: understood(brief.reading) } } },
  }
}

export function byRelevance(products: readonly SeenProduct[], brief: Brief, args: GetProductsInput): SeenProduct[] {
  return placed(products, brief, args).map(({ seen }) => seen)
}

interface Placed extends Relevance {
  readonly seen: SeenProduct
}

/** Without a brief: the preferred delivery types first, otherwise in the order given. */
export function byPreference(products: readonly SeenProduct[], args: GetProductsInput): readonly SeenProduct[] {
  const preference = preferenceIn(args)
  return args.preferred_delivery_types === undefined
    ? products
    : products.toSorted((a, b) => preference(b) - preference(a))
}

/** What a product gains by its delivery type: as much as if the brief had asked for it. */
function preferenceIn({ preferred_delivery_types: preferred = [] }: GetProductsInput) {
  return ({ product }: SeenProduct) => {
    const place = preferred.indexOf(product.delivery_type)
    return place < 0 ? 0 : points.delivery * (1 - place / preferred.length)
  }
}

/** Ties go by product_id, as the products were indexed. */
function placed(products: readonly SeenProduct[], brief: Brief, args: GetProductsInput): Placed[] {
  const preference = preferenceIn(args)
  return products
    .map((seen) => {
      const { score, fits, place } = brief.relevanceOf(seen)
      return { seen, score: score + preference(seen), fits, place }
    })
    .sort((a, b) => b.score - a.score || a.place - b.place)
}
