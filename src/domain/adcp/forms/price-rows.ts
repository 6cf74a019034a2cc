import { isCurrency } from "../../money.ts"
import { isObject } from "../../schema/is-object.ts"
import { readNumber, writeNumber } from "../../typed-number.ts"
import { type PricingOption, priceOf } from "../schema/pricing-option.ts"

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
  [`price.${i}`]: writeNumber(priceOf(option)),
  [`currency.${i}`]: option.currency,
  [`minimum.${i}`]: option.min_spend_per_package === undefined ? "" : writeNumber(option.min_spend_per_package),
})

/** The stored prices, and one empty row. */
export const priceTexts = (options: readonly PricingOption[]): Texts =>
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

export interface ReadPrices {
  readonly options: readonly unknown[]
  readonly errors: Texts
}

/** Reads the rows. A row without a price is removed. What the form doesn't show of a stored price stays. */
export function readPrices(texts: Texts, stored: readonly PricingOption[]): ReadPrices {
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
  if (options.length === 0 && Object.keys(errors).length === 0) errors["price.0"] = "Enter at least one price."
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
  const taken = new Set(others.map((option) => (isObject(option) ? option["pricing_option_id"] : "")))
  const name = `${model}_${currency.toLowerCase()}`
  let id = name
  for (let count = 2; taken.has(id); count++) id = `${name}_${count}`
  return id
}
