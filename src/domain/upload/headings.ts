import { type CalendarDate, dateInWords } from "../time/moment.ts"
import { DATE_ORDERS, type DateOrder, readTypedDay } from "../time/typed-day.ts"
import type { Reading, Role } from "./upload.ts"

/** Words in a heading after which its column isn't what it's read as. */
interface Warning {
  readonly words: RegExp
  readonly consequence: string
}

const THOUSANDS: Warning = {
  words: /\b(?:tsd|thousands?|tausend|mio|millions?|millionen|in ['’]?000s?)\b|\(['’]?000s?\)|\(k\)|[x×] ?1[.,]?000/i,
  consequence: "If it counts thousands or millions, the total is too low.",
}
const SO_FAR: Warning = {
  words: /\b(?:to date|so far|life[- ]?time|all[- ]time|running|bisher|cumul\w*|kumul\w*|acumulad\w+)\b/i,
  consequence: "If each row has everything so far, adding the rows up is too high.",
}
const PERIOD: Warning = {
  words:
    /\b[mwqy]td\b|\b(?:month|week|quarter|year)[- ]to[- ]date\b|\b(?:this|last|past|previous|letzte[nr]?|derniers?) (?:\d+ )?(?:period|days?|weeks?|months?|tagen?|wochen?|monate?n?|jours|días)\b|\b\d+[- ]?(?:days?|tagen?|jours|días)\b|\b(?:jan|feb|mar|mär|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zä]* \d{4}\b|\d[./]\d{1,2}[.\d/]* ?[-–](?: ?\d|$)|\b(?:kw|week|woche|semaine|semana) ?\d+/iu,
  consequence: "If it has only a part of the time, the total is too low.",
}
const CENTS: Warning = {
  words: /\b(?:cents?|pence)\b|¢/i,
  consequence: "If it counts cents, the value is too high.",
}

/** Why the figures in a column may be wrong, as far as its heading says so. Null if nothing is odd. */
export function headingDoubt(headings: readonly string[], { columns, figures }: Reading, role: Role): string | null {
  const heading = headings[columns[role] ?? -1] ?? ""
  const warnings = [THOUSANDS, figures === "totals" ? PERIOD : SO_FAR, ...(role === "conversionValue" ? [CENTS] : [])]
  const warning = warnings.find(({ words }) => words.test(heading))
  return warning === undefined ? null : `The column is called “${heading}”. ${warning.consequence}`
}

const DAYS =
  /\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}\.? \p{L}{3,9}\.?,? \d{4}|\p{L}{3,9}\.? \d{1,2},? \d{4}/gu

/** Asks about totals if the rows above the headings name a period, unless its days show that it has the whole flight. */
export function periodDoubt(above: readonly string[], { dayOrder }: Reading, flightStart: CalendarDate): string | null {
  const words = above.map((text) => text.replace(DAYS, "").trim()).find((text) => PERIOD.words.test(text))
  if (words !== undefined) return `Above the headings, the file says “${words}”. ${PERIOD.consequence}`
  // If 11/08/2026 can be in August or November, one of them is enough to ask.
  for (const order of dayOrder === null ? DATE_ORDERS : [dayOrder]) {
    const [first, ...others] = daysIn(above, order)
    const last = others.at(-1)
    if (first !== undefined && last !== undefined && first !== last && first > flightStart)
      return `Above the headings, the file says ${dateInWords(first)} to ${dateInWords(last)}. ${PERIOD.consequence}`
  }
  return null
}

/** The days that some texts name, oldest first. */
function daysIn(texts: readonly string[], order: DateOrder): CalendarDate[] {
  const read = texts.flatMap((text) => text.match(DAYS) ?? []).map((text) => readTypedDay(text, order, "UTC"))
  return read.flatMap((day) => ("asOf" in day && typeof day.asOf === "string" ? day.asOf : [])).sort()
}

const BEGINS =
  /^(?:von|ab|from|since|start|begin|du|début|desde|inicio)\b|\b(?:start|begin)(?:s|ning)?(?: ?(?:date|day|datum))?$/iu

/** The column in which a row says when its period begins. Undefined if no column does. */
export function periodColumn(headings: readonly string[], { columns }: Reading): number | undefined {
  const column = headings.findIndex((heading, index) => BEGINS.test(heading) && index !== columns.day)
  return column < 0 ? undefined : column
}
