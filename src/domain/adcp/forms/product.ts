import { type Errors, hasErrors } from "../../errors.ts"
import { isCurrency } from "../../money.ts"
import { slugFrom } from "../../people/organization.ts"
import { isObject, type Problem } from "../../schema/explain.ts"
import { freeName } from "../../text.ts"
import { isDate } from "../../time/moment.ts"
import { readNumber, writeNumber, writePrice } from "../../typed-number.ts"
import { errorsByField, type FieldPointer } from "../catalogue/check.ts"
import { type PricingOption, type Product, priceOf } from "../schema/product.ts"

/** The pricing models that a form can add, in words. */
export const FORM_MODELS = {
  cpm: "per 1,000 impressions or downloads",
  vcpm: "per 1,000 viewable impressions",
  cpc: "per click",
  cpcv: "per completed view",
  flat_rate: "flat rate",
} as const

type Texts = Readonly<Record<string, string>>

const rowTexts = (option: PricingOption, i: number): Texts => ({
  [`option.${i}`]: option.pricing_option_id,
  [`model.${i}`]: option.pricing_model,
  [`kind.${i}`]: option.fixed_price === undefined ? "floor" : "fixed",
  [`price.${i}`]: writePrice(priceOf(option)),
  [`currency.${i}`]: option.currency,
  [`minimum.${i}`]: option.min_spend_per_package === undefined ? "" : writePrice(option.min_spend_per_package),
})

/** The stored prices, and one empty row. */
const priceTexts = (options: readonly PricingOption[]): Texts =>
  Object.assign(
    {
      [`model.${options.length}`]: "cpm",
      [`kind.${options.length}`]: "fixed",
      [`currency.${options.length}`]: options[0]?.currency ?? "",
    },
    ...options.map(rowTexts),
  )

/** How many rows the texts have. */
export const priceRows = (texts: Texts): number => Object.keys(texts).filter((name) => name.startsWith("model.")).length

interface ReadPrices {
  readonly options: readonly unknown[]
  readonly errors: Texts
}

/** Reads the rows. A row without a price is removed. What the form doesn't show of a stored price stays. */
function readPrices(texts: Texts, stored: readonly PricingOption[]): ReadPrices {
  const options: unknown[] = []
  const errors: Record<string, string> = {}
  for (let i = 0; i < priceRows(texts); i++) {
    const text = (name: string) => texts[`${name}.${i}`] ?? ""
    if (text("price") === "") continue
    const currency = text("currency").toUpperCase()
    const price = readNumber(text("price"), { isWhole: false, currency })
    const minimum = text("minimum") === "" ? null : readNumber(text("minimum"), { isWhole: false, currency })
    if (!isCurrency(currency)) errors[`currency.${i}`] = "Enter a currency, such as EUR."
    if ("error" in price) errors[`price.${i}`] = price.error
    if (minimum !== null && "error" in minimum) errors[`minimum.${i}`] = minimum.error
    if ("error" in price || (minimum !== null && "error" in minimum)) continue
    const before = stored.find(({ pricing_option_id }) => pricing_option_id === text("option"))
    options.push({
      ...keptOf(before, text("model")),
      pricing_option_id: before?.pricing_option_id ?? newId(text("model"), currency, [...stored, ...options]),
      currency,
      [text("kind") === "floor" ? "floor_price" : "fixed_price"]: price.value,
      ...(minimum !== null && { min_spend_per_package: minimum.value }),
    })
  }
  if (options.length === 0 && !hasErrors(errors)) errors["price.0"] = "Enter at least one price."
  return { options, errors }
}

const IN_FORM: readonly string[] = ["fixed_price", "floor_price", "min_spend_per_package"]

/** What the form doesn't show. Another pricing model has nothing in common with the stored one. */
function keptOf(before: PricingOption | undefined, model: string): object {
  if (before?.pricing_model !== model) return { pricing_model: model }
  return Object.fromEntries(Object.entries(before).filter(([name]) => !IN_FORM.includes(name)))
}

/** "cpm_eur", or "cpm_eur_2" if there is one already. */
function newId(model: string, currency: string, others: readonly unknown[]): string {
  const taken = others.map((option) => (isObject(option) ? String(option["pricing_option_id"]) : ""))
  return freeName(`${model}_${currency.toLowerCase()}`, new Set(taken), "_")
}

/** What the form begins with for a new product. */
export const NEW_PRODUCT: Texts = { delivery: "non_guaranteed", delay: "24", ...priceTexts([]) }

const lines = (values: readonly string[]): string => values.join("\n")
const listIn = (text = ""): string[] =>
  text
    .split(/[\n,;]+/)
    .map((part) => part.trim())
    .filter((part) => part !== "")

/**
 * The texts of a stored product. Fields that the form doesn't show are kept when the product is saved. A product that
 * was edited by hand in the database may lack anything, and the form repairs it.
 */
export const productTexts = (product: Partial<Product>, seller: string): Texts => ({
  productId: product.product_id ?? "",
  name: product.name ?? "",
  description: product.description ?? "",
  channels: lines(product.channels ?? []),
  formats: lines((product.format_ids ?? []).filter(({ agent_url }) => agent_url === undefined).map(({ id }) => id)),
  domains: lines((product.publisher_properties ?? []).map(({ publisher_domain }) => publisher_domain)),
  delivery: product.delivery_type ?? "",
  delay: writeNumber((product.reporting_capabilities?.expected_delay_minutes ?? DELAY_MINUTES) / 60),
  until: product.expires_at?.slice(0, 10) ?? "",
  seller,
  ...priceTexts(product.pricing_options ?? []),
})

const DELAY_MINUTES = 24 * 60

/** The AdCP product that the texts describe. It's checked when it's saved. Here, only texts that can't be read are errors. */
export function readProduct(
  texts: Texts,
  stored: Partial<Product> | null,
  timeZone: string,
): { readonly product: unknown } | { readonly errors: Errors } {
  const { name = "", description = "", delivery = "", delay = "", until = "" } = texts
  const before: Texts = productTexts(stored ?? {}, "")
  const prices = readPrices(texts, stored?.pricing_options ?? [])
  const hours = readNumber(delay, { isWhole: false })
  const channels = chosen(stored?.channels ?? [], texts["channels"], (channel) => channel)
  const errors = { ...missingIn(texts), ...prices.errors }
  if ("error" in hours) errors["delay"] = hours.error
  if (until !== "" && !isDate(until)) errors["until"] = "Enter a day such as 2026-12-31, or leave it empty."
  if ("error" in hours || hasErrors(errors)) return { errors }
  const { channels: _, expires_at: expiry, ...kept } = stored ?? {}
  const reporting = stored?.reporting_capabilities ?? reportingOf(channels, prices.options, timeZone)
  const minutes = Math.round(hours.value * 60)
  const product = {
    ...kept,
    product_id: stored?.product_id ?? (texts["productId"] || slugFrom(name).replaceAll("-", "_")),
    name,
    description,
    ...(channels.length > 0 && { channels }),
    format_ids: formatsOf(texts, stored),
    publisher_properties: propertiesOf(texts, stored),
    delivery_type: delivery,
    pricing_options: prices.options,
    reporting_capabilities: { ...reporting, expected_delay_minutes: minutes },
    ...(until !== "" && { expires_at: until === before["until"] ? expiry : `${until}T23:59:59Z` }),
  }
  return { product }
}

const REQUIRED: Texts = {
  name: "Enter a name.",
  description: "Enter a description.",
  formats: "Choose at least one format.",
  domains: "Enter at least one domain, such as example.com.",
  delivery: "Choose one.",
  delay: "Enter a number of hours.",
}

const missingIn = (texts: Texts): Record<string, string> =>
  Object.fromEntries(Object.entries(REQUIRED).filter(([name]) => (texts[name] ?? "") === ""))

/**
 * Stored values that are still chosen come first, in their stored order, so that saving without changes moves nothing.
 */
function chosen<Value>(before: readonly Value[], text: string | undefined, nameOf: (value: Value) => string) {
  const names = new Set(listIn(text))
  const known = new Set(before.map(nameOf))
  return [...before.filter((value) => names.has(nameOf(value))), ...names.difference(known)]
}

/** A format that stays keeps its parameters, and formats of other agents stay. */
function formatsOf(texts: Texts, stored: Partial<Product> | null): unknown[] {
  const names = new Set(listIn(texts["formats"]))
  const before = (stored?.format_ids ?? []).filter(({ id, agent_url }) => agent_url !== undefined || names.has(id))
  const known = before.filter(({ agent_url }) => agent_url === undefined).map(({ id }) => id)
  return [...before, ...[...names.difference(new Set(known))].map((id) => ({ id }))]
}

const propertiesOf = (texts: Texts, stored: Partial<Product> | null): unknown[] =>
  chosen(stored?.publisher_properties ?? [], texts["domains"], ({ publisher_domain }) => publisher_domain).map(
    (each) => (typeof each === "string" ? { publisher_domain: each, selection_type: "all" } : each),
  )

/** The reporting capabilities follow from the channel and the price. */
function reportingOf(channels: readonly string[], options: readonly unknown[], timezone: string) {
  const models = options.map((option) => (isObject(option) ? option["pricing_model"] : ""))
  const counted = channels.includes("podcast") ? "downloads" : "impressions"
  return {
    available_reporting_frequencies: ["daily"],
    timezone,
    supports_webhooks: false,
    available_metrics: [counted, ...(models.includes("cpc") ? ["clicks"] : [])],
    date_range_support: "date_range",
  }
}

const FIELDS: readonly FieldPointer[] = [
  ["/product_id", "productId"],
  ["/name", "name"],
  ["/description", "description"],
  ["/channels", "channels"],
  ["/format_ids", "formats"],
  ["/publisher_properties", "domains"],
  ["/delivery_type", "delivery"],
  ["/reporting_capabilities", "delay"],
  ["/expires_at", "until"],
]

/** The problems of a product by field of the form. */
export function productErrors(problems: readonly Problem[]): Errors {
  const prices = problems.flatMap(({ pointer }): FieldPointer[] => {
    const [start, row] = /^\/pricing_options\/(\d+)/.exec(pointer) ?? []
    return start === undefined ? [] : [[start, `price.${row}`]]
  })
  return errorsByField(problems, [...FIELDS, ...prices])
}
