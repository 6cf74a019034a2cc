import type { TSchema } from "@sinclair/typebox"
import { checkFor } from "../../schema/check.ts"
import { explain, type Problem, pointerToPath } from "../../schema/explain.ts"
import { unsupportedFields } from "../../schema/unsupported.ts"
import { readDomain } from "../../text/domain-name.ts"
import { CreativeFormat } from "../schema/format/creative-format.ts"
import { type FormatRef, sameParameters } from "../schema/format/format-id.ts"
import type { PricingOption } from "../schema/product/pricing-option.ts"
import { Product } from "../schema/product/product.ts"
import { refsOfFormat, refsOfProduct } from "./refs.ts"

/** The formats of this installation's own catalogue, by id. */
export type OwnFormats = ReadonlyMap<string, CreativeFormat>

export const ownFormats = (formats: Iterable<CreativeFormat>): OwnFormats =>
  new Map([...formats].map((format) => [format.format_id.id, format]))

const broken = (pointer: string, message: string, keyword = "rule"): Problem => ({ pointer, message, keyword })

/** A reference without agent_url must be one of our formats, so that every format of a product can be looked up. */
export const checkRefs = (refs: Iterable<[string, FormatRef]>, own: OwnFormats): Problem[] =>
  [...refs].flatMap(([pointer, ref]) => {
    if (ref.agent_url !== undefined) return []
    const format = own.get(ref.id)
    const wrong = (what: string) => broken(pointer, `${pointerToPath(pointer)}: ${what}`)
    if (!format) return [wrong(`"${ref.id}" is not a format of this catalogue`)]
    const agent = format.format_id.agent_url
    if (agent !== undefined) return [wrong(`"${ref.id}" is a format of ${agent}; add that agent_url`)]
    return unacceptedParameters(ref, format).map((name) => wrong(`the format "${ref.id}" does not accept ${name}`))
  })

export function unacceptedParameters(ref: FormatRef, format: CreativeFormat): string[] {
  if (sameParameters(format.format_id, ref)) return []
  const given = { dimensions: ref.width, duration: ref.duration_ms }
  return (["dimensions", "duration"] as const).filter(
    (name) => given[name] !== undefined && !format.accepts_parameters?.includes(name),
  )
}

/** Every problem of a format for our catalogue. `own` has the other formats; the format itself need not be among them. `stored` is what it replaces. */
export function checkFormat(value: unknown, own: OwnFormats, stored?: unknown): Problem[] {
  const problems = [...explain(CreativeFormat, value), ...checkNamed(CreativeFormat, value, stored)]
  if (problems.length > 0) return problems
  const format = value as CreativeFormat
  const beside = new Map([...own, [format.format_id.id, format]])
  return [
    ...(format.name.trim() === "" ? [broken("/name", "name must not be empty", "minLength")] : []),
    ...checkTemplate(format),
    ...checkPositions(format),
    ...checkRefs(refsOfFormat(format), beside),
  ]
}

/** A render can take its size from the format_id only if the format accepts dimensions. */
function checkTemplate(format: CreativeFormat): Problem[] {
  const parameters = format.accepts_parameters ?? []
  return (format.renders ?? []).flatMap((render, index) => {
    if (render.parameters_from_format_id === undefined || parameters.includes("dimensions")) return []
    const message = `renders[${index}] takes its size from the format_id, so accepts_parameters must include dimensions`
    return [broken(`/renders/${index}/parameters_from_format_id`, message)]
  })
}

function checkPositions(format: CreativeFormat): Problem[] {
  const positions = (format.disclosure_capabilities ?? []).map((capability) => capability.position)
  return positions.flatMap((position, index) => {
    if (positions.indexOf(position) === index) return []
    const message = `disclosure_capabilities has the position ${position} twice`
    return [broken(`/disclosure_capabilities/${index}/position`, message)]
  })
}

/** Every problem of a product. Empty: it may be saved and shown. `stored` is what it replaces. */
export function checkProduct(value: unknown, own: OwnFormats, stored?: unknown): Problem[] {
  const problems = [...explain(Product, value), ...checkNamed(Product, value, stored)]
  if (typeof value !== "object" || value === null) return problems
  // Rules need parts of the right shape. Those that have it are checked too, so that everything is said at once.
  const isSound: IsSound = (...parts) =>
    !problems.some(({ pointer }) => parts.some((part) => pointer === part || pointer.startsWith(`${part}/`)))
  if (problems.some(({ pointer }) => pointer === "")) return problems
  const product = value as Product
  return [
    ...problems,
    ...checkNames(product, isSound),
    ...(isSound("/publisher_properties") ? checkPublishers(product) : []),
    ...(Array.isArray(product.pricing_options) ? checkPricing(product.pricing_options, isSound) : []),
    ...(isSound("/format_ids", "/format_options", "/placements") ? checkFormats(product, own) : []),
  ]
}

type IsSound = (...pointers: string[]) => boolean

function checkNames(product: Product, isSound: IsSound): Problem[] {
  const names = ["product_id", "name", "description"] as const
  return names
    .filter((name) => isSound(`/${name}`) && product[name].trim() === "")
    .map((name) => broken(`/${name}`, `${name} must not be empty`, "minLength"))
}

/** AdCP also takes a word or numbers; but agents look for adagents.json on the domain, and find nothing there. */
function checkPublishers({ publisher_properties: publishers }: Product): Problem[] {
  return publishers.flatMap(({ publisher_domain: domain }, index) => {
    if (readDomain(domain) !== undefined) return []
    const message = `publisher_properties[${index}].publisher_domain must be a domain such as example.com, not "${domain}"`
    return [broken(`/publisher_properties/${index}/publisher_domain`, message)]
  })
}

function checkPricing(options: PricingOption[], isSound: IsSound): Problem[] {
  const ids = options.map((option) => option?.pricing_option_id)
  return options.flatMap((option, index) => {
    const at = `/pricing_options/${index}`
    if (!isSound(at)) return []
    const { pricing_option_id: id } = option
    const problems = checkPrice(option).map((message) => broken(at, `pricing_options[${index}] ${message}`))
    if (ids.indexOf(id) === index) return problems
    const repeats = `pricing_options[${index}] repeats the pricing_option_id "${id}"`
    return [...problems, broken(`${at}/pricing_option_id`, repeats)]
  })
}

/** AdCP requires exactly one price in its text, but not in its schemas. */
function checkPrice(option: PricingOption): string[] {
  if (option.pricing_model === "cpa") {
    const isNameless = option.event_type === "custom" && !option.custom_event_name
    return [
      ...(isNameless ? ["needs custom_event_name, because its event_type is custom"] : []),
      ...("floor_price" in option ? ["must not have floor_price: a price per action is fixed"] : []),
    ]
  }
  const fixed = option.fixed_price !== undefined
  const floor = option.floor_price !== undefined
  if (fixed && floor) return ["has both fixed_price and floor_price; give one of them"]
  return fixed || floor ? [] : ["needs fixed_price or floor_price"]
}

function checkFormats(product: Product, own: OwnFormats): Problem[] {
  const hasNone = (product.format_ids ?? []).length === 0 && !("format_options" in product)
  return [
    ...checkRefs(refsOfProduct(product), own),
    ...(hasNone ? [broken("/format_ids", "format_ids must have at least one format", "minItems")] : []),
  ]
}

/** Fields that this version does not know are refused by name, unless they are stored just so: they are neither dropped nor shown unchecked. */
function checkNamed(schema: TSchema, value: unknown, stored: unknown): Problem[] {
  return unsupportedFields(schema, value).filter(({ pointer }) => {
    const before = at(stored, pointer)
    return before === undefined || JSON.stringify(before) !== JSON.stringify(at(value, pointer))
  })
}

const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce((holder: unknown, name) => {
      const key = name.replaceAll("~1", "/").replaceAll("~0", "~")
      return typeof holder === "object" && holder !== null ? (holder as Record<string, unknown>)[key] : undefined
    }, value)

/** The names of fields that an earlier version stored, and this one does not know. */
export const unsupportedIn = (noun: "product" | "format", stored: unknown): string[] =>
  unsupportedFields(noun === "product" ? Product : CreativeFormat, stored).map(({ pointer }) => pointerToPath(pointer))

// Checks without explanations, for objects that were already checked when they were saved.

const checkProductShape = checkFor(Product)
const checkFormatShape = checkFor(CreativeFormat)

export function isValidProduct(value: unknown, own: OwnFormats): boolean {
  const checked = checkProductShape(value)
  return checked.ok && checkRefs(refsOfProduct(checked.value), own).length === 0
}

export const isValidFormat = (value: unknown): boolean => checkFormatShape(value).ok
