import { type Figures, formatMicros, sumFigures } from "../../../domain/affiliate.ts"
import { type CalendarDate, datesFrom, dayBefore, isDate } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import {
  type CodeDay,
  type CodeFigures,
  codeDays,
  codeFigures,
  type Period,
} from "../../../storage/campaigns/affiliates.ts"
import type { StoredLine } from "../../../storage/campaigns/lines.ts"
import { seenLines } from "../../find.ts"
import { DayBars } from "../../parts/charts/day-bars.tsx"
import { formatNumber } from "../../parts/format.tsx"
import type { Column } from "../../parts/table.tsx"
import type { MemberVisit } from "../../visit.ts"

/** A code with the line that its figures belong to. */
export interface CodeRow extends CodeFigures {
  readonly line: StoredLine
}

/** The codes with their figures in the period of the address. */
export interface FoundCodes {
  readonly period: Period
  readonly rows: readonly CodeRow[]
}

/** Codes of all lines that the organization sells or buys, archived ones included: one code, or all. */
export async function findCodes(visit: MemberVisit, codeId?: number): Promise<FoundCodes> {
  const { read } = visit
  const lines = new Map((await seenLines(visit)).map((line) => [line.id, line]))
  const period = periodIn(visit, [...lines.values()])
  const rows = (await codeFigures(read, [...lines.keys()], period)).flatMap((code) => {
    const line = lines.get(code.lineId)
    return line === undefined ? [] : [{ ...code, line }]
  })
  return { period, rows: codeId === undefined ? rows : rows.filter((row) => row.codeId === codeId) }
}

// Older days are shown if the address asks for them.
const DAYS_SHOWN = 30

/** The days in the address, or the last 30. Today is the seller's date. For a buyer of several sellers, it's the latest of theirs. */
function periodIn({ url, now, timeZone }: MemberVisit, lines: readonly StoredLine[]): Period {
  const dateIn = (name: string) => {
    const text = url.searchParams.get(name) ?? ""
    return isDate(text) ? text : null
  }
  const todays = [timeZone, ...lines.map((line) => line.timeZone)].map((zone) => dayOf(now, zone))
  const today = todays.sort().at(-1) ?? ""
  return { from: dateIn("first") ?? dayBefore(today, DAYS_SHOWN - 1), to: dateIn("last") ?? today }
}

/** The figures of a code on one day, in the currency of the line that they belong to. */
export interface DayRow extends CodeDay {
  readonly currency: string | null
}

/** The days of these rows, oldest first. A code's days on a line that isn't among the rows are left out. */
export async function daysOf({ read }: MemberVisit, rows: readonly CodeRow[], period?: Period): Promise<DayRow[]> {
  const currencies = new Map(rows.map(({ codeId, line }) => [`${codeId} ${line.id}`, line.currency]))
  const days = await codeDays(read, [...new Set(rows.map(({ line }) => line.id))], period)
  return days.flatMap((day) => {
    const currency = currencies.get(`${day.codeId} ${day.lineId}`)
    return currency === undefined ? [] : [{ ...day, currency }]
  })
}

/** The sums of the rows with the same key: a day, or a currency. */
export const sumsBy = <Row extends Figures, Key>(rows: readonly Row[], keyOf: (row: Row) => Key) =>
  [...Map.groupBy(rows, keyOf)].map(([key, ofKey]) => [key, sumFigures(ofKey)] as const)

/** A chart from the first day with figures to the last. */
export function clicksPerDay(days: readonly DayRow[], isAlone = false) {
  const clicks = new Map(sumsBy(days, ({ date }) => date).map(([date, sums]) => [date, numberOf(sums.clicks)]))
  const dates: CalendarDate[] = datesFrom(days[0]?.date ?? "", days.at(-1)?.date ?? "")
  const bars = dates.map((date) => ({ date, values: [clicks.get(date) ?? null] }))
  return <DayBars title="Clicks per day" isAlone={isAlone} series={["Clicks"]} days={bars} />
}

const numberOf = (figure: bigint | null) => (figure === null ? null : Number(figure))

const RATE = new Intl.NumberFormat("en", {
  style: "percent",
  maximumFractionDigits: 1,
  // A small rate must not be rounded to 0%.
  maximumSignificantDigits: 1,
  roundingPriority: "morePrecision",
})

export const NOTHING = "–"

export const countInWords = (count: bigint | null): string => (count === null ? NOTHING : formatNumber(count))

/** How many clicks became conversions: "2.4%". */
export function rateInWords({ clicks, conversions }: Figures): string {
  if (clicks === null || conversions === null || clicks === 0n) return NOTHING
  return RATE.format(Number(conversions) / Number(clicks))
}

/** An exact amount. Without a currency it's a plain number. */
export function valueInWords({ valueMicros }: Figures, currency: string | null): string {
  if (valueMicros === null) return NOTHING
  const style = currency === null ? { minimumFractionDigits: 2 } : ({ style: "currency", currency } as const)
  const format = new Intl.NumberFormat("en", { maximumFractionDigits: 6, ...style })
  return format.format(formatMicros(valueMicros) as `${number}`)
}

/** The columns that every list of figures has. */
export const figureColumns = <Row extends Figures>(currencyOf: (row: Row) => string | null): Column<Row>[] => [
  countColumn("Clicks", ({ clicks }) => clicks),
  countColumn("Conversions", ({ conversions }) => conversions),
  { title: "Rate", isNumber: true, cell: rateInWords },
  {
    title: "Value",
    isNumber: true,
    cell: (row) => valueInWords(row, currencyOf(row)),
    sort: ({ valueMicros }) => numberOf(valueMicros),
    csv: ({ valueMicros }) => (valueMicros === null ? null : formatMicros(valueMicros)),
  },
]

const countColumn = (title: string, countOf: (figures: Figures) => bigint | null): Column<Figures> => ({
  title,
  isNumber: true,
  cell: (row) => countInWords(countOf(row)),
  sort: (row) => numberOf(countOf(row)),
  csv: (row) => countOf(row)?.toString() ?? null,
})
