import type { Product } from "../../../../domain/adcp/schema/product/product.ts"
import { formatNumber } from "../../parts/format.tsx"

/** Every price on one line: cpm 24 EUR. */
export function pricesOf({ pricing_options }: Product): string {
  return pricing_options
    .map((option) => {
      const floor = "floor_price" in option ? option.floor_price : undefined
      const price = option.fixed_price ?? floor
      const amount =
        price === undefined ? "" : ` ${option.fixed_price === undefined ? "from " : ""}${formatNumber(price)}`
      return `${option.pricing_model.replaceAll("_", " ")}${amount} ${option.currency}`
    })
    .join(", ")
}
