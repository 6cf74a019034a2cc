import { nameOfCountry } from "../countries.ts"
import { excludedBy, type FilterName } from "./filters/products.ts"
import type { SeenProduct } from "./seen-product.ts"
import type { GetProductsInput } from "./tools/get-products-input.ts"
import type { View } from "./visibility.ts"

// Why a product is not in a caller's answer. The answer itself is made of the same functions, so that the two cannot disagree.

/** The arguments that leave out a product which the caller sees. Without them it would be in the answer; none: it is. */
export const leftOutBy = (view: View, seen: SeenProduct, { filters, required_policies = [] }: GetProductsInput) =>
  excludedBy(seen, { required_policies, ...filters }, view)

const PLACES: ReadonlySet<FilterName> = new Set<FilterName>(["countries", "regions", "metros", "postal_areas"])

export const isAboutPlace = (name: FilterName): boolean => PLACES.has(name)

/** In the operator's words. */
export function leftOutText(leftOut: readonly FilterName[], { territories }: SeenProduct): string {
  const sentences = leftOut.map((name) =>
    isAboutPlace(name)
      ? `Shown in ${territories.map(nameOfCountry).join(", ")} only.`
      : `Left out by the filter “${name.replaceAll("_", " ")}”.`,
  )
  return sentences.join(" ")
}
