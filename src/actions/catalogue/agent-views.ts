import { catalogueFormats } from "../../domain/adcp/catalogue/built-in/index.ts"
import { isValidFormat, isValidProduct, type OwnFormats } from "../../domain/adcp/catalogue/check.ts"
import { type FormatView, formatsFor, prepareFormats } from "../../domain/adcp/format-view.ts"
import type { Product } from "../../domain/adcp/schema/product/product.ts"
import { type Capabilities, prepareCapabilities } from "../../domain/adcp/tools/capabilities.ts"
import { prepareView, type See, seeOnce, type View } from "../../domain/adcp/view.ts"
import type { Opening } from "../../domain/keys/opening.ts"
import type { ReportContext } from "../context.ts"

/** What the sales agent shows, prepared once per revision of the catalogue. */
export interface AgentViews {
  /** What this key may see; null is an anonymous caller, who sees no products. */
  products(agentKeyId: string | null): Promise<View>
  /** The public formats, and which of them this caller's publishers take. */
  formats(agentKeyId: string | null): Promise<FormatView>
  capabilities(agentKeyId: string | null): Promise<Capabilities>
}

/** All that one caller may see. The parts stay the same objects as long as nothing changes: answers are cached by them. */
interface CallerViews {
  readonly products: View
  readonly formats: FormatView
  readonly capabilities: Capabilities
}

type ViewContext = Pick<ReportContext, "store" | "clock" | "log">

interface Prepared {
  readonly own: OwnFormats
  readonly formats: FormatView
  /** Checked on first use: that takes a while, and anonymous callers need not wait for it. */
  readonly products: () => ReadonlyMap<string, Product>
  readonly see: See
  /** Least recently used first. */
  readonly views: Map<string, CallerViews>
}

export interface ViewSettings {
  /** Called when the first view is prepared: only then does the server know where it listens. */
  readonly agentUrl: () => string
  /** The domains that the operator publishes in adagents.json. */
  readonly publishedDomains: readonly string[]
}

const ANONYMOUS = "anonymous"
// Cached views; the least recently used one is dropped first.
const VIEWS_MAX = 200

export function agentViews(context: ViewContext, settings: ViewSettings): AgentViews {
  let latest: Promise<Prepared> | undefined
  let latestRevision: number | undefined

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
    const preparing = prepare(context, settings.agentUrl())
    // A failure is not kept: the next caller tries again.
    preparing.catch(() => {
      if (latest === preparing) latest = undefined
    })
    return preparing
  }

  async function viewsOf(agentKeyId: string | null): Promise<CallerViews> {
    const state = await prepared()
    const { views } = state
    const caller = agentKeyId ?? ANONYMOUS
    const known = views.get(caller)
    const isRight = known !== undefined && context.clock() < known.products.until
    const current = isRight ? known : await prepareViews(context, state, settings, agentKeyId)
    views.delete(caller)
    views.set(caller, current)
    const [oldest = caller] = views.keys()
    if (views.size > VIEWS_MAX) views.delete(oldest)
    return current
  }

  return {
    products: async (agentKeyId) => (await viewsOf(agentKeyId)).products,
    formats: async (agentKeyId) => (await viewsOf(agentKeyId)).formats,
    capabilities: async (agentKeyId) => (await viewsOf(agentKeyId)).capabilities,
  }
}

async function prepare({ store, log }: ViewContext, agentUrl: string): Promise<Prepared> {
  const { products, formats } = await store.catalogue.contents()
  const own = validFormats(catalogueFormats(formats), formats, log)
  let valid: ReadonlyMap<string, Product> | undefined
  return {
    own,
    formats: prepareFormats(own, agentUrl),
    products() {
      valid ??= validProducts(products, own, log)
      return valid
    },
    see: seeOnce(own, agentUrl),
    views: new Map(),
  }
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

async function prepareViews(
  { store, clock }: ViewContext,
  { own, formats, products: all, see }: Prepared,
  { agentUrl, publishedDomains }: ViewSettings,
  agentKeyId: string | null,
): Promise<CallerViews> {
  const openings: Opening[] = agentKeyId === null ? [] : await store.catalogue.openings(agentKeyId)
  const opened = openings.flatMap(({ productId }) => all().get(productId) ?? [])
  const parts = { caller: agentKeyId ?? ANONYMOUS, agentUrl: agentUrl(), own, openings, now: clock(), see }
  const view = prepareView({ ...parts, products: opened })
  const surface = { products: view.products, publishedDomains }
  return { products: view, formats: formatsFor(formats, surface), capabilities: prepareCapabilities(surface) }
}
