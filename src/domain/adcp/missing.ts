import { isCountryCode, nameOfCountry } from "../countries.ts"
import { cutText } from "../text/short-text.ts"
import { excludedBy, type FilterName } from "./filters/products.ts"
import type { SeenProduct } from "./seen-product.ts"
import type { GetProductsInput } from "./tools/get-products-input.ts"
import type { View } from "./visibility.ts"

// Why a product is not in a caller's answer. The answer itself is made of the same functions, so that the two cannot disagree.

type LeftOut = Readonly<{ by: FilterName; value: unknown }>

/** The arguments that leave out a product which the caller sees. Without them it would be in the answer; none: it is. */
export function leftOutBy(view: View, seen: SeenProduct, input: GetProductsInput): LeftOut[] {
  const { filters, required_policies = [] } = input
  const demands = { required_policies, ...filters }
  return excludedBy(seen, demands, view).map((by) => ({ by, value: demands[by] }))
}

const PLACES: ReadonlySet<string> = new Set<FilterName>(["countries", "regions", "metros", "postal_areas"])

export const isAboutPlace = ({ by }: LeftOut): boolean => PLACES.has(by)

/** In the operator's words: which filter, and the value that it was given. */
export function leftOutText(leftOut: readonly LeftOut[], { territories }: SeenProduct): string {
  const sentences = leftOut.map((filter) =>
    isAboutPlace(filter)
      ? `Shown in ${placesText(territories)}, not in ${placesText(filter.value)}.`
      : `Left out by the filter “${filter.by.replaceAll("_", " ")}”: ${valueText(filter.value)}.`,
  )
  return sentences.join(" ")
}

const placesText = (places: unknown): string =>
  valueText(
    Array.isArray(places) ? places.map((place) => (isCountryCode(place) ? nameOfCountry(place) : place)) : places,
  )

const SHOWN_CHARACTERS_MAX = 120

const valueText = (value: unknown) => cutText(inWords(value), SHOWN_CHARACTERS_MAX)

const DEPTH_MAX = 4

/** Names and values, without the marks of JSON and of codes. */
function inWords(value: unknown, depth = 0): string {
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value !== "object" || value === null) return String(value).replaceAll(/(?<=[a-z])_(?=[a-z])/g, " ")
  if (depth === DEPTH_MAX) return "…"
  const said = (each: unknown) => inWords(each, depth + 1)
  if (Array.isArray(value)) return value.map(said).join(", ")
  return Object.entries(value)
    .map(([name, each]) => `${name.replaceAll("_", " ")} ${said(each)}`)
    .join(", ")
}
