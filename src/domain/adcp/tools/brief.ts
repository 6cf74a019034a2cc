import type { Brief, Relevance } from "../brief/brief-search.ts"
import { points } from "../brief/compare.ts"
import { understood } from "../brief/wording.ts"
import type { SeenProduct } from "../seen-product.ts"
import type { View } from "../visibility.ts"
import { type AdcpError, adcpError, brokenRule } from "./answer.ts"
import type { GetProductsInput, RefineEntry } from "./get-products-input.ts"

/** The products by relevance to the brief, most relevant first. The same brief gives the same order. */
export function rankByBrief(view: View, products: readonly SeenProduct[], text: string, args: GetProductsInput) {
  const brief = view.search().read(text)
  const places = placed(products, brief, args)
  // Where nothing fits, reasons for an order that means nothing would mislead; why a product is ruled out does not.
  let matched = 0
  for (const { fits } of places) if (fits) matched++
  const anyFits = matched > 0
  const { note, fields } = understood(brief.reading, products.length > 0 && !anyFits)
  return {
    products: places.map(({ seen }) => seen),
    matched,
    reading: brief.reading,
    /** Why a product has its place; undefined where the brief says nothing about it. */
    reasonFor: (seen: SeenProduct) => (anyFits || brief.relevanceOf(seen).isRefused ? brief.explain(seen) : undefined),
    /** What was understood of the brief, for people and for programs. */
    note,
    extras: Object.keys(fields).length === 0 ? {} : { ext: { adbooth: { understood: fields } } },
  }
}

function byRelevance(products: readonly SeenProduct[], brief: Brief, args: GetProductsInput): SeenProduct[] {
  return placed(products, brief, args).map(({ seen }) => seen)
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

/** What the brief rules out comes last. Ties go by product_id, as the products were indexed. */
function placed(products: readonly SeenProduct[], brief: Brief, args: GetProductsInput): Relevance[] {
  const preference = preferenceIn(args)
  return products.map((seen) => brief.relevanceOf(seen, preference(seen))).sort(mostRelevant)
}

const mostRelevant = (a: Relevance, b: Relevance) =>
  Number(a.isRefused) - Number(b.isRefused) || b.score - a.score || a.place - b.place

type ProductEntry = Extract<RefineEntry, { scope: "product" }>

interface Refinement {
  scope: "request" | "product"
  product_id?: string
  status: "applied" | "partial" | "unable"
  notes?: string
}

const SIMILAR_MAX = 10

/** Applies the changes to the filtered products. Each entry gets its result, in the same order. */
export function refineProducts(
  view: View,
  remaining: readonly SeenProduct[],
  refine: readonly (RefineEntry | null)[],
  args: GetProductsInput,
) {
  const refused = refuseEntries(view, refine)
  if (refused) return refused
  const entries = refine.filter((entry): entry is ProductEntry => entry?.scope === "product")
  const omitted = idsOf(entries, "omit")
  const left = remaining.filter(({ id }) => !omitted.has(id))
  const chosen = choose(view, left, entries, args)
  const asks = refine.flatMap((entry) => entry?.ask ?? [])
  const products =
    asks.length === 0 ? byPreference(chosen, args) : byRelevance(chosen, view.search().read(asks.join(". ")), args)
  return { products, refinement_applied: refine.map((entry) => answer(entry as Answerable | null, products)) }
}

type Answerable = Exclude<RefineEntry, { scope: "proposal" }>

const actionOf = (entry: ProductEntry) => entry.action ?? "include"

function idsOf(entries: ProductEntry[], action: string): Set<string> {
  return new Set(entries.filter((entry) => actionOf(entry) === action).map((entry) => entry.product_id))
}

/** A product that is not opened to the caller and a missing one get the same answer. */
function refuseEntries(view: View, refine: readonly (RefineEntry | null)[]): AdcpError | undefined {
  const finals = refine.filter((entry) => entry?.scope === "proposal" && entry.action === "finalize")
  if (finals.length > 0 && finals.length < refine.length)
    return brokenRule("/refine", "refine must not mix finalize with other changes", "not")
  for (const [index, entry] of refine.entries()) {
    if (entry?.scope === "proposal") return notFound("PROPOSAL_NOT_FOUND", "proposal", `refine[${index}].proposal_id`)
    if (entry?.scope === "product" && !view.products.some(({ id }) => id === entry.product_id)) {
      return notFound("PRODUCT_NOT_FOUND", "product", `refine[${index}].product_id`)
    }
  }
  return undefined
}

function notFound(code: "PROPOSAL_NOT_FOUND" | "PRODUCT_NOT_FOUND", noun: string, field: string): AdcpError {
  const suggestion =
    noun === "product"
      ? "Take a product_id of an earlier answer to this key."
      : "We make no proposals. Name products instead."
  return adcpError(code, `${field} names no ${noun}.`, { field, suggestion })
}

/** The named products and similar ones; all products if none is named. */
function choose(
  view: View,
  left: readonly SeenProduct[],
  entries: ProductEntry[],
  args: GetProductsInput,
): SeenProduct[] {
  const included = idsOf(entries, "include")
  const models = idsOf(entries, "more_like_this")
  if (included.size === 0 && models.size === 0) return [...left]
  const named = left.filter(({ id }) => included.has(id) || models.has(id))
  const others = left.filter(({ id }) => !included.has(id) && !models.has(id))
  const similar = [...models].flatMap((id) => similarTo(view, id, others, args))
  return [...new Set([...named, ...similar])]
}

function similarTo(view: View, id: string, others: readonly SeenProduct[], args: GetProductsInput): SeenProduct[] {
  const search = view.search()
  const similarity = search.similarityTo(id)
  const preference = preferenceIn(args)
  const best: { readonly seen: SeenProduct; readonly score: number }[] = []
  // Not all in order: a call names up to a hundred products, and a catalogue has thousands.
  for (const seen of others) {
    const alike = similarity[search.placeOf(seen.id)] ?? 0
    const score = alike + preference(seen)
    const last = best[SIMILAR_MAX - 1]
    if (alike === 0 || (last !== undefined && score <= last.score)) continue
    best.splice(best.findLastIndex((better) => better.score >= score) + 1, 0, { seen, score })
    best.length = Math.min(best.length, SIMILAR_MAX)
  }
  return best.map(({ seen }) => seen)
}

function answer(entry: Answerable | null, products: readonly SeenProduct[]): Refinement {
  if (entry === null) return { scope: "request", status: "unable", notes: "This entry says nothing." }
  if (entry.scope === "request")
    return { scope: "request", status: "partial", notes: "The products are ordered by how well they fit this wish." }
  const { product_id } = entry
  const isThere = products.some(({ id }) => id === product_id)
  if (actionOf(entry) !== "omit" && !isThere) {
    return {
      scope: "product",
      product_id,
      status: "unable",
      notes: "The filters or another change leave this product out.",
    }
  }
  if (entry.ask === undefined) return { scope: "product", product_id, status: "applied" }
  return {
    scope: "product",
    product_id,
    status: "partial",
    notes: "The wish orders the products; it changes none of them.",
  }
}
