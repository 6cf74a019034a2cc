import { hash } from "node:crypto"
import { EVERYWHERE } from "./catalogue/territory.ts"
import type { CreativeFormat, Dimensions } from "./schema/creative-format.ts"
import { type PricingOption, type Product, priceOf } from "./schema/product.ts"

// Some hosts show their model nothing but the text of a result, so it says everything that matters in one line.

type Told = Pick<Product, "product_id" | "name" | "channels" | "pricing_options" | "reporting_capabilities">

/** A product in one line: ID, name, channels, prices, territories. If only some fields were asked for, the rest is left out. */
export function productLine(product: Told, territories: readonly string[], fields?: readonly string[]): string {
  const { product_id, name, channels = [] } = product
  const where = territories.includes(EVERYWHERE) ? "everywhere" : [...territories].sort().join(", ")
  const facts = [
    fields?.includes("channels") === false ? "" : channels.join(", "),
    pricesText(product),
    fields === undefined ? where : "",
  ]
  return [`${product_id}: ${inOneLine(name)}`, ...facts.filter((fact) => fact !== "")].join("; ")
}

/** A name with a line break would look like another product. */
const inOneLine = (name: string): string => name.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")

/** "12 EUR CPM or from 500 EUR flat". */
const pricesText = (product: Told): string =>
  product.pricing_options.map((option) => priceText(option, countsDownloads(product))).join(" or ")

/** Whether a price per thousand means downloads. AdCP has no pricing model for them, so the metrics say it. */
export const countsDownloads = ({ reporting_capabilities }: Told): boolean =>
  reporting_capabilities.available_metrics.includes("downloads")

/** "12 EUR CPM, min 500 EUR". */
function priceText(option: PricingOption, isOfDownloads: boolean): string {
  const { fixed_price, min_spend_per_package: least = 0, currency } = option
  const start = fixed_price === undefined ? "from " : ""
  const minimum = least === 0 ? "" : `, min ${amountText(least, currency)}`
  return `${start}${amountText(priceOf(option), currency)} ${unitText(option, isOfDownloads)}${minimum}`
}

export const amountText = (amount: number, currency: string): string => `${numberText(amount)} ${currency}`

const DECIMALS_MAX = 6

/** 12,000, 99.50 and 0.00045: with as many decimal places as the number has, at most six, but never a single one. */
export function numberText(value: number): string {
  const [whole = "", decimals = ""] = String(Number(value.toFixed(DECIMALS_MAX))).split(".")
  const grouped = whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ",")
  return decimals === "" ? grouped : `${grouped}.${decimals.padEnd(2, "0")}`
}

const UNITS = {
  cpm: "CPM",
  vcpm: "vCPM",
  cpc: "per click",
  cpcv: "per completed view",
  cpv: "per view",
  cpp: "per rating point",
  flat_rate: "flat",
}

function unitText(option: PricingOption, isOfDownloads: boolean): string {
  switch (option.pricing_model) {
    case "cpm":
      return isOfDownloads ? "per 1,000 downloads" : UNITS.cpm
    case "time":
      return `per ${option.parameters.time_unit}`
    case "cpa":
      return `per ${(option.custom_event_name ?? option.event_type).replaceAll("_", " ")}`
    default:
      return UNITS[option.pricing_model]
  }
}

type Sized = Pick<CreativeFormat, "format_id" | "name" | "renders">

/** A format in one line: ID, name, sizes. */
export function formatLine(format: Sized): string {
  const sizes = sizesOf(format)
  return `${format.format_id.id}: ${inOneLine(format.name)}${sizes.length === 0 ? "" : `; ${sizes.join(" or ")}`}`
}

/** "300x250 px" or "16:9". The list is empty if the format has no size. */
export function sizesOf({ format_id: { width, height }, renders = [] }: Sized): string[] {
  if (width !== undefined) return [`${width}x${height} px`]
  const sizes = renders.map(({ dimensions }) => (dimensions === undefined ? "any size" : sizeText(dimensions)))
  return [...new Set(sizes.filter((size) => size !== ""))]
}

function sizeText({ width, height, unit = "px", aspect_ratio = "", ...bounds }: Dimensions): string {
  if (width !== undefined && height !== undefined) return `${width}x${height} ${unit}`
  const across = sideText(width, bounds.min_width, bounds.max_width)
  const down = sideText(height, bounds.min_height, bounds.max_height)
  return across === "any" && down === "any" ? aspect_ratio : `width ${across}, height ${down} ${unit}`
}

/** "300", "200 to 400", "from 200", "up to 400" or "any". */
function sideText(exact: number | undefined, least: number | undefined, most: number | undefined): string {
  if (exact !== undefined) return String(exact)
  if (least !== undefined) return most === undefined ? `from ${least}` : `${least} to ${most}`
  return most === undefined ? "any" : `up to ${most}`
}

/** The start of a text, with "…" if something is missing. It's cut between words, unless the only word is too long. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const start = text.slice(0, charactersMax - 1)
  const isAtEnd = /[\s,;]/.test(text.charAt(charactersMax - 1))
  const words = isAtEnd ? start : start.replace(/[\s,;]+[^\s,;]*$/, "")
  return `${words.toWellFormed().trimEnd()}…`
}

/**
 * The address of this server without a path, spelled so that it doesn't contain the agent's URL: official clients
 * replace that URL in every string. Browsers read both spellings as the same address.
 */
export function addressBeside(agentUrl: string): string {
  const { protocol, hostname, port } = new URL(agentUrl)
  const standardPort = protocol === "https:" ? "443" : "80"
  return `${protocol}//${hostname}:${port === "" ? standardPort : `0${port}`}`
}

export const digestOf = (...parts: readonly string[]): string =>
  hash("sha256", JSON.stringify(parts), "base64url").slice(0, 27)

/** JSON with its names and lists in order, so that requests that mean the same give the same text. */
export const canonicalJson = (value: unknown): string => JSON.stringify(canonical(value)) ?? "null"

function canonical(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  // The lists of a request are sets: order and repetition don't matter.
  if (Array.isArray(value)) return [...new Set(value.map(canonicalJson))].sort()
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [name, canonical(field)])
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
}
