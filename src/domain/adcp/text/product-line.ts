import { EVERYWHERE } from "../../keys/opening.ts"
import { amountText } from "../brief/wording.ts"
import type { PricingOption } from "../schema/product/pricing-option.ts"
import type { Product } from "../schema/product/product.ts"

/** A product in one line, for hosts that read only text: id, name, prices, territories. */
export function productLine({ product_id, name, pricing_options }: Product, territories: readonly string[]): string {
  const places = territories.includes(EVERYWHERE) ? "everywhere" : [...territories].sort().join(", ")
  return `${product_id}: ${name}; ${pricesText(pricing_options)}; ${places}`
}

/** "12 EUR per 1,000 impressions or from 500 EUR flat". */
export function pricesText(options: readonly PricingOption[]): string {
  return options.map(priceText).join(" or ")
}

/** "12 EUR per 1,000 impressions, at least 500 EUR" */
function priceText(option: PricingOption): string {
  const { fixed_price: fixed, min_spend_per_package: least = 0, currency } = option
  // A stored product has one of them.
  const price = fixed ?? ("floor_price" in option ? option.floor_price : undefined) ?? 0
  const minimum = least === 0 ? "" : `, at least ${money(least, currency)}`
  return `${fixed === undefined ? "from " : ""}${money(price, currency)} ${unitText(option)}${minimum}`
}

/** Exact: a price per click may have three decimal places. */
const money = (amount: number, currency: string) =>
  Number.isInteger(amount) ? amountText(amount, currency) : `${amount} ${currency}`

const units = {
  cpm: "per 1,000 impressions",
  vcpm: "per 1,000 viewable impressions",
  cpc: "per click",
  cpcv: "per completed view",
  cpv: "per view",
  cpp: "per rating point",
  flat_rate: "flat",
}

function unitText(option: PricingOption): string {
  if (option.pricing_model === "time") return `per ${option.parameters.time_unit}`
  if (option.pricing_model !== "cpa") return units[option.pricing_model]
  return `per ${(option.custom_event_name ?? option.event_type).replaceAll("_", " ")}`
}
