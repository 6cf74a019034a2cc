import { isObject } from "../../../../domain/schema/batch.ts"
import type { SchemaProblem } from "../../../../domain/schema/check.ts"
import { pointerToPath } from "../../../../domain/schema/explain.ts"
import type { FormTexts } from "../../../../domain/schema/form/texts.ts"
import { capitalized, slugOf } from "../../../../domain/text/short-text.ts"
import type { Errors } from "../../form.ts"
import { type Json, objects, textOf } from "./json.ts"
import { isPlainPrice, metricsWith, pricePlace, pricesIn, priceTexts } from "./prices.tsx"

// The usual fields of a product as a form. Parts of the product that the form does not show are kept.

/** Parts of a product that can be too complex for the form, and why: those stay as they are. */
export const RICH = {
  publishers: "Some publishers are named by property or tag, or with fields of an earlier version.",
  formats: "The formats carry sizes, durations or options.",
  pricing: "Some prices have terms of their own.",
}
export type RichPart = keyof typeof RICH

/** The texts of the form of a product, or of a new one. */
export function textsOfProduct(body: unknown): FormTexts {
  const product = isObject(body) ? body : { delivery_type: "guaranteed", reporting_capabilities: NEW_METRICS }
  const { reporting_capabilities: reporting } = product as Json
  const metrics = isObject(reporting) ? texts(reporting["available_metrics"]) : []
  return {
    product_id: textOf(product["product_id"]),
    name: textOf(product["name"]),
    description: textOf(product["description"]),
    // One domain per line.
    publishers: objects(product["publisher_properties"])
      .map((property) => textOf(property["publisher_domain"]))
      .join("\n"),
    channels: texts(product["channels"]),
    delivery_type: textOf(product["delivery_type"]),
    formats: objects(product["format_ids"]).map((format) => textOf(format["id"])),
    ...priceTexts(objects(product["pricing_options"]), metrics),
    metrics,
  }
}

const NEW_METRICS = { available_metrics: ["impressions"] }

export const textIn = (typed: FormTexts, name: string): string => [typed[name] ?? ""].flat().join("\n").trim()
export const listIn = (typed: FormTexts, name: string): readonly string[] => [typed[name] ?? []].flat().filter(Boolean)

/** The parts of a stored product that are too complex for the form. */
export function richPartsOf(body: unknown): ReadonlySet<RichPart> {
  const rich = new Set<RichPart>()
  if (!isObject(body)) return rich
  if (!objects(body["publisher_properties"]).every(isPlainPublisher)) rich.add("publishers")
  const plainRefs = objects(body["format_ids"]).every((format) => Object.keys(format).join() === "id")
  if (!plainRefs || body["format_options"] !== undefined) rich.add("formats")
  if (!objects(body["pricing_options"]).every(isPlainPrice)) rich.add("pricing")
  return rich
}

const isPlainPublisher = ({ publisher_domain: _, selection_type: selection, ...others }: Json): boolean =>
  selection === "all" && Object.keys(others).length === 0

/** The stored product with what the form says. */
export function bodyOf(typed: FormTexts, stored: unknown): Json {
  const base: Json = isObject(stored) ? stored : {}
  const rich = richPartsOf(stored)
  const channels = listIn(typed, "channels")
  return {
    ...base,
    product_id: textIn(typed, "product_id") || slugOf(textIn(typed, "name")),
    name: textIn(typed, "name"),
    description: textIn(typed, "description"),
    ...(rich.has("publishers") ? {} : { publisher_properties: publishersOf(textIn(typed, "publishers")) }),
    // Without channels the field is left out, rather than an empty list.
    ...((channels.length > 0 || base["channels"] !== undefined) && { channels }),
    delivery_type: textIn(typed, "delivery_type"),
    ...(rich.has("formats") ? {} : { format_ids: listIn(typed, "formats").map((id) => ({ id })) }),
    ...(rich.has("pricing") ? {} : { pricing_options: pricesIn(typed) }),
    reporting_capabilities: {
      ...REPORTING,
      ...(base["reporting_capabilities"] as Json | undefined),
      available_metrics: rich.has("pricing") ? listIn(typed, "metrics") : metricsWith(listIn(typed, "metrics"), typed),
    },
  }
}

/** A product without a domain is sold where the seller sells anyway. */
export function soldSomewhere(body: unknown, usual: readonly string[]): unknown {
  const hasNone = isObject(body) && Array.isArray(body["publisher_properties"]) && !body["publisher_properties"].length
  return hasNone ? { ...body, publisher_properties: publishersOf(usual.join("\n")) } : body
}

function publishersOf(domains: string): Json[] {
  const all = domains.split(/[\s,]+/).filter((domain) => domain !== "")
  return all.map((typed) => ({ publisher_domain: domainIn(typed.toLowerCase()), selection_type: "all" }))
}

/** People paste the address of a page, with its port, or write umlauts. What is no address stays as it was typed. */
function domainIn(typed: string): string {
  const url = URL.parse(/^https?:\/\//.test(typed) ? typed : `https://${typed}`)
  return url === null || url.username !== "" ? typed : url.hostname
}

const REPORTING = {
  available_reporting_frequencies: ["daily"],
  expected_delay_minutes: 1_440,
  timezone: "UTC",
  supports_webhooks: false,
  date_range_support: "date_range",
}

const SAME_NAMES = ["seller", "product_id", "name", "description", "channels", "delivery_type", "open_to", "countries"]
// The form field for a place in the JSON, by how the place begins.
const PLACES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SAME_NAMES.map((name) => [name, name])),
  publisher_properties: "publishers",
  format_ids: "formats",
  format_options: "formats",
  reporting_capabilities: "metrics",
}

/** Complaints as errors of the form's fields; those that belong to no field are shown on top. */
export function errorsOf(problems: readonly SchemaProblem[]): Errors {
  const errors: Record<string, string> = {}
  for (const problem of problems) {
    const field = pricePlace(problem.pointer) ?? PLACES[problem.pointer.split("/")[1] ?? ""] ?? ""
    errors[field] ??= sentenceOf(field, problem)
  }
  // An ID comes from the name.
  const { product_id: _, ...others } = errors
  return errors["name"] === undefined ? errors : others
}

const NAMES: Readonly<Record<string, string>> = {
  publishers: "Each publisher",
  price: "The price",
  min_spend: "The minimum spend",
}

/** Errors name the fields of the form, not the places in the JSON. */
function sentenceOf(field: string, { pointer, message }: SchemaProblem): string {
  if (pointer === "/publisher_properties") return "Enter the domain that it runs on, such as example.com."
  if (pointer === "/format_ids") return "Choose at least one format."
  if (/^(?:name|description)$/.test(field) && message.endsWith("must not be empty")) return `Enter a ${field}.`
  if (message.endsWith("needs fixed_price or floor_price")) return "Enter a price."
  if (field.endsWith(".currency")) return "Enter the currency as three letters, such as EUR."
  const path = pointerToPath(pointer)
  const name = NAMES[field.split(".").at(-1) ?? ""]
  const rest = message.startsWith(path) && name !== undefined ? name + message.slice(path.length) : message
  return `${capitalized(rest)}.`
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : [])
