import type { Product } from "../../../../domain/adcp/schema/product/product.ts"
import { moneyIn, readNumber, writeNumber } from "../../../../domain/text/typed-number.ts"
import type { Errors, SentForm } from "../../form.ts"
import { type Choice, Select } from "../../parts/form/choices.tsx"
import { Field, MoneyField } from "../../parts/form/fields.tsx"
import { HiddenInputs } from "../../parts/form/form.tsx"
import { formatMoney } from "../../parts/format.tsx"
import { Icon } from "../../parts/icon.tsx"
import { type Json, textOf } from "./json.ts"

const MODELS: Readonly<Record<string, string>> = {
  cpm: "per 1,000",
  vcpm: "per 1,000 viewable",
  cpc: "per click",
  cpcv: "per completed view",
  cpa: "per action",
  flat_rate: "flat",
}

/** Every price on one line: €24.00 per 1,000, from £11.00 per click. */
export function pricesOf({ pricing_options }: Product): string {
  return pricing_options
    .map((option) => {
      const { currency, fixed_price, pricing_model } = option
      const floor = "floor_price" in option ? option.floor_price : undefined
      const price = fixed_price ?? floor
      const amount = price === undefined ? currency : formatMoney(price, currency)
      const model = MODELS[pricing_model] ?? pricing_model.replaceAll("_", " ")
      return `${fixed_price === undefined && floor !== undefined ? "from " : ""}${amount} ${model}`
    })
    .join(", ")
}

// The prices of a product as rows of the form. The fields of the first row have plain names, those of further rows end in "_2", "_3".

const NAMES = ["price_id", "pricing_model", "currency", "price_kind", "price", "min_spend"] as const
type PriceName = (typeof NAMES)[number]
type Price = Readonly<Record<PriceName, string>>

export type PriceFields = Price & Readonly<Record<`${PriceName}_${number}`, string>>

const PRICES_MAX = 20

export const FORM_PRICING_MODELS: readonly string[] = ["cpm", "vcpm", "cpc", "cpcv", "flat_rate"]

const FORM_PRICE_FIELDS = new Set([
  "pricing_option_id",
  "pricing_model",
  "currency",
  "fixed_price",
  "floor_price",
  "min_spend_per_package",
])

const NEW: Price = {
  price_id: "",
  pricing_model: "cpm",
  currency: "EUR",
  price_kind: "fixed_price",
  price: "",
  min_spend: "",
}

/** The name of a field in a row of prices, from 0. */
const priceField = (name: PriceName, row: number): PriceName =>
  // The type of the further rows' names is that of the first: forms know them by name only.
  (row === 0 ? name : `${name}_${row + 1}`) as PriceName

/** Whether the form can show everything about a price. */
export function isPlainPrice(option: Json): boolean {
  const isKnown = FORM_PRICING_MODELS.includes(textOf(option["pricing_model"]))
  return isKnown && Object.keys(option).every((name) => FORM_PRICE_FIELDS.has(name))
}

/** The fields of stored prices; of one new price when there is none. */
export function priceFieldsOf(options: readonly Json[]): PriceFields {
  return named(options.length === 0 ? [NEW] : options.map(priceOf))
}

function priceOf(option: Json): Price {
  const kind = option["floor_price"] === undefined ? "fixed_price" : "floor_price"
  return {
    price_id: textOf(option["pricing_option_id"]),
    pricing_model: textOf(option["pricing_model"]),
    currency: textOf(option["currency"]),
    price_kind: kind,
    price: amountOf(option[kind]),
    min_spend: amountOf(option["min_spend_per_package"]),
  }
}

const amountOf = (value: unknown): string => (typeof value === "number" ? writeNumber(value) : textOf(value))

function named(rows: readonly Price[]): PriceFields {
  const pairs = rows.flatMap((price, row) => NAMES.map((name) => [priceField(name, row), price[name]]))
  return Object.fromEntries(pairs)
}

/** The rows in the fields of a form. */
function rowsOf(fields: PriceFields): Price[] {
  const rows: Price[] = []
  const at = (name: PriceName) => fields[priceField(name, rows.length)]
  while (rows.length < PRICES_MAX && at("pricing_model") !== undefined) {
    rows.push(Object.fromEntries(NAMES.map((name) => [name, at(name) ?? ""])) as unknown as Price)
  }
  return rows
}

export function readPrices(form: SentForm): PriceFields {
  const rows: Price[] = []
  while (rows.length < PRICES_MAX && (rows.length === 0 || form.has(priceField("pricing_model", rows.length)))) {
    const texts = NAMES.map((name) => [name, form.text(priceField(name, rows.length))])
    const row = Object.fromEntries(texts) as unknown as Price
    rows.push({ ...row, currency: row.currency.toUpperCase() })
  }
  return named(rows)
}

/** A button below or beside the prices was pressed: one more row, or one less. Null when none was. */
export function changedRows(form: SentForm, fields: PriceFields): PriceFields | null {
  const rows = rowsOf(fields)
  const last = rows.at(-1) ?? NEW
  if (form.has("add_price")) return named([...rows, { ...NEW, currency: last.currency }])
  if (!form.has("remove_price")) return null
  return named(rows.filter((_, row) => String(row) !== form.text("remove_price")))
}

/** Whether a field is one of a price, in whichever row. */
export const isPriceName = (name: string): boolean =>
  NAMES.some((one) => name === one || new RegExp(`^${one}_\\d+$`).test(name))

/** The fields without those of any price, to be combined with other rows. */
export function withoutPrices<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isPriceName(name))) as Fields
}

/** The prices as AdCP has them. A price that is new gets an id of its own. */
export function pricesIn(fields: PriceFields): Json[] {
  const rows = rowsOf(fields)
  const taken = new Set(rows.map(({ price_id }) => price_id))
  return rows.map((row) => {
    const { pricing_model, currency, price, min_spend } = row
    const kind = row.price_kind === "floor_price" ? "floor_price" : "fixed_price"
    return {
      pricing_option_id: row.price_id || freeId(`${pricing_model}_${currency.toLowerCase()}`, taken),
      pricing_model,
      currency,
      ...(price !== "" && { [kind]: numberOf(price, currency) }),
      ...(min_spend !== "" && { min_spend_per_package: numberOf(min_spend, currency) }),
    }
  })
}

function freeId(wanted: string, taken: Set<string>): string {
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

/** Errors of the amounts as they were typed. */
export function priceErrors(fields: PriceFields): Errors {
  const errors: Record<string, string> = {}
  for (const [row, { price, min_spend, currency }] of rowsOf(fields).entries()) {
    for (const [name, text] of [["price", price] as const, ["min_spend", min_spend] as const]) {
      const read = text === "" ? undefined : readNumber(text, moneyIn(currency))
      if (read?.ok === false) errors[priceField(name, row)] = read.message
    }
  }
  return errors
}

/** The field for a place in the JSON of the prices. */
export function pricePlace(pointer: string): string | undefined {
  const [, row, part = ""] = /^\/pricing_options(?:\/(\d+)(?:\/(\w+))?)?/.exec(pointer) ?? []
  if (!pointer.startsWith("/pricing_options")) return undefined
  const known = { pricing_model: "pricing_model", currency: "currency", min_spend_per_package: "min_spend" } as const
  const name = part in known ? known[part as keyof typeof known] : "price"
  return priceField(name, Number(row ?? 0))
}

const KINDS: readonly Choice[] = [
  { value: "fixed_price", label: "Fixed" },
  { value: "floor_price", label: "From (floor)" },
]

/** The prices of a product, one below the other. Adding and removing one needs no script: the page comes back with it. */
export function PriceRows({ fields, models }: { readonly fields: PriceFields; readonly models: readonly Choice[] }) {
  const rows = rowsOf(fields)
  return (
    <>
      {rows.map(({ price_id, price }, row) => (
        <fieldset class="price" key={priceField("price", row)}>
          <legend class="vh">Price {row + 1}</legend>
          <HiddenInputs values={{ [priceField("price_id", row)]: price_id }} />
          <Select name={priceField("pricing_model", row)} label="Priced by" choices={models} />
          <Select name={priceField("price_kind", row)} label="The price is" choices={KINDS} />
          <MoneyField
            name={priceField("price", row)}
            currency={priceField("currency", row)}
            label={row === 0 ? "Price" : `Price ${row + 1}`}
            required
            isNew={row > 0 && row === rows.length - 1 && price === ""}
          />
          <Field name={priceField("min_spend", row)} label="Minimum spend" inputmode="decimal" />
          {rows.length > 1 && (
            <button
              type="submit"
              class="button quiet danger"
              name="remove_price"
              value={String(row)}
              formnovalidate
              aria-label={`Remove price ${row + 1}`}
            >
              Remove
            </button>
          )}
        </fieldset>
      ))}
      {rows.length < PRICES_MAX && (
        <div class="actions">
          <button type="submit" class="button" name="add_price" value="yes" formnovalidate>
            <Icon name="plus" />
            Add a price
          </button>
        </div>
      )}
    </>
  )
}
