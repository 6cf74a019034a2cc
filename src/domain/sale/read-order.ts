import { nameOfCountry } from "../countries.ts"
import { EVERYWHERE } from "../keys/opening.ts"
import { nameErrors } from "../people/organization.ts"
import { normalEmail, personErrors } from "../people/user.ts"
import { UNPRINTABLE } from "../text/short-text.ts"
import { moneyIn, readNumber, WHOLE, writeNumber } from "../text/typed-number.ts"
import { type CalendarDate, daysBefore } from "../time/moment.ts"
import { dayInWords } from "../time/time-zone.ts"
import { readPeriod } from "../time/typed-day.ts"
import { coinOf, compare, type Decimal, inCoins, quantityFor, typedMoney } from "./money.ts"
import { amountOf, isBelowACoin, type OrderedProduct, type OrderPrice, type OrderTerms } from "./order.ts"

/** The texts of an order form. What quantity and budget were when the server last worked them out says which of them was changed. */
export const ORDER_TEXTS = [
  ...(["price", "from", "to", "quantity", "budget", "was_quantity", "was_budget"] as const),
  ...(["creative", "note", "organization", "name", "email"] as const),
]

export type TypedOrder = Readonly<Record<(typeof ORDER_TEXTS)[number], string>> & {
  readonly territories: readonly string[]
}

export type Requester = Pick<TypedOrder, "organization" | "name" | "email" | "creative" | "note">

export type OrderErrors = Readonly<Partial<Record<keyof TypedOrder, string>>>

const NOTE_CHARACTERS_MAX = 500
const LINK_CHARACTERS_MAX = 1_000
const DAYS_AHEAD_MAX = 3 * 365

export type AskedTerms = NonNullable<ReturnType<typeof readTerms>>

/**
 * What is asked for; null for a product without a price. Where there are errors, each says what to do, and the terms are only as far as
 * they can be read.
 */
export function readTerms(typed: TypedOrder, product: OrderedProduct, today: CalendarDate) {
  const priced = product.prices.find(({ id }) => id === typed.price) ?? product.prices[0]
  if (priced === undefined) return null
  const { from, to, ...flight } = readFlight(typed, product, today)
  const { quantity, ...sought } = readQuantity(typed, priced)
  const { territories, ...chosen } = readTerritories(typed.territories, product.territories)
  const isChosen = typed.price === "" || priced.id === typed.price
  const price = !isChosen
    ? "Choose one of these prices."
    : priced.counted === null &&
      isBelowACoin(priced, { ...priced, quantity }) &&
      "This price is less than the smallest coin. Ask the seller for another."
  const errors: OrderErrors = { ...(price && { price }), ...flight.errors, ...sought.errors, ...chosen.errors }
  const terms: OrderTerms = { from, to, quantity, price: priced.price, territories }
  return { priced, terms, errors }
}

export function requesterErrors({ organization, name, email, creative, note }: Requester): OrderErrors {
  return {
    ...(creative !== "" && !isWebAddress(creative) && { creative: "Enter a web address that starts with https://." }),
    ...textErrors("note", note),
    ...nameErrors("organization", organization, "Enter your organization’s name"),
    ...personErrors({ name, email: normalEmail(email) }),
  }
}

/** Text that people write to each other, in several lines. */
export const textErrors = (field: string, text: string): Readonly<Record<string, string>> =>
  text.length > NOTE_CHARACTERS_MAX || new RegExp(`[${UNPRINTABLE}]`).test(text.replaceAll("\n", " "))
    ? { [field]: `Write at most ${NOTE_CHARACTERS_MAX} characters, without control characters.` }
    : {}

export const reasonErrors = (message: string): Readonly<Record<string, string>> =>
  message === "" ? { message: "Say why, in a sentence." } : textErrors("message", message)

/** A page of the web, as a link that is safe to show: anything else could be a script. */
function isWebAddress(text: string): boolean {
  const url = text.length <= LINK_CHARACTERS_MAX && !/[\s"<>\\]/.test(text) ? URL.parse(text) : null
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.username === ""
}

/** The days of an order. Where a year looks wrong, it says which one is meant. */
function readFlight(typed: TypedOrder, { until }: OrderedProduct, today: CalendarDate) {
  const { from, to, errors } = readPeriod(typed.from, typed.to)
  if (from === null || to === null) {
    const missing = { ...(!from && { from: "Enter the first day." }), ...(!to && { to: "Enter the last day." }) }
    return { from: from ?? "", to: to ?? "", errors: { ...missing, ...errors } }
  }
  const year = Number(to.slice(0, 4)) + 1
  const meant = `${year}${to.slice(4)}` >= from ? ` Did you mean ${year}?` : ""
  const latest = until ?? daysBefore(today, -DAYS_AHEAD_MAX)
  const wrong = {
    ...(from < today && { from: `${dayInWords(from)} is over. The first possible day is ${dayInWords(today)}.` }),
    ...(to > latest && { to: `The last possible day is ${dayInWords(latest)}.` }),
    ...(to < from && { to: `${dayInWords(to)} is before ${dayInWords(from)}.${meant}` }),
  }
  return { from, to, errors: wrong }
}

type Sought = Readonly<{ quantity: number | null; errors: OrderErrors }>

/** Whether the budget says how many: it was changed since the server last worked them out, and the quantity was not. */
const budgetLeads = ({ quantity, budget, was_quantity, was_budget }: TypedOrder): boolean =>
  budget !== "" && budget !== was_budget && (quantity === was_quantity || quantity === "")

/** How many are asked for: the quantity, or what the budget buys. Less than the minimum, or than a coin, is an error with its quantity. */
function readQuantity(typed: TypedOrder, priced: OrderPrice): Sought {
  const { counted, currency, minimum, price } = priced
  if (counted === null) return { quantity: null, errors: {} }
  const field = budgetLeads(typed) ? "budget" : "quantity"
  if (typed[field] === "")
    return { quantity: null, errors: { quantity: `Enter how many ${counted.unit}, or a budget.` } }
  const read = readNumber(typed[field], field === "budget" ? moneyIn(currency) : WHOLE)
  if (!read.ok) return { quantity: null, errors: { [field]: read.message } }
  const quantity = field === "budget" ? bought(read.digits, priced) : read.value
  if (quantity < 1) return { quantity: null, errors: { [field]: "Ask for at least one." } }
  const amount = amountOf(priced, { quantity, price })
  // Without a minimum it comes to a coin, unless it is free.
  const least = minimum ?? (compare(price, 0) > 0 ? coinOf(currency) : "0")
  if (compare(amount, least) >= 0) return { quantity, errors: {} }
  const money = new Intl.NumberFormat("en", { style: "currency", currency })
  const coming = `${grouped(quantity)} ${counted.unit} come to ${money.format(amount as `${number}`)}.`
  const enough = `${grouped(quantityFor(least, price, counted.per, "up"))} ${counted.unit}`
  const sum = money.format(least as `${number}`)
  const advice =
    minimum === null ? `Ask for more: ${enough} come to ${sum}.` : `The minimum is ${sum}, which buys ${enough}.`
  return { quantity, errors: { [field]: `${coming} ${advice}` } }
}

/** What a budget buys. The minimum is not missed for want of a fraction. */
function bought(budget: Decimal, priced: OrderPrice): number {
  const { price, counted, minimum, currency } = priced
  const quantity = quantityFor(budget, price, counted?.per ?? 1, "down")
  const least = minimumQuantity(priced)
  return quantity < least && compare(inCoins(budget, currency), minimum ?? "0") >= 0 ? least : quantity
}

/** The fewest that the minimum allows. */
export const minimumQuantity = ({ minimum, price, counted }: OrderPrice): number =>
  minimum === null ? 0 : quantityFor(minimum, price, counted?.per ?? 1, "up")

/** Quantity and budget follow each other: what was not typed is worked out, where the other can be read. */
export function workedOut(typed: TypedOrder, { priced, terms }: AskedTerms): TypedOrder {
  const { quantity } = terms
  if (quantity === null) return typed
  const { quantity: shown, budget } = budgetLeads(typed)
    ? { ...typed, quantity: typedQuantity(quantity) }
    : { ...typed, budget: typedMoney(amountOf(priced, terms)) }
  return { ...typed, quantity: shown, budget, was_quantity: shown, was_budget: budget }
}

const grouped = (quantity: number) => quantity.toLocaleString("en")

/** Where it shall run: some of the countries that are opened. What is open everywhere runs everywhere. */
function readTerritories(chosen: readonly string[], opened: readonly string[]) {
  if (opened.includes(EVERYWHERE)) return { territories: [EVERYWHERE], errors: {} }
  const closed = chosen.find((code) => !opened.includes(code))
  const territories = opened.filter((code) => chosen.includes(code))
  if (closed !== undefined)
    return { territories, errors: { territories: `${nameOfCountry(closed)} cannot be ordered here.` } }
  return { territories, errors: territories.length > 0 ? {} : { territories: "Choose at least one country." } }
}

/** A number for the form, with its thousands apart. */
export const typedQuantity = (quantity: number): string =>
  Number.isInteger(quantity) ? grouped(quantity) : writeNumber(quantity)
