import { catalogueFormats } from "../../domain/adcp/catalogue/catalogue-formats.ts"
import type { OwnFormats } from "../../domain/adcp/catalogue/check-refs.ts"
import { isValidFormat, isValidProduct } from "../../domain/adcp/catalogue/revalidate-stored.ts"
import { type FormatView, prepareFormats } from "../../domain/adcp/format-view.ts"
import type { Product } from "../../domain/adcp/schema/product/product.ts"
import { type Capabilities, prepareCapabilities } from "../../domain/adcp/tools/capabilities.ts"
import { prepareView, type View } from "../../domain/adcp/view.ts"
import type { Opening } from "../../domain/keys/opening.ts"
import { formatMoment, MICROS_PER_DAY } from "../../domain/time/moment.ts"
import type { ReportContext } from "../context.ts"

/** What the sales agent shows, prepared once per revision of the catalogue. */
export interface AgentViews {
  /** What this key may see; null is an anonymous caller, who sees no products. */
  products(agentKeyId: string | null): Promise<View>
  formats(): Promise<FormatView>
  capabilities(): Promise<Capabilities>
}

type ViewContext = Pick<ReportContext, "store" | "clock" | "log">

interface Prepared {
  readonly own: OwnFormats
  readonly formats: FormatView
  /** Prepared on first use: checking products takes a while, and requests for formats need not wait for it. */
  readonly offer: () => Offer
  /** Least recently used first. */
  readonly views: Map<string, View>
}

interface Offer {
  readonly products: ReadonlyMap<string, Product>
  readonly capabilities: Capabilities
}

const ANONYMOUS = "anonymous"
// Cached views; the least recently used one is dropped first.
const VIEWS_MAX = 200

/** `agentUrl` is called when the first view is prepared: only then does the server know where it listens. */
export function agentViews(context: ViewContext, agentUrl: () => string): AgentViews {
  let latest: Promise<Prepared> | undefined
  let latestRevision: number | undefined
  let viewsDay: number | undefined

  /** One small read tells whether anything changed, in this process or another. */
  async function prepared(): Promise<Prepared> {
    const revision = await context.store.catalogue.revision()
    if (latest === undefined || latestRevision !== revision) {
      latestRevision = revision
      latest = prepareAnew()
    }
    return latest
  }

  function prepareAnew(): Promise<Prepared> {
    const preparing = prepare(context, agentUrl())
    // A failure is not kept: the next caller tries again.
    preparing.catch(() => {
      if (latest === preparing) latest = undefined
    })
    return preparing
  }

  return {
    async products(agentKeyId) {
      const state = await prepared()
      const caller = agentKeyId ?? ANONYMOUS
      // "Next March" depends on the day, so yesterday's answers are dropped.
      const day = Math.floor(context.clock() / MICROS_PER_DAY)
      if (day !== viewsDay) state.views.clear()
      viewsDay = day
      const view = state.views.get(caller) ?? (await openedView(context, state, agentKeyId, agentUrl()))
      state.views.delete(caller)
      state.views.set(caller, view)
      const [oldest = caller] = state.views.keys()
      if (state.views.size > VIEWS_MAX) state.views.delete(oldest)
      return view
    },
    formats: async () => (await prepared()).formats,
    capabilities: async () => (await prepared()).offer().capabilities,
  }
}

async function prepare({ store, clock, log }: ViewContext, agentUrl: string): Promise<Prepared> {
  const { products, formats } = await store.catalogue.contents()
  const own = validFormats(catalogueFormats(formats), formats, log)
  const lastUpdated = formatMoment((await store.catalogue.changedAt()) ?? clock())
  let offer: Offer | undefined
  return {
    own,
    formats: prepareFormats(own, agentUrl),
    offer() {
      offer ??= prepareOffer(validProducts(products, own, log), lastUpdated)
      return offer
    },
    views: new Map(),
  }
}

function prepareOffer(products: ReadonlyMap<string, Product>, lastUpdated: string): Offer {
  return { products, capabilities: prepareCapabilities({ products: [...products.values()], lastUpdated }) }
}

// Checked again although it was checked when saved: a database edited by hand must not break an answer.

/** Only stored formats are checked: built-in ones are valid, and compiling the check is the slowest part of the start. */
function validFormats(all: OwnFormats, stored: ReadonlyMap<string, unknown>, log: ViewContext["log"]): OwnFormats {
  const isValid = ([id, format]: [string, unknown]) =>
    !stored.has(id) || isValidFormat(format) || leaveOut("format", id, log)
  return new Map([...all].filter(isValid))
}

function validProducts(products: ReadonlyMap<string, unknown>, own: OwnFormats, log: ViewContext["log"]) {
  const valid = [...products].filter(([id, product]) => isValidProduct(product, own) || leaveOut("product", id, log))
  return new Map(valid) as Map<string, Product>
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
