import { explain, type Problem } from "../../schema/explain.ts"
import type { FormatRef } from "../schema/format/format-id.ts"
import type { PricingOption } from "../schema/product/pricing-option.ts"
import { Product } from "../schema/product/product.ts"
import { checkRefs, type OwnFormats } from "./check-refs.ts"

/** Every problem of a product. Empty: it may be saved and shown. */
export function checkProduct(value: unknown, own: OwnFormats): Problem[] {
  const problems = explain(Product, value)
  if (typeof value !== "object" || value === null) return problems
  // Rules need parts of the right shape. Those that have it are checked too, so that everything is said at once.
  const isSound: IsSound = (...parts) =>
    !problems.some(({ pointer }) => parts.some((part) => pointer === part || pointer.startsWith(`${part}/`)))
  if (problems.some(({ pointer }) => pointer === "")) return problems
  const product = value as Product
  return [
    ...problems,
    ...checkNames(product, isSound),
    ...(Array.isArray(product.pricing_options) ? checkPricing(product.pricing_options, isSound) : []),
    ...(isSound("/format_ids", "/format_options", "/placements") ? checkFormats(product, own) : []),
  ]
}

/** Whether the parts at these pointers have the shape that the schema asks for. */
type IsSound = (...pointers: string[]) => boolean

function checkNames(product: Product, isSound: IsSound): Problem[] {
  const names = ["product_id", "name", "description"] as const
  return names
    .filter((name) => isSound(`/${name}`) && product[name].trim() === "")
    .map((name) => ({ pointer: `/${name}`, message: `${name} must not be empty`, keyword: "minLength" }))
}

function checkPricing(options: PricingOption[], isSound: IsSound): Problem[] {
  const ids = options.map((option) => option?.pricing_option_id)
  return options.flatMap((option, index) => {
    const place = `/pricing_options/${index}`
    if (!isSound(place)) return []
    const said = (field: string, message: string) => ({
      pointer: field === "" ? place : `${place}/${field}`,
      message: `pricing_options[${index}] ${message}`,
      keyword: "rule",
    })
    const problems = checkPrice(option).map((message) => said("", message))
    if (ids.indexOf(option.pricing_option_id) !== index) {
      problems.push(said("pricing_option_id", `repeats the pricing_option_id "${option.pricing_option_id}"`))
    }
    return problems
  })
}

/** AdCP requires exactly one price in its text, but not in its schemas. */
function checkPrice(option: PricingOption): string[] {
  if (option.pricing_model === "cpa") {
    const named = option.event_type !== "custom" || (option.custom_event_name ?? "") !== ""
    const floorless = !("floor_price" in option)
    return [
      ...(named ? [] : ["needs custom_event_name, because its event_type is custom"]),
      ...(floorless ? [] : ["must not have floor_price: a price per action is fixed"]),
    ]
  }
  const fixed = option.fixed_price !== undefined
  const floor = option.floor_price !== undefined
  if (fixed && floor) return ["has both fixed_price and floor_price; give one of them"]
  return fixed || floor ? [] : ["needs fixed_price or floor_price"]
}

function checkFormats(product: Product, own: OwnFormats): Problem[] {
  const problems = checkRefs(refsOf(product), own)
  const nothing = (product.format_ids ?? []).length === 0 && product.format_options === undefined
  if (nothing) {
    const message = "format_ids must have at least one format, or format_options must be given"
    problems.push({ pointer: "/format_ids", message, keyword: "minItems" })
  }
  return [...problems, ...checkOptionIds(product)]
}

/** Two options of one kind need different format_option_ids. */
function checkOptionIds(product: Product): Problem[] {
  const options = product.format_options ?? []
  const ids = options.map((option) => option.format_option_id)
  return options.flatMap((option, index) => {
    const pointer = `/format_options/${index}/format_option_id`
    const place = `format_options[${index}].format_option_id`
    const repeated = option.format_option_id !== undefined && ids.indexOf(option.format_option_id) !== index
    if (repeated) return [{ pointer, message: `${place} repeats "${option.format_option_id}"`, keyword: "rule" }]
    const sharesKind = options.some((other, at) => at !== index && other.format_kind === option.format_kind)
    if (option.format_option_id !== undefined || !sharesKind) return []
    return [{ pointer, message: `${place} is required, because two options share a format_kind`, keyword: "rule" }]
  })
}

/** Every format reference of a product, with its pointer. */
export function refsOf(product: Product): [string, FormatRef][] {
  return [
    ...refsIn(product, ""),
    ...(product.placements ?? []).flatMap((placement, index) => refsIn(placement, `/placements/${index}`)),
  ]
}

function refsIn(holder: Pick<Product, "format_ids" | "format_options">, place: string): [string, FormatRef][] {
  const named = (holder.format_ids ?? []).map((ref, at): [string, FormatRef] => [`${place}/format_ids/${at}`, ref])
  const linked = (holder.format_options ?? []).flatMap((option, index) =>
    (option.v1_format_ref ?? []).map((ref, at): [string, FormatRef] => [
      `${place}/format_options/${index}/v1_format_ref/${at}`,
      ref,
    ]),
  )
  return [...named, ...linked]
}
