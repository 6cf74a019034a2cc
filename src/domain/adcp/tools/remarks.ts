import { Product } from "../schema/product/product.ts"
import type { GetProductsInput } from "./get-products-input.ts"
import { ProductFilters } from "./product-filters-input.ts"

// What is answered all the same, but deserves a word in the message.

const NAMES_MAX = 10
const NAME_CHARACTERS_MAX = 60

const shown = (names: readonly string[]) => {
  const first = names.slice(0, NAMES_MAX).map((name) => name.slice(0, NAME_CHARACTERS_MAX))
  return `${first.join(", ")}${names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : ""}`
}

const productFields: Record<string, unknown> = Product["allOf"][0].properties

/** Each remark with a space before it. */
export function remarksOn(input: GetProductsInput, unknownFilters: readonly string[], today: string): string {
  const unknownFields = (input.fields ?? []).filter((name) => !Object.hasOwn(productFields, name))
  return [
    input.brief !== undefined && input.buying_mode !== undefined && input.buying_mode !== "brief"
      ? ` The brief was ignored, because buying_mode is ${input.buying_mode}.`
      : "",
    unknownFilters.length > 0 ? ` Unknown filters were ignored: ${shown(unknownFilters)}.` : "",
    unknownFields.length > 0 ? ` Unknown fields were ignored: ${shown(unknownFields)}.` : "",
    remarkOnDates(input.filters ?? {}, today),
  ].join("")
}

function remarkOnDates({ start_date: start, end_date: end }: ProductFilters, today: string): string {
  if (start !== undefined && end !== undefined && start > end)
    return ` No campaign can run from ${start} to ${end}: start_date is after end_date.`
  if (end !== undefined && end < today) return ` end_date ${end} is in the past: no campaign can run then any more.`
  if (start !== undefined && start < today) return ` start_date ${start} is in the past.`
  return ""
}

/** The filters that can change the answer, and the names of those that we do not know. */
export function sortFilters(filters: ProductFilters): { known: ProductFilters; unknown: string[] } {
  const entries = Object.entries(filters)
  const isKnown = (name: string) => Object.hasOwn(ProductFilters.properties, name)
  return {
    known: Object.fromEntries(entries.filter(([name]) => isKnown(name) && name !== "ext")),
    unknown: entries.map(([name]) => name).filter((name) => !isKnown(name)),
  }
}
