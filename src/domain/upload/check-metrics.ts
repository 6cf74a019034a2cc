import { formatMicros, microsOf } from "../affiliate/metric.ts"
import type { CalendarDate } from "../time/moment.ts"
import { dayOf, type TimeZone } from "../time/time-zone.ts"
import type { CheckedCodes, CodeDay, CodePreview, CodesFile, KnownCode } from "./check-codes.ts"
import { dayColumn, isLongerThan, numberColumn, saysSum, TOO_LONG } from "./rows.ts"
import { cellOf, type RejectedRow, type Row } from "./upload.ts"

const INVALID = "invalid_row"

interface MetricsFile extends Pick<CodesFile, "rows" | "headings" | "reading" | "known"> {
  readonly today: CalendarDate
  readonly timeZone: TimeZone
  /** The figures that are known, by code and date. */
  readonly storedDays: ReadonlyMap<string, CodeDay>
}

/** Where the figures of a code and a day are kept. */
export const codeDayKey = ({ codeId, date }: Pick<CodeDay, "codeId" | "date">): string => `${codeId} ${date}`

interface Sums {
  clicks: number | undefined
  conversions: number | undefined
  valueMicros: number | undefined
  readonly rows: number[]
}

interface CodeRows {
  readonly days: Map<CalendarDate, Sums>
  unreadRow: number | null
}

const COUNTS = ["clicks", "conversions"] as const
const FIGURES = [...COUNTS, "valueMicros"] as const
// Nine billion in millionths, as in the API. Sums up to it are exact.
const SUM_MAX = 9_000_000_000_000_000

/** Adds up the figures of each code and day. A row that can't be read stops its code, because its days would be too low. */
export function checkMetrics(file: MetricsFile): CheckedCodes & { readonly open: OpenColumns } {
  const reader = metricReader(file)
  const { known } = file
  const rejected: RejectedRow[] = []
  const skipped = new Map<string, number[]>()
  const byCode = new Map<string, CodeRows>()
  let [sums, empty] = [0, 0]
  let rowWithoutCode: number | null = null
  for (const row of file.rows) {
    const read = reader.read(row)
    if (read === "empty" || read === "sum") {
      if (read === "sum") sums++
      else empty++
      continue
    }
    const { code } = read
    if (code !== "" && !known.has(code)) {
      skipped.getOrInsertComputed(code, () => []).push(row.number)
      continue
    }
    const ofCode = byCode.getOrInsertComputed(code, () => ({ days: new Map(), unreadRow: null }))
    if ("figures" in read) addTo(ofCode.days, read, row.number)
    else {
      rejected.push({ row: row.number, reason: read.reason, message: read.problem })
      if (read.reason === INVALID) ofCode.unreadRow ??= row.number
      if (code === "") rowWithoutCode ??= row.number
    }
  }
  const codes: CodePreview[] = []
  for (const [code, { days, unreadRow }] of byCode) {
    const lost = rowWithoutCode ?? unreadRow
    const stored = known.get(code)
    const isTooLarge = [...days.values()].some((sums) => FIGURES.some((name) => (sums[name] ?? 0) > SUM_MAX))
    if (lost === null && !isTooLarge) {
      if (stored !== undefined && days.size > 0) codes.push(metricsPreview(code, days, stored, file))
      continue
    }
    const message =
      lost === null
        ? `The figures of ${code} are too large.`
        : `Row ${lost} can’t be read, so ${code} would be too low.`
    for (const { rows } of days.values()) for (const row of rows) rejected.push({ row, reason: INVALID, message })
  }
  rejected.sort((a, b) => a.row - b.row)
  return { codes, rejected, skipped, sums, empty, open: reader.open }
}

interface OpenColumns {
  readonly days: string | null
  readonly numbers: string | null
}

interface MetricRow {
  readonly code: string
  readonly date: CalendarDate
  readonly figures: Readonly<Omit<Sums, "rows">>
}

type ReadMetric =
  | MetricRow
  | { readonly code: string; readonly reason: string; readonly problem: string }
  | "empty"
  | "sum"

function metricReader({ rows, headings, reading, timeZone, today }: MetricsFile) {
  const { columns, decimalMark, dayOrder } = reading
  const days = dayColumn(rows, columns.day, dayOrder, timeZone)
  const clicks = numberColumn(rows, columns.clicks, decimalMark, { isWhole: true })
  const conversions = numberColumn(rows, columns.conversions, decimalMark, { isWhole: true })
  const value = numberColumn(rows, columns.conversionValue, decimalMark, {
    isWhole: false,
    keepsDigits: true,
    isMoney: true,
  })
  const figureColumns = { clicks, conversions, conversionValue: value }
  const names = Object.keys(figureColumns) as (keyof typeof figureColumns)[]

  function read(row: Row): ReadMetric {
    const code = cellOf(row, columns.code)
    const figures = { clicks: undefined, conversions: undefined, valueMicros: undefined } as Omit<Sums, "rows">
    const present = names.filter((name) => cellOf(row, columns[name]) !== "")
    if (isLongerThan(headings, row)) return { code: "", reason: INVALID, problem: TOO_LONG }
    if (present.length === 0) return "empty"
    if (code === "" && row.cells.some(saysSum)) return "sum"
    const invalid = (problem: string) => ({ code, reason: INVALID, problem })
    if (code === "") return invalid("This row has a figure but no code. Fill in merged cells.")
    const day = days.read(row)
    if ("error" in day) return invalid(cellOf(row, columns.day) === "" ? "This row has no day." : day.error)
    for (const name of present) {
      const number = figureColumns[name].read(row)
      if ("error" in number) return invalid(number.error)
      const micros = name === "conversionValue" ? microsOf(number.digits) : number.value
      if (micros === null) return invalid(`${cellOf(row, columns[name])} has more than 6 decimal places.`)
      figures[name === "conversionValue" ? "valueMicros" : name] = micros
    }
    const date = typeof day.asOf === "number" ? dayOf(day.asOf, timeZone) : day.asOf
    if (date > today) return { code, reason: "date_in_future", problem: "This day is in the future." }
    return { code, date, figures }
  }

  const openNumbers = clicks.open ?? conversions.open ?? value.open
  return { read, open: { days: days.open, numbers: openNumbers } }
}

function addTo(days: Map<CalendarDate, Sums>, { date, figures }: MetricRow, row: number): void {
  const none = () => ({ clicks: undefined, conversions: undefined, valueMicros: undefined, rows: [] })
  const sums: Sums = days.getOrInsertComputed(date, none)
  sums.rows.push(row)
  // Whole numbers, so the sums are exact.
  for (const name of FIGURES) if (figures[name] !== undefined) sums[name] = (sums[name] ?? 0) + figures[name]
}

function metricsPreview(
  code: string,
  byDate: ReadonlyMap<CalendarDate, Sums>,
  { id: codeId, lineId }: KnownCode,
  { storedDays }: MetricsFile,
): CodePreview {
  const inOrder = [...byDate].sort(([a], [b]) => (a < b ? -1 : 1))
  const days = inOrder.map(([date, { rows: _, ...figures }]): CodeDay => ({ codeId, lineId, date, ...figures }))
  const rows = inOrder.reduce((count, [, sums]) => count + sums.rows.length, 0)
  const stored = (day: CodeDay) => storedDays.get(codeDayKey(day))
  const question = days.map((day) => lowerQuestion(day, stored(day))).find((each) => each !== null) ?? null
  const isSame = (day: CodeDay, name: keyof CodeDay) => day[name] === undefined || day[name] === stored(day)?.[name]
  const isUnchanged = days.every((day) => FIGURES.every((name) => isSame(day, name)))
  return { code, rows, text: daysInWords(days), question, line: null, slug: null, days, isUnchanged }
}

/** Asks about a day with higher stored figures, because the file may not cover all of it. */
function lowerQuestion(day: CodeDay, stored: CodeDay | undefined): string | null {
  const name = COUNTS.find((count) => (day[count] ?? Number.POSITIVE_INFINITY) < (stored?.[count] ?? 0))
  if (name === undefined) return null
  return `${stored?.[name]} ${name} are known for ${day.date}, and the file has ${day[name]}.`
}

/** "3 days: 120 clicks, 4 conversions, value 199.95" */
function daysInWords(days: readonly CodeDay[]): string {
  const parts = COUNTS.flatMap((name) => {
    const known = days.flatMap((day) => day[name] ?? [])
    return known.length === 0 ? [] : [`${sumOf(known)} ${name}`]
  })
  const values = days.flatMap(({ valueMicros }) => valueMicros ?? [])
  if (values.length > 0) parts.push(`value ${formatMicros(sumOf(values))}`)
  return `${days.length === 1 ? "1 day" : `${days.length} days`}: ${parts.join(", ")}`
}

const sumOf = (numbers: readonly number[]): bigint => numbers.reduce((sum, number) => sum + BigInt(number), 0n)
