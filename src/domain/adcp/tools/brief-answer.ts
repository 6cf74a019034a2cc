import { type Named, type Reading, readBrief } from "../brief/reading.ts"
import { type Matches, rank, type SearchableProduct, similarTo } from "../brief/search.ts"
import { COUNTRIES_WITH_ARTICLE, channelLabel } from "../brief/words.ts"
import { countryName } from "../catalogue/territory.ts"
import type { ProductView, SeenProduct } from "../view.ts"
import { AdcpError, brokenRule } from "./answer.ts"
import type { GetProductsInput, RefineEntry } from "./products-input.ts"

const PREFERRED_POINTS = 2

/** A product with whether it's in a channel or country that the brief names. */
interface RankedSeen {
  readonly seen: SeenProduct
  readonly matches: Matches
}

export interface RankedProducts {
  /** The best ones first. */
  readonly ranked: readonly RankedSeen[]
  readonly reading: Reading
  /** How many products are in the named channels and countries. */
  readonly matched: number
  /** "The brief names cinema; none of the 12 products is cinema." Null if a product fits. */
  readonly nothing: string | null
}

/** The products that the filters leave, the best ones for the brief first. */
export function rankForBrief(
  view: ProductView,
  remaining: readonly SeenProduct[],
  brief: string,
  { preferred_delivery_types: preferred }: GetProductsInput,
): RankedProducts {
  const reading = readBrief(brief)
  const byId = new Map(remaining.map((seen) => [seen.id, seen]))
  const extraPoints = preferred && (({ id }: SearchableProduct) => preferencePoints(byId.get(id), preferred))
  const ranked: RankedSeen[] = []
  for (const { product, matches } of rank(view.searchIndex(), reading, extraPoints)) {
    const seen = byId.get(product.id)
    if (seen !== undefined) ranked.push({ seen, matches })
  }
  return { ranked, reading, matched: ranked.filter(fits).length, nothing: nothingFits(reading, ranked) }
}

const fits = ({ matches }: Pick<RankedSeen, "matches">) => matches.channel !== false && matches.country !== false

/** Moves preferred delivery types up, without overruling what the brief names. */
function preferencePoints(seen: SeenProduct | undefined, preferred: readonly string[]): number {
  const at = preferred.indexOf(seen?.product.delivery_type ?? "")
  return at < 0 ? 0 : PREFERRED_POINTS * (1 - at / preferred.length)
}

/** What `ext.adbooth` says about a brief. */
export function briefFields({ channels, countries, notInterpreted }: Reading): object {
  const named = [
    ...channels.map(({ name, clause }) => ({ channel: name, clause })),
    ...countries.map(({ name, clause }) => ({ country: name, clause })),
  ]
  return {
    ...(named.length > 0 && { named }),
    ...(notInterpreted.length > 0 && { not_interpreted: notInterpreted }),
  }
}

const ALL = new Intl.ListFormat("en-GB", { type: "conjunction" })
const QUOTES_MAX = 5

/** The same in sentences. Numbers in a brief aren't read, so a sentence says where to send them. */
export function briefSentences({ reading, nothing }: RankedProducts, brief: string): string[] {
  const { channels, countries, notInterpreted } = reading
  // The sentence about nothing fitting already has the names.
  const names =
    nothing === null ? [...channels.map(({ name }) => channelLabel(name)), ...countries.map(countryLabel)] : []
  const quotes = notInterpreted.slice(0, QUOTES_MAX).map((clause) => `"${clause}"`)
  const more = notInterpreted.length - quotes.length
  return [
    ...(names.length > 0 ? [`The brief names ${ALL.format(names)}.`] : []),
    ...(quotes.length > 0 ? [`Not interpreted: ${quotes.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`] : []),
    ...(/\d/.test(brief) ? ["Budgets, prices and dates in the brief aren't read: send them as filters."] : []),
  ]
}

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

const WISH = "Wishes in prose aren't read here. Send a brief or filters, and name products here."

function resultOf(entry: RefineEntry | null, ids: ReadonlySet<string>) {
  if (entry === null) return { scope: "request", status: "unable", notes: "This entry is empty." }
  if (entry.scope !== "product") return { scope: "request", status: "unable", notes: WISH }
  const { scope, product_id, ask } = entry
  if (actionOf(entry) !== "omit" && !ids.has(product_id))
    return { scope, product_id, status: "unable", notes: "The filters or another change leave this product out." }
  return ask === undefined
    ? { scope, product_id, status: "applied" }
    : { scope, product_id, status: "partial", notes: WISH }
}

const ANY = new Intl.ListFormat("en-GB", { type: "disjunction" })

/** "The brief names cinema; none of the 12 products is cinema." Null if a product fits or nothing is named. */
export function nothingFits(reading: Reading, ranked: readonly Pick<RankedSeen, "matches">[]): string | null {
  if (ranked.length === 0 || ranked.some(fits)) return null
  const channels = reading.channels.map(({ name }) => channelLabel(name))
  const countries = reading.countries.map(countryLabel)
  const missing = [
    channels.length > 0 ? ANY.format(channels) : "available",
    ...(countries.length > 0 ? ["in", ANY.format(countries)] : []),
  ].join(" ")
  const none = ranked.length === 1 ? "the only product isn't" : `none of the ${ranked.length} products is`
  return `The brief names ${ALL.format([...channels, ...countries])}; ${none} ${missing}.`
}

function countryLabel({ name }: Named): string {
  const label = countryName(name)
  return COUNTRIES_WITH_ARTICLE.includes(name) ? `the ${label}` : label
}
