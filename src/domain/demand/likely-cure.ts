import { covers } from "../adcp/catalogue/territory.ts"
import type { Opening } from "../adcp/view/view.ts"
import type { AskedCall } from "./tally.ts"

/** The products for sale, and the ones that the asking key sees. */
export interface Offer {
  /** The channels of each product, by its ID. */
  readonly channels: ReadonlyMap<string, readonly string[]>
  /** The products that the key sees. Null if it was revoked. */
  readonly openings: readonly Opening[] | null
}

/** Why a brief found nothing, and what the operator can do about it. */
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
