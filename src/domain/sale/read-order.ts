import { countryName, EVERYWHERE, readTerritories } from "../adcp/catalogue/territory.ts"
import { maskKeys, showsKey } from "../api-key.ts"
import { type Errors, errorsIn, hasErrors } from "../errors.ts"
import { coinProblem, costOf, quantityFor } from "../money.ts"
import { emailProblem, nameProblem, normalEmail, storedName } from "../people/person.ts"
import { unitFor } from "../text.ts"
import { type CalendarDate, dateInWords, dateOfDayNumber, daysBetween, isDate } from "../time/moment.ts"
import { readNumber } from "../typed-number.ts"
import { type OrderedProduct, type OrderPrice, type OrderTerms, orderAmount, type Requester } from "./order.ts"

/** The texts of the order form. `measure` says whether the amount is a quantity or money. */
export interface OrderTexts {
  readonly price: string
  readonly from: string
  readonly to: string
  readonly measure: string
  readonly amount: string
  readonly territories: string
  readonly organization: string
  readonly name: string
  readonly email: string
  readonly creative: string
  readonly note: string
}

const NOTE_CHARACTERS_MAX = 500
const LINK_CHARACTERS_MAX = 1_000
const DAYS_AHEAD_MAX = 3 * 365

type ReadTerms = { readonly terms: OrderTerms } | { readonly errors: Errors }

/** Reads the terms that the buyer asks for. */
export function readTerms(texts: Partial<OrderTexts>, product: OrderedProduct, today: CalendarDate): ReadTerms {
  const { from = "", to = "" } = texts
  const price = priceIn(texts, product)
  if (price === undefined) return { errors: { price: "Choose a price." } }
  const quantity = readQuantity(texts, price)
  const territories = readWhere(texts.territories ?? "", product)
  const errors = errorsIn({
    ...flightErrors(from, to, product, today),
    amount: quantity.error,
    territories: "error" in territories ? territories.error : undefined,
  })
  if (hasErrors(errors) || "error" in territories) return { errors }
  return { terms: { from, to, price, quantity: quantity.value, territories: territories.codes } }
}

/** The chosen price. Only one price needs no choice. */
export const priceIn = ({ price = "" }: Partial<OrderTexts>, { prices }: OrderedProduct): OrderPrice | undefined =>
  prices.find(({ id }) => id === price) ?? (prices.length === 1 ? prices[0] : undefined)

function flightErrors(from: string, to: string, { until }: OrderedProduct, today: CalendarDate) {
  const latest = until ?? dateOfDayNumber(daysBetween("1970-01-01", today) + DAYS_AHEAD_MAX)
  return { from: fromError(from, today), to: toError(from, to, latest) }
}

function fromError(from: string, today: CalendarDate): string | undefined {
  if (!isDate(from)) return "Enter the first day, such as 2026-11-01."
  return from < today ? `${dateInWords(from)} is over. The first possible day is ${dateInWords(today)}.` : undefined
}

function toError(from: string, to: string, latest: CalendarDate): string | undefined {
  if (!isDate(to)) return "Enter the last day, such as 2026-11-30."
  if (isDate(from) && to < from) return `${dateInWords(to)} is before ${dateInWords(from)}.`
  return to > latest ? `The last possible day is ${dateInWords(latest)}.` : undefined
}

interface ReadQuantity {
  readonly value: number | null
  readonly error?: string
}

/** Reads a quantity, or the budget that buys it. */
function readQuantity({ measure = "quantity", amount = "" }: Partial<OrderTexts>, price: OrderPrice): ReadQuantity {
  const { counted, currency } = price
  if (counted === null) return { value: null }
  const isMoney = measure === "money"
  const read = readNumber(amount, isMoney ? { isWhole: false, currency } : { isWhole: true })
  if ("error" in read) return { value: null, error: read.error }
  const problem = isMoney ? coinProblem(read.value, currency) : undefined
  if (problem !== undefined) return { value: null, error: problem }
  const quantity = isMoney ? quantityBought(read.value, price) : read.value
  if (quantity === null || quantity === 0) return { value: null, error: "Enter more than 0." }
  const least = minimumQuantity(price)
  const isExact = Number.isSafeInteger(costOf(quantity, price.price, counted.per, currency))
  if (!Number.isSafeInteger(quantity) || !isExact) return { value: null, error: "Enter a smaller amount." }
  if (quantity >= least) return { value: quantity }
  return { value: null, error: `The minimum is ${least.toLocaleString("en")} ${unitFor(least, counted.unit)}.` }
}

/** The quantity that a budget buys. Rounding must not push a minimum budget below the minimum. */
function quantityBought(budget: number, price: OrderPrice): number | null {
  const { currency, minimum, counted } = price
  const coins = costOf(1, budget, 1, currency)
  const bought = quantityFor(coins, price.price, counted?.per ?? 1, currency, "down")
  return bought !== null && coins >= minimum ? Math.max(bought, minimumQuantity(price)) : bought
}

/** The fewest units that the minimum spend allows. */
export const minimumQuantity = ({ price, currency, counted, minimum }: OrderPrice): number =>
  quantityFor(minimum, price, counted?.per ?? 1, currency, "up") ?? 0

/** Where the order runs: everywhere that the product is available, unless the buyer typed fewer countries. */
function readWhere(typed: string, { territories }: OrderedProduct) {
  const read = readTerritories(typed)
  if ("error" in read) return read
  if (read.codes.length === 0) return { codes: territories }
  const isEverywhere = territories.includes(EVERYWHERE)
  const missing = read.codes.find((code) => !isEverywhere && !territories.includes(code))
  if (missing === undefined) return read
  const place = missing === EVERYWHERE ? "Everywhere" : countryName(missing)
  return { error: `${place} isn’t available. Choose from ${territories.map(countryName).join(", ")}.` }
}

/** Reads who asks. */
export function readRequester(
  texts: Partial<OrderTexts>,
): { readonly requester: Requester } | { readonly errors: Errors } {
  const { organization = "", name = "", email = "", creative = "", note = "" } = texts
  const errors = errorsIn({
    organization: organization === "" ? "Enter the name of your organization." : nameProblem(organization),
    name: nameProblem(name),
    email: emailProblem(email),
    creative: creative === "" || isWebAddress(creative) ? undefined : "Enter a web address that starts with https://.",
    note: noteProblem(note),
  })
  if (hasErrors(errors)) return { errors }
  const requester = {
    organization: storedName(organization),
    name: storedName(name),
    email: normalEmail(email),
    creative,
    note: maskKeys(note),
  }
  return { requester }
}

/** Why a text of several lines can't be stored. */
export function noteProblem(text: string): string | undefined {
  const isFine =
    text.length <= NOTE_CHARACTERS_MAX && !/\p{Cc}/u.test(text.replaceAll("\n", " ")) && text.isWellFormed()
  return isFine ? undefined : `Write at most ${NOTE_CHARACTERS_MAX} characters, without control characters.`
}

/** A link that is safe to show. Anything but a web page could be a script. */
function isWebAddress(text: string): boolean {
  if (text.length > LINK_CHARACTERS_MAX || /[\s"<>\\]/.test(text)) return false
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && !showsKey(text)
}

/** The other measure of what was typed: the price of a quantity, or what a budget buys. Null if it can't be read yet. */
export function otherMeasure(texts: Partial<OrderTexts>, product: OrderedProduct) {
  const price = priceIn(texts, product)
  if (price === undefined || price.counted === null) return null
  const { value } = readQuantity(texts, price)
  if (value === null) return null
  const { from = "", to = "" } = texts
  const days = isDate(from) && isDate(to) && from <= to ? daysBetween(from, to) + 1 : null
  const coins = orderAmount({ price, quantity: value, from, to, territories: [] })
  return {
    coins,
    currency: price.currency,
    quantity: value,
    unit: price.counted.unit,
    perDay: days && Math.ceil(value / days),
  }
}
