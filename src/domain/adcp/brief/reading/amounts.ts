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

interface Amounts {
  readonly budget?: Money
  /** The most that a thousand impressions may cost. */
  readonly cpm?: Money
  /** The spans that were read as part of an amount. */
  readonly used: ReadonlySet<number>
}

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

/** The budget and the highest price that a brief names. */
export function readAmounts(spans: readonly Span[], countries: readonly string[]): Amounts {
  const quantities = quantitiesIn(spans, countries)
  const used = new Set<number>()
  let budget: Money | undefined
  let cpm: Money | undefined
  for (let place = 0; place < quantities.length; place++) {
    const first = quantities[place] as Quantity
    const next = quantities[place + 1]
    const last = next !== undefined && isRange(spans, first, next) ? next : first
    if (last !== first) place++
    if (!isMoney(spans, first, last)) continue
    for (let span = first.from; span <= last.to; span++) used.add(span)
    const money = moneyOf(spans, first, last)
    const models = modelsBeside(spans, first.from, last.to)
    if (models.includes("cpm")) cpm ??= money
    else if (models.length === 0 && (budget === undefined || highest(money) > highest(budget))) budget = money
  }
  return { ...(budget ? { budget } : {}), ...(cpm ? { cpm } : {}), used }
}

const highest = ({ least = 0, most = least }: Money) => most

function quantitiesIn(spans: readonly Span[], countries: readonly string[]): Quantity[] {
  const quantities: Quantity[] = []
  for (let place = 0; place < spans.length; place++) {
    const quantity = spans[place]?.tokens[0]?.isNumber ? quantityAt(spans, place, countries) : undefined
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

/** Digits with whatever separators: three digits behind one make thousands, since money has no thousandths. */
function numberOf(digits: string): number {
  const parts = digits.split(/[.,'’ \u00a0\u202f]/)
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

function isMoney(spans: readonly Span[], first: Quantity, last: Quantity): boolean {
  const next = spans[last.to + 1]?.tokens[0]
  if (next !== undefined && counted.has(next.stem)) return false
  if (first.currencies.length > 0 || last.currencies.length > 0) return last.value > 0
  if (spans[last.to + 1]?.meanings.some(({ kind }) => kind === "seconds")) return false
  if (last.isScaled) return last.value >= AMOUNT_MIN
  const isYear = Number.isInteger(last.value) && last.value >= YEARS.first && last.value <= YEARS.last
  return (
    !isYear &&
    last.value >= 2 * AMOUNT_MIN &&
    boundBefore(spans, first.from) !== undefined &&
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

function boundBefore(spans: readonly Span[], from: number): string | undefined {
  let budget: string | undefined
  for (let place = from - 1; place >= Math.max(0, from - CUE_REACH); place--) {
    for (const meaning of spans[place]?.meanings ?? []) {
      if (meaning.kind !== "bound" || meaning.id === "to") continue
      if (meaning.id !== "budget") return meaning.id
      budget = meaning.id
    }
  }
  return budget
}

function moneyOf(spans: readonly Span[], first: Quantity, last: Quantity): Money {
  const currencies = last.currencies.length > 0 ? last.currencies : first.currencies
  if (first !== last) {
    // "4 to 6 thousand" begins with four thousand.
    const low = !first.isScaled && last.isScaled && first.value < last.value / 100 ? first.value * 1_000 : first.value
    return { least: Math.min(low, last.value), most: Math.max(low, last.value), currencies }
  }
  return boundBefore(spans, first.from) === "least"
    ? { least: first.value, currencies }
    : { most: first.value, currencies }
}

/** How prices that stand beside an amount are counted. A price for a click or a sale bounds no budget. */
function modelsBeside(spans: readonly Span[], from: number, to: number): string[] {
  const places = [...withoutBreak(spans, from, -1), ...withoutBreak(spans, to, 1)]
  const models = places.map((place) => meaningOf(spans[place]?.meanings, "pricing")?.id)
  return models.filter((model) => model !== undefined && model !== "flat_rate") as string[]
}

const MODEL_REACH = 2

/** The places beside one, as far as no comma stands between: "50k, max CPM 250" has two amounts. */
function withoutBreak(spans: readonly Span[], start: number, step: 1 | -1): number[] {
  const places: number[] = []
  for (let place = start; places.length < MODEL_REACH; place += step) {
    const later = spans[step === 1 ? place + 1 : place]
    if (later === undefined || later.tokens[0]?.isAfterBreak) break
    places.push(place + step)
  }
  return places
}

interface Sizes {
  /** Lengths of spots in seconds. */
  readonly seconds: readonly number[]
  /** Width and height in pixels, as 300x250. */
  readonly pixels: readonly string[]
}

const together = new Set("or and oder und ou et o y of en eller och og tai ja + &".split(" "))
const SECONDS_MAX = 180
const PIXELS_MIN = 50

/** Lengths such as :30, 30s or "30 Sekunden", and sizes such as 300x250. */
export function readSizes(spans: readonly Span[]): Sizes {
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
