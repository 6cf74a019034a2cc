import { covers } from "../adcp/catalogue/territory.ts"
import type { Opening } from "../adcp/view/view.ts"
import type { AskedCall } from "./tally.ts"

/** What is sold, and what the asking key is shown. */
export interface Offer {
  /** The channels of each product, by its ID. */
  readonly channels: ReadonlyMap<string, readonly string[]>
  /** What the key is shown. Null if it was revoked. */
  readonly openings: readonly Opening[] | null
}

/** Why a brief found nothing, and what the operator can do about it. */
export type Cure =
  | { readonly kind: "give a key" }
  | { readonly kind: "revoked" }
  /** A product in the named channel exists, and the key would have to see it, or see it in more countries. */
  | { readonly kind: "show" | "more countries"; readonly productId: string }
  /** Nothing is sold in the named channels. */
  | { readonly kind: "not sold" }

/** The most likely reason, by what the asking key is shown today. */
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
