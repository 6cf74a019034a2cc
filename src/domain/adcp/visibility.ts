import type { Opening } from "../keys/opening.ts"
import { memoize } from "../memoize.ts"
import { formatMoment, MICROS_PER_DAY, type Moment, parseTimestamp } from "../time/moment.ts"
import { timeInUtc } from "../time/time-zone.ts"
import { type BriefSearch, briefSearch } from "./brief/brief-search.ts"
import type { OwnFormats } from "./catalogue/check.ts"
import { emitProduct } from "./catalogue/emit.ts"
import { canonicalJson, digestOf } from "./json.ts"
import type { Product } from "./schema/product/product.ts"
import { alikeBy, type SeenProduct } from "./seen-product.ts"
import { productLine } from "./text.ts"

interface ViewParts {
  readonly caller: string
  /** What a caller is told who sees nothing for want of a key, with a space before it; else empty. */
  readonly notice?: string
  readonly agentUrl: string
  readonly own: OwnFormats
  readonly products: readonly Product[]
  readonly openings: readonly Opening[]
  readonly now: Moment
  /** Shared by views: what is seen of a product, and lists of which are the same. */
  readonly see?: See
  readonly share?: (list: readonly SeenProduct[]) => readonly SeenProduct[]
  /** Where the caller can order a product; undefined where no orders are taken. */
  readonly orderUrl?: ((productId: string) => string) | undefined
}

/** Everything that one caller may see, prepared once per revision of the catalogue. */
export type View = Readonly<ReturnType<typeof prepareView>>

/** Products that are not opened or have expired are left out. */
export function prepareView(parts: ViewParts) {
  const { caller, notice = "", agentUrl, own, openings, now, orderUrl } = parts
  const { see = seeOnce(own, agentUrl), share = (list) => list } = parts
  const openingOf = new Map(openings.map((opening) => [opening.productId, opening]))
  const all = parts.products.flatMap((product) => {
    const opening = openingOf.get(product.product_id)
    const isHidden = hiddenBecause(product, opening, now) !== undefined
    return isHidden || opening === undefined ? [] : [see(product, opening.territories)]
  })
  const today = formatMoment(now).slice(0, 10)
  const seen = share(all.sort((a, b) => (a.id < b.id ? -1 : 1)))
  let search: BriefSearch | undefined
  let feedVersion: string | undefined
  return {
    caller,
    notice,
    agentUrl,
    own,
    orderUrl: orderUrl && memoize(Math.max(seen.length, 1), orderUrl),
    /** The day by which briefs and windows are understood. */
    today,
    /** When it is no longer right: the day is over, or a product expires. */
    until: Math.min(nextDay(now), ...seen.map(({ product }) => expiryOf(product))),
    /** Sorted by product_id, the order of the wholesale feed. */
    products: seen,
    get feedVersion() {
      feedVersion ??= feedVersionOf(seen)
      return feedVersion
    },
    /** Indexes only these products: statistics over others would reveal them. */
    search: () => {
      search ??= briefSearch(seen, own)
      return search
    },
  }
}

/** Why no arguments could bring a product up for a caller. */
type Hidden = { readonly because: "not opened" } | { readonly because: "expired"; readonly at: string }

export function hiddenBecause(product: Product, opening: Opening | undefined, now: Moment): Hidden | undefined {
  if (opening === undefined || opening.territories.length === 0) return { because: "not opened" }
  return expiryOf(product) > now ? undefined : { because: "expired", at: product.expires_at ?? "" }
}

const expiryOf = ({ expires_at }: Product): Moment =>
  (expires_at === undefined ? undefined : parseTimestamp(expires_at)) ?? Number.POSITIVE_INFINITY

export function hiddenText(hidden: Hidden): string {
  if (hidden.because === "not opened") return "Hidden from this buyer."
  return `Expired on ${timeInUtc(parseTimestamp(hidden.at) ?? 0)}.`
}

export type See = (product: Product, territories: readonly string[]) => SeenProduct

/** What callers see of products: the same object for all who have the same territories, so that its JSON and its facts are made once. */
export function seeOnce(own: OwnFormats, agentUrl: string): See {
  const seenProducts = new WeakMap<Product, Map<string, SeenProduct>>()
  return (product, territories) =>
    seenProducts
      .getOrInsertComputed(product, () => new Map())
      .getOrInsertComputed(territories.join(" "), () => seeAnew(product, territories, own, agentUrl))
}

// Lists of thousands, of which most callers have one of a few.
const LISTS_MAX = 20

/** Of lists of the same products the one that was there first, so that what is made of a list is made once. */
export function shareLists(): NonNullable<ViewParts["share"]> {
  let lists: (readonly SeenProduct[])[] = []
  return (list) => {
    const same =
      lists.find((each) => each.length === list.length && each.every((seen, at) => seen === list[at])) ?? list
    lists = [same, ...lists.filter((each) => each !== same)].slice(0, LISTS_MAX)
    return same
  }
}

function seeAnew(product: Product, territories: readonly string[], own: OwnFormats, agentUrl: string): SeenProduct {
  const emitted = emitProduct(product, territories, own, agentUrl)
  return {
    id: product.product_id,
    product: emitted,
    stored: product,
    version: digestOf(JSON.stringify(emitted)),
    alike: alikeBy(emitted, territories),
    territories,
    line: productLine(emitted, territories),
  }
}

const nextDay = (now: Moment): Moment => (Math.floor(now / MICROS_PER_DAY) + 1) * MICROS_PER_DAY

/** A digest of what the caller sees, so that a version from another key never matches by mistake. `filters` decide what is left of each. */
export const feedVersionOf = (seen: readonly SeenProduct[], filters?: object): string =>
  digestOf(canonicalJson(filters), ...seen.map(({ version }) => version))
