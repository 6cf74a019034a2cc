import { demandOf } from "../../demand/demand.ts"
import { countText } from "../brief/facts.ts"
import type { Reading } from "../brief/reading/read-brief.ts"
import { applyFilters, type Demands, diagnose } from "../filters/products.ts"
import { ShownProduct } from "../json.ts"
import { Product } from "../schema/product/product.ts"
import type { SeenProduct } from "../seen-product.ts"
import { chosenLine } from "../text.ts"
import { feedVersionOf, type View } from "../visibility.ts"
import type { AdcpAnswer, AdcpError, Arguments } from "./answer.ts"
import { brokenRule, completed, failed, isAdcpError, namesText } from "./answer.ts"
import { takeArguments } from "./arguments.ts"
import { byPreference, type None, rankByBrief, refineProducts, type Said } from "./brief.ts"
import { fieldSelector, GetProductsInput, ProductFilters, wantsReasons } from "./get-products-input.ts"
import { bindingOf, nextPage, pageOf } from "./page.ts"

// What is answered all the same, but deserves a word in the message.

const productFields: Record<string, unknown> = { ...Product["allOf"][0].properties, brief_relevance: true }

/** Whether a product may have it: also what only an earlier version stored. */
const isField = (name: string, { products }: View) =>
  Object.hasOwn(productFields, name) || products.some(({ product }) => Object.hasOwn(product, name))

/** Each remark with a space before it. */
function remarksOn(input: GetProductsInput, unknownFilters: readonly string[], view: View): string {
  const unknownFields = (input.fields ?? []).filter((name) => !isField(name, view))
  return [
    input.brief !== undefined && input.buying_mode !== undefined && input.buying_mode !== "brief"
      ? ` The brief was ignored, because buying_mode is ${input.buying_mode}.`
      : "",
    unknownFilters.length > 0 ? ` Unknown filters were ignored: ${namesText(unknownFilters)}.` : "",
    unknownFields.length > 0 ? ` Fields that products here do not have were ignored: ${namesText(unknownFields)}.` : "",
    remarkOnDates(input.filters ?? {}, view.today),
  ].join("")
}

function remarkOnDates({ start_date: start, end_date: end }: ProductFilters, today: string): string {
  if (start !== undefined && end !== undefined && start > end)
    return ` No campaign can run from ${start} to ${end}: start_date is after end_date.`
  if (end !== undefined && end < today) return ` end_date ${end} is in the past: no campaign can run then.`
  if (start !== undefined && start < today) return ` start_date ${start} is in the past.`
  return ""
}

const deciding = ["buying_mode", "brief", "refine", "filters", "required_policies", "preferred_delivery_types"]

interface Selection {
  products: readonly SeenProduct[]
  extras: Record<string, unknown>
  /** How many products fit the brief, and what was understood of it. */
  matched?: number
  reading?: Reading
  /** What else there is to say, with a space before it. */
  note?: string
  unknownFilters?: readonly string[]
  /** The first sentence where nothing is what the brief asks for. */
  none?: None | undefined
  /** What is said of a product beside the brief. Asked only for what is on the page. */
  sayOf?: (seen: SeenProduct) => Said | undefined
}

/** The caller's products as asked. Everything that the arguments can reach is inside the view. */
export function getProducts(view: View, args: Arguments): AdcpAnswer {
  const selected = selectProducts(view, args)
  if (isAdcpError(selected)) return failed(selected, args)
  const { extras, note } = selected.selection
  if (extras["unchanged"]) return completed(`Nothing has changed.${note}`, extras, args)
  return showPage(view, selected, args)
}

export type Selected = Readonly<{ input: GetProductsInput; remaining: readonly SeenProduct[]; selection: Selection }>

export function selectProducts(view: View, args: Arguments): Selected | AdcpError {
  const taken = takeArguments(GetProductsInput, args)
  if (isAdcpError(taken)) return taken
  const broken = brokenModeRule(taken.input)
  if (broken) return broken
  const { input, unknownFilters } = relevant(taken.input)
  const remaining = keepMatching(view, input)
  const selection = select(view, remaining, input)
  if (isAdcpError(selection)) return selection
  const note = `${selection.note ?? ""}${remarksOn(taken.input, unknownFilters, view)}${view.notice}`
  const extras = { ...selection.extras, ...notApplied(input) }
  return { input, remaining, selection: { ...selection, extras, note, unknownFilters } }
}

/** What was asked for and has no effect. */
function notApplied({ property_list, catalog }: GetProductsInput): Record<string, false> {
  return { ...(property_list && { property_list_applied: false }), ...(catalog && { catalog_applied: false }) }
}

/** The input without what changes nothing: a brief in another mode, filters that we do not know. */
function relevant(input: GetProductsInput) {
  const isBrief = input.buying_mode === undefined || input.buying_mode === "brief"
  if (isBrief && input.filters === undefined) return { input, unknownFilters: [] }
  const { brief, filters, ...rest } = input
  const isKnown = (name: string) => Object.hasOwn(ProductFilters.properties, name)
  const supported = Object.entries(filters ?? {}).filter(([name]) => isKnown(name) && name !== "ext")
  return {
    input: {
      ...rest,
      ...(isBrief && brief !== undefined && { brief }),
      ...(filters && { filters: Object.fromEntries(supported) as ProductFilters }),
    },
    unknownFilters: Object.keys(filters ?? {}).filter((name) => !isKnown(name)),
  }
}

function showPage(view: View, { selection, remaining, input }: Selected, args: Arguments): AdcpAnswer {
  const { products, extras, note = "", unknownFilters = [], sayOf, reading, none } = selection
  const binding = () => bindingOf(view.caller, { filters: {}, ...input }, deciding)
  const page = pageOf(products, ({ id }) => id, input, binding)
  if (isAdcpError(page)) return failed(page, args)
  const links = page.items.map(({ id }) => view.orderUrl?.(id))
  const total = page.pagination.total_count
  const canOrder = view.orderUrl !== undefined && links.length > 0 && none?.isSure !== true
  const count = none !== undefined && page.items.length === total ? [] : [countText(total, page.items.length)]
  const first = [...(none === undefined ? [] : [none.text]), ...count].join(" ")
  const message = `${first}${note}${canOrder ? " To order, open the product's order link." : ""}`
  const saidOf = wantsReasons(input.fields) ? sayOf : undefined
  const chosenOf = fieldSelector(input.fields)
  const shown = page.items.map((seen, i) => {
    const { relevance: brief_relevance, matches } = saidOf?.(seen) ?? {}
    return new ShownProduct(chosenOf(seen), { order_url: links[i], matches, brief_relevance })
  })
  const demands = demandsOf(input)
  const diagnostics = demands && {
    filter_diagnostics: diagnose(view, remaining.length, demands, unknownFilters),
  }
  const fields = { products: shown, cache_scope: "public", ...extras, pagination: page.pagination, ...diagnostics }
  const lines = page.items.map(({ line, product }, i) => {
    const facts = input.fields === undefined ? line : chosenLine(product, input.fields)
    return links[i] === undefined ? facts : `${facts}; ${links[i]}`
  })
  const answer = completed(message, fields, args, [...lines, ...nextPage(page)])
  const demand = demandOf({
    brief: input.brief,
    reading,
    filters: input.filters,
    matched: selection.matched ?? products.length,
    products: page.items.map(({ id }) => id),
    isNextPage: input.pagination?.cursor !== undefined,
  })
  return { ...answer, demand }
}

/** Rules between arguments that the protocol states in prose. A brief beside another mode binds the buyer only: real clients send it. */
function brokenModeRule(input: GetProductsInput): AdcpError | undefined {
  const mode = input.buying_mode ?? "brief"
  if (mode === "brief" && input.buying_mode && input.brief === undefined)
    return brokenRule("/brief", 'brief is required when buying_mode is "brief"')
  if (mode === "refine" && input.refine === undefined)
    return brokenRule("/refine", 'refine is required when buying_mode is "refine"')
  if (mode !== "refine" && input.refine !== undefined)
    return brokenRule("/refine", 'refine must be left out unless buying_mode is "refine"', "not")
  const feed = "if_wholesale_feed_version"
  if (mode !== "wholesale" && input[feed] !== undefined)
    return brokenRule(`/${feed}`, `${feed} must be left out unless buying_mode is "wholesale"`, "not")
  if (input.if_pricing_version !== undefined && input[feed] === undefined)
    return brokenRule(`/${feed}`, `${feed} is required beside if_pricing_version`)
  return input.catalog !== undefined && input.brand === undefined
    ? brokenRule("/brand", "brand is required beside catalog")
    : undefined
}

function keepMatching(view: View, input: GetProductsInput): readonly SeenProduct[] {
  const demands = demandsOf(input)
  if (demands === undefined) return view.products
  return view.products.flatMap((seen) => applyFilters(seen, demands, view) ?? [])
}

/** What leaves products out; undefined where nothing does. */
const demandsOf = ({ filters, required_policies = [] }: GetProductsInput): Demands | undefined =>
  required_policies.length === 0 ? filters : { ...filters, required_policies }

function select(view: View, remaining: readonly SeenProduct[], input: GetProductsInput): Selection | AdcpError {
  if (input.buying_mode === "wholesale") return wholesale(view, remaining, input)
  if (input.refine !== undefined) {
    const refined = refineProducts(view, remaining, input.refine, input)
    if (isAdcpError(refined)) return refined
    return { products: refined.products, extras: { refinement_applied: refined.refinement_applied } }
  }
  if (input.brief === undefined) return { products: byPreference(remaining, input), extras: {} }
  return rankByBrief(view, remaining, input.brief, input)
}

function wholesale(view: View, remaining: readonly SeenProduct[], input: GetProductsInput): Selection {
  const version = remaining === view.products ? view.feedVersion : feedVersionOf(remaining, input.filters)
  const unchanged = version === input.if_wholesale_feed_version
  const extras = { wholesale_feed_version: version, ...(unchanged ? { unchanged: true, cache_scope: "public" } : {}) }
  return { products: remaining, extras }
}
