import type { Line } from "./json.ts"
import type { Product } from "./schema/product/product.ts"

export interface SeenProduct {
  readonly id: string
  readonly product: Product
  readonly territories: readonly string[]
  /** Of what is stored: what is known of the product whoever sees it is kept by this object. */
  readonly stored: Product
  /** A digest of the product as it is seen. */
  readonly version: string
  /** The same in one line of text. */
  readonly line: Line
}
