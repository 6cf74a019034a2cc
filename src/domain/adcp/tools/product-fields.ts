import { keepJson } from "../json-fragment.ts"
import type { Product } from "../schema/product/product.ts"
import type { GetProductsInput } from "./get-products-input.ts"

// Fields that a valid product needs; ext has the opened territories.
const always = [
  "product_id name description publisher_properties format_ids format_options delivery_type",
  "pricing_options reporting_capabilities signal_targeting_allowed ext",
].flatMap((names) => names.split(" "))

type Fields = GetProductsInput["fields"]

/** The last selection of each product: a buyer who asks for fields asks for the same ones each time. */
const latest = new WeakMap<Product, { readonly wanted: string; readonly selected: Product }>()

/** The product with the requested fields and those it always has, its JSON kept. */
export function selectFields(product: Product, fields: Fields): Product {
  if (fields === undefined) return keepJson(product)
  const wanted = fields.join(" ")
  const known = latest.get(product)
  if (known?.wanted === wanted) return known.selected
  const kept = new Set<string>([...always, ...fields])
  const selected = Object.fromEntries(Object.entries(product).filter(([name]) => kept.has(name))) as Product
  latest.set(product, { wanted, selected: keepJson(selected) })
  return selected
}

/** Whether reasons are wanted. */
export const wantsReasons = (fields: Fields) => fields === undefined || fields.includes("brief_relevance")
