import { checkFor } from "../../schema/check.ts"
import { explain, type Problem, pointerToPath } from "../../schema/explain.ts"
import { CreativeFormat } from "../schema/format/creative-format.ts"
import { type FormatRef, sameParameters } from "../schema/format/format-id.ts"
import type { PricingOption } from "../schema/product/pricing-option.ts"
import { Product } from "../schema/product/product.ts"
import { refsOfFormat, refsOfProduct } from "./refs.ts"

/** The formats of this installation's own catalogue, by id. */
export type OwnFormats = ReadonlyMap<string, CreativeFormat>

export function ownFormats(formats: Iterable<CreativeFormat>): OwnFormats {
  return new Map([...formats].map((format) => [format.format_id.id, format]))
}

/** A reference without agent_url must be one of our formats, so that every format of a product can be looked up. */
export function checkRefs(refs: Iterable<[string, FormatRef]>, own: OwnFormats): Problem[] {
  return [...refs].flatMap(([pointer, ref]) => {
    if (ref.agent_url !== undefined) return []
    const format = own.get(ref.id)
    const path = pointerToPath(pointer)
    if (!format)
      return [{ pointer, message: `${path}: "${ref.id}" is not a format of this catalogue`, keyword: "rule" }]
    const agent = format.format_id.agent_url
    if (agent !== undefined) {
      return [{ pointer, message: `${path}: "${ref.id}" is a format of ${agent}; add that agent_url`, keyword: "rule" }]
    }
    return unacceptedParameters(ref, format).map((parameter) => ({
      pointer,
      message: `${path}: the format "${ref.id}" does not accept ${parameter}`,
      keyword: "rule",
    }))
  })
}

export function unacceptedParameters(ref: FormatRef, format: CreativeFormat): string[] {
  const given = [
    ...(ref.width === undefined ? [] : (["dimensions"] as const)),
    ...(ref.duration_ms === undefined ? [] : (["duration"] as const)),
  ]
  if (sameParameters(format.format_id, ref)) return []
  return given.filter((parameter) => !format.accepts_parameters?.includes(parameter))
}

/** Every problem of a format for our catalogue. `own` has the other formats; the format itself need not be among them. */
export function checkFormat(value: unknown, own: OwnFormats): Problem[] {
  const problems = explain(CreativeFormat, value)
  if (problems.length > 0) return problems
  const format = value as CreativeFormat
  const beside = new Map([...own, [format.format_id.id, format]])
  return [
    ...checkName(format),
    ...checkTemplate(format),
    ...checkPositions(format),
    ...checkRefs(refsOfFormat(format), beside),
  ]
}

function checkName(format: CreativeFormat): Problem[] {
  return format.name.trim() === ""
    ? [{ pointer: "/name", message: "name must not be empty", keyword: "minLength" }]
    : []
}

/** A render can take its size from the format_id only if the format accepts dimensions. */
function checkTemplate(format: CreativeFormat): Problem[] {
  const parameters = format.accepts_parameters ?? []
  return (format.renders ?? []).flatMap((render, index) => {
    if (render.parameters_from_format_id === undefined || parameters.includes("dimensions")) return []
    const pointer = `/renders/${index}/parameters_from_format_id`
    const message = `renders[${index}] takes its size from the format_id, so accepts_parameters must include dimensions`
    return [{ pointer, message, keyword: "rule" }]
  })
}

function checkPositions(format: CreativeFormat): Problem[] {
  const positions = (format.disclosure_capabilities ?? []).map((capability) => capability.position)
  return positions.flatMap((position, index) => {
    if (positions.indexOf(position) === index) return []
    const pointer = `/disclosure_capabilities/${index}/position`
    return [{ pointer, message: `disclosure_capabilities has the position ${position} twice`, keyword: "rule" }]
  })
}

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
    const optionAt = `/pricing_options/${index}`
    if (!isSound(optionAt)) return []
    const said = (field: string, message: string) => ({
      pointer: field === "" ? optionAt : `${optionAt}/${field}`,
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
  const problems = checkRefs(refsOfProduct(product), own)
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
    const field = `format_options[${index}].format_option_id`
    const repeated = option.format_option_id !== undefined && ids.indexOf(option.format_option_id) !== index
    if (repeated) return [{ pointer, message: `${field} repeats "${option.format_option_id}"`, keyword: "rule" }]
    const sharesKind = options.some((other, at) => at !== index && other.format_kind === option.format_kind)
    if (option.format_option_id !== undefined || !sharesKind) return []
    return [{ pointer, message: `${field} is required, because two options share a format_kind`, keyword: "rule" }]
  })
}

// Checks without explanations, for objects that were already checked when they were saved.

const checkProductShape = checkFor(Product)
const checkFormatShape = checkFor(CreativeFormat)

export function isValidProduct(value: unknown, own: OwnFormats): boolean {
  const checked = checkProductShape(value)
  return checked.ok && checkRefs(refsOfProduct(checked.value), own).length === 0
}

export function isValidFormat(value: unknown): boolean {
  return checkFormatShape(value).ok
}
