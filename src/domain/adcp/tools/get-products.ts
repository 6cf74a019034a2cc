import { diagnose } from "../filters/diagnose.ts"
import { shortProductLine } from "../text.ts"
import type { ProductView, SeenProduct } from "../view/view.ts"
import { type AdcpAnswer, type Arguments, completed, type Demand } from "./answer.ts"
import { briefSentences } from "./brief-answer.ts"
import { namesText } from "./errors.ts"
import { selectFields, unknownFieldNames, withOwn } from "./fields.ts"
import { bindingOf, nextPageLines, type PageRequest, pageOf } from "./page.ts"
import type { GetProductsInput } from "./products-input.ts"
import { type Selection, selectProducts } from "./select-products.ts"

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
  const counted = countText(pagination.total_count, items.length, ranked !== null)
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

function countText(total: number, listed: number, isRanked: boolean): string {
  const products = total === 1 ? "1 product" : `${total} products`
  const count = listed < total ? `${listed} of ${products}` : products
  return isRanked && total > 1 ? `${count}, best match first.` : `${count}.`
}

function lineOf({ orderUrl }: ProductView, { id, line, product }: SeenProduct, fields: readonly string[] | undefined) {
  const facts = fields === undefined ? line : shortProductLine(product, fields)
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
