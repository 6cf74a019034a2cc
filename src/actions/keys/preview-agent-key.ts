import type { Reading } from "../../domain/adcp/brief/reading/read-brief.ts"
import { isAboutPlace, leftOutBy, leftOutText } from "../../domain/adcp/missing.ts"
import type { Product } from "../../domain/adcp/schema/product/product.ts"
import type { SeenProduct } from "../../domain/adcp/seen-product.ts"
import { type Arguments, isAdcpError } from "../../domain/adcp/tools/answer.ts"
import { getProducts, type Selected, selectProducts } from "../../domain/adcp/tools/get-products.ts"
import { hiddenBecause, hiddenText, type View } from "../../domain/adcp/visibility.ts"
import type { Opening } from "../../domain/keys/opening.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { type AgentViews, agentViews } from "../catalogue/agent-views.ts"
import type { ReportContext } from "../context.ts"

export interface Preview {
  /** Null for a caller without a key. */
  readonly id: string | null
  readonly label: string
  /** Why the question is refused, as the agent would say it. */
  readonly error?: string
  /** What the agent says beside the products: how it understood the brief, which filters it ignored. */
  readonly note: string
  /** What was understood of the brief; undefined without one. */
  readonly reading?: Reading | undefined
  readonly products: Listed<Product>
  readonly missing: Listed<MissingProduct>
  /** The whole answer as the agent gives it. */
  readonly answer: () => object
}

/** A list of which only what is shown is made: catalogues may be long. */
export interface Listed<Item> {
  readonly count: number
  slice(start: number, end?: number): Item[]
}

export interface MissingProduct {
  readonly id: string
  readonly name: string
  readonly why: string
  /** Whether opening it, or opening it in more countries, would bring it up. */
  readonly canOpen: boolean
}

type PreviewContext = Pick<ReportContext, "store" | "clock" | "log">

// For an installation that has never run; the address only appears in format ids.
const NO_ADDRESS = "http://127.0.0.1:3000/"

const WITHOUT_KEY = { id: null, label: "Without a key", openings: [] }

/**
 * What get_products answers to the active key with this id or prefix, or without a key, and why the other products are missing. Null
 * where there is no such key.
 */
export async function previewAgentKey(
  context: PreviewContext,
  idOrPrefix: string | null,
  args: Arguments,
): Promise<Preview | null> {
  const keys = await context.store.agentKeys.list()
  const isAsked = ({ id, prefix, revokedAt }: (typeof keys)[number]) =>
    revokedAt === null && (id === idOrPrefix || prefix === idOrPrefix)
  const key = idOrPrefix === null ? WITHOUT_KEY : keys.find(isAsked)
  if (key === undefined) return null
  const view = await (await viewsOf(context)).products(key.id)
  const selected = selectProducts(view, args)
  const caller = { id: key.id, label: key.label, answer: () => getProducts(view, args).payload }
  if (isAdcpError(selected))
    return { ...caller, error: selected.message, note: "", products: NOTHING, missing: NOTHING }
  const stored = await context.store.catalogue.products()
  const all = stored.map(({ productId, body }) => ({ id: productId, product: body as Product }))
  const { remaining, selection } = selected
  const keptIds = new Set(remaining.map(({ id }) => id))
  const withReason = (seen: SeenProduct): Product => {
    const reason = selection.sayOf?.(seen)?.relevance
    return reason === undefined ? seen.product : { ...seen.product, brief_relevance: reason }
  }
  const explain = explainer(view, selected, key.openings, context.clock())
  return {
    ...caller,
    note: `${selection.none ?? ""}${selection.note ?? ""}`.trim(),
    reading: selection.reading,
    products: listed(selection.products, withReason),
    missing: listed(
      all.filter((each) => !keptIds.has(each.id)),
      explain,
    ),
  }
}

type Stored = Readonly<{ id: string; product: Product }>

const NOTHING: Listed<never> = { count: 0, slice: () => [] }

function listed<From, Item>(all: readonly From[], make: (from: From) => Item): Listed<Item> {
  return { count: all.length, slice: (start, end) => all.slice(start, end).map(make) }
}

/** Says why a product is not in the answer. */
function explainer(view: View, { input }: Selected, openings: readonly Opening[], now: Moment) {
  const openingOf = new Map(openings.map((opening) => [opening.productId, opening]))
  const seenById = new Map(view.products.map((seen) => [seen.id, seen]))
  return ({ id, product }: Stored): MissingProduct => {
    const seen = seenById.get(id)
    const { name } = product
    if (seen !== undefined) {
      const leftOut = leftOutBy(view, seen, input)
      return { id, name, why: leftOutText(leftOut, seen), canOpen: leftOut.every(isAboutPlace) }
    }
    const hidden = hiddenBecause(product, openingOf.get(id), now)
    const why = hidden === undefined ? NOT_VALID : hiddenText(hidden)
    return { id, name, why, canOpen: hidden?.because === "not opened" }
  }
}

const NOT_VALID = "The stored product is not valid. Open it and save it to see why."

const knownViews = new WeakMap<object, { readonly address: string; readonly views: AgentViews }>()

/** Prepared once for each revision of the catalogue, as for the agent itself. */
async function viewsOf(context: PreviewContext): Promise<AgentViews> {
  const { settings } = context.store
  const address = (await settings.get("agent_address")) ?? NO_ADDRESS
  const web = (await settings.get("address")) ?? NO_ADDRESS
  const existing = knownViews.get(context.store)
  if (existing?.address === address) return existing.views
  const views = agentViews(context, {
    agentUrl: () => address,
    orderUrl: () => `${web}/order/`,
    brandAt: null,
    agentDelivery: false,
  })
  knownViews.set(context.store, { address, views })
  return views
}
