import { meaningOf } from "../words/phrases.ts"
import type { Span } from "../words/spans.ts"

/** Whole months, as YYYY-MM. */
export interface Period {
  readonly from: string
  readonly to: string
}

interface Mention {
  readonly from: number
  readonly to: number
  readonly year?: number
}

const MONTHS = 12
// May, march and mars are also words; a month has a neighbour that says so, or begins with a capital letter.
const doubtful = new Set(["may", "march", "mars", "mai"])
const monthCompany = new Set(
  "in im en i next this from until till by to of early late mid end since during through nachsten kommenden prochain proximo volgende nasta naeste neste a bis tot til jusqu ab de debut fin mi courant des anfang ende mitte principios finales mediados begin eind borjan slutet starten slutningen alussa lopussa".split(
    " ",
  ),
)

/** The months that a brief speaks of; a month without a year is the next one that is not over. */
export function readPeriod(spans: readonly Span[], today: string, isMonthFirst: boolean): Period | undefined {
  const year = Number(today.slice(0, 4))
  const month = Number(today.slice(5, 7))
  const mentions = mentionsIn(spans, { today, isMonthFirst })
  if (mentions.length === 0) return undefined
  let start = Number.POSITIVE_INFINITY
  let end = 0
  let after = year * MONTHS + month - 1
  for (const mention of withYears(mentions)) {
    const first = monthNumber(mention, mention.year, after)
    const length = (mention.to - mention.from + MONTHS) % MONTHS
    start = Math.min(start, first)
    end = Math.max(end, first + length)
    // "November to February" goes on into the next year.
    after = Math.max(after, first)
  }
  return { from: written(start), to: written(end) }
}

/** "January to March 2027" says the year once, behind the last month. */
function withYears(mentions: readonly Mention[]): Mention[] {
  let year: number | undefined
  return mentions
    .toReversed()
    .map((mention) => {
      year = mention.year ?? year
      return year === undefined ? mention : { ...mention, year }
    })
    .reverse()
}

/** The months, from 1, of which a text speaks. */
export function monthsIn(spans: readonly Span[]): ReadonlySet<number> {
  const mentions = mentionsIn(spans).filter(({ from, to }) => (to - from + MONTHS) % MONTHS < MONTHS - 1)
  const [first] = mentions
  const last = mentions.at(-1)
  const months = new Set<number>()
  if (first === undefined || last === undefined) return months
  for (let month = first.from; ; month = (month % MONTHS) + 1) {
    months.add(month)
    if (month === last.to || months.size === MONTHS) return months
  }
}

/** When a text is read, and whether 3/4 is in March; without it, times that are counted from today say nothing. */
interface Clock {
  readonly today: string
  readonly isMonthFirst: boolean
}

function mentionsIn(spans: readonly Span[], clock?: Clock): Mention[] {
  const mentions: Mention[] = []
  for (let place = 0; place < spans.length; place++) {
    const { tokens, meanings, unwanted } = spans[place] as Span
    if (unwanted > 0) continue
    const mention = tokens[0]?.isNumber
      ? datedAt(spans, place, clock)
      : meanings.length === 0
        ? undefined
        : namedAt(spans, place, clock)
    if (mention !== undefined) mentions.push(mention)
  }
  if (mentions.length > 0) return mentions
  const year = yearOf(spans.find((span, place) => yearOf(span) !== undefined && isDate(spans, place)))
  return year === undefined ? [] : [{ from: 1, to: MONTHS, year }]
}

/** A month, a season, "next month" or "calendar week 12". */
function namedAt(spans: readonly Span[], place: number, clock: Clock | undefined): Mention | undefined {
  for (const meaning of spans[place]?.meanings ?? []) {
    if (meaning.kind === "months" && isMonth(spans, place)) {
      const year = yearOf(spans[place + 1]) ?? yearOf(spans[place + 2])
      return { from: meaning.from, to: meaning.to, ...(year === undefined ? {} : { year }) }
    }
    if (clock === undefined) continue
    if (meaning.kind === "ahead") return aheadOf(meaning.unit, meaning.count, clock.today)
    if (meaning.kind === "week") return weekAt(spans, place + 1, clock.today)
  }
  return undefined
}

// 15.03.2027, 15.03., and 2027-03 with or without a day.
const DAY_OF_DATE = /^(\d{1,2})\.(\d{1,2})(?:\.(20\d\d))?$/

export const isDayOfDate = (raw: string) => DAY_OF_DATE.exec(raw)?.[3] !== undefined

function datedAt(spans: readonly Span[], place: number, clock: Clock | undefined): Mention | undefined {
  const [, day, dotted, dottedYear] = DAY_OF_DATE.exec(rawAt(spans, place)) ?? []
  if (dottedYear !== undefined) return mentionOf(Number(dotted), Number(dottedYear))
  if (dotted !== undefined)
    return isPartOfRange(spans, place) && Number(day) <= 31 ? mentionOf(Number(dotted)) : undefined
  const slashed = slashedAt(spans, place, clock)
  if (slashed !== undefined) return slashed
  const isIso = spans[place + 1]?.tokens[0]?.word === "-" && spans[place + 2]?.tokens[0]?.isGlued === true
  const year = yearOf(spans[place])
  return isIso && year !== undefined ? mentionOf(Number(rawAt(spans, place + 2)), year) : undefined
}

const rawAt = (spans: readonly Span[], place: number) => spans[place]?.tokens[0]?.raw ?? ""

function mentionOf(month: number, year?: number): Mention | undefined {
  if (!(month >= 1 && month <= MONTHS)) return undefined
  return { from: month, to: month, ...(year === undefined ? {} : { year }) }
}

const between = new Set("- – bis to until till au al a tot til".split(" "))

/** Whether a day and a month without a year begin a range, as in 1.3.–15.4.2027, or end one. Alone they would be an amount. */
function isPartOfRange(spans: readonly Span[], place: number): boolean {
  const isDotted = (near: number) => DAY_OF_DATE.test(rawAt(spans, near))
  const isBetween = (near: number) => between.has(spans[near]?.tokens[0]?.word ?? "")
  return (isBetween(place + 1) && isDotted(place + 2)) || (isBetween(place - 1) && isDotted(place - 2))
}

/** 15/3/2027, or 3/15/2027. */
function slashedAt(spans: readonly Span[], place: number, clock: Clock | undefined): Mention | undefined {
  const year = yearOf(spans[place + 2])
  if (year === undefined || !isDayOrMonth(rawAt(spans, place)) || !isDayOrMonth(rawAt(spans, place + 1)))
    return undefined
  const [first, second] = [Number(rawAt(spans, place)), Number(rawAt(spans, place + 1))]
  return mentionOf(second > MONTHS || (clock?.isMonthFirst && first <= MONTHS) ? first : second, year)
}

const isDayOrMonth = (raw: string) => /^\d{1,2}$/.test(raw)

const WEEKS = 53
const MILLISECONDS_A_DAY = 86_400_000

function aheadOf(unit: string, count: number, today: string): Mention {
  const year = Number(today.slice(0, 4))
  const month = Number(today.slice(5, 7)) - 1
  if (unit === "year") return { from: 1, to: MONTHS, year: year + count }
  if (unit === "week") return daysFrom(Date.parse(today) + count * 7 * MILLISECONDS_A_DAY)
  const first = unit === "quarter" ? (Math.floor(month / 3) + count) * 3 : month + count
  const from = (first % MONTHS) + 1
  return { from, to: unit === "quarter" ? from + 2 : from, year: year + Math.floor(first / MONTHS) }
}

/** Whether a number behind "week" is one, and not how many. */
export function isWeek(spans: readonly Span[], place: number): boolean {
  const number = Number(rawAt(spans, place))
  return Number.isInteger(number) && number >= 1 && number <= WEEKS && spans[place]?.tokens[0]?.isAfterBreak === false
}

function weekAt(spans: readonly Span[], place: number, today: string): Mention | undefined {
  if (!isWeek(spans, place)) return undefined
  const last = between.has(spans[place + 1]?.tokens[0]?.word ?? "") && isWeek(spans, place + 2) ? place + 2 : place
  const year = yearOf(spans[last + 1])
  const inYear = (of: number) => [place, last].map((near) => mondayOf(of, Number(rawAt(spans, near))))
  const days = inYear(year ?? Number(today.slice(0, 4)))
  // A week that is over is the one of the next year.
  const isOver = year === undefined && (days[1] ?? 0) + 6 * MILLISECONDS_A_DAY < Date.parse(today)
  const [from = 0, to = 0] = isOver ? inYear(Number(today.slice(0, 4)) + 1) : days
  return { ...daysFrom(from), to: daysFrom(to).to }
}

/** Monday of an ISO week: the first one has the 4th of January. */
function mondayOf(year: number, week: number): number {
  const fourth = Date.UTC(year, 0, 4)
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * MILLISECONDS_A_DAY + (week - 1) * 7 * MILLISECONDS_A_DAY
}

/** The months of the seven days from one on. */
function daysFrom(day: number): Mention {
  const [first, last] = [new Date(day), new Date(day + 6 * MILLISECONDS_A_DAY)]
  return { from: first.getUTCMonth() + 1, to: last.getUTCMonth() + 1, year: first.getUTCFullYear() }
}

const isDate = (spans: readonly Span[], place: number) => monthCompany.has(spans[place - 1]?.tokens[0]?.word ?? "")

function isMonth(spans: readonly Span[], place: number): boolean {
  const token = spans[place]?.tokens[0]
  if (token === undefined || spans[place]?.tokens.length !== 1 || !doubtful.has(token.word)) return true
  const next = spans[place + 1]
  if (meaningOf(spans[place - 2]?.meanings, "months")) return true
  if (yearOf(next) !== undefined || monthCompany.has(spans[place - 1]?.tokens[0]?.word ?? "")) return true
  return next !== undefined && ["to", "-", "–", "until", "bis"].includes(next.tokens[0]?.word ?? "")
}

function yearOf(span: Span | undefined): number | undefined {
  const token = span?.tokens[0]
  return token?.isNumber && /^20[2-9]\d$/.test(token.raw) ? Number(token.raw) : undefined
}

/** Months since the year 0. */
function monthNumber(mention: Mention, year: number | undefined, after: number): number {
  if (year !== undefined) return year * MONTHS + mention.from - 1
  const length = (mention.to - mention.from + MONTHS) % MONTHS
  let first = Math.floor(after / MONTHS) * MONTHS + mention.from - 1
  if (first + length < after) first += MONTHS
  return first
}

function written(month: number): string {
  return `${Math.floor(month / MONTHS)}-${String((month % MONTHS) + 1).padStart(2, "0")}`
}
