import type { SeenProduct, View } from "../view.ts"
import { byPreference, byRelevance } from "./brief.ts"
import { type AdcpError, adcpError, brokenRule } from "./error.ts"
import type { GetProductsInput, RefineEntry } from "./get-products-input.ts"

type ProductEntry = Extract<RefineEntry, { scope: "product" }>

export interface Refined {
  products: readonly SeenProduct[]
  refinement_applied: Refinement[]
}

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
  kept: readonly SeenProduct[],
  refine: RefineEntry[],
  args: GetProductsInput,
): Refined | AdcpError {
  const refused = refuseEntries(view, refine)
  if (refused) return refused
  const entries = refine.filter((entry): entry is ProductEntry => entry.scope === "product")
  const omitted = idsOf(entries, "omit")
  const left = kept.filter(({ id }) => !omitted.has(id))
  const chosen = choose(view, left, entries, args)
  const asks = refine.flatMap((entry) => (entry.ask === undefined ? [] : [entry.ask]))
  const products =
    asks.length === 0 ? byPreference(chosen, args) : byRelevance(chosen, view.search().read(asks.join(" ")), args)
  return { products, refinement_applied: refine.map((entry) => answer(entry as Answerable, products)) }
}

type Answerable = Exclude<RefineEntry, { scope: "proposal" }>

const actionOf = (entry: ProductEntry) => entry.action ?? "include"

function idsOf(entries: ProductEntry[], action: string): Set<string> {
  return new Set(entries.filter((entry) => actionOf(entry) === action).map((entry) => entry.product_id))
}

/** A product that is not opened to the caller and a missing one get the same answer. */
function refuseEntries(view: View, refine: RefineEntry[]): AdcpError | undefined {
  const finals = refine.filter((entry) => entry.scope === "proposal" && entry.action === "finalize")
  if (finals.length > 0 && finals.length < refine.length)
    return brokenRule("/refine", "refine must not mix finalize with other changes", "not")
  for (const [index, entry] of refine.entries()) {
    if (entry.scope === "proposal") return notFound("PROPOSAL_NOT_FOUND", "proposal", `refine[${index}].proposal_id`)
    if (entry.scope === "product" && !view.products.some(({ id }) => id === entry.product_id)) {
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
  const model = view.products.find((seen) => seen.id === id)?.product
  const text = [model?.name, ...(model?.channels ?? []), model?.description].join(" ")
  const brief = view.search().read(text)
  const similar = others.filter((seen) => brief.relevanceOf(seen).fits)
  return byRelevance(similar, brief, args).slice(0, SIMILAR_MAX)
}

function answer(entry: Answerable, products: readonly SeenProduct[]): Refinement {
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
