import { diagnose } from "../filters/diagnostics.ts"
import { enforcesAll } from "../filters/guarantee-filters.ts"
import { applyFilters } from "../filters/index.ts"
import type { Product } from "../schema/product/product.ts"
import { feedVersionOf, type SeenProduct, type View } from "../view.ts"
import { type Answer, completed, failed, isAdcpError } from "./answer.ts"
import { readArguments, refuseArguments } from "./arguments.ts"
import { rankByBrief } from "./brief.ts"
import { type AdcpError, brokenRule } from "./error.ts"
import { GetProductsInput } from "./get-products-input.ts"
import { bindingOf, pageOf } from "./page.ts"
import { selectFields } from "./product-fields.ts"
import { ProductFilters } from "./product-filters-input.ts"
import { refineProducts } from "./refine.ts"
import type { Arguments } from "./version.ts"

const deciding = ["buying_mode", "brief", "refine", "filters", "required_policies", "preferred_delivery_types"]

interface Selection {
  products: readonly SeenProduct[]
  extras: Record<string, unknown>
  /** What else there is to say, with a space before it. */
  note?: string
  /** Only what is on the page is made ready to be shown. */
  show?: (seen: SeenProduct) => Product
}

/** The caller's products as asked. Everything that the arguments can reach is inside the view. */
export function getProducts(view: View, args: Arguments): Answer {
  const refused = refuseArguments(GetProductsInput, args)
  if (refused) return failed(refused, args)
  const input = readArguments(GetProductsInput, args)
  const broken = brokenModeRule(input)
  if (broken) return failed(broken, args)
  const kept = keepMatching(view, input)
  const selection = select(view, kept, input)
  if (isAdcpError(selection)) return failed(selection, args)
  if (selection.extras["unchanged"]) return completed("Nothing has changed.", selection.extras, args)
  return showPage(view, selection, kept, input, args)
}

function showPage(
  view: View,
  { products, extras, note = "", show = ({ product }) => product }: Selection,
  kept: readonly SeenProduct[],
  input: GetProductsInput,
  args: Arguments,
): Answer {
  const page = pageOf(
    products,
    ({ id }) => id,
    input,
    bindingOf(view.caller, { ...args, filters: knownFilters(input) }, deciding),
  )
  if (isAdcpError(page)) return failed(page, args)
  const total = page.pagination.total_count
  const message = `${total} ${total === 1 ? "product" : "products"}${page.items.length < total ? `, ${page.items.length} of them here` : ""}.${note}`
  const shown = page.items.map((seen) => selectFields(show(seen), input.fields))
  const diagnostics = input.filters
    ? { filter_diagnostics: diagnose(candidates(view, input), kept.length, input.filters, view) }
    : {}
  const fields = { products: shown, cache_scope: "public", ...extras, pagination: page.pagination, ...diagnostics }
  return completed(message, fields, args)
}

/** The filters that can change the answer. */
function knownFilters({ filters = {} }: GetProductsInput): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).filter(([name]) => name !== "ext" && name in ProductFilters.properties),
  )
}

/** Rules between arguments that the protocol states in prose. */
function brokenModeRule(input: GetProductsInput): AdcpError | undefined {
  const mode = input.buying_mode ?? "brief"
  if (mode === "brief" && input.buying_mode && input.brief === undefined)
    return brokenRule("/brief", 'brief is required when buying_mode is "brief"')
  if (mode !== "brief" && input.brief !== undefined)
    return brokenRule("/brief", `brief must be left out when buying_mode is "${mode}"`, "not")
  if (mode === "refine" && input.refine === undefined)
    return brokenRule("/refine", 'refine is required when buying_mode is "refine"')
  if (mode !== "refine" && input.refine !== undefined)
    return brokenRule("/refine", 'refine must be left out unless buying_mode is "refine"', "not")
  if (mode !== "wholesale" && input.if_wholesale_feed_version !== undefined) {
    return brokenRule(
      "/if_wholesale_feed_version",
      'if_wholesale_feed_version must be left out unless buying_mode is "wholesale"',
      "not",
    )
  }
  if (input.if_pricing_version !== undefined && input.if_wholesale_feed_version === undefined) {
    return brokenRule("/if_wholesale_feed_version", "if_wholesale_feed_version is required beside if_pricing_version")
  }
  return input.catalog !== undefined && input.brand === undefined
    ? brokenRule("/brand", "brand is required beside catalog")
    : undefined
}

function keepMatching(view: View, input: GetProductsInput): readonly SeenProduct[] {
  const { filters } = input
  if (filters === undefined) return candidates(view, input)
  return candidates(view, input).flatMap((seen) => applyFilters(seen, filters, view) ?? [])
}

/** What the filters are applied to. */
function candidates(view: View, { required_policies: policies = [] }: GetProductsInput): readonly SeenProduct[] {
  return policies.length === 0 ? view.products : view.products.filter(({ product }) => enforcesAll(product, policies))
}

function select(view: View, kept: readonly SeenProduct[], input: GetProductsInput): Selection | AdcpError {
  if (input.buying_mode === "wholesale") return wholesale(view, kept, input)
  if (input.refine !== undefined) {
    const refined = refineProducts(view, kept, input.refine, input)
    if (isAdcpError(refined)) return refined
    return { products: refined.products, extras: { refinement_applied: refined.refinement_applied } }
  }
  if (input.brief === undefined) return { products: kept, extras: {} }
  return rankByBrief(view, kept, input.brief, input)
}

function wholesale(view: View, kept: readonly SeenProduct[], input: GetProductsInput): Selection {
  const version = kept === view.products ? view.feedVersion : feedVersionOf(kept)
  const unchanged = version === input.if_wholesale_feed_version
  const extras = { wholesale_feed_version: version, ...(unchanged ? { unchanged: true, cache_scope: "public" } : {}) }
  return { products: kept, extras }
}
