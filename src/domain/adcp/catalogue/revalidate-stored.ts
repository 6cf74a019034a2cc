import { checkFor } from "../../schema/check.ts"
import { CreativeFormat } from "../schema/format/creative-format.ts"
import { Product } from "../schema/product/product.ts"
import { refsOf } from "./check-product.ts"
import { checkRefs, type OwnFormats } from "./check-refs.ts"

// Compiled checks without explanations, for objects that were already checked when they were saved.

const checkProductShape = checkFor(Product)
const checkFormatShape = checkFor(CreativeFormat)

export function isValidProduct(value: unknown, own: OwnFormats): boolean {
  const checked = checkProductShape(value)
  return checked.ok && checkRefs(refsOf(checked.value), own).length === 0
}

export function isValidFormat(value: unknown): boolean {
  return checkFormatShape(value).ok
}
