import { isObject } from "../../schema/explain.ts"
import { readArguments } from "../arguments.ts"
import { Product } from "../schema/product.ts"
import { productLine } from "../text.ts"
import { feedVersionOf, type ProductView, type PublicProduct, type SeenProduct } from "../view.ts"
import {
  type AdcpAnswer,
  type Arguments,
  bindingOf,
  brokenRule,
  completed,
  countText,
  type Demand,
  namesText,
  nextPageLines,
  type PageRequest,
  pageOf,
} from "./answer.ts"
import { briefFields, briefSentences, type RankedProducts, rankForBrief, refineProducts } from "./brief-answer.ts"
import { type Demands, diagnose, filtered } from "./filters.ts"
import { GetProductsInput, ProductFilters } from "./products-input.ts"

// What the response schema requires, and both lists of formats: the newest official clients drop a product without options.
const REQUIRED = [...Product.required, "format_options"]
const KNOWN = [...Object.keys(Product.properties), "format_options"]

/** The names that no product of this agent can have. */
const unknownFieldNames = (fields: readonly string[] = []): string[] => fields.filter((name) => !KNOWN.includes(name))

/** The product with these fields and the required ones, as they are. */
function selectFields(product: PublicProduct, fields: readonly string[] | undefined): PublicProduct {
  if (fields === undefined) return product
  const isKept = (name: string) => fields.includes(name) || REQUIRED.includes(name) || name === "ext"
  const kept = Object.fromEntries(Object.entries(product).filter(([name]) => isKept(name))) as unknown as PublicProduct
  // Order links and matches are there as well.
  return fields.includes("ext") ? kept : { ...kept, ext: { adbooth: product.ext.adbooth } }
}

/** The product with what this answer alone says about it. */
function withOwn(product: PublicProduct, own: { readonly order_url?: string; readonly matches?: object }) {
  const { adbooth } = product.ext
  return { ...product, ext: { ...product.ext, adbooth: { ...(isObject(adbooth) ? adbooth : {}), ...own } } }
}

/** The products that an answer is about, in order, with everything else that it says. */
export interface Selection {
  readonly input: GetProductsInput
  readonly demands: Demands | null
  readonly unknownFilters: readonly string[]
  /** How many products the filters leave. */
  readonly remaining: number
  readonly products: readonly SeenProduct[]
  readonly fields: Readonly<Record<string, unknown>>
  /** Null without a brief. */
  readonly ranked: RankedProducts | null
}

/** Reads the arguments, and finds and orders the products. "Ask as this buyer would" uses it as well. */
export function selectProducts(view: ProductView, args: Arguments): Selection {
  const input = readArguments(GetProductsInput, args)
  checkRules(input)
  const demands = demandsIn(input)
  const remaining =
    demands === null ? view.products : view.products.flatMap((seen) => filtered(seen, demands, view) ?? [])
  const unapplied = {
    ...(input.property_list && { property_list_applied: false }),
    ...(input.catalog && { catalog_applied: false }),
  }
  const { products, fields, ranked = null } = selectedBy(view, remaining, input)
  const unknownFilters = Object.keys(input.filters ?? {}).filter((name) => !isKnownFilter(name))
  const shown = { products, fields: { ...fields, ...unapplied }, ranked }
  return { input, demands, unknownFilters, remaining: remaining.length, ...shown }
}

type Selected = Pick<Selection, "products" | "fields"> & Partial<Pick<Selection, "ranked">>

/** What the buying mode makes of the products that the filters leave. */
function selectedBy(view: ProductView, remaining: readonly SeenProduct[], input: GetProductsInput): Selected {
  const { buying_mode: mode, brief, refine } = input
  if (mode === "wholesale") {
    const version = remaining === view.products ? view.feedVersion : feedVersionOf(remaining)
    const unchanged = version === input.if_wholesale_feed_version ? { unchanged: true, cache_scope: "public" } : {}
    return { products: remaining, fields: { wholesale_feed_version: version, ...unchanged } }
  }
  if (mode === "refine" && refine !== undefined) {
    const { products, refinement_applied } = refineProducts(view, remaining, refine)
    return { products: preferredFirst(products, input), fields: { refinement_applied } }
  }
  if (brief === undefined) return { products: preferredFirst(remaining, input), fields: {} }
  const ranked = rankForBrief(view, remaining, brief, input)
  const ext = briefFields(ranked.reading)
  const fields = Object.keys(ext).length > 0 ? { ext: { adbooth: ext } } : {}
  return { products: ranked.ranked.map(({ seen }) => seen), fields, ranked }
}

/** Rules between arguments that AdCP states in prose. A brief beside another mode binds the buyer only: real clients send it. */
function checkRules(input: GetProductsInput): void {
  const { buying_mode: mode = "brief", brief, refine, if_wholesale_feed_version: version, filters = {} } = input
  const { start_date: start = "", end_date: end = start, budget_range: budget } = filters
  const hasNoAmount = budget !== undefined && budget.min === undefined && budget.max === undefined
  const feed = "if_wholesale_feed_version"
  const rules: readonly (readonly [isBroken: boolean, field: string, message: string, keyword?: string])[] = [
    [input.buying_mode === "brief" && brief === undefined, "brief", 'is required when buying_mode is "brief"'],
    [mode === "refine" && refine === undefined, "refine", 'is required when buying_mode is "refine"'],
    [mode !== "refine" && refine !== undefined, "refine", 'must be left out unless buying_mode is "refine"', "not"],
    [mode !== "wholesale" && version !== undefined, feed, 'must be left out unless buying_mode is "wholesale"', "not"],
    [input.if_pricing_version !== undefined && version === undefined, feed, "is required beside if_pricing_version"],
    [input.catalog !== undefined && input.brand === undefined, "brand", "is required beside catalog"],
    [hasNoAmount, "filters.budget_range", "needs min or max", "anyOf"],
    [end < start, "filters.end_date", "is before filters.start_date", "rule"],
  ]
  for (const [isBroken, field, message, keyword = "required"] of rules)
    if (isBroken) throw brokenRule(`/${field.replace(".", "/")}`, `${field} ${message}`, keyword)
}

const isKnownFilter = (name: string): boolean => Object.hasOwn(ProductFilters.properties, name)

/** Everything that leaves products out. Null if nothing was asked. */
function demandsIn({ filters, required_policies: policies = [] }: GetProductsInput): Demands | null {
  if (filters === undefined && policies.length === 0) return null
  const known = Object.entries(filters ?? {}).filter(([name]) => isKnownFilter(name) && name !== "ext")
  return { ...Object.fromEntries(known), ...(policies.length > 0 && { required_policies: policies }) }
}

function preferredFirst(products: readonly SeenProduct[], { preferred_delivery_types: preferred }: GetProductsInput) {
  if (preferred === undefined) return products
  const placeOf = ({ product }: SeenProduct) => {
    const at = preferred.indexOf(product.delivery_type)
    return at < 0 ? preferred.length : at
  }
  return products.toSorted((a, b) => placeOf(a) - placeOf(b))
}

const BEST_FOR_BRIEF = 20

/** The caller's products as asked. Everything that the arguments can reach is inside the view. */
export function getProducts(view: ProductView, args: Arguments): AdcpAnswer {
  const selection = selectProducts(view, args)
  const { input, fields, demands, ranked, remaining } = selection
  const remarks = remarksOn(view, selection)
  if (fields["unchanged"]) return completed(["Nothing has changed.", ...remarks].join(" "), fields, args)

  const binding = bindingOf(view.buyerKeyId ?? "", decidingIn(input))
  const page = pageOf(selection.products, ({ id }) => id, pageRequest(input), binding)
  const { items, pagination } = page
  const isRanked = ranked !== null && pagination.total_count > 1
  const counted = `${countText(items.length, pagination.total_count, "product")}${isRanked ? ", best match first" : ""}.`
  const order = view.orderUrl !== null && items.length > 0 ? ["To order, open the product's order link."] : []
  const message = [...(ranked?.nothing ? [ranked.nothing] : []), counted, ...remarks, ...order].join(" ")
  const products = items.map((seen) => {
    const matches = ranked?.ranked.find((each) => each.seen === seen)?.matches
    const hasMatches = matches !== undefined && Object.keys(matches).length > 0
    const link = view.orderUrl === null ? {} : { order_url: view.orderUrl(seen.id) }
    return withOwn(selectFields(seen.product, input.fields), { ...link, ...(hasMatches && { matches }) })
  })
  const payload = {
    products,
    cache_scope: "public",
    ...fields,
    pagination,
    ...(demands !== null && { filter_diagnostics: diagnose(view, remaining, demands, selection.unknownFilters) }),
  }
  const lines = [...items.map((seen) => lineOf(view, seen, input.fields)), ...nextPageLines(pagination)]
  return completed(message, payload, args, { lines, demand: demandOf(selection) })
}

/** Lists the arguments that weren't applied, and adds the sentence for callers without a key. */
function remarksOn(view: ProductView, { input, unknownFilters, ranked }: Selection): string[] {
  const { buying_mode: mode = "brief", brief } = input
  const unknownNames = unknownFieldNames(input.fields)
  return [
    ...(ranked !== null ? briefSentences(ranked, brief ?? "") : []),
    ...(mode !== "brief" && brief !== undefined ? [`The brief was ignored, because buying_mode is ${mode}.`] : []),
    ...(unknownFilters.length > 0 ? [`Unknown filters were ignored: ${namesText(unknownFilters)}.`] : []),
    ...(unknownNames.length > 0 ? [`Fields that products don't have were ignored: ${namesText(unknownNames)}.`] : []),
    ...(view.notice !== null ? [view.notice] : []),
  ]
}

const DECIDING = ["buying_mode", "brief", "refine", "filters", "required_policies", "preferred_delivery_types"] as const

/** An absent mode means brief, and no filters are empty filters. */
const decidingIn = (input: GetProductsInput) => ({
  ...Object.fromEntries(DECIDING.map((name) => [name, input[name]])),
  buying_mode: input.buying_mode ?? "brief",
  filters: input.filters ?? {},
})

/** Without a page in the arguments, a brief gets its best products, and a request without a brief gets all of them. */
function pageRequest({ pagination, brief, buying_mode: mode = "brief" }: GetProductsInput): PageRequest {
  if (pagination !== undefined) return pagination
  return { max_results: mode === "brief" && brief !== undefined ? BEST_FOR_BRIEF : Number.POSITIVE_INFINITY }
}

function lineOf({ orderUrl }: ProductView, { id, product, territories }: SeenProduct, fields?: readonly string[]) {
  const facts = productLine(product, territories, fields)
  return orderUrl === null ? facts : `${facts}; ${orderUrl(id)}`
}

function demandOf({ input: { brief, filters = {} }, ranked, products }: Selection): Demand {
  const { channels = [], countries = [] } = ranked?.reading ?? {}
  return {
    brief: ranked === null ? null : (brief ?? null),
    channels: [...new Set([...(filters.channels ?? []), ...channels.map(({ name }) => name)])],
    countries: [...new Set([...(filters.countries ?? []), ...countries.map(({ name }) => name)])],
    matched: ranked?.matched ?? products.length,
  }
}
