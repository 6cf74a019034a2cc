import { isObject } from "../../schema/is-object.ts"
import { Product } from "../schema/product.ts"
import type { PublicProduct } from "../view/public-product.ts"

// What the response schema requires, and both lists of formats: the newest official clients drop a product without options.
const REQUIRED = [...Product.required, "format_options"]
const KNOWN = [...Object.keys(Product.properties), "format_options"]

/** The names that no product of this agent can have. */
export const unknownFieldNames = (fields: readonly string[] = []): string[] =>
  fields.filter((name) => !KNOWN.includes(name))

/** The product with these fields and the required ones, as they are. */
export function selectFields(product: PublicProduct, fields: readonly string[] | undefined): PublicProduct {
  if (fields === undefined) return product
  const isKept = (name: string) => fields.includes(name) || REQUIRED.includes(name) || name === "ext"
  const kept = Object.fromEntries(Object.entries(product).filter(([name]) => isKept(name))) as unknown as PublicProduct
  // Order links and matches are there as well.
  return fields.includes("ext") ? kept : { ...kept, ext: { adbooth: product.ext.adbooth } }
}

/** The product with what this answer alone says about it. */
export function withOwn(product: PublicProduct, own: { readonly order_url?: string; readonly matches?: object }) {
  const { adbooth } = product.ext
  return { ...product, ext: { ...product.ext, adbooth: { ...(isObject(adbooth) ? adbooth : {}), ...own } } }
}
