import { similarTo } from "../brief/similar.ts"
import type { ProductView, SeenProduct } from "../view/view.ts"
import { AdcpError, brokenRule } from "./errors.ts"
import type { RefineEntry } from "./products-input.ts"

type Entries = readonly (RefineEntry | null)[]
type ProductEntry = Extract<RefineEntry, { scope: "product" }>

/** Applies the changes to the products that the filters leave. Each entry gets its result, in the same order. */
export function refineProducts(view: ProductView, remaining: readonly SeenProduct[], refine: Entries) {
  checkEntries(view, refine)
  const products = chosen(view, remaining, refine)
  const ids = new Set(products.map(({ id }) => id))
  return { products, refinement_applied: refine.map((entry) => resultOf(entry, ids)) }
}

/** A product that isn't shown to the caller and a missing one get the same answer. */
function checkEntries({ products }: ProductView, refine: Entries): void {
  const finals = refine.filter((entry) => entry?.scope === "proposal" && entry.action === "finalize")
  if (finals.length > 0 && finals.length < refine.length)
    throw brokenRule("/refine", "refine must not mix finalize with other changes", "not")
  for (const [i, entry] of refine.entries()) {
    if (entry?.scope === "proposal") {
      const suggestion = "This agent makes no proposals. Name products instead."
      throw notFound("PROPOSAL_NOT_FOUND", `refine[${i}].proposal_id`, "proposal", suggestion)
    }
    if (entry?.scope === "product" && !products.some(({ id }) => id === entry.product_id)) {
      const suggestion = "Take a product_id from an earlier answer to this key."
      throw notFound("PRODUCT_NOT_FOUND", `refine[${i}].product_id`, "product", suggestion)
    }
  }
}

const notFound = (code: "PRODUCT_NOT_FOUND" | "PROPOSAL_NOT_FOUND", field: string, noun: string, suggestion: string) =>
  new AdcpError(code, `${field} doesn't name a ${noun}.`, { field, suggestion })

/** The named products, then similar ones. If no product is named, all products that aren't omitted. */
function chosen(view: ProductView, remaining: readonly SeenProduct[], refine: Entries): readonly SeenProduct[] {
  const entries = refine.filter((entry): entry is ProductEntry => entry?.scope === "product")
  const omitted = idsOf(entries, "omit")
  const models = idsOf(entries, "more_like_this")
  const named = new Set([...idsOf(entries, "include"), ...models])
  const left = remaining.filter(({ id }) => !omitted.has(id))
  if (named.size === 0) return left
  const similar = new Set([...models].flatMap((id) => similarTo(view.searchIndex(), id)))
  const byId = new Map(left.map((seen) => [seen.id, seen]))
  return [
    ...left.filter(({ id }) => named.has(id)),
    ...[...similar].filter((id) => !named.has(id)).flatMap((id) => byId.get(id) ?? []),
  ]
}

const actionOf = ({ action = "include" }: ProductEntry) => action

const idsOf = (entries: readonly ProductEntry[], action: ProductEntry["action"]): Set<string> =>
  new Set(entries.filter((entry) => actionOf(entry) === action).map(({ product_id }) => product_id))

const WISH = "Wishes in words aren't read here. Ask with a brief or filters, and name products here."

function resultOf(entry: RefineEntry | null, ids: ReadonlySet<string>) {
  if (entry === null) return { scope: "request", status: "unable", notes: "This entry says nothing." }
  if (entry.scope !== "product") return { scope: "request", status: "unable", notes: WISH }
  const { scope, product_id, ask } = entry
  if (actionOf(entry) !== "omit" && !ids.has(product_id))
    return { scope, product_id, status: "unable", notes: "The filters or another change leave this product out." }
  return ask === undefined
    ? { scope, product_id, status: "applied" }
    : { scope, product_id, status: "partial", notes: WISH }
}
