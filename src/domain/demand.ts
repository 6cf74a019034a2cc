import { covers } from "./adcp/catalogue/territory.ts"
import type { Opening } from "./adcp/view.ts"
import type { Moment } from "./time/moment.ts"

/** A call of `get_products`, as the call log keeps it. */
export interface AskedCall {
  readonly id: number
  readonly at: Moment
  readonly buyerKeyId: string | null
  /** Null without a brief. */
  readonly brief: string | null
  readonly channels: readonly string[] | null
  readonly countries: readonly string[] | null
  /** Products in the named channels and countries. Null if the call failed. */
  readonly matched: number | null
}

/** A brief of one key, however often it was asked, with the last call that had it. */
export interface AskedBrief {
  readonly brief: string
  readonly calls: number
  readonly last: AskedCall
}

/**
 * The briefs that no product fitted, the most asked first, from calls with the oldest first. The last call decides: a
 * brief that a product has fitted since is no longer listed.
 */
export function missedBriefs(calls: readonly AskedCall[]): AskedBrief[] {
  const briefs = new Map<string, AskedBrief>()
  for (const call of calls) {
    if (!call.brief) continue
    // What another key sees says nothing about this one.
    const key = `${call.buyerKeyId} ${call.brief.toLowerCase()}`
    briefs.set(key, { brief: call.brief, calls: (briefs.get(key)?.calls ?? 0) + 1, last: call })
  }
  const missed = [...briefs.values()].filter(({ last }) => last.matched === 0)
  return missed.toSorted((a, b) => b.calls - a.calls || b.last.at - a.last.at)
}

/** The products for sale, and the ones that the asking key sees. */
interface Offer {
  /** The channels of each product, by its ID. */
  readonly channels: ReadonlyMap<string, readonly string[]>
  /** The products that the key sees. Null if it was revoked. */
  readonly openings: readonly Opening[] | null
}

/** Why no product fits a brief, and what the operator can do about it. */
export type Cure =
  | { readonly kind: "give a key" }
  | { readonly kind: "revoked" }
  /** A product in the named channel exists. Show it to the key, or show it in more countries. */
  | { readonly kind: "show" | "more countries"; readonly productId: string }
  /** Nothing is sold in the named channels. */
  | { readonly kind: "not sold" }

/** The most likely reason, based on what the asking key sees today. */
export function likelyCure({ buyerKeyId, channels, countries }: AskedCall, { channels: sold, openings }: Offer): Cure {
  if (buyerKeyId === null) return { kind: "give a key" }
  if (openings === null) return { kind: "revoked" }
  const wanted = channels ?? []
  const isWanted = (id: string) =>
    wanted.length === 0 || (sold.get(id) ?? []).some((channel) => wanted.includes(channel))
  const shown = openings.filter(({ productId }) => isWanted(productId))
  const places = countries ?? []
  const elsewhere = shown.find(({ territories }) => !places.some((country) => covers(territories, country)))
  if (places.length > 0 && elsewhere !== undefined) return { kind: "more countries", productId: elsewhere.productId }
  const [hidden] = [...sold.keys()].filter((id) => isWanted(id) && !openings.some(({ productId }) => productId === id))
  return hidden === undefined ? { kind: "not sold" } : { kind: "show", productId: hidden }
}
