import { catalogueFormats } from "../../domain/adcp/catalogue/catalogue-formats.ts"
import type { OwnFormats } from "../../domain/adcp/catalogue/check-refs.ts"
import { isValidFormat, isValidProduct } from "../../domain/adcp/catalogue/revalidate-stored.ts"
import { type FormatView, prepareFormats } from "../../domain/adcp/format-view.ts"
import type { Product } from "../../domain/adcp/schema/product/product.ts"
import { type Capabilities, prepareCapabilities } from "../../domain/adcp/tools/capabilities.ts"
import { prepareView, type View } from "../../domain/adcp/view.ts"
import type { Opening } from "../../domain/keys/opening.ts"
import { type MaybePromise, thenMaybe } from "../../domain/maybe-promise.ts"
import { formatMoment, MICROS_PER_DAY } from "../../domain/time/moment.ts"
import type { ReportContext } from "../context.ts"

/** What the sales agent shows, prepared once for each state of the catalogue and kept until that state changes. */
export interface AgentViews {
  /** What this key may see; null is an anonymous caller, who sees no products. */
  products(agentKeyId: string | null): MaybePromise<View>
  formats(): MaybePromise<FormatView>
  capabilities(): MaybePromise<Capabilities>
}

type ViewContext = Pick<ReportContext, "store" | "clock" | "log">

interface Prepared {
  readonly own: OwnFormats
  readonly formats: FormatView
  /** Prepared when somebody asks: to prepare the check of products takes a while, and who asks for formats need not wait. */
  readonly offer: () => Offer
  /** Least recently used first. */
  readonly views: Map<string, View>
}

interface Offer {
  readonly products: ReadonlyMap<string, Product>
  readonly capabilities: Capabilities
}

const ANONYMOUS = "anonymous"
// So many keys' views are kept; a further one takes the place of the one not used for longest.
const VIEWS_MAX = 200

/** `agentUrl` is asked for when the first view is prepared, once the server knows where it listens. */
export function agentViews(context: ViewContext, agentUrl: () => string): AgentViews {
  let latest: MaybePromise<Prepared> | undefined
  let latestRevision: number | undefined
  let viewsDay: number | undefined

  /** One small read tells whether anything changed, in this process or another. */
  function prepared(): MaybePromise<Prepared> {
    return thenMaybe(context.store.catalogue.revision(), (revision) => {
      if (latest === undefined || latestRevision !== revision) {
        latestRevision = revision
        latest = prepareAnew()
      }
      return latest
    })
  }

  function prepareAnew(): Promise<Prepared> {
    const preparing = prepare(context, agentUrl())
    const settle = (settled: Prepared | undefined) => {
      if (latest === preparing) latest = settled
    }
    // A failure is not kept: the next caller tries again.
    preparing.then(settle, () => settle(undefined))
    return preparing
  }

  function viewOf(state: Prepared, agentKeyId: string | null): MaybePromise<View> {
    const caller = agentKeyId ?? ANONYMOUS
    // "Next March" means another month on another day, so what was answered yesterday is not kept.
    const day = Math.floor(context.clock() / MICROS_PER_DAY)
    if (day !== viewsDay) state.views.clear()
    viewsDay = day
    return thenMaybe(state.views.get(caller) ?? openedView(context, state, agentKeyId, agentUrl()), (view) => {
      state.views.delete(caller)
      state.views.set(caller, view)
      if (state.views.size > VIEWS_MAX) forgetOldest(state.views)
      return view
    })
  }

  return {
    products: (agentKeyId) => thenMaybe(prepared(), (state) => viewOf(state, agentKeyId)),
    formats: () => thenMaybe(prepared(), ({ formats }) => formats),
    capabilities: () => thenMaybe(prepared(), ({ offer }) => offer().capabilities),
  }
}

function forgetOldest(views: Map<string, View>): void {
  for (const caller of views.keys()) {
    views.delete(caller)
    return
  }
}

async function prepare({ store, clock, log }: ViewContext, agentUrl: string): Promise<Prepared> {
  const { products, formats } = await store.catalogue.contents()
  const own = soundFormats(catalogueFormats(formats), formats, log)
  const lastUpdated = formatMoment((await store.catalogue.changedAt()) ?? clock())
  let offer: Offer | undefined
  return {
    own,
    formats: prepareFormats(own, agentUrl),
    offer() {
      offer ??= prepareOffer(soundProducts(products, own, log), lastUpdated)
      return offer
    },
    views: new Map(),
  }
}

function prepareOffer(products: ReadonlyMap<string, Product>, lastUpdated: string): Offer {
  return { products, capabilities: prepareCapabilities({ products: [...products.values()], lastUpdated }) }
}

// Everything was checked when it was saved; a file changed by other hands must still not break an answer.

/** Only those that are stored: what is built in is sound, and to prepare the check takes longer than all else at the start. */
function soundFormats(all: OwnFormats, stored: ReadonlyMap<string, unknown>, log: ViewContext["log"]): OwnFormats {
  const isSound = ([id, format]: [string, unknown]) =>
    !stored.has(id) || isValidFormat(format) || leaveOut("format", id, log)
  return new Map([...all].filter(isSound))
}

function soundProducts(products: ReadonlyMap<string, unknown>, own: OwnFormats, log: ViewContext["log"]) {
  const sound = [...products].filter(([id, product]) => isValidProduct(product, own) || leaveOut("product", id, log))
  return new Map(sound) as Map<string, Product>
}

function leaveOut(noun: string, id: string, log: ViewContext["log"]): false {
  log.error(`stored ${noun} is not valid and was left out`, "it does not fit the schema", { [noun]: id })
  return false
}

async function openedView(
  context: ViewContext,
  state: Prepared,
  agentKeyId: string | null,
  agentUrl: string,
): Promise<View> {
  const openings: Opening[] = agentKeyId === null ? [] : await context.store.catalogue.openings(agentKeyId)
  const products = openings.flatMap(({ productId }) => state.offer().products.get(productId) ?? [])
  const today = formatMoment(context.clock()).slice(0, 10)
  return prepareView({ caller: agentKeyId ?? ANONYMOUS, agentUrl, own: state.own, products, openings, today })
}
