import { readArguments } from "../arguments/arguments.ts"
import type { Demands } from "../filters/product-tests.ts"
import { filtered } from "../filters/products.ts"
import { feedVersionOf, type ProductView, type SeenProduct } from "../view/view.ts"
import type { Arguments } from "./answer.ts"
import { briefFields, type RankedProducts, rankForBrief } from "./brief-answer.ts"
import { brokenRule } from "./errors.ts"
import { ProductFilters } from "./product-filters.ts"
import { GetProductsInput } from "./products-input.ts"
import { refineProducts } from "./refine.ts"

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
  const sent = readArguments(GetProductsInput, args)
  checkModes(sent)
  checkDates(sent)
  const { filters, unknownFilters } = knownFilters(sent)
  const { required_policies: policies = [] } = sent
  const demands =
    filters === null && policies.length === 0
      ? null
      : { ...filters, ...(policies.length > 0 && { required_policies: policies }) }
  const remaining =
    demands === null ? view.products : view.products.flatMap((seen) => filtered(seen, demands, view) ?? [])
  const shared = { input: sent, demands, unknownFilters, remaining: remaining.length }
  const unapplied = {
    ...(sent.property_list && { property_list_applied: false }),
    ...(sent.catalog && { catalog_applied: false }),
  }

  if (sent.buying_mode === "wholesale") {
    const version = remaining === view.products ? view.feedVersion : feedVersionOf(remaining)
    const isUnchanged = version === sent.if_wholesale_feed_version
    const unchanged = isUnchanged ? { unchanged: true, cache_scope: "public" } : {}
    const fields = { wholesale_feed_version: version, ...unchanged, ...unapplied }
    return { ...shared, products: remaining, fields, ranked: null }
  }
  if (sent.buying_mode === "refine" && sent.refine !== undefined) {
    const { products, refinement_applied } = refineProducts(view, remaining, sent.refine)
    return {
      ...shared,
      products: preferredFirst(products, sent),
      fields: { refinement_applied, ...unapplied },
      ranked: null,
    }
  }
  if (sent.brief === undefined)
    return { ...shared, products: preferredFirst(remaining, sent), fields: unapplied, ranked: null }
  const ranked = rankForBrief(view, remaining, sent.brief, sent)
  const ext = briefFields(ranked.reading)
  const fields = { ...(Object.keys(ext).length > 0 && { ext: { adbooth: ext } }), ...unapplied }
  return { ...shared, products: ranked.ranked.map(({ seen }) => seen), fields, ranked }
}

/** Rules between arguments that AdCP states in prose. A brief beside another mode binds the buyer only: real clients send it. */
function checkModes(input: GetProductsInput): void {
  const { buying_mode: mode = "brief", if_wholesale_feed_version: feedVersion } = input
  if (input.buying_mode === "brief" && input.brief === undefined)
    throw brokenRule("/brief", 'brief is required when buying_mode is "brief"', "required")
  if (mode === "refine" && input.refine === undefined)
    throw brokenRule("/refine", 'refine is required when buying_mode is "refine"', "required")
  if (mode !== "refine" && input.refine !== undefined)
    throw brokenRule("/refine", 'refine must be left out unless buying_mode is "refine"', "not")
  const name = "if_wholesale_feed_version"
  if (mode !== "wholesale" && feedVersion !== undefined)
    throw brokenRule(`/${name}`, `${name} must be left out unless buying_mode is "wholesale"`, "not")
  if (input.if_pricing_version !== undefined && feedVersion === undefined)
    throw brokenRule(`/${name}`, `${name} is required beside if_pricing_version`, "required")
  if (input.catalog !== undefined && input.brand === undefined)
    throw brokenRule("/brand", "brand is required beside catalog", "required")
}

function checkDates({ filters: { start_date: start, end_date: end } = {} }: GetProductsInput): void {
  if (start !== undefined && end !== undefined && end < start)
    throw brokenRule("/filters/end_date", "filters.end_date is before filters.start_date")
}

function knownFilters({ filters }: GetProductsInput) {
  if (filters === undefined) return { filters: null, unknownFilters: [] }
  const isKnown = (name: string) => Object.hasOwn(ProductFilters.properties, name)
  const known = Object.entries(filters).filter(([name]) => isKnown(name) && name !== "ext")
  const unknownFilters = Object.keys(filters).filter((name) => !isKnown(name))
  return { filters: Object.fromEntries(known) as ProductFilters, unknownFilters }
}

function preferredFirst(products: readonly SeenProduct[], { preferred_delivery_types: preferred }: GetProductsInput) {
  if (preferred === undefined) return products
  const placeOf = ({ product }: SeenProduct) => {
    const at = preferred.indexOf(product.delivery_type)
    return at < 0 ? preferred.length : at
  }
  return products.toSorted((a, b) => placeOf(a) - placeOf(b))
}
