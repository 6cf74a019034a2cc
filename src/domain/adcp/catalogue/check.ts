import { Value } from "@sinclair/typebox/value"
import type { Errors } from "../../errors.ts"
import { isCurrency } from "../../money.ts"
import { explain, isObject, type Problem, pathOf } from "../../schema/explain.ts"
import { CreativeFormat, canonicalUrl, type ProductFormatRef } from "../schema/creative-format.ts"
import { type PricingOption, Product } from "../schema/product.ts"
import { withOperatorFormats } from "./built-in.ts"
import { type OwnFormats, unacceptedParameters } from "./format-options.ts"

const broken = (pointer: string, message: string, keyword = "rule"): Problem => ({ pointer, message, keyword })

/** Everything that is wrong with a product. If the list is empty, the product may be saved and shown. */
export function checkProduct(value: unknown, own: OwnFormats): Problem[] {
  const problems = explain(Product, value)
  if (!isObject(value)) return problems
  // A rule is only checked if its fields have the right shape. All others are, so that one answer names every problem.
  const product = value as Product
  const isSound = (name: string) => !problems.some(({ pointer }) => `${pointer}/`.startsWith(`/${name}/`))
  return [
    ...problems,
    ...NAMES.flatMap((name) => (isSound(name) ? checkName(name, product[name]) : [])),
    ...(isSound("publisher_properties") ? checkPublishers(product) : []),
    ...(isSound("pricing_options") ? checkPricing(product.pricing_options) : []),
    ...(isSound("format_ids") ? product.format_ids.flatMap((ref, i) => checkRef(ref, `/format_ids/${i}`, own)) : []),
  ]
}

/**
 * Whether a stored product can be shown. It was checked when it was saved, but the database may have been edited by
 * hand.
 */
export const isValidProduct = (value: unknown, own: OwnFormats): value is Product =>
  Value.Check(Product, value) && value.format_ids.every((ref) => problemsOfRef(ref, own).length === 0)

/** A product that was copied from an answer names our own formats with our agent_url. Without it, they're checked. */
export function withOwnFormats<Value>(product: Value, agentUrl: string): Value {
  if (!isObject(product) || !Array.isArray(product["format_ids"])) return product
  const own = canonicalUrl(agentUrl)
  const format_ids = product["format_ids"].map((ref: unknown) => {
    if (!isObject(ref) || typeof ref["agent_url"] !== "string" || canonicalUrl(ref["agent_url"]) !== own) return ref
    const { agent_url: _, ...rest } = ref
    return rest
  })
  return { ...product, format_ids }
}

const NAMES = ["product_id", "name", "description"] as const

const checkName = (name: string, text: string): Problem[] =>
  text.trim() === "" ? [broken(`/${name}`, `${name} must not be empty`, "minLength")] : []

// The last part begins with a letter, because an IP address isn't a domain.
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/

export const isDomain = (text: string): boolean => DOMAIN.test(text)

/** AdCP also takes a word or an IP address. But agents look for adagents.json on the domain, and would find nothing there. */
function checkPublishers({ publisher_properties }: Product): Problem[] {
  return publisher_properties.flatMap(({ publisher_domain }, i) => {
    if (isDomain(publisher_domain)) return []
    const pointer = `/publisher_properties/${i}/publisher_domain`
    return [broken(pointer, `${pathOf(pointer)} must be a domain such as example.com, not "${publisher_domain}"`)]
  })
}

/** Rules that AdCP's schemas don't have: a currency that exists, exactly one price, and no ID twice. */
function checkPricing(options: readonly PricingOption[]): Problem[] {
  const ids = options.map(({ pricing_option_id }) => pricing_option_id)
  return options.flatMap((option, i) => {
    const pointer = `/pricing_options/${i}`
    const wrong = [...checkCurrency(option), ...checkPrice(option)]
    const problems = wrong.map((what) => broken(pointer, `pricing_options[${i}] ${what}`))
    const id = option.pricing_option_id
    if (ids.indexOf(id) === i) return problems
    const repeated = `pricing_options[${i}] repeats the pricing_option_id "${id}"`
    return [...problems, broken(`${pointer}/pricing_option_id`, repeated)]
  })
}

const checkCurrency = ({ currency }: PricingOption): string[] =>
  isCurrency(currency) ? [] : [`has the currency ${currency}, which ISO 4217 doesn't know`]

function checkPrice(option: PricingOption): string[] {
  if (option.pricing_model === "cpa") {
    const hasNoName = option.event_type === "custom" && !option.custom_event_name
    return hasNoName ? ["needs custom_event_name, because its event_type is custom"] : []
  }
  const hasFixed = option.fixed_price !== undefined
  const hasFloor = option.floor_price !== undefined
  if (hasFixed && hasFloor) return ["has both fixed_price and floor_price: give one of them"]
  return hasFixed || hasFloor ? [] : ["needs fixed_price or floor_price"]
}

function checkRef(ref: ProductFormatRef, pointer: string, own: OwnFormats): Problem[] {
  const problems = problemsOfRef(ref, own).map((what) => broken(pointer, `${pathOf(pointer)}: ${what}`))
  if (ref.agent_url !== undefined || ref.format_kind === undefined) return problems
  const known = `${pathOf(pointer)}: leave out format_kind, because this server knows the kind of its own formats`
  return [...problems, broken(`${pointer}/format_kind`, known)]
}

/** A reference without agent_url must name one of our formats, so that buyers can look up every format. */
function problemsOfRef(ref: ProductFormatRef, own: OwnFormats): string[] {
  if (ref.agent_url !== undefined) return []
  const format = own.get(ref.id)
  if (format === undefined) return [`"${ref.id}" isn't a format of this catalog`]
  const agent = format.format_id.agent_url
  if (agent !== undefined) return [`"${ref.id}" is a format of ${agent}, so add that agent_url`]
  return unacceptedParameters(ref, format).map((name) => `the format "${ref.id}" doesn't accept ${name}`)
}

/** Everything that is wrong with a format. */
export function checkFormat(value: unknown): Problem[] {
  const problems = explain(CreativeFormat, value)
  if (problems.length > 0) return problems
  const format = value as CreativeFormat
  return [...checkName("name", format.name), ...checkTemplate(format)]
}

export const isValidFormat = (value: unknown): value is CreativeFormat => Value.Check(CreativeFormat, value)

/** A render can take its size from the format_id only if the format accepts dimensions. */
function checkTemplate({ renders = [], accepts_parameters: parameters = [] }: CreativeFormat): Problem[] {
  return renders.flatMap((render, i) => {
    if (render.parameters_from_format_id === undefined || parameters.includes("dimensions")) return []
    const message = `renders[${i}] takes its size from the format_id, so accepts_parameters must include dimensions`
    return [broken(`/renders/${i}/parameters_from_format_id`, message)]
  })
}

/** The part of a document that a field of its form is about. */
export type FieldPointer = readonly [pointer: string, field: string]

/** The problems of a document by field of its form. The field "" is the form as a whole. */
export function errorsByField(problems: readonly Problem[], fields: readonly FieldPointer[]): Errors {
  const errors: Record<string, string> = {}
  for (const { pointer, message } of problems) {
    const field = fields.find(([start]) => `${pointer}/`.startsWith(`${start}/`))?.[1] ?? ""
    errors[field] ??= `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
  }
  return errors
}

/** The operator's products and formats, by ID. A format that is null hides the built-in one. */
export interface StoredCatalogue {
  readonly products: ReadonlyMap<string, Product>
  readonly formats: ReadonlyMap<string, CreativeFormat | null>
}

/** A reference to a format that is missing, or that doesn't take its parameters. */
interface BrokenRef {
  readonly formatId: string
  readonly problem: Problem
}

/** The references that break if the catalog becomes this one. */
export function brokenRefs({ products, formats }: StoredCatalogue): BrokenRef[] {
  const own = withOperatorFormats(formats)
  return [...products].flatMap(([id, { format_ids = [] }]: [string, Partial<Product>]) =>
    format_ids
      .filter((ref) => problemsOfRef(ref, own).length > 0)
      .map((ref) => ({
        formatId: ref.id,
        problem: broken("", `is in use: the product "${id}" refers to the format "${ref.id}"`),
      })),
  )
}
