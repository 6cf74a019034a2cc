import { checkFor } from "../check.ts"
import { refsOf } from "./check-product.ts"
import { checkRefs, type OwnFormats } from "./check-refs.ts"
import { CreativeFormat } from "./creative-format.ts"
import { Product } from "./product.ts"

// Compiled checks without explanations, for what was checked already when it was saved.

const checkProductShape = checkFor(Product)
const checkFormatShape = checkFor(CreativeFormat)

export function isSoundProduct(value: unknown, own: OwnFormats): boolean {
  const checked = checkProductShape(value)
  return checked.ok && checkRefs(refsOf(checked.value), own).length === 0
}

export function isSoundFormat(value: unknown): boolean {
  return checkFormatShape(value).ok
}
