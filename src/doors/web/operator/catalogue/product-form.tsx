import type { ComponentChildren } from "preact"
import { type ListedFormat, listFormats } from "../../../../actions/catalogue/list-formats.ts"
import { listingOf } from "../../../../actions/operations/agent-settings.ts"
import { AvailableMetric, Channel } from "../../../../domain/adcp/schema/vocabulary.ts"
import { readDomain } from "../../../../domain/operations/setting.ts"
import { isObject } from "../../../../domain/schema/batch.ts"
import type { SchemaProblem } from "../../../../domain/schema/check.ts"
import { pointerToPath } from "../../../../domain/schema/explain.ts"
import type { FormTexts } from "../../../../domain/schema/form/texts.ts"
import { capitalized, slugOf } from "../../../../domain/text/short-text.ts"
import { draftedFor } from "../../agent-sales/draft.tsx"
import type { Errors } from "../../form.ts"
import type { Choice } from "../../parts/form/choices.tsx"
import { CheckGroup, RadioCards, Select, choicesOf as sellersAsChoices } from "../../parts/form/choices.tsx"
import { Field, FormSection, TextArea } from "../../parts/form/form.tsx"
import { listInWords } from "../../parts/format.tsx"
import type { PersonVisit } from "../../visit.ts"
import type { Fields } from "./editor.tsx"
import { type Json, objects, textOf } from "./json.ts"
import {
  FORM_PRICING_MODELS,
  isPlainPrice,
  metricsWith,
  PriceRows,
  pricePlace,
  pricesIn,
  priceTexts,
} from "./prices.tsx"
import { spoken } from "./words.ts"

// The usual fields of a product as a form. Parts of the product that the form does not show are kept.

/** Parts of a product that can be too complex for the form, and why: those are edited as JSON. */
const RICH = {
  publishers: "Some publishers are named by property or tag.",
  formats: "The formats carry sizes, durations or options.",
  pricing: "Some prices have terms of their own.",
}
type RichPart = keyof typeof RICH

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
  if (objects(body["publisher_properties"]).some((property) => property["selection_type"] !== "all"))
    rich.add("publishers")
  const plainRefs = objects(body["format_ids"]).every((format) => Object.keys(format).join() === "id")
  if (!plainRefs || body["format_options"] !== undefined) rich.add("formats")
  if (!objects(body["pricing_options"]).every(isPlainPrice)) rich.add("pricing")
  return rich
}

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

/** People paste the address of a page. */
const domainIn = (typed: string) => typed.replace(/^https?:\/\//, "").replace(/[/?#].*$/, "")

const REPORTING = {
  available_reporting_frequencies: ["daily"],
  expected_delay_minutes: 1_440,
  timezone: "UTC",
  supports_webhooks: false,
  date_range_support: "date_range",
}

const SAME_NAMES = ["seller", "product_id", "name", "description", "channels", "delivery_type"]
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
  publishers: "Each domain",
  currency: "The currency",
  price: "The price",
  min_spend: "The minimum spend",
}

/** Errors name the fields of the form, not the places in the JSON. */
function sentenceOf(field: string, { pointer, message }: SchemaProblem): string {
  if (pointer === "/publisher_properties") return "Enter at least one domain."
  if (pointer === "/format_ids") return "Choose at least one format."
  if (/^(?:name|description)$/.test(field) && message.endsWith("must not be empty")) return `Enter a ${field}.`
  if (message.endsWith("needs fixed_price or floor_price")) return "Enter a price."
  const path = pointerToPath(pointer)
  const name = NAMES[field.split(".").at(-1) ?? ""]
  const rest = message.startsWith(path) && name !== undefined ? name + message.slice(path.length) : message
  return `${capitalized(rest)}.`
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : [])

const [AUDIO, VIDEO, PAGES] = [["audio"], ["video"], ["display", "native"]]

/** Which families of formats a channel takes; all others take those of pages. The style sheet narrows the formats by it. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  ...{ podcast: AUDIO, radio: AUDIO, streaming_audio: AUDIO },
  ...{ olv: VIDEO, ctv: VIDEO, linear_tv: VIDEO, cinema: VIDEO },
  ...{ email: ["newsletter"], dooh: ["dooh"], ooh: ["ooh"], print: ["display", "ooh"] },
  ...{ social: [...VIDEO, ...PAGES], influencer: [...VIDEO, ...PAGES], gaming: [...VIDEO, ...PAGES] },
}

const familiesOf = (channel: string): readonly string[] => FAMILIES[channel] ?? PAGES

/** By its id or, of a seller's own, by what it is made of: sound, film, or anything else, which every channel may take. */
function familyOf({ id, format, state }: ListedFormat): string {
  const medium = ["audio", "video"].find((name) => format.canonical?.kind.startsWith(name))
  return /^(?:newsletter|native|dooh|ooh)(?=_)/.exec(id)?.[0] ?? medium ?? (state === "own" ? "own" : "display")
}

/** The formats of the chosen channels first. */
function formatChoices(formats: readonly ListedFormat[], channels: FormTexts[string] = []): Choice[] {
  const isWanted = ({ sort }: Choice) => [channels].flat().some((channel) => familiesOf(channel).includes(sort ?? ""))
  const choices = formats.map((format) => ({ value: format.id, label: format.name, sort: familyOf(format) }))
  return [...choices.filter(isWanted), ...choices.filter((choice) => !isWanted(choice))]
}

/**
 * Where a seller sells anyway: on the domains of its first product, never on another's. Where only one organization sells, all products are
 * its own, and so are the domains that the server publishes for.
 */
export async function usualDomains({ context }: PersonVisit, seller: string): Promise<readonly string[]> {
  const { store } = context
  const isAlone = (await store.organizations.sellers(2)).length < 2
  const { domains } = await listingOf(store)
  if (isAlone && domains.length > 0) return domains
  const { products, sellers } = await store.catalogue.contents()
  const own = [...products].find(([id]) => isAlone || (seller !== "" && sellers.get(id) === seller))
  return own === undefined ? [] : textIn(textsOfProduct(own[1]), "publishers").split("\n").filter(Boolean)
}

/** What is typed must be a domain: a word alone is announced to buyers who find nothing there. */
export function publisherErrors(typed: FormTexts): Errors {
  const wrong = textIn(typed, "publishers")
    .split(/[\s,]+/)
    .filter((text) => text !== "" && !readDomain(domainIn(text.toLowerCase()))?.includes("."))
  if (wrong.length === 0) return {}
  return { publishers: `Enter a domain such as example.com, not ${listInWords(wrong, 3)}.` }
}

// A list that people choose from.
const SELLERS_MAX = 1_000

const asChoice = (value: string): Choice => ({ value, label: spoken(value) })
const choicesOf = (schema: unknown): Choice[] => (schema as { enum: string[] }).enum.map(asChoice)

const CHANNELS = choicesOf(Channel).map((channel) => ({ ...channel, sort: familiesOf(channel.value).join(" ") }))
const METRICS = choicesOf(AvailableMetric)
const DELIVERY_TYPES = [
  { value: "guaranteed", label: "Guaranteed", note: "You deliver what is booked, or make up for it." },
  { value: "non_guaranteed", label: "Not guaranteed", note: "You deliver as much as you have room for." },
]

const ANY_SELLER = { value: "", label: "Whoever answers the order" }
const SELLER_HINT = "Orders go to them, and buyers see their name."
const DESCRIPTION_HINT = "Who it reaches, where, and with what."
const ID_HINT = "Buyers’ agents use it. Leave empty to take it from the name. It can’t be changed later."

type Stored = Readonly<{ id: string; body: unknown }>

/** The usual fields of a product. Anything more complex is edited as JSON. */
export const productFields: Fields<Stored> = async (visit, stored, { typed }, jsonHref) => {
  const rich = richPartsOf(stored?.body)
  const formats = (await listFormats(visit.context)).filter(({ state }) => state !== "hidden")
  const domains = await usualDomains(visit, textIn(typed, "seller"))
  const sellers = await visit.context.store.organizations.sellers(SELLERS_MAX)
  const others = sellers.length > 1 ? " Leave empty for those of the seller’s other products." : ""
  const usual = domains.length === 0 ? others : ` Leave empty for ${listInWords(domains, 3)}.`
  const placesHint = `The sites or shows that it runs on, one per line.${usual}`
  const orJson = (part: RichPart, fields: ComponentChildren) =>
    rich.has(part) ? (
      <p class="hint">
        {RICH[part]} They stay as they are; <a href={jsonHref}>edit them as JSON</a>.
      </p>
    ) : (
      fields
    )
  const several = (name: string, label: string, find: string, choices: readonly Choice[]) => (
    <CheckGroup name={name} label={label} find={find} choices={choices} checked={listIn(typed, name)} />
  )
  return [
    stored === null && (await draftedFor(visit)),
    <FormSection title="What it is" hint="Agents search the name and the description.">
      <Field name="name" label="Name" required />
      {stored === null && <Field name="product_id" label="Product ID" data-slug-of="name" hint={ID_HINT} />}
      {sellers.length > 1 && (
        <Select name="seller" label="Sold by" hint={SELLER_HINT} choices={[ANY_SELLER, ...sellersAsChoices(sellers)]} />
      )}
      <TextArea name="description" label="Description" rows={4} prose required hint={DESCRIPTION_HINT} />
      {several("channels", "Channels", "a channel", CHANNELS)}
    </FormSection>,
    <FormSection title="Where it runs">
      {orJson(
        "publishers",
        <TextArea name="publishers" label="Publisher domains" rows={2} required={usual === ""} hint={placesHint} />,
      )}
      {orJson("formats", [
        several("formats", "Accepted formats", "a format", formatChoices(formats, typed["channels"])),
        <label class="choice small if-narrowed">
          <input type="checkbox" id="all-formats" />
          <span>Show the formats of other channels, too</span>
        </label>,
      ])}
    </FormSection>,
    <FormSection title="Prices" hint="Agents see all of them and choose one.">
      {orJson("pricing", <PriceRows texts={typed} models={FORM_PRICING_MODELS.map(asChoice)} />)}
    </FormSection>,
    <FormSection title="Delivery">
      <RadioCards name="delivery_type" label="Is delivery guaranteed?" choices={DELIVERY_TYPES} />
      <details class="more">
        <summary>What you report: {listInWords(listIn(typed, "metrics").map(spoken), 3) || "nothing yet"}</summary>
        {several("metrics", "What you report", "a metric", METRICS)}
      </details>
    </FormSection>,
  ]
}
