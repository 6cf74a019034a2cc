import type { Product } from "../schema/product/product.ts"
import type { GetProductsInput } from "./get-products-input.ts"

// Fields that a valid product needs; ext has the opened territories.
const always = [
  "product_id name description publisher_properties format_ids format_options delivery_type",
  "pricing_options reporting_capabilities signal_targeting_allowed ext",
].flatMap((names) => names.split(" "))

/** The product with the requested fields and those it always has. */
export function selectFields(product: Product, fields: GetProductsInput["fields"]): Product {
  if (fields === undefined) return product
  const kept = new Set<string>([...always, ...fields])
  return Object.fromEntries(Object.entries(product).filter(([name]) => kept.has(name))) as Product
}
