import { nameOfCountry } from "../countries.ts"
import { EVERYWHERE } from "../keys/opening.ts"
import { nameErrors } from "../people/organization.ts"
import { normalEmail, personErrors } from "../people/user.ts"
import { UNPRINTABLE } from "../text/short-text.ts"
import { moneyIn, readNumber, WHOLE, writeNumber } from "../text/typed-number.ts"
import type { CalendarDate } from "../time/moment.ts"
import { dayInWords } from "../time/time-zone.ts"
import { readPeriod } from "../time/typed-day.ts"
import { compare, type Decimal, inCoins, quantityFor } from "./money.ts"
import { amountOf, type OrderedProduct, type OrderPrice, type OrderTerms } from "./order.ts"

/** The texts of an order form. */
export const ORDER_TEXTS = [
  ...(["price", "from", "to", "quantity", "budget"] as const),
  ...(["creative", "note", "organization", "name", "email"] as const),
]
export type OrderText = (typeof ORDER_TEXTS)[number]

export type TypedOrder = Readonly<Record<OrderText, string>> & {
  readonly territories: readonly string[]
  readonly was: Readonly<Record<"quantity" | "budget", string>>
}

export type Requester = Pick<TypedOrder, "organization" | "name" | "email" | "creative" | "note">

export interface AskedOrder {
  readonly priced: OrderPrice
  readonly terms: OrderTerms
  readonly requester: Requester
}

export type OrderErrors = Readonly<Partial<Record<keyof TypedOrder, string>>>

type ReadOrder =
  | { readonly ok: true; readonly order: AskedOrder }
  | { readonly ok: false; readonly errors: OrderErrors }

export const NOTE_CHARACTERS_MAX = 500
const LINK_CHARACTERS_MAX = 1_000
const YEARS_AHEAD_MAX = 3

/** Reads an order as one may be placed today, or says for each wrong field what to do. */
export function readOrder(typed: TypedOrder, product: OrderedProduct, today: CalendarDate): ReadOrder {
  const priced = product.prices.find(({ id }) => id === typed.price) ?? product.prices[0]
  if (priced === undefined) return { ok: false, errors: { price: "This product has no price." } }
  const flight = readFlight(typed.from, typed.to, { from: today, until: product.until })
  const sought = readQuantity(typed, priced)
  const places = readPlaces(typed.territories, product.territories)
  const errors: OrderErrors = {
    ...(typed.price !== "" && priced.id !== typed.price && { price: "Choose one of these prices." }),
    ...flight.errors,
    ...sought.errors,
    ...places.errors,
    ...requesterErrors(typed),
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors }
  const { organization, name, creative, note } = typed
  const terms = { from: flight.from, to: flight.to, quantity: sought.quantity, price: priced.price }
  return {
    ok: true,
    order: {
      priced,
      terms: { ...terms, territories: places.territories },
      requester: { organization, name, creative, note, email: normalEmail(typed.email) },
    },
  }
}

function requesterErrors({ organization, name, email, creative, note }: TypedOrder): OrderErrors {
  return {
    ...(creative !== "" && !isWebAddress(creative) && { creative: "Enter a web address that starts with https://." }),
    ...textErrors("note", note),
    ...nameErrors("organization", organization),
    ...personErrors({ name, email: normalEmail(email) }),
  }
}

/** Text that people write to each other, in several lines. */
export const textErrors = <Field extends string>(field: Field, text: string): Partial<Record<Field, string>> =>
  (text.length > NOTE_CHARACTERS_MAX || new RegExp(`[${UNPRINTABLE}]`).test(text.replaceAll("\n", " "))
    ? { [field]: `Write at most ${NOTE_CHARACTERS_MAX} characters, without control characters.` }
    : {}) as Partial<Record<Field, string>>

export const reasonErrors = (message: string) =>
  message === "" ? { message: "Say why, in a sentence." } : textErrors("message", message)

/** A page of the web, as a link that is safe to show: anything else could be a script. */
function isWebAddress(text: string): boolean {
  const url = text.length <= LINK_CHARACTERS_MAX && !/[\s"<>\\]/.test(text) ? URL.parse(text) : null
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.username === ""
}

interface Available {
  readonly from: CalendarDate
  readonly until: CalendarDate | null
}

type Flight = Readonly<{ from: CalendarDate; to: CalendarDate; errors: Partial<Record<"from" | "to", string>> }>

/** The days of an order. Its form says what is meant where a year looks wrong. */
export function readFlight(fromText: string, toText: string, available: Available): Flight {
  const { from, to, errors } = readPeriod(fromText, toText)
  const [first, last] = [from ?? "", to ?? ""]
  if (from === null || to === null) {
    const asked = {
      ...(from === null && { from: "Enter the first day." }),
      ...(to === null && { to: "Enter the last day." }),
    }
    return { from: first, to: last, errors: { ...asked, ...errors } }
  }
  const nextYear = `${Number(to.slice(0, 4)) + 1}${to.slice(4)}`
  const meant = nextYear >= from ? ` Did you mean ${nextYear.slice(0, 4)}?` : ""
  const latest = available.until ?? `${Number(available.from.slice(0, 4)) + YEARS_AHEAD_MAX}${available.from.slice(4)}`
  const wrong = {
    ...(from < available.from && {
      from: `${dayInWords(from)} is over. The first possible day is ${dayInWords(available.from)}.`,
    }),
    ...(to > latest && { to: `The last possible day is ${dayInWords(latest)}.` }),
    ...(to < from && { to: `${dayInWords(to)} is before ${dayInWords(from)}.${meant}` }),
  }
  return { from: first, to: last, errors: wrong }
}

type Sought = Readonly<{
  quantity: number | null
  errors: Partial<Record<"quantity" | "budget", string>>
  /** Whether it is only less than the minimum. */
  isBelow?: boolean
}>

/** Whether the budget says how many: it was changed since the server last worked them out, and the quantity was not. */
export const budgetLeads = ({ quantity, budget, was }: Pick<TypedOrder, "quantity" | "budget" | "was">): boolean =>
  budget !== "" && budget !== was.budget && (quantity === was.quantity || quantity === "")

/** How many are asked for: the quantity, or what the budget buys. */
export function readQuantity(typed: Pick<TypedOrder, "quantity" | "budget" | "was">, priced: OrderPrice): Sought {
  const { counted, currency, minimum } = priced
  if (counted === null) return { quantity: null, errors: {} }
  if (budgetLeads(typed)) {
    const budget = readNumber(typed.budget, moneyIn(currency))
    if (!budget.ok) return { quantity: null, errors: { budget: budget.message } }
    return worth(priced, bought(budget.digits, priced), "budget")
  }
  if (typed.quantity === "")
    return {
      quantity: null,
      errors: { quantity: `Enter how many ${counted.unit}${minimum === null ? "" : ", or a budget"}.` },
    }
  const read = readNumber(typed.quantity, WHOLE)
  if (!read.ok) return { quantity: null, errors: { quantity: read.message } }
  return worth(priced, read.value, "quantity")
}

/** What a budget buys. The minimum is not missed for want of a fraction. */
function bought(budget: Decimal, { price, counted, minimum, currency }: OrderPrice): number {
  const per = counted?.per ?? 1
  const quantity = quantityFor(budget, price, per, "down")
  const least = minimum === null ? 0 : quantityFor(minimum, price, per, "up")
  return quantity < least && compare(inCoins(budget, currency), minimum ?? "0") >= 0 ? least : quantity
}

function worth(priced: OrderPrice, quantity: number, field: "quantity" | "budget"): Sought {
  const { minimum, counted } = priced
  if (quantity < 1) return { quantity: null, errors: { [field]: "Ask for at least one." } }
  const amount = amountOf(priced, { quantity, price: priced.price })
  if (minimum === null || compare(amount, minimum) >= 0) return { quantity, errors: {} }
  const money = (sum: Decimal) => Number(sum).toLocaleString("en", { style: "currency", currency: priced.currency })
  const coming = `${grouped(quantity)} ${counted?.unit} come to ${money(amount)}.`
  const least = `The minimum is ${money(minimum)}, which buys ${grouped(minimumQuantity(priced))} ${counted?.unit}.`
  return { quantity, errors: { [field]: `${coming} ${least}` }, isBelow: true }
}

/** The fewest that the minimum allows. */
export const minimumQuantity = ({ minimum, price, counted }: OrderPrice): number =>
  quantityFor(minimum ?? "0", price, counted?.per ?? 1, "up")

const grouped = (quantity: number) => quantity.toLocaleString("en")

type Places = Readonly<{ territories: readonly string[]; errors: Partial<Record<"territories", string>> }>

/** Where it shall run: some of the countries that are opened. What is open everywhere runs everywhere. */
function readPlaces(chosen: readonly string[], opened: readonly string[]): Places {
  if (opened.includes(EVERYWHERE)) return { territories: [EVERYWHERE], errors: {} }
  const closed = chosen.find((code) => !opened.includes(code))
  if (closed !== undefined)
    return { territories: [], errors: { territories: `${nameOfCountry(closed)} cannot be ordered here.` } }
  const territories = opened.filter((code) => chosen.includes(code))
  return { territories, errors: territories.length === 0 ? { territories: "Choose at least one country." } : {} }
}

/** A number for the form, with its thousands apart. */
export const typedQuantity = (quantity: number): string =>
  Number.isInteger(quantity) ? grouped(quantity) : writeNumber(quantity)
