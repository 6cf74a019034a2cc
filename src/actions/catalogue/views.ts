import { type ContactSentences, contactSentences, type Listing } from "../../domain/adcp/adagents.ts"
import { withOperatorFormats } from "../../domain/adcp/catalogue/built-in.ts"
import { isValidFormat, isValidProduct, withOwnFormats } from "../../domain/adcp/catalogue/check.ts"
import type { OwnFormats } from "../../domain/adcp/catalogue/format-options.ts"
import { orderToken } from "../../domain/adcp/order-token.ts"
import type { Product } from "../../domain/adcp/schema/product.ts"
import { addressBeside, digestOf } from "../../domain/adcp/text.ts"
import { type Capabilities, capabilitiesOf } from "../../domain/adcp/tools/capabilities.ts"
import { type FormatView, publicFormats } from "../../domain/adcp/tools/list-creative-formats.ts"
import { type ProductView, type PublicFormat, productView } from "../../domain/adcp/view.ts"
import { formatMoment, MICROS_PER_DAY, type Moment } from "../../domain/time/moment.ts"
import { catalogueRevision, openingsOfKey, storedFormats, storedProducts } from "../../storage/catalogue/catalogue.ts"
import type { Database } from "../../storage/database.ts"
import { nextTurn } from "../../within.ts"
import type { Context } from "../context.ts"
import { agentUrl, publicUrl } from "../mail.ts"
import { type AgentSettings, agentSettings, deliveryInForce, orderSecret } from "../settings.ts"

/** Everything that one caller may see. */
interface CallerView {
  readonly products: ProductView
  readonly formats: FormatView
  readonly capabilities: Capabilities
}

/** The catalog as it's stored, with everything that all callers share. */
interface Catalogue {
  readonly own: OwnFormats
  readonly formats: readonly PublicFormat[]
  readonly products: ReadonlyMap<string, Product>
  readonly settings: AgentSettings
  readonly sentences: ContactSentences
  readonly agentUrl: string
  readonly offersDelivery: boolean
  /** Null if orders are off. */
  readonly orderSecret: string | null
  /** Views by the ID of the key, the least recently used first. */
  readonly views: Map<string, CallerView>
}

const VIEWS_MAX = 100
const PRODUCTS_BETWEEN_TURNS = 50

type AgentViews = ReturnType<typeof openViews>

const viewsOfDatabase = new WeakMap<Database, AgentViews>()

/** What callers of the sales agent see. It's kept until the catalog changes. */
export function agentViews(context: Context): AgentViews {
  const existing = viewsOfDatabase.get(context.database)
  if (existing !== undefined) return existing
  const views = openViews(context)
  viewsOfDatabase.set(context.database, views)
  return views
}

function openViews(context: Context) {
  const { database, clock } = context
  const changedAt = changeTimes(clock)
  let revision = -1
  let loading: Promise<Catalogue> | undefined
  let reading: Promise<number> | undefined

  /** Callers of one turn of the event loop share a read. With 16 at once, a read for each would take a fifteenth of all processor time. */
  function currentRevision(): Promise<number> {
    reading ??= nextTurn().then(() => {
      reading = undefined
      return catalogueRevision(database.read)
    })
    return reading
  }

  /** A small read tells whether anything changed, on this server or another. */
  async function catalogue(): Promise<Catalogue> {
    const current = await currentRevision()
    if (loading === undefined || current !== revision) {
      revision = current
      const attempt = loadCatalogue(context)
      loading = attempt
      // The next caller tries again.
      attempt.catch(() => {
        if (loading === attempt) loading = undefined
      })
    }
    return loading
  }

  return {
    catalogue,
    /** What a key sees. Null is a caller without a key, who sees no products. */
    async of(buyerKeyId: string | null): Promise<CallerView> {
      const loaded = await catalogue()
      const caller = buyerKeyId ?? ""
      const existing = loaded.views.get(caller)
      const view = isRight(existing, clock()) ? existing : await callerView(context, loaded, buyerKeyId, changedAt)
      loaded.views.delete(caller)
      loaded.views.set(caller, view)
      const [oldest = caller] = loaded.views.keys()
      if (loaded.views.size > VIEWS_MAX) loaded.views.delete(oldest)
      return view
    },
    /** What the files under /.well-known say. */
    async listing(): Promise<Listing> {
      const { settings, agentUrl } = await catalogue()
      const { domains, company, contact } = settings
      const lastUpdated = formatMoment(changedAt("/listing", JSON.stringify([domains, company, contact])))
      return { domains, company, contact, agentUrl, lastUpdated }
    },
  }
}

/** Whether no product of the view has expired. The clock may also have been ahead when it was made. */
function isRight(view: CallerView | undefined, now: Moment): view is CallerView {
  return view !== undefined && now < view.products.until && view.products.until - now <= MICROS_PER_DAY
}

async function loadCatalogue(context: Context): Promise<Catalogue> {
  const { read } = context.database
  const url = agentUrl(context)
  const settings = await agentSettings(read)
  const own = await validFormats(context)
  const products = await validProducts(context, own)
  return {
    own,
    formats: publicFormats(own, url),
    products,
    settings,
    sentences: contactSentences(settings.contact, url, settings.takesOrders),
    agentUrl: url,
    offersDelivery: deliveryInForce(context, settings).value,
    orderSecret: settings.takesOrders ? await orderSecret(context) : null,
    views: new Map(),
  }
}

/** A database that was edited by hand must not break an answer, so invalid formats are left out. */
async function validFormats({ database, log }: Context): Promise<OwnFormats> {
  const stored = await storedFormats(database.read)
  const valid = [...stored].filter(([id, format]) => {
    if (format === null || isValidFormat(format)) return true
    log.error("a stored format isn't valid, so it isn't shown", null, { format: id })
    return false
  })
  return withOperatorFormats(new Map(valid))
}

async function validProducts(context: Context, own: OwnFormats): Promise<ReadonlyMap<string, Product>> {
  const url = agentUrl(context)
  const products = new Map<string, Product>()
  for (const [i, { id, product: stored }] of (await storedProducts(context.database.read)).entries()) {
    if (i % PRODUCTS_BETWEEN_TURNS === 0) await nextTurn()
    const product = withOwnFormats(stored, url)
    if (isValidProduct(product, own)) products.set(id, product)
    else context.log.error("a stored product isn't valid, so it isn't shown", null, { product: id })
  }
  return products
}

async function callerView(
  context: Context,
  { own, formats, products: all, settings, sentences, agentUrl, offersDelivery, orderSecret: secret }: Catalogue,
  buyerKeyId: string | null,
  changedAt: ChangeTimes,
): Promise<CallerView> {
  const isStranger = buyerKeyId === null
  const openings = isStranger ? [] : await openingsOfKey(context.database.read, buyerKeyId)
  const notice = isStranger ? sentences.needsKey : null
  const web = publicUrl(context)
  const orders = addressBeside(`${web}/`)
  const orderUrl =
    isStranger || secret === null
      ? null
      : remembered((productId) => `${orders}/order/${orderToken(secret, buyerKeyId, productId)}`)
  const parts = { buyerKeyId, agentUrl, own, notice, orderUrl, products: all, openings, now: context.clock() }
  const products = productView(parts)
  const publishedDomains = settings.domains
  const isEncrypted = web.startsWith("https:") && agentUrl.startsWith("https:")
  const { message, sections } = capabilitiesOf({
    products: products.products,
    publishedDomains,
    contact: settings.contact,
    notice,
    orders: sentences.orders,
    brandUrl: settings.company !== null && isEncrypted ? `${web}/.well-known/brand.json` : null,
    offersDelivery,
  })
  const last_updated = formatMoment(changedAt(buyerKeyId ?? "", JSON.stringify(sections)))
  return {
    products,
    formats: { agentUrl, formats, products: products.products, publishedDomains },
    capabilities: { message, sections: { ...sections, last_updated } },
  }
}

/** Computes each link only once, because an answer has up to 2,000 of them. */
function remembered(linkOf: (productId: string) => string): (productId: string) => string {
  const links = new Map<string, string>()
  return (productId) => {
    const link = links.get(productId) ?? linkOf(productId)
    links.set(productId, link)
    return link
  }
}

/** Returns since when the caller has seen exactly this. */
type ChangeTimes = (caller: string, seen: string) => Moment

const TIMES_MAX = 1_000

/**
 * Remembers a digest of what each caller sees. The time of the catalog's last change would reveal changes that the
 * caller may not see. After a restart, everything counts as new.
 */
function changeTimes(clock: () => Moment): ChangeTimes {
  const times = new Map<string, { readonly digest: string; readonly at: Moment }>()
  return (caller, seen) => {
    const digest = digestOf(seen)
    const before = times.get(caller)
    const latest = before?.digest === digest ? before : { digest, at: clock() }
    times.delete(caller)
    times.set(caller, latest)
    const [oldest = caller] = times.keys()
    if (times.size > TIMES_MAX) times.delete(oldest)
    return latest.at
  }
}
