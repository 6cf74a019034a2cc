import { type KindsAt, kindsOf } from "../../domain/adcp/adagents.ts"
import { indexInSteps } from "../../domain/adcp/brief/brief-search.ts"
import { type ContactWords, contactWords } from "../../domain/adcp/contact.ts"
import { type FormatView, formatsFor } from "../../domain/adcp/format-view.ts"
import { digestOf } from "../../domain/adcp/json.ts"
import { orderAddress } from "../../domain/adcp/order-address.ts"
import type { Product } from "../../domain/adcp/schema/product/product.ts"
import type { Arguments } from "../../domain/adcp/tools/answer.ts"
import { type Capabilities, prepareCapabilities } from "../../domain/adcp/tools/capabilities.ts"
import { prepareView, shareLists, type View } from "../../domain/adcp/visibility.ts"
import type { Opening } from "../../domain/keys/opening.ts"
import { formatMoment, MICROS_PER_DAY, type Moment } from "../../domain/time/moment.ts"
import { nextTurn } from "../../next-turn.ts"
import { getMediaBuyDelivery } from "../campaigns/bought-delivery.ts"
import type { ReportContext } from "../context.ts"
import { isDeliveryOn, type Listing, listingOf, namedContact } from "../operations/agent-settings.ts"
import { linksOfKeys } from "../sale/order-links.ts"
import { catalogueShelf, fewAtOnce, type Shelf } from "./shelf.ts"

/** All that one caller may see. The parts stay the same objects as long as nothing changes: answers are cached by them. */
type CallerViews = Readonly<{ products: View; formats: FormatView; capabilities: Capabilities }>

type ViewContext = Pick<ReportContext, "store" | "clock" | "log">

type Shelve = ReturnType<typeof catalogueShelf>

interface Prepared extends Shelf {
  readonly offersDelivery: boolean
  readonly links: Awaited<ReturnType<typeof linksOfKeys>>
  readonly contact: string | null
  readonly listing: Listing
  readonly words: ContactWords
  readonly kinds: () => Promise<KindsAt>
  /** Least recently used first. */
  readonly views: Map<string, CallerViews>
}

export interface ViewSettings {
  /** Called when the first view is prepared: only then does the server know where it listens. */
  readonly agentUrl: () => string
  /** What a link to order begins with, called as late as that. */
  readonly orderUrl: () => string
  /** Where the operator's brand.json is, once it has a name; null: nowhere. */
  readonly brandAt: string | null
  /** Whether delivery is told; null: as chosen in the app. */
  readonly agentDelivery: boolean | null
}

const ANONYMOUS = "anonymous"
// Cached views; the least recently used one is dropped first.
const VIEWS_MAX = 200

export type AgentViews = ReturnType<typeof agentViews>

/** What the sales agent shows, prepared once per revision of the catalogue. */
export function agentViews(context: ViewContext, settings: ViewSettings) {
  const dates = changeDates(context.clock)
  const [shelve, share] = [catalogueShelf(context.log), shareLists()]
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
    const preparing = prepare(context, settings, shelve)
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
    const existing = views.get(caller)
    const left = (existing?.products.until ?? 0) - context.clock()
    // Never for longer than a day, unless the clock was ahead when it was prepared.
    const isRight = existing !== undefined && left > 0 && left <= MICROS_PER_DAY
    const current = isRight ? existing : await prepareViews(context, state, settings, agentKeyId, { dates, share })
    views.delete(caller)
    views.set(caller, current)
    const [oldest = caller] = views.keys()
    if (views.size > VIEWS_MAX) views.delete(oldest)
    return current
  }

  return {
    /** Whom buyers ask, in sentences; without the database it is the operator of this address. */
    words: (): Promise<ContactWords> =>
      prepared().then(
        ({ words }) => words,
        () => contactWords(null, settings.agentUrl()),
      ),
    /** What the files under /.well-known say. */
    async published() {
      const { contact, kinds, listing } = await prepared()
      const about = { contact, ...listing, brand: settings.brandAt === null ? null : listing.brand }
      const named = await kinds()
      const seen = JSON.stringify([about, about.domains.map((domain) => [...(named.get(domain) ?? [])])])
      return {
        ...about,
        kinds: named,
        agentUrl: settings.agentUrl(),
        lastUpdated: formatMoment(dates("published", seen)),
      }
    },
    offersDelivery: async () => (await prepared()).offersDelivery,
    /** What was delivered of the campaigns that the buyer of this key bought. */
    delivery: async (agentKeyId: string | null, args: Arguments) =>
      getMediaBuyDelivery(context, agentKeyId, args, (await prepared()).words),
    /** What this key may see, ready to be searched; null is an anonymous caller, who sees no products. */
    products: async (agentKeyId: string | null): Promise<View> => {
      const { products: view } = await viewsOf(agentKeyId)
      for (const _ of indexInSteps(view.products, view.own)) await nextTurn()
      return view
    },
    /** The public formats, and which of them this caller's publishers take. */
    formats: async (agentKeyId: string | null) => (await viewsOf(agentKeyId)).formats,
    capabilities: async (agentKeyId: string | null) => (await viewsOf(agentKeyId)).capabilities,
  }
}

async function prepare({ store }: ViewContext, settings: ViewSettings, shelve: Shelve): Promise<Prepared> {
  const agentUrl = settings.agentUrl()
  const { formatTexts, productTexts } = store.catalogue
  const shelf = shelve(await formatTexts(), productTexts, agentUrl)
  const contact = await namedContact(store)
  const links = await linksOfKeys({ store })
  let kinds: KindsAt | undefined
  return {
    ...shelf,
    contact,
    listing: await listingOf(store),
    words: contactWords(contact, agentUrl, links !== null),
    offersDelivery: await isDeliveryOn(store, settings),
    links,
    async kinds() {
      kinds ??= kindsOf((await shelf.products()).values())
      return kinds
    },
    views: new Map(),
  }
}

async function prepareViews(
  { store, clock }: ViewContext,
  { own, view: formats, products: all, see, offersDelivery, contact, listing, words, links }: Prepared,
  { agentUrl, orderUrl, brandAt }: ViewSettings,
  agentKeyId: string | null,
  { dates, share }: Readonly<{ dates: ChangeDates; share: ReturnType<typeof shareLists> }>,
): Promise<CallerViews> {
  const openings: Opening[] = agentKeyId === null ? [] : await store.catalogue.openings(agentKeyId)
  const opened: Product[] = []
  const products = openings.length === 0 ? NOTHING : await all()
  await fewAtOnce(openings, ({ productId, territories }) => {
    const product = products.get(productId)
    if (product === undefined) return false
    opened.push(product)
    see(product, territories)
    return true
  })
  const caller = agentKeyId ?? ANONYMOUS
  const notice = agentKeyId === null ? ` ${words.needsKey}` : ""
  const tokenOf = agentKeyId === null ? undefined : links?.(agentKeyId)
  const start = orderAddress(orderUrl(), agentUrl())
  const linkOf = tokenOf && ((productId: string) => start + tokenOf(productId))
  const parts = { caller, notice, agentUrl: agentUrl(), own, openings, now: clock(), see, share, orderUrl: linkOf }
  const view = prepareView({ ...parts, products: opened })
  // Each goes through all products, of which there may be thousands.
  await nextTurn()
  const { orders } = words
  const brandUrl = listing.brand === null ? null : brandAt
  const published = { publishedDomains: listing.domains, brandUrl }
  const surface = { products: view.products, ...published, contact, notice, orders, offersDelivery }
  const { message, sections } = prepareCapabilities(surface)
  const last_updated = formatMoment(dates(caller, JSON.stringify({ message, sections })))
  await nextTurn()
  return {
    products: view,
    formats: formatsFor(formats, surface),
    capabilities: { message, sections: { ...sections, last_updated } },
  }
}

const NOTHING: ReadonlyMap<string, Product> = new Map()

/** When what a caller sees last became what it is. */
type ChangeDates = (caller: string, seen: string) => Moment

/**
 * Notes it in memory, by what the caller sees alone: the date of the catalogue would tell when something changed that the caller may not
 * see. After a restart everything counts as new.
 */
function changeDates(clock: () => Moment): ChangeDates {
  const datesOf = new Map<string, { readonly digest: string; readonly at: Moment }>()
  return (caller, seen) => {
    const digest = digestOf(seen)
    const before = datesOf.get(caller)
    const latest = before?.digest === digest ? before : { digest, at: clock() }
    datesOf.delete(caller)
    datesOf.set(caller, latest)
    const [oldest = caller] = datesOf.keys()
    if (datesOf.size > VIEWS_MAX) datesOf.delete(oldest)
    return latest.at
  }
}
