import { leftOutBy, leftOutText } from "../../domain/adcp/missing.ts"
import type { Product } from "../../domain/adcp/schema/product/product.ts"
import { hiddenBecause, hiddenText, type SeenProduct } from "../../domain/adcp/seen-product.ts"
import { isAdcpError } from "../../domain/adcp/tools/answer.ts"
import { type Selected, selectProducts } from "../../domain/adcp/tools/get-products.ts"
import type { View } from "../../domain/adcp/view.ts"
import type { Opening } from "../../domain/keys/opening.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { type AgentViews, agentViews } from "../catalogue/agent-views.ts"
import type { ReportContext } from "../context.ts"

export interface Preview {
  readonly id: string
  readonly label: string
  /** Why the question is refused, as the agent would say it. */
  readonly error?: string
  /** What the agent says beside the products: how it understood the brief, which filters it ignored. */
  readonly note: string
  readonly products: Listed<Product>
  /** The other products of the catalogue. */
  readonly missing: Listed<MissingProduct>
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
}

/** What a buyer's agent would ask. */
export interface PreviewQuestion {
  readonly brief?: string | undefined
  readonly filters?: Readonly<Record<string, unknown>> | undefined
  /** Only products whose name or id has this in it. */
  readonly text?: string | undefined
}

type PreviewContext = Pick<ReportContext, "store" | "clock" | "log">

// For an installation that has never run; the address only appears in format ids.
const NO_ADDRESS = "http://127.0.0.1:3000/"

/** What get_products answers to the active key with this id or prefix, and why the other products are missing. Null without such a key. */
export async function previewAgentKey(
  context: PreviewContext,
  idOrPrefix: string,
  { brief, filters, text = "" }: PreviewQuestion,
): Promise<Preview | null> {
  const keys = await context.store.agentKeys.list()
  const key = keys.find(
    ({ id, prefix, revokedAt }) => revokedAt === null && (id === idOrPrefix || prefix === idOrPrefix),
  )
  if (key === undefined) return null
  const view = await (await viewsOf(context)).products(key.id)
  const mode = brief === undefined ? { buying_mode: "wholesale" } : { buying_mode: "brief", brief }
  const selected = selectProducts(view, { ...mode, ...(filters && { filters }) })
  const shown = { id: key.id, label: key.label }
  if (isAdcpError(selected)) return { ...shown, error: selected.message, note: "", products: NOTHING, missing: NOTHING }
  const stored = await context.store.catalogue.products()
  const all = stored.map(({ productId, body }) => ({ id: productId, product: body as Product }))
  const wanted = text.toLowerCase()
  const isWanted = ({ id, product: { name } }: Stored) => `${id} ${name}`.toLowerCase().includes(wanted)
  const { kept, selection } = selected
  const keptIds = new Set(kept.map(({ id }) => id))
  const withReason = (seen: SeenProduct): Product => {
    const reason = selection.reasonFor?.(seen)
    return reason === undefined ? seen.product : { ...seen.product, brief_relevance: reason }
  }
  const explain = explainer(view, selected, key.openings, context.clock())
  return {
    ...shown,
    note: (selection.note ?? "").trim(),
    products: listed(selection.products.filter(isWanted), withReason),
    missing: listed(
      all.filter((each) => !keptIds.has(each.id) && isWanted(each)),
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
    if (seen !== undefined) return { id, name: product.name, why: leftOutText(leftOutBy(view, seen, input), seen) }
    const hidden = hiddenBecause(product, openingOf.get(id), now)
    return { id, name: product.name, why: hidden === undefined ? NOT_VALID : hiddenText(hidden) }
  }
}

const NOT_VALID = "What is stored is not valid. Open the product and save it to see what is wrong."

const knownViews = new WeakMap<object, { readonly address: string; readonly views: AgentViews }>()

/** Prepared once for each revision of the catalogue, as for the agent itself. */
async function viewsOf(context: PreviewContext): Promise<AgentViews> {
  const address = (await context.store.settings.get("agent_address")) ?? NO_ADDRESS
  const known = knownViews.get(context.store)
  if (known?.address === address) return known.views
  const views = agentViews(context, { agentUrl: () => address, publishedDomains: [] })
  knownViews.set(context.store, { address, views })
  return views
}
