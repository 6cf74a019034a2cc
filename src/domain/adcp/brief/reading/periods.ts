// Dates in forms that can be nothing else; each month as YYYY-MM.

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
const numbers = new Map(months.flatMap((names, at) => names.split(" ").map((name) => [name, at + 1] as const)))
const NAME = [...numbers.keys()].sort((a, b) => b.length - a.length).join("|")
const TO = String.raw`\s{0,2}(?:-|–|—|to|till|bis|until|through|à|au|a|al|hasta|and|und|et|y|/)(?:\s(?:el|zum))?\s{0,2}`
const DAY = String.raw`\d{1,2}(?:\.|st|nd|rd|th|er)?`
// "March 2027", "31 de agosto de 2027", "August 31, 2027", and without the year.
const MONTH = String.raw`(?:(?<!\d)${DAY}\s(?:de\s|of\s)?)?(?<!\p{L})(${NAME})(?!\p{L})\.?(?:\s${DAY}(?!\d))?(?:,?\s(?:del?\s|of\s)?(20\d\d)(?!\d))?`

type Parts = readonly (string | undefined)[]
/** With its year where that is said. */
type Month = readonly [number, string | undefined]

/** Each form, and the first and the last month that it names. */
const forms: readonly (readonly [RegExp, (parts: Parts, today: string) => readonly Month[]])[] = [
  [/(?<!\d)(20\d\d)-(0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)/g, ([year, month]) => [[Number(month), year]]],
  [
    new RegExp(`${MONTH}(?:${TO}${MONTH})?`, "giu"),
    ([first, firstYear, last, year]) =>
      (firstYear ?? year) === undefined
        ? []
        : [
            [numberOf(first), firstYear],
            [numberOf(last ?? first), year],
          ],
  ],
  [
    /(?<!\p{L})(?:Q|T)([1-4])(?:\s?[-–]\s?(?:Q|T)?([1-4]))?[\s/]{1,2}(20\d\d)(?!\d)/gu,
    ([from, to = from, year]) => [
      [Number(from) * 3 - 2, year],
      [Number(to) * 3, year],
    ],
  ],
  [
    // "W18-34" are women; weeks have the letter twice.
    /(?<!\p{L})(?:KW\s?(?=\d)|W(?=\d{1,2}\s?[-–]\s?W))(\d{1,2})(?:\s?(?:-|–|bis|to)\s?(?:KW|W)?\s?(\d{1,2}))?(?:\s?[/ ]\s?(20\d\d))?(?!\d)/gu,
    ([from, to = from, year], today) => weeks(Number(from), Number(to), year, today),
  ],
  [
    /(?<![\d.])(?:0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.(20\d\d)?\s?(?:-|–|bis|to|au|al)\s?(?:0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.(20\d\d)?/g,
    ([month, year, lastMonth, lastYear]) => [
      [Number(month), year],
      [Number(lastMonth), lastYear],
    ],
  ],
]

/** The time that a text names, from its first month to its last. */
export function readPeriod(text: string, today: string): Dates {
  const found: string[] = []
  const spans: [number, number][] = []
  // As in most briefs.
  if (!/20\d\d|KW|W\d|\d\.\d/.test(text)) return { period: undefined, spans }
  for (const [form, read] of forms) {
    for (const match of text.matchAll(form)) {
      const [first, last = first] = read(match.slice(1), today)
      if (first === undefined || last === undefined || first[0] === 0 || last[0] === 0) continue
      found.push(...withYears(first, last, today))
      spans.push([match.index, match.index + match[0].length])
    }
  }
  found.sort()
  const [from, to] = [found[0], found.at(-1)]
  return { period: from === undefined || to === undefined ? undefined : { from, to }, spans }
}

/** "November to February 2027" begins the year before, "November 2027 to February" ends the year after. Without a year it is the next time. */
function withYears([first, firstYear]: Month, [last, lastYear]: Month, today: string) {
  const turn = first > last ? 1 : 0
  const thisYear = Number(today.slice(0, 4))
  const next = monthText(thisYear, last) < today.slice(0, 7) ? thisYear + 1 : thisYear
  const end = lastYear === undefined ? (firstYear === undefined ? next : Number(firstYear) + turn) : Number(lastYear)
  return [monthText(firstYear === undefined ? end - turn : Number(firstYear), first), monthText(end, last)]
}

const numberOf = (name = "") => numbers.get(name.toLowerCase()) ?? 0
const monthText = (year: number, month: number) => `${year}-${String(month).padStart(2, "0")}`

/** By their Thursdays, by which ISO weeks belong to years. */
function weeks(from: number, to: number, year: string | undefined, today: string): Month[] {
  if (from < 1 || to < from || to > 53) return []
  const monthsIn = (of: number) => [from, to].map((week) => thursday(of, week).toISOString().slice(0, 7))
  const said = monthsIn(Number(year ?? today.slice(0, 4)))
  const isOver = year === undefined && (said[1] ?? "") < today.slice(0, 7)
  const meant = isOver ? monthsIn(Number(today.slice(0, 4)) + 1) : said
  return meant.map((month) => [Number(month.slice(5)), month.slice(0, 4)])
}

function thursday(year: number, week: number): Date {
  const fourth = new Date(Date.UTC(year, 0, 4))
  return new Date(Date.UTC(year, 0, 7 - ((fourth.getUTCDay() + 6) % 7) + (week - 1) * 7))
}
