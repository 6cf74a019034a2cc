import { isObject } from "../../schema/batch.ts"
import type { CreativeFormat } from "../schema/format/creative-format.ts"
import type { FormatRef } from "../schema/format/format-id.ts"
import type { Product } from "../schema/product/product.ts"

// Where objects of the catalogue name formats, those of earlier versions too: field by field, * for each entry of a list.

const IN_HOLDER = ["format_ids/*", "format_options/*/v1_format_ref/*"]
const IN_PRODUCT = [...IN_HOLDER, ...IN_HOLDER.map((place) => `placements/*/${place}`)]
const IN_FORMAT = [
  "input_format_ids/*",
  "output_format_ids/*",
  "format_card/format_id",
  "format_card_detailed/format_id",
  "canonical_parameters/v1_format_ref/*",
]

type Change = (ref: FormatRef, pointer: string) => FormatRef

export const changeRefsOfProduct = (product: Product, change: Change) => changed(product, IN_PRODUCT, change)
export const changeRefsOfFormat = (format: CreativeFormat, change: Change) => changed(format, IN_FORMAT, change)

/** With the pointer to each. */
export const refsOfProduct = (product: Product) => refsAt(product, IN_PRODUCT)
export const refsOfFormat = (format: CreativeFormat) => refsAt(format, IN_FORMAT)

function refsAt(value: object, places: readonly string[]): [string, FormatRef][] {
  const refs: [string, FormatRef][] = []
  changed(value, places, (ref, pointer) => {
    refs.push([pointer, ref])
    return ref
  })
  return refs
}

const changed = <Value extends object>(value: Value, places: readonly string[], change: Change): Value =>
  places.reduce((copy, place) => changedAt(copy, place.split("/"), "", change) as Value, value)

function changedAt(value: unknown, [step, ...rest]: readonly string[], pointer: string, change: Change): unknown {
  if (step === undefined) return change(value as FormatRef, pointer)
  if (Array.isArray(value)) return value.map((each, index) => changedAt(each, rest, `${pointer}/${index}`, change))
  if (!isObject(value) || value[step] === undefined) return value
  return { ...value, [step]: changedAt(value[step], rest, `${pointer}/${step}`, change) }
}
