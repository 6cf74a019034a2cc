// Dates in forms that can be nothing else; each month as YYYY-MM.

import { partsNear } from "../words/parts-near.ts"

export interface Period {
  readonly from: string
  readonly to: string
}

export interface Dates {
  readonly period: Period | undefined
  readonly spans: readonly (readonly [number, number])[]
}

const months = [
  "jan january januar janvier enero ene jänner",
  "feb february februar février fév febrero",
  "mar march märz mars marzo",
  "apr april avril avr abril abr",
  "may mai mayo",
  "jun june juni juin junio",
  "jul july juli juillet juil julio",
  "aug august août agosto ago",
  "sep sept september septembre septiembre",
  "oct okt october oktober octobre octubre",
  "nov november novembre noviembre",
  "dec dez december dezember décembre déc diciembre dic",
]
const monthByName = new Map(
  months.flatMap((names, place) => names.split(" ").map((name) => [name, place + 1] as const)),
)
const NAME = [...monthByName.keys()].sort((a, b) => b.length - a.length).join("|")
const TO = String.raw`\s{0,2}(?:-|–|—|to|till|bis|until|through|à|au|a|al|hasta|and|und|et|y|/)(?:\s(?:el|zum))?\s{0,2}`
const DAY = String.raw`\d{1,2}(?:\.|st|nd|rd|th|er)?`
// "March 2027", "31 de agosto de 2027", "August 31, 2027", and without the year.
const MONTH = String.raw`(?:(?<!\d)${DAY}\s(?:de\s|of\s)?)?(?<!\p{L})(${NAME})(?!\p{L})\.?(?:\s${DAY}(?!\d))?(?:,?\s(?:del?\s|of\s)?(20\d\d)(?!\d))?`

const forms: readonly (readonly [
  RegExp,
  (parts: readonly (string | undefined)[], today: string) => readonly string[],
])[] = [
  [/(?<!\d)(20\d\d)-(0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)/g, ([year, month]) => [`${year}-${month}`]],
  [
    new RegExp(`${MONTH}(?:${TO}${MONTH})?`, "giu"),
    ([first, firstYear, last, year]) => monthsOf(first, firstYear, last, year),
  ],
  [
    /(?<!\p{L})(?:Q|T)([1-4])(?:\s?[-–]\s?(?:Q|T)?([1-4]))?[\s/]{1,2}(20\d\d)(?!\d)/gu,
    ([from, to, year]) => quarters(from, to ?? from, year),
  ],
  [
    // "W18-34" are women; weeks have the letter twice.
    /(?<!\p{L})(?:KW\s?(?=\d)|W(?=\d{1,2}\s?[-–]\s?W))(\d{1,2})(?:\s?(?:-|–|bis|to)\s?(?:KW|W)?\s?(\d{1,2}))?(?:\s?[/ ]\s?(20\d\d))?(?!\d)/gu,
    ([from, to, year], today) => weeks(Number(from), Number(to ?? from), year, today),
  ],
  [
    /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(20\d\d)?\s?(?:-|–|bis|to|au|al)\s?(\d{1,2})\.(\d{1,2})\.(20\d\d)?/g,
    ([day, month, year, lastDay, lastMonth, lastYear], today) =>
      days(day, month, year, lastDay, lastMonth, lastYear, today),
  ],
]
const HINT = /20\d\d|KW ?\d|W\d{1,2} ?[-–] ?W|\d\.\d{1,2}\./g
const NEAR = 40

/** The time that a text names, from its first month to its last. */
export function readPeriod(text: string, today: string): Dates {
  const found: string[] = []
  const spans: [number, number][] = []
  for (const [offset, part] of partsNear(text, HINT, NEAR)) {
    for (const [form, read] of forms) {
      for (const match of part.matchAll(form)) {
        const dates = read(match.slice(1), today)
        if (dates.length === 0) continue
        found.push(...dates)
        spans.push([offset + match.index, offset + match.index + match[0].length])
      }
    }
  }
  found.sort()
  const [from, to] = [found[0], found.at(-1)]
  return { period: from === undefined || to === undefined ? undefined : { from, to }, spans }
}

const numberOf = (name: string | undefined) => monthByName.get((name ?? "").toLowerCase()) ?? 0
const monthText = (year: string | number, month: number) => `${year}-${String(month).padStart(2, "0")}`
const monthOf = (year: string | undefined, name: string | undefined) => monthText(year ?? "", numberOf(name))
/** One year for both: "November to February 2027" begins the year before, and "November 2027 to February" ends the year after. */
function monthsOf(first = "", firstYear?: string, last?: string, year?: string): string[] {
  if (last === undefined) return firstYear === undefined ? [] : [monthOf(firstYear, first)]
  if (firstYear === undefined && year === undefined) return []
  const turn = numberOf(first) > numberOf(last) ? 1 : 0
  return [
    monthOf(firstYear ?? String(Number(year) - turn), first),
    monthOf(year ?? String(Number(firstYear) + turn), last),
  ]
}

function quarters(from: string | undefined, to: string | undefined, year: string | undefined): string[] {
  return [monthText(year ?? "", Number(from) * 3 - 2), monthText(year ?? "", Number(to) * 3)]
}

/** Without a year it is the next time. */
function weeks(from: number, to: number, year: string | undefined, today: string): string[] {
  if (from < 1 || from > 53 || to < from || to > 53) return []
  const inYear = (each: string | number) => [from, to].map((week) => monthOfWeek(Number(each), week))
  const thisYear = inYear(year ?? today.slice(0, 4))
  return year === undefined && (thisYear[1] ?? "") < today.slice(0, 7)
    ? inYear(Number(today.slice(0, 4)) + 1)
    : thisYear
}

/** The month of the Thursday of a week, by which ISO weeks belong to years. */
function monthOfWeek(year: number, week: number): string {
  const fourth = new Date(Date.UTC(year, 0, 4))
  const thursday = Date.UTC(year, 0, 4 - ((fourth.getUTCDay() + 6) % 7) + 3 + (week - 1) * 7)
  return new Date(thursday).toISOString().slice(0, 7)
}

function days(...parts: readonly (string | undefined)[]): string[] {
  const [day, month, year, lastDay, lastMonth, lastYear, today = ""] = parts
  const isDate = (each: string | undefined, of: string | undefined) =>
    Number(each) >= 1 && Number(each) <= 31 && Number(of) >= 1 && Number(of) <= 12
  if (!isDate(day, month) || !isDate(lastDay, lastMonth)) return []
  const said = lastYear ?? year
  const end =
    said ??
    (monthText(today.slice(0, 4), Number(lastMonth)) < today.slice(0, 7)
      ? Number(today.slice(0, 4)) + 1
      : today.slice(0, 4))
  const start = year ?? Number(end) - (Number(month) > Number(lastMonth) ? 1 : 0)
  return [monthText(start, Number(month)), monthText(end, Number(lastMonth))]
}
