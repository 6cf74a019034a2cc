import {
  channelLabel,
  countryLabel,
  type Matches,
  nothingFits,
  type Reading,
  rank,
  readBrief,
  type SearchableProduct,
} from "../brief/index.ts"
import type { ProductView, SeenProduct } from "../view/view.ts"
import type { GetProductsInput } from "./products-input.ts"

const PREFERRED_POINTS = 2

/** A product with whether it's in a channel or country that the brief names. */
interface RankedSeen {
  readonly seen: SeenProduct
  readonly matches: Matches
}

export interface RankedProducts {
  /** The best ones first. */
  readonly ranked: readonly RankedSeen[]
  readonly reading: Reading
  /** How many products are in the named channels and countries. */
  readonly matched: number
  /** "The brief names cinema; none of the 12 products is cinema." Null if a product fits. */
  readonly nothing: string | null
}

/** The products that the filters leave, the best ones for the brief first. */
export function rankForBrief(
  view: ProductView,
  remaining: readonly SeenProduct[],
  brief: string,
  { preferred_delivery_types: preferred }: GetProductsInput,
): RankedProducts {
  const reading = readBrief(brief)
  const byId = new Map(remaining.map((seen) => [seen.id, seen]))
  const extraPoints = preferred && (({ id }: SearchableProduct) => preferencePoints(byId.get(id), preferred))
  const ranked: RankedSeen[] = []
  for (const { product, matches } of rank(view.searchIndex(), reading, extraPoints)) {
    const seen = byId.get(product.id)
    if (seen !== undefined) ranked.push({ seen, matches })
  }
  const matched = ranked.filter(({ matches }) => matches.channel !== false && matches.country !== false).length
  return { ranked, reading, matched, nothing: nothingFits(reading, ranked) }
}

/** Moves preferred delivery types up, without overruling what the brief names. */
function preferencePoints(seen: SeenProduct | undefined, preferred: readonly string[]): number {
  const at = preferred.indexOf(seen?.product.delivery_type ?? "")
  return at < 0 ? 0 : PREFERRED_POINTS * (1 - at / preferred.length)
}

/** What `ext.adbooth` says about a brief. */
export function briefFields({ channels, countries, notInterpreted }: Reading): object {
  const named = [
    ...channels.map(({ name, clause }) => ({ channel: name, clause })),
    ...countries.map(({ name, clause }) => ({ country: name, clause })),
  ]
  return {
    ...(named.length > 0 && { named }),
    ...(notInterpreted.length > 0 && { not_interpreted: notInterpreted }),
  }
}

const ALL = new Intl.ListFormat("en-GB", { type: "conjunction" })
const QUOTES_MAX = 5

/** The same in sentences. Numbers in a brief aren't read, so a sentence says where to send them. */
export function briefSentences({ reading, nothing }: RankedProducts, brief: string): string[] {
  const { channels, countries, notInterpreted } = reading
  // The sentence about nothing fitting already has the names.
  const names = nothing === null ? [...channels.map(channelLabel), ...countries.map(countryLabel)] : []
  const quotes = notInterpreted.slice(0, QUOTES_MAX).map((clause) => `"${clause}"`)
  const more = notInterpreted.length - quotes.length
  return [
    ...(names.length > 0 ? [`The brief names ${ALL.format(names)}.`] : []),
    ...(quotes.length > 0 ? [`Not interpreted: ${quotes.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`] : []),
    ...(/\d/.test(brief) ? ["Budgets, prices and dates in the brief aren't read: send them as filters."] : []),
  ]
}
