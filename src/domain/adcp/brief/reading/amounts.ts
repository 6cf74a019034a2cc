import { type Meaning, meaningOf } from "../words/phrases.ts"
import type { Span } from "../words/spans.ts"
import { stemOf } from "../words/tokenize.ts"
import { isDayOfDate } from "./periods.ts"

let codes: ReadonlySet<string> | undefined

/** The currencies that a word, a sign or a code of a brief can mean, narrowed by the countries that it names. */
function codesOfMoney(span: Span | undefined, countries: readonly string[]): readonly string[] | undefined {
  const money = meaningOf(span?.meanings, "money")
  const raw = span?.tokens[0]?.raw ?? ""
  // "30 sek" are seconds, "300 SEK" are not.
  if (money !== undefined && raw === "sek" && meaningOf(span?.meanings, "seconds")) return undefined
  if (money !== undefined) return narrow(money.currencies, countries)
  if (!/^[A-Z]{3}$/.test(raw)) return undefined
  codes ??= new Set(Intl.supportedValuesOf("currency"))
  return codes.has(raw) ? [raw] : undefined
}

/** The code of a currency begins with that of its country. */
function narrow(currencies: readonly string[], countries: readonly string[]): readonly string[] {
  const local = currencies.filter((code) => countries.includes(code.slice(0, 2)))
  if (local.length > 0) return local
  // A dollar is one of the United States unless something else is said; a krone is any of them.
  return currencies[0] === "USD" ? ["USD"] : currencies
}

/** An amount of money in a brief, in one of the currencies; without any where the brief names none. */
export interface Money {
  readonly least?: number
  readonly most?: number
  readonly currencies: readonly string[]
}

export type Prices = Readonly<Record<string, Money>>

interface Quantity {
  readonly value: number
  readonly currencies: readonly string[]
  readonly isScaled: boolean
  readonly from: number
  readonly to: number
}

const YEARS = { first: 2020, last: 2099 }
const AMOUNT_MIN = 50
const CUE_REACH = 3
// After these words a number counts something else.
const counted = new Set(
  "impression listener download subscriber follower view viewer click reader user household screen episode site shop store play run race horer abonnent auditeur oyente visitor contact % x × percent prozent year old mitarbeiter employee"
    .split(" ")
    .map(stemOf),
)

export function readAmounts(spans: readonly Span[], countries: readonly string[]) {
  const quantities = quantitiesIn(spans, countries)
  const used = new Set<number>()
  const prices: Record<string, Money> = {}
  let budget: Money | undefined
  for (let place = 0; place < quantities.length; place++) {
    const first = quantities[place] as Quantity
    const next = quantities[place + 1]
    const last = next !== undefined && isRange(spans, first, next) ? next : first
    if (last !== first) place++
    const model = modelBeside(spans, first.from, last.to)
    if (!isMoney(spans, first, last, model)) continue
    for (let span = first.from; span <= last.to; span++) used.add(span)
    const money = moneyOf(spans, first, last)
    if (model !== undefined) prices[model] = stricter(prices[model], money)
    else if (budget === undefined || highest(money) > highest(budget)) budget = money
  }
  return { budget, prices, used }
}

/** Of two prices of one kind the lower limit; one in a currency before one in none. */
function stricter(lowest: Money | undefined, money: Money): Money {
  if (lowest === undefined || lowest.currencies.length < money.currencies.length) return money
  return highest(money) < highest(lowest) ? money : lowest
}

const highest = ({ least = 0, most = least }: Money) => most

function quantitiesIn(spans: readonly Span[], countries: readonly string[]): Quantity[] {
  const quantities: Quantity[] = []
  for (let place = 0; place < spans.length; place++) {
    const { tokens, meanings } = spans[place] as Span
    const quantity = tokens[0]?.isNumber
      ? quantityAt(spans, place, countries)
      : meanings.length === 0
        ? undefined
        : roundAt(spans, place, countries)
    if (quantity !== undefined) quantities.push(quantity)
  }
  return quantities
}

function quantityAt(spans: readonly Span[], place: number, countries: readonly string[]): Quantity | undefined {
  const token = spans[place]?.tokens[0]
  if (token?.isNumber !== true || spans[place]?.tokens.length !== 1 || isDayOfDate(token.raw)) return undefined
  let to = place
  const scale = meaningOf(spans[to + 1]?.meanings, "scale")
  if (scale !== undefined) to++
  const before = codesOfMoney(spans[place - 1], countries)
  const after = codesOfMoney(spans[to + 1], countries)
  // "75 tkr" is both.
  const within = scale === undefined ? undefined : codesOfMoney(spans[to], countries)
  const afterCountry = meaningOf(spans[to + 1]?.meanings, "countries")
    ? codesOfMoney(spans[to + 2], countries)
    : undefined
  if (after !== undefined) to++
  else if (before === undefined && afterCountry !== undefined) to += 2
  return {
    value: numberOf(token.raw) * (scale?.factor ?? 1),
    currencies: after ?? before ?? within ?? afterCountry ?? [],
    isScaled: scale !== undefined,
    from: before === undefined ? place : place - 1,
    to,
  }
}

/** "A thousand euros", without a number before it. */
function roundAt(spans: readonly Span[], place: number, countries: readonly string[]): Quantity | undefined {
  const { tokens = [], meanings = [] } = spans[place] ?? {}
  const scale = meaningOf(meanings, "scale")
  if (scale === undefined || (tokens[0]?.word.length ?? 0) < 3 || spans[place - 1]?.tokens[0]?.isNumber)
    return undefined
  const currencies = codesOfMoney(spans[place + 1], countries)
  return currencies && { value: scale.factor, currencies, isScaled: true, from: place, to: place + 1 }
}

const SEPARATOR = /[.,'’ \u00a0\u202f]/

/** Digits with whatever separators: three digits behind one make thousands, since money has no thousandths. */
function numberOf(digits: string): number {
  if (!SEPARATOR.test(digits)) return Number(digits)
  if (digits.length < 4) return Number(digits.replace(SEPARATOR, "."))
  const parts = digits.split(SEPARATOR)
  const last = parts.at(-1) ?? ""
  if (parts.length > 1 && last.length !== 3) return Number(`${parts.slice(0, -1).join("")}.${last}`)
  return Number(parts.join(""))
}

function isRange(spans: readonly Span[], { to }: Quantity, next: Quantity): boolean {
  const between = spans[to + 1]
  if (next.from !== to + 2 || between === undefined) return false
  return ["-", "–"].includes(between.tokens[0]?.word ?? "") || between.meanings.some(isTo)
}

const isTo = (meaning: Meaning) => meaning.kind === "bound" && meaning.id === "to"

function isMoney(spans: readonly Span[], first: Quantity, last: Quantity, model: string | undefined): boolean {
  const next = spans[last.to + 1]?.tokens[0]
  if (next !== undefined && counted.has(next.stem)) return false
  if (first.currencies.length > 0 || last.currencies.length > 0) return last.value > 0
  if (spans[last.to + 1]?.meanings.some(({ kind }) => kind === "seconds")) return false
  const isYear = Number.isInteger(last.value) && last.value >= YEARS.first && last.value <= YEARS.last
  if (model !== undefined) return !isYear && last.value > 0
  if (last.isScaled) return last.value >= AMOUNT_MIN
  return (
    !isYear &&
    last.value >= 2 * AMOUNT_MIN &&
    boundOf(spans, first.from, last.to) !== undefined &&
    !isNamed(spans[last.to + 1])
  )
}

/** Whether a number without a currency is followed by what it counts. */
function isNamed(span: Span | undefined): boolean {
  const token = span?.tokens[0]
  return (
    token !== undefined &&
    /^\p{L}/u.test(token.word) &&
    span?.meanings.every(({ kind }) => kind !== "filler" && kind !== "bound") === true
  )
}

/** Which end of an amount is named: by the words before it, or else by those right behind it. */
function boundOf(spans: readonly Span[], from: number, to: number): string | undefined {
  return boundBefore(spans, from) ?? boundBehind(spans, to)
}

function boundBefore(spans: readonly Span[], from: number): string | undefined {
  let budget: string | undefined
  for (let place = from - 1; place >= Math.max(0, from - CUE_REACH); place--) {
    for (const meaning of spans[place]?.meanings ?? []) {
      if (meaning.kind !== "bound" || meaning.id === "to") continue
      if (meaning.id !== "budget" && meaning.id !== "about") return turned(meaning.id, spans, place)
      budget = meaning.id
    }
  }
  return budget
}

/** "Not above" is at most. */
function turned(bound: string, spans: readonly Span[], place: number): string {
  const isNot = spans[place - 1]?.role === "not" || spans[place - 2]?.role === "not"
  if (!isNot || bound === "between") return bound
  return bound === "least" ? "most" : "least"
}

function boundBehind(spans: readonly Span[], to: number): string | undefined {
  // "800 EUR, not more"
  if (spans[to + 1]?.role === "not") return "most"
  for (const place of [to + 1, to + 2]) {
    const span = spans[place]
    if (span === undefined || span.tokens[0]?.isNumber || span.tokens[0]?.isAfterStop) return undefined
    const bound = meaningOf(span.meanings, "bound")?.id
    if (bound === "most" || bound === "least") return spans[place + 1]?.tokens[0]?.isNumber ? undefined : bound
  }
  return undefined
}

function moneyOf(spans: readonly Span[], first: Quantity, last: Quantity): Money {
  const currencies = last.currencies.length > 0 ? last.currencies : first.currencies
  if (first !== last) {
    // "4 to 6 thousand" begins with four thousand.
    const low = !first.isScaled && last.isScaled && first.value < last.value / 100 ? first.value * 1_000 : first.value
    return { least: Math.min(low, last.value), most: Math.max(low, last.value), currencies }
  }
  return boundOf(spans, first.from, last.to) === "least"
    ? { least: first.value, currencies }
    : { most: first.value, currencies }
}

const MODEL_REACH = { before: 7, behind: 4 }
// Where one of these stands between, an amount is none of the price.
const apart = new Set<Meaning["kind"]>(["channel", "topic", "countries", "months", "money", "scale", "seconds"])

/** How the price that an amount is, is counted: "CPM of max. 30 EUR", "30 EUR per thousand". Undefined where it is no price. */
function modelBeside(spans: readonly Span[], from: number, to: number): string | undefined {
  for (let place = from - 1; place >= Math.max(0, from - MODEL_REACH.before); place--) {
    const span = spans[place] as Span
    // "50k, max CPM 250" has two amounts.
    if (spans[place + 1]?.tokens[0]?.isAfterBreak) break
    const model = modelOf(span)
    if (model !== undefined) return isTaken(spans, place) ? undefined : model
    if (meaningOf(span.meanings, "bound")?.id === "budget") return undefined
    if (isApart(span)) break
  }
  for (let place = to + 1; place <= to + MODEL_REACH.behind; place++) {
    const span = spans[place]
    if (span === undefined || span.tokens[0]?.isAfterBreak) return undefined
    const model = modelOf(span)
    if (model !== undefined) return spans[place + 1]?.tokens[0]?.isNumber ? undefined : model
    if (isApart(span)) return undefined
  }
  return undefined
}

/** Whether a price stands before the word that says how it is counted: "20 EUR CPM 5,000 EUR in all". */
const isTaken = (spans: readonly Span[], place: number) =>
  codesOfMoney(spans[place - 1], []) !== undefined && spans[place]?.tokens[0]?.isAfterBreak === false

const isApart = ({ tokens, meanings }: Span) =>
  tokens[0]?.isNumber === true || meanings.some(({ kind }) => apart.has(kind))

function modelOf({ meanings }: Span): string | undefined {
  const model = meaningOf(meanings, "pricing")?.id
  return model === "flat_rate" ? undefined : model
}

const together = new Set("or and oder und ou et o y of en eller och og tai ja + &".split(" "))
const SECONDS_MAX = 180
const PIXELS_MIN = 50

/** Lengths such as :30, 30s or "30 Sekunden", and sizes such as 300x250. */
export function readSizes(spans: readonly Span[]) {
  const seconds = new Set<number>()
  const pixels = new Set<string>()
  for (let place = 0; place < spans.length; place++) {
    const number = numberAt(spans, place)
    if (number === undefined) continue
    const height = isTimes(spans[place + 1]) ? numberAt(spans, place + 2) : undefined
    if (height !== undefined && number >= PIXELS_MIN && height >= PIXELS_MIN) pixels.add(`${number}x${height}`)
    const length = number * (factorAfter(spans, place) ?? 0)
    if (length > 0 && length <= SECONDS_MAX) seconds.add(length)
  }
  return { seconds: [...seconds], pixels: [...pixels] }
}

function numberAt(spans: readonly Span[], place: number): number | undefined {
  const token = spans[place]?.tokens[0]
  return token?.isNumber === true && spans[place]?.tokens.length === 1 ? numberOf(token.raw) : undefined
}

const isTimes = (span: Span | undefined) => ["x", "×"].includes(span?.tokens[0]?.word ?? "")

/** How many seconds the unit beside a number has: behind it, or a colon before it that belongs to no time of day. */
function factorAfter(spans: readonly Span[], place: number): number | undefined {
  const colon = spans[place - 1]?.tokens[0]
  const isTimeOfDay = colon?.isGlued === true && spans[place - 2]?.tokens[0]?.isNumber === true
  if (colon?.word === ":" && spans[place]?.tokens[0]?.isGlued && !isTimeOfDay) return 1
  const next = ["-", "–"].includes(spans[place + 1]?.tokens[0]?.word ?? "") ? spans[place + 2] : spans[place + 1]
  if (['"', "″"].includes(next?.tokens[0]?.word ?? "") && next?.tokens[0]?.isGlued) return 1
  const unit = next?.tokens[0]?.raw === "SEK" ? undefined : meaningOf(next?.meanings, "seconds")
  return unit?.factor ?? sharedFactor(spans, place)
}

/** "15 or 30 sec" says the unit once. */
function sharedFactor(spans: readonly Span[], place: number): number | undefined {
  const next = [place + 1, place + 2].find((near) => numberAt(spans, near) !== undefined)
  if (next === undefined || (next === place + 2 && !together.has(spans[place + 1]?.tokens[0]?.word ?? "")))
    return undefined
  return meaningOf(spans[next + 1]?.meanings, "seconds")?.factor
}
