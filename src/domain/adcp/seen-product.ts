import type { Line } from "./json.ts"
import type { Product } from "./schema/product/product.ts"

export interface SeenProduct {
  readonly id: string
  readonly product: Product
  readonly territories: readonly string[]
  /** The same in one line of text. */
  readonly line: Line
}
