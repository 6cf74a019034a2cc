import { Value } from "@sinclair/typebox/value"
import { isCurrency } from "../../money.ts"
import { explain, isObject, type Problem, pathOf } from "../../schema/explain.ts"
import { unknownFields } from "../../schema/unknown-fields.ts"
import type { PricingOption } from "../schema/pricing-option.ts"
import { Product } from "../schema/product.ts"
import { checkRefs, type OwnFormats, refsOfProduct } from "./format-names.ts"

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
    return [
      ...(hasNoName ? ["needs custom_event_name, because its event_type is custom"] : []),
      ...("floor_price" in option ? ["must not have floor_price, because a price per action is fixed"] : []),
    ]
  }
  const hasFixed = option.fixed_price !== undefined
  const hasFloor = option.floor_price !== undefined
  if (hasFixed && hasFloor) return ["has both fixed_price and floor_price: give one of them"]
  return hasFixed || hasFloor ? [] : ["needs fixed_price or floor_price"]
}

/** Everything that is wrong with a product. If the list is empty, the product may be saved and shown. */
export function checkProduct(value: unknown, own: OwnFormats): Problem[] {
  const problems = [...explain(Product, value), ...unknownFields(Product, value)]
  if (!isObject(value)) return problems
  // A rule is only checked if its fields have the right shape. All others are, so that one answer names every problem.
  const product = value as Product
  const isSound = (name: string) => !problems.some(({ pointer }) => `${pointer}/`.startsWith(`/${name}/`))
  return [
    ...problems,
    ...checkNames(product, isSound),
    ...(isSound("publisher_properties") ? checkPublishers(product) : []),
    ...(isSound("pricing_options") ? checkPricing(product.pricing_options) : []),
    ...(isSound("format_ids") && isSound("placements") ? checkFormats(product, own) : []),
  ]
}

/**
 * Whether a stored product can be shown. It was checked when it was saved, but the database may have been edited by
 * hand.
 */
export const isValidProduct = (value: unknown, own: OwnFormats): value is Product =>
  Value.Check(Product, value) && checkRefs(refsOfProduct(value), own).length === 0

const broken = (pointer: string, message: string, keyword = "rule"): Problem => ({ pointer, message, keyword })

function checkNames(product: Product, isSound: (name: string) => boolean): Problem[] {
  const names = ["product_id", "name", "description"] as const
  return names
    .filter((name) => isSound(name) && product[name].trim() === "")
    .map((name) => broken(`/${name}`, `${name} must not be empty`, "minLength"))
}

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

function checkFormats(product: Product, own: OwnFormats): Problem[] {
  const named = product.format_ids.flatMap(({ agent_url, format_kind }, i) => {
    if (agent_url !== undefined || format_kind === undefined) return []
    const message = `format_ids[${i}]: leave out format_kind, because this server knows the kind of its own formats`
    return [broken(`/format_ids/${i}/format_kind`, message)]
  })
  return [...checkRefs(refsOfProduct(product), own), ...named]
}
