import { type Brief, isAsNamed, type Relevance } from "../brief/brief-search.ts"
import { type Matches, points, sentenceFor } from "../brief/compare.ts"
import { noneText, understoodFields, understoodText } from "../brief/facts.ts"
import { keepJson } from "../json.ts"
import type { SeenProduct } from "../seen-product.ts"
import type { View } from "../visibility.ts"
import { type AdcpError, adcpError, brokenRule } from "./answer.ts"
import type { GetProductsInput, RefineEntry } from "./get-products-input.ts"

/** What is said of a product beside a brief. */
export interface Said {
  /** One sentence of facts; undefined where nothing matched. */
  readonly relevance: string | undefined
  /** Undefined where nothing was asked for. */
  readonly matches: Matches | undefined
}

/** What is said first where no product is what a brief asks for, and whether nothing fits for that. */
export interface None {
  readonly text: string
  readonly isSure: boolean
}

/** The products by relevance to the brief, most relevant first. The same brief gives the same order. */
export function rankByBrief(view: View, products: readonly SeenProduct[], text: string, args: GetProductsInput) {
  const brief = view.search().read(text)
  const places = placed(products, brief, args)
  const { reading } = brief
  const fitting = places.filter(({ fits }) => fits).length
  const ext = understoodFields(reading)
  const none = products.length > 0 && fitting === 0 ? noneOf(brief, places) : undefined
  const isNothing = none?.isSure === true
  // Products that are alike are told alike: fifty of them have a few sentences.
  const said = new Map<string, Said>()
  const say = (seen: SeenProduct): Said => {
    const { matches, refused } = brief.comparisonOf(seen)
    // Where nothing fits, a reason for an order that means nothing would mislead; why a product is not wanted does not.
    const isSaid = !isNothing || refused !== undefined
    const relevance = isSaid ? sentenceFor(seen, reading) : undefined
    return { relevance, matches: Object.keys(matches).length === 0 ? undefined : keepJson(matches) }
  }
  return {
    products: places.map(({ seen }) => seen),
    // Where it is not certain that nothing fits, the caller is told of what may fit, and so is the operator.
    matched: fitting > 0 || isNothing ? fitting : places.filter(({ comparison }) => !comparison.refused).length,
    reading,
    sayOf: (seen: SeenProduct): Said => said.getOrInsertComputed(seen.alike, () => say(seen)),
    none,
    /** What was understood of the brief, for people and for programs. */
    note: understoodText(reading),
    extras: Object.keys(ext).length === 0 ? {} : { ext: { adbooth: ext } },
  }
}

/** By what every product fails. It is not sure that nothing fits where the brief only names a channel, in a clause that may mean anything. */
function noneOf({ reading }: Brief, places: readonly Relevance[]): None | undefined {
  const { channels, countries, named } = reading
  const others = places.filter(({ comparison }) => comparison.refused === undefined)
  const isMissed = (...what: ("channel" | "country")[]) =>
    others.every(({ comparison }) => what.some((each) => comparison.misses[each]))
  // Where a video is shown is not said by the word.
  const noChannel = isMissed("channel") && !named.channels.includes("olv")
  // A country that is only named is as likely where somebody sits.
  const noCountry = countries.length > 0 && isMissed("country")
  const areSure = channels.length > 0 && countries.length > 0
  const noBoth = areSure && isMissed("channel", "country")
  // Nothing is missed, and still nothing fits.
  const noWord = others.length > 0 && others.every(({ comparison }) => isAsNamed(comparison))
  const text = noneText(reading, {
    count: others.length,
    refused: places.length - others.length,
    noChannel,
    noCountry,
    noBoth,
    noWord,
  })
  const isSure = (noChannel && channels.length > 0) || noCountry || noBoth || noWord || others.length === 0
  return text === undefined ? undefined : { text, isSure }
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
  Number(a.comparison.refused !== undefined) - Number(b.comparison.refused !== undefined) ||
  b.score - a.score ||
  a.place - b.place

type ProductEntry = Extract<RefineEntry, { scope: "product" }>

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
  const products = byPreference(chosen, args)
  const ids = new Set(products.map(({ id }) => id))
  return { products, refinement_applied: refine.map((entry) => answer(entry as Answerable | null, ids)) }
}

type Answerable = Exclude<RefineEntry, { scope: "proposal" }>

const actionOf = (entry: ProductEntry) => entry.action ?? "include"

const idsOf = (entries: ProductEntry[], action: string): Set<string> =>
  new Set(entries.filter((entry) => actionOf(entry) === action).map((entry) => entry.product_id))

/** A product that is not opened to the caller and a missing one get the same answer. */
function refuseEntries(view: View, refine: readonly (RefineEntry | null)[]): AdcpError | undefined {
  const finals = refine.filter((entry) => entry?.scope === "proposal" && entry.action === "finalize")
  if (finals.length > 0 && finals.length < refine.length)
    return brokenRule("/refine", "refine must not mix finalize with other changes", "not")
  for (const [index, entry] of refine.entries()) {
    if (entry?.scope === "proposal") return notFound("proposal", index)
    if (entry?.scope === "product" && view.search().placeOf(entry.product_id) < 0) return notFound("product", index)
  }
  return undefined
}

const UNKNOWN = {
  proposal: ["PROPOSAL_NOT_FOUND", "We make no proposals. Name products instead."],
  product: ["PRODUCT_NOT_FOUND", "Take a product_id of an earlier answer to this key."],
} as const

function notFound(noun: keyof typeof UNKNOWN, index: number): AdcpError {
  const [code, suggestion] = UNKNOWN[noun]
  const field = `refine[${index}].${noun}_id`
  return adcpError(code, `${field} names no ${noun}.`, { field, suggestion })
}

/** The named products and similar ones; all products if none is named. */
function choose(view: View, left: readonly SeenProduct[], entries: ProductEntry[], args: GetProductsInput) {
  const included = idsOf(entries, "include")
  const models = idsOf(entries, "more_like_this")
  if (included.size === 0 && models.size === 0) return [...left]
  const named = left.filter(({ id }) => included.has(id) || models.has(id))
  const others = left.filter(({ id }) => !included.has(id) && !models.has(id))
  const preference = preferenceIn(args)
  const { placeOf } = view.search()
  const candidates = others.map((seen) => ({ seen, place: placeOf(seen.id), preferred: preference(seen) }))
  const similar = new Set(named)
  for (const id of models) for (const seen of similarTo(view, id, candidates)) similar.add(seen)
  return [...similar]
}

type Candidate = Readonly<{ seen: SeenProduct; place: number; preferred: number }>

function similarTo(view: View, id: string, candidates: readonly Candidate[]): SeenProduct[] {
  const similarity = view.search().similarityTo(id)
  const best: { readonly seen: SeenProduct; readonly score: number }[] = []
  let least = 0
  // Not all in order: a call names up to a hundred products, and a catalogue has thousands.
  for (const { seen, place, preferred } of candidates) {
    const alike = similarity[place] ?? 0
    const score = alike + preferred
    if (alike === 0 || (best.length === SIMILAR_MAX && score <= least)) continue
    best.splice(best.findLastIndex((better) => better.score >= score) + 1, 0, { seen, score })
    best.length = Math.min(best.length, SIMILAR_MAX)
    least = best.at(-1)?.score ?? 0
  }
  return best.map(({ seen }) => seen)
}

const WISH = "Wishes in words are not read here. Ask with a brief or filters, and name products here."

function answer(entry: Answerable | null, ids: ReadonlySet<string>) {
  if (entry === null) return { scope: "request", status: "unable", notes: "This entry says nothing." }
  if (entry.scope === "request") return { scope: "request", status: "unable", notes: WISH }
  const { scope, product_id, ask } = entry
  if (actionOf(entry) !== "omit" && !ids.has(product_id))
    return { scope, product_id, status: "unable", notes: "The filters or another change leave this product out." }
  if (ask === undefined) return { scope, product_id, status: "applied" }
  return { scope, product_id, status: "partial", notes: WISH }
}
