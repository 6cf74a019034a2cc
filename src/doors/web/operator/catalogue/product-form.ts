import type { Complaint } from "../../../../domain/schema/check.ts"
import { pointerToPath } from "../../../../domain/schema/explain.ts"
import type { Errors, SentForm } from "../../form.ts"
import { isObject, type Json, objects, textOf } from "./json.ts"
import { isPlainPrice, type PriceFields, priceFieldsOf, pricePlace, pricesIn, readPrices } from "./prices.tsx"

// The usual fields of a product as a form. Parts of the product that the form does not show are kept.

const TEXTS = [
  "product_id",
  "name",
  "description",
  // One domain per line.
  "publishers",
  "delivery_type",
] as const
type Lists = Readonly<Record<"channels" | "formats" | "metrics", readonly string[]>>

export type ProductFields = Readonly<Record<(typeof TEXTS)[number], string>> & Lists & PriceFields

/** Parts of a product that can be too complex for the form: those are edited as JSON. */
export type RichPart = "publishers" | "formats" | "pricing"

const EMPTY: ProductFields = {
  product_id: "",
  name: "",
  description: "",
  publishers: "",
  channels: [],
  delivery_type: "guaranteed",
  formats: [],
  ...priceFieldsOf([]),
  metrics: ["impressions"],
}

/** The form values of a product, or of a new one. */
export function fieldsOf(body: unknown): ProductFields {
  if (!isObject(body)) return EMPTY
  return {
    product_id: textOf(body["product_id"]),
    name: textOf(body["name"]),
    description: textOf(body["description"]),
    publishers: objects(body["publisher_properties"])
      .map((one) => textOf(one["publisher_domain"]))
      .join("\n"),
    channels: texts(body["channels"]),
    delivery_type: textOf(body["delivery_type"]),
    formats: objects(body["format_ids"]).map((one) => textOf(one["id"])),
    ...priceFieldsOf(objects(body["pricing_options"])),
    metrics: isObject(body["reporting_capabilities"]) ? texts(body["reporting_capabilities"]["available_metrics"]) : [],
  }
}

export function readFields(form: SentForm): ProductFields {
  const texts = form.texts(...TEXTS)
  const lists = { channels: form.all("channels"), formats: form.all("formats"), metrics: form.all("metrics") }
  return { ...texts, ...lists, ...readPrices(form) }
}

/** The parts of a stored product that are too complex for the form. */
export function richPartsOf(body: unknown): ReadonlySet<RichPart> {
  const rich = new Set<RichPart>()
  if (!isObject(body)) return rich
  if (objects(body["publisher_properties"]).some((one) => one["selection_type"] !== "all")) rich.add("publishers")
  const plainRefs = objects(body["format_ids"]).every((one) => Object.keys(one).join() === "id")
  if (!plainRefs || body["format_options"] !== undefined) rich.add("formats")
  if (!objects(body["pricing_options"]).every(isPlainPrice)) rich.add("pricing")
  return rich
}

/** The stored product with the values of the form. */
export function bodyOf(fields: ProductFields, stored: unknown): Json {
  const base: Json = isObject(stored) ? stored : {}
  const rich = richPartsOf(stored)
  return {
    ...base,
    product_id: fields.product_id,
    name: fields.name,
    description: fields.description,
    ...(rich.has("publishers") ? {} : { publisher_properties: publishersOf(fields) }),
    ...channelsOf(fields, base),
    delivery_type: fields.delivery_type,
    ...(rich.has("formats") ? {} : { format_ids: fields.formats.map((id) => ({ id })) }),
    ...(rich.has("pricing") ? {} : { pricing_options: pricesIn(fields) }),
    reporting_capabilities: reportingOf(fields, base["reporting_capabilities"]),
  }
}

function publishersOf({ publishers }: ProductFields): Json[] {
  const domains = publishers
    .split(/[\s,]+/)
    .filter((domain) => domain !== "")
    .map((domain) => domain.toLowerCase())
  return domains.map((publisher_domain) => ({ publisher_domain, selection_type: "all" }))
}

/** Without channels the field is left out, rather than an empty list. */
function channelsOf({ channels }: ProductFields, base: Json): Json {
  if (channels.length > 0) return { channels }
  return base["channels"] === undefined ? {} : { channels: [] }
}

const REPORTING = {
  available_reporting_frequencies: ["daily"],
  expected_delay_minutes: 1_440,
  timezone: "UTC",
  supports_webhooks: false,
  date_range_support: "date_range",
}

function reportingOf({ metrics }: ProductFields, stored: unknown): Json {
  return { ...REPORTING, ...(isObject(stored) ? stored : {}), available_metrics: metrics }
}

// The form field for a place in the JSON, the most specific first.
const PLACES: readonly [RegExp, keyof ProductFields][] = [
  [/^\/product_id/, "product_id"],
  [/^\/name/, "name"],
  [/^\/description/, "description"],
  [/^\/publisher_properties/, "publishers"],
  [/^\/channels/, "channels"],
  [/^\/delivery_type/, "delivery_type"],
  [/^\/format_/, "formats"],
  [/^\/reporting_capabilities/, "metrics"],
]

/** Complaints as errors of the form's fields; those that belong to no field are shown on top. */
export function errorsOf(complaints: readonly Complaint[]): Errors {
  const errors: Record<string, string> = {}
  for (const complaint of complaints) {
    const field = pricePlace(complaint.pointer) ?? PLACES.find(([place]) => place.test(complaint.pointer))?.[1] ?? ""
    errors[field] ??= sentenceOf(field, complaint)
  }
  return errors
}

const NAMES: Readonly<Record<string, string>> = {
  publishers: "Each domain",
  currency: "The currency",
  price: "The price",
  min_spend: "The minimum spend",
}

/** Errors name the fields of the form, not the places in the JSON. */
function sentenceOf(field: string, { pointer, message }: Complaint): string {
  if (pointer === "/publisher_properties") return "Enter at least one domain."
  if (pointer === "/format_ids") return "Choose at least one format."
  if (message.endsWith("needs fixed_price or floor_price")) return "Enter a price."
  const path = pointerToPath(pointer)
  const name = NAMES[field.replace(/_\d+$/, "")]
  const rest = message.startsWith(path) && name !== undefined ? name + message.slice(path.length) : message
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}.`
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : [])
