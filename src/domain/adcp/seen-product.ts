import { digestOf } from "./json.ts"
import type { Product } from "./schema/product/product.ts"

export interface SeenProduct {
  readonly id: string
  readonly product: Product & { readonly ext: { readonly adbooth: object } }
  readonly territories: readonly string[]
  /** Of what is stored: what is known of the product for every caller is kept by this object. */
  readonly stored: Product
  /** A digest of the product as it is seen. */
  readonly version: string
  /** The same for products that differ in nothing but their words and names: channels, prices, delivery, territories, end. */
  readonly alike: string
  /** The same in one line of text. */
  readonly line: string
}

/** All that briefs are compared with but words. */
export const alikeBy = (product: Product, territories: readonly string[]): string => {
  const { channels, pricing_options, delivery_type, expires_at } = product
  return digestOf(JSON.stringify([channels, pricing_options, delivery_type, expires_at, territories]))
}
