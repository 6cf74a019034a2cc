import { firstCurrency } from "../../../../actions/people/organizations.ts"
import type { Product } from "../../../../domain/adcp/schema/product/product.ts"
import { countsDownloads } from "../../../../domain/adcp/text.ts"
import type { FormPart } from "../../../../domain/schema/form/part.ts"
import type { FormTexts } from "../../../../domain/schema/form/texts.ts"
import { nameIn, ROW_FROM, ROW_SHAPE, readTexts, textsOf } from "../../../../domain/schema/form/texts.ts"
import { moneyIn, readNumber, writeMoney } from "../../../../domain/text/typed-number.ts"
import type { Errors } from "../../form.ts"
import { Submit } from "../../parts/blocks.tsx"
import { type Choice, Select } from "../../parts/form/choices.tsx"
import { Field, HiddenInputs, MoneyField } from "../../parts/form/form.tsx"
import { RemoveRow } from "../../parts/form/schema-fields.tsx"
import { formatMoney } from "../../parts/format.tsx"
import type { PersonVisit } from "../../visit.ts"
import { type Json, textOf } from "./json.ts"
import { spoken } from "./words.ts"

/** Every price on one line: €24.00 per 1,000 impressions, from £11.00 per click. */
export function pricesOf(product: Product): string {
  const ofDownloads = countsDownloads(product)
  return product.pricing_options
    .map((option) => {
      const { currency, fixed_price: fixed, pricing_model: model } = option
      const floor = "floor_price" in option ? option.floor_price : undefined
      const price = fixed ?? floor
      const amount = price === undefined ? currency : formatMoney(price, currency)
      const from = fixed === undefined && floor !== undefined ? "from " : ""
      return `${from}${amount} ${spoken(modelInForm(model, ofDownloads))}`
    })
    .join(", ")
}

const modelInForm = (model: string, ofDownloads: boolean) => (model === "cpm" && ofDownloads ? OF_DOWNLOADS : model)

// The prices of a product as rows of the form: prices.0.price and so on.

const LIST = "prices"
const NAMES = ["price_id", "pricing_model", "currency", "price_kind", "price", "min_spend"] as const
type PriceName = (typeof NAMES)[number]
type Price = Readonly<Partial<Record<PriceName, string>>>

const FIELDS = NAMES.map((name) => ({ name, part: { kind: "text" }, required: false }) as const)
const ROW = { name: "price", part: { kind: "object", fields: FIELDS }, literals: {} } as const

export const PRICES: FormPart = {
  kind: "object",
  fields: [{ name: LIST, part: { kind: "list", shapes: [ROW] }, required: true }],
}

const NEW: Price = { pricing_model: "cpm", price_kind: "fixed_price" }
const priceField = (name: string, row: number) => nameIn(nameIn(LIST, row), name)

/** A new price has the currency of the one before. */
export const newPrice = (texts: FormTexts, row: number): FormTexts => ({
  [priceField("currency", row)]: texts[priceField("currency", row - 1)] ?? "",
})

/** The first price of a new product, in the currency of the seller where there is one seller only; else it is asked for. */
export async function firstPrice({ context: { store } }: PersonVisit): Promise<FormTexts> {
  const [seller, ...others] = await store.organizations.sellers(2)
  const currency = seller === undefined || others.length > 0 ? "" : await firstCurrency(store, seller)
  return currency === "" ? {} : { [priceField("currency", 0)]: currency }
}

/** A price per 1,000 downloads, as the form calls it; stored it is one per thousand of a product that reports downloads. */
const OF_DOWNLOADS = "cpm_downloads"

export const FORM_PRICING_MODELS: readonly string[] = ["cpm", OF_DOWNLOADS, "vcpm", "cpc", "cpcv", "flat_rate"]

const IN_FORM = /^(?:pricing_option_id|pricing_model|currency|fixed_price|floor_price|min_spend_per_package)$/

/** Whether the form can show everything about a price. */
export function isPlainPrice(option: Json): boolean {
  const isKnown = FORM_PRICING_MODELS.includes(textOf(option["pricing_model"]))
  return isKnown && Object.keys(option).every((name) => IN_FORM.test(name))
}

/** The texts of stored prices; of one new price when there is none. */
export function priceTexts(options: readonly Json[], metrics: readonly string[]): FormTexts {
  const ofDownloads = metrics.includes("downloads")
  const prices = options.map((option) => priceOf(option, ofDownloads))
  return textsOf(PRICES, { [LIST]: prices.length === 0 ? [NEW] : prices })
}

function priceOf(option: Json, ofDownloads: boolean): Price {
  const kind = option["floor_price"] === undefined ? "fixed_price" : "floor_price"
  return {
    price_id: textOf(option["pricing_option_id"]),
    pricing_model: modelInForm(textOf(option["pricing_model"]), ofDownloads),
    currency: textOf(option["currency"]),
    price_kind: kind,
    price: amountOf(option[kind]),
    min_spend: amountOf(option["min_spend_per_package"]),
  }
}

const amountOf = (value: unknown): string => (typeof value === "number" ? writeMoney(value) : textOf(value))

/** The rows of the form; one of no known shape has nothing in it. Codes of currencies may be typed in small letters. */
function rowsOf(texts: FormTexts): Price[] {
  const { value } = readTexts(PRICES, texts, undefined)
  const rows = (value as Readonly<Record<typeof LIST, readonly (Price | undefined)[]>>)[LIST]
  return rows.map((row = {}) => ({ ...row, currency: row.currency?.toUpperCase() ?? "" }))
}

/** EUR 24.00 per 1,000 impressions, at least EUR 500. As it was typed. */
export const pricesInWords = (texts: FormTexts): string =>
  rowsOf(texts)
    .map(({ pricing_model = "", currency, price_kind, price = "", min_spend }) => {
      const from = price_kind === "floor_price" ? "from " : ""
      const least = min_spend === undefined ? "" : `, at least ${currency} ${min_spend}`
      return `${from}${currency} ${price} ${spoken(pricing_model)}${least}`
    })
    .join("; ")

/** The prices as AdCP has them. A price that is new gets an id of its own. */
export function pricesIn(texts: FormTexts): Json[] {
  const rows = rowsOf(texts)
  const taken = new Set(rows.map(({ price_id }) => price_id))
  return rows.map(({ price_id, pricing_model = "", currency = "", price_kind, price, min_spend }) => {
    const kind = price_kind === "floor_price" ? "floor_price" : "fixed_price"
    return {
      pricing_option_id: price_id ?? freeId(`${pricing_model}_${currency.toLowerCase()}`, taken),
      pricing_model: pricing_model === OF_DOWNLOADS ? "cpm" : pricing_model,
      currency,
      ...(price !== undefined && { [kind]: numberOf(price, currency) }),
      ...(min_spend !== undefined && { min_spend_per_package: numberOf(min_spend, currency) }),
    }
  })
}

function freeId(wanted: string, taken: Set<string | undefined>): string {
  let id = wanted
  for (let count = 2; taken.has(id); count++) id = `${wanted}_${count}`
  taken.add(id)
  return id
}

/** What is not a number stays a text, which is never saved; `priceErrors` says why. */
function numberOf(text: string, currency: string): number | string {
  const read = readNumber(text, moneyIn(currency))
  return read.ok ? read.value : text
}

/** What the product reports, with what its prices count. */
export const metricsWith = (metrics: readonly string[], texts: FormTexts): readonly string[] =>
  rowsOf(texts).some(({ pricing_model }) => pricing_model === OF_DOWNLOADS)
    ? [...new Set([...metrics, "downloads"])]
    : metrics

const COUNTS_DOWNLOADS =
  "It reports downloads, so a price per 1,000 counts those. Choose “per 1,000 downloads”, or untick downloads below."

/** Errors of the amounts as they were typed, and of prices that would count something else than they say. */
export function priceErrors(texts: FormTexts, metrics: readonly string[]): Errors {
  const errors: Record<string, string> = {}
  const ofDownloads = metricsWith(metrics, texts).includes("downloads")
  for (const [row, { currency = "", ...price }] of rowsOf(texts).entries()) {
    if (ofDownloads && price.pricing_model === "cpm") errors[priceField("pricing_model", row)] = COUNTS_DOWNLOADS
    for (const name of ["price", "min_spend"] as const) {
      const read = readNumber(price[name] ?? "0", moneyIn(currency))
      if (!read.ok) errors[priceField(name, row)] = read.message
    }
  }
  return errors
}

/** The field for a place in the JSON of the prices. */
export function pricePlace(pointer: string): string | undefined {
  const [, row, part = ""] = /^\/pricing_options(?:\/(\d+)(?:\/(\w+))?)?/.exec(pointer) ?? []
  if (!pointer.startsWith("/pricing_options")) return undefined
  const names = { pricing_model: "pricing_model", currency: "currency", min_spend_per_package: "min_spend" } as const
  return priceField(part in names ? names[part as keyof typeof names] : "price", Number(row ?? 0))
}

const KINDS: readonly Choice[] = [
  { value: "fixed_price", label: "Fixed" },
  { value: "floor_price", label: "From (floor)" },
]

/** The prices of a product, one below the other. Adding and removing one needs no script: the page comes back with it. */
export function PriceRows({ texts, models }: { readonly texts: FormTexts; readonly models: readonly Choice[] }) {
  const rows = rowsOf(texts)
  return [
    rows.map(({ price }, row) => {
      const name = (part: PriceName) => priceField(part, row)
      const hidden = ["price_id", ROW_SHAPE, ROW_FROM].map((part) => priceField(part, row))
      return (
        <fieldset class="price">
          <legend class="vh">Price {row + 1}</legend>
          <HiddenInputs values={Object.fromEntries(hidden.map((field) => [field, String(texts[field] ?? "")]))} />
          <Select name={name("pricing_model")} label="Priced" choices={models} />
          <Select name={name("price_kind")} label="The price is" choices={KINDS} />
          <MoneyField
            name={name("price")}
            currency={name("currency")}
            label={row === 0 ? "Price" : `Price ${row + 1}`}
            required
            isNew={row > 0 && row === rows.length - 1 && price === undefined}
          />
          <Field name={name("min_spend")} label="Minimum spend" inputmode="decimal" />
          {rows.length > 1 && <RemoveRow row={nameIn(LIST, row)} what={`price ${row + 1}`} />}
        </fieldset>
      )
    }),
    <div class="actions">
      <Submit icon="plus" name="add_row" value={LIST} formnovalidate label="Add a price" />
    </div>,
  ]
}
