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
  "in im en i next this from until till by to of early late mid end since during through nachsten kommenden prochain proximo volgende nasta naeste neste a bis tot til jusqu ab de".split(
    " ",
  ),
)

/** The months that a brief speaks of; a month without a year is the next one that is not over. */
export function readPeriod(spans: readonly Span[], today: string): Period | undefined {
  const year = Number(today.slice(0, 4))
  const month = Number(today.slice(5, 7))
  const mentions = mentionsIn(spans)
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

function mentionsIn(spans: readonly Span[]): Mention[] {
  const mentions: Mention[] = []
  for (let place = 0; place < spans.length; place++) {
    const span = spans[place] as Span
    const dated = span.tokens[0]?.isNumber ? datedAt(spans, place) : undefined
    if (dated !== undefined) mentions.push(dated)
    const months = span.meanings.length === 0 ? undefined : meaningOf(span.meanings, "months")
    if (months === undefined || !isMonth(spans, place)) continue
    const year = yearOf(spans[place + 1])
    mentions.push({ from: months.from, to: months.to, ...(year === undefined ? {} : { year }) })
  }
  if (mentions.length > 0) return mentions
  const year = yearOf(spans.find((span, place) => yearOf(span) !== undefined && isDate(spans, place)))
  return year === undefined ? [] : [{ from: 1, to: MONTHS, year }]
}

// 15.03.2027, and 2027-03 with or without a day.
const DAY_OF_DATE = /^\d{1,2}\.(\d{1,2})\.(20\d\d)$/

export const isDayOfDate = (raw: string) => DAY_OF_DATE.test(raw)

function datedAt(spans: readonly Span[], place: number): Mention | undefined {
  const [, dotted, dottedYear] = DAY_OF_DATE.exec(spans[place]?.tokens[0]?.raw ?? "") ?? []
  const year = dottedYear === undefined ? yearOf(spans[place]) : Number(dottedYear)
  const isIso = spans[place + 1]?.tokens[0]?.word === "-" && spans[place + 2]?.tokens[0]?.isGlued === true
  const month = Number(dotted ?? (isIso ? spans[place + 2]?.tokens[0]?.raw : undefined))
  return year !== undefined && month >= 1 && month <= MONTHS ? { from: month, to: month, year } : undefined
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
