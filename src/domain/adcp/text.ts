import { EVERYWHERE } from "../keys/opening.ts"
import type { CreativeFormat, Dimensions } from "./schema/format/creative-format.ts"
import { amountOf, type PricingOption } from "./schema/product/pricing-option.ts"
import type { Product } from "./schema/product/product.ts"

/** A product in one line, for hosts that read only text: id, name, channels, prices, territories. */
export function productLine(product: Product, territories: readonly string[]): string {
  const countries = territories.includes(EVERYWHERE) ? "everywhere" : [...territories].sort().join(", ")
  return lineOf(product, [channelsText(product), pricesText(product), countries])
}

/** The same for a caller who asked for these fields alone. */
export const chosenLine = (product: Product, fields: readonly string[]): string =>
  lineOf(product, [
    fields.includes("channels") ? channelsText(product) : "",
    fields.includes("pricing_options") ? pricesText(product) : "",
  ])

const lineOf = ({ product_id, name }: Product, facts: readonly string[]) =>
  [`${product_id}: ${inOneLine(name)}`, ...facts.filter((fact) => fact !== "")].join("; ")

/** A name with a line break would look like another product. */
const inOneLine = (name: string) => name.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")

const channelsText = ({ channels = [] }: Product) => channels.join(", ")

/** "12 EUR CPM or from 500 EUR flat". */
export const pricesText = (product: Product): string =>
  product.pricing_options.map((option) => priceText(option, countsDownloads(product))).join(" or ")

/** Whether its price per thousand is one of downloads: AdCP has no model for that, so what it reports says it. */
export const countsDownloads = ({ reporting_capabilities: { available_metrics } }: Product): boolean =>
  available_metrics.includes("downloads")

/** "12 EUR CPM, min 500 EUR" */
function priceText(option: PricingOption, ofDownloads: boolean): string {
  const { fixed_price: fixed, min_spend_per_package: least = 0, currency } = option
  const price = amountOf(option)
  const minimum = least === 0 ? "" : `, min ${amountText(least, currency)}`
  return `${fixed === undefined ? "from " : ""}${amountText(price, currency)} ${unitText(option, ofDownloads)}${minimum}`
}

export const amountText = (amount: number, currency: string): string => `${numberText(amount)} ${currency}`

/** 12000 as 12,000 and 99.5 as 99.50: with as many decimal places as it has, but never one alone. */
export function numberText(value: number): string {
  const [whole = "", decimals = ""] = String(Number(value.toFixed(4))).split(".")
  const grouped = whole.replace(THOUSANDS, ",")
  return decimals === "" ? grouped : `${grouped}.${decimals.padEnd(2, "0")}`
}

const THOUSANDS = /(?<=\d)(?=(?:\d{3})+$)/g

const units = {
  cpm: "CPM",
  vcpm: "vCPM",
  cpc: "per click",
  cpcv: "per completed view",
  cpv: "per view",
  cpp: "per rating point",
  flat_rate: "flat",
}

function unitText(option: PricingOption, ofDownloads: boolean): string {
  if (option.pricing_model === "cpm" && ofDownloads) return "per 1,000 downloads"
  if (option.pricing_model === "time") return `per ${option.parameters.time_unit}`
  if (option.pricing_model !== "cpa") return units[option.pricing_model]
  return `per ${(option.custom_event_name ?? option.event_type).replaceAll("_", " ")}`
}

/** A format in one line, for hosts that read only text: id, name, sizes. */
export function formatLine(format: CreativeFormat): string {
  const { format_id, name } = format
  const sizes = sizesOf(format)
  return `${format_id.id}: ${inOneLine(name)}${sizes.length === 0 ? "" : `; ${sizes.join(" or ")}`}`
}

/** "300x250 px", "16:9"; empty where it has no size. */
export function sizesOf({ format_id, renders = [] }: CreativeFormat): string[] {
  const { width, height } = format_id
  if (width !== undefined) return [`${width}x${height} px`]
  const sizes = renders.map(({ dimensions }) => (dimensions === undefined ? "any size" : sizeText(dimensions)))
  return [...new Set(sizes.filter((size) => size !== ""))]
}

function sizeText({ width, height, unit = "px", aspect_ratio = "", ...bounds }: Dimensions): string {
  if (width !== undefined && height !== undefined) return `${width}x${height} ${unit}`
  const { min_width, min_height, max_width, max_height } = bounds
  const wide = sideText(width, min_width, max_width)
  const high = sideText(height, min_height, max_height)
  return wide === "any" && high === "any" ? aspect_ratio : `width ${wide}, height ${high} ${unit}`
}

/** "300", "200 to 400", "from 200", "up to 400" or "any". */
function sideText(exact: number | undefined, least: number | undefined, most: number | undefined): string {
  if (exact !== undefined) return String(exact)
  if (least !== undefined) return most === undefined ? `from ${least}` : `${least} to ${most}`
  return most === undefined ? "any" : `up to ${most}`
}
