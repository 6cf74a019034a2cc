import { formatMicros, microsOf } from "../affiliate.ts"
import { type CalendarDate, dateInWords } from "../time/moment.ts"
import { NO_LINE } from "./check-codes.ts"
import { checkParts, type Part } from "./parts.ts"
import type { CheckedFile, CodeDay, FileEntry } from "./result.ts"
import { type FileRow, type FileToCheck, type KnownCode, saysSum, TOO_LONG } from "./rows.ts"
import type { RejectedRow } from "./upload.ts"

const INVALID = "invalid_row"

/** Where the figures of a code and a day are kept. */
export const codeDayKey = ({ codeId, date }: Pick<CodeDay, "codeId" | "date">): string => `${codeId} ${date}`

interface Figures {
  clicks?: number
  conversions?: number
  valueMicros?: number
}

/** The figures of a row. Their sum stands for them where rows are compared. */
interface MetricPart extends Part {
  readonly figures: Figures
}

const COUNTS = ["clicks", "conversions"] as const
const FIGURES = [...COUNTS, "valueMicros"] as const
// Nine billion in millionths, as in the API. Sums up to it are exact.
const SUM_MAX = 9_000_000_000_000_000

const NO_CODE = "No code"

/** Adds up the figures of each code and day. A row that can't be read holds back the days that it could belong to. */
export function checkMetrics(file: FileToCheck): CheckedFile {
  const { known, reader } = file
  const rejected: RejectedRow[] = []
  const skipped = new Map<string, number[]>()
  const byCode = new Map<string, MetricPart[]>()
  // Rows that can't be read, by their code and day as far as these are known.
  const unread = new Map<string, number>()
  const rowsWithoutCode: number[] = []
  let [sums, empty] = [0, 0]
  for (const row of file.rows) {
    const read = readMetric(reader.read(row), file)
    if (read === "empty") empty++
    else if (read === "sum") sums++
    else if (read === "skipped") skipped.getOrInsertComputed(NO_CODE, () => []).push(row.number)
    else if (read.code !== "" && !known.has(read.code))
      skipped.getOrInsertComputed(read.code, () => []).push(row.number)
    else if ("figures" in read) byCode.getOrInsertComputed(read.code, () => []).push({ row: row.number, ...read })
    else {
      if (read.problem === MISSING_CODE) rowsWithoutCode.push(row.number)
      rejected.push({ row: row.number, reason: read.reason, message: read.problem })
      if (read.reason === INVALID) unread.getOrInsert(`${read.code} ${read.day ?? ""}`, row.number)
    }
  }
  const cellsOf = new Map(file.rows.map(({ number, cells }) => [number, cells]))
  const parts = checkParts({ ...file, cellsOf, partsOf: byCode })
  const entries: FileEntry[] = []
  for (const [code, ofCode] of byCode) {
    const stored = known.get(code)
    const added = ofCode.filter(({ row }) => !parts.sums.has(row))
    const days: AddedDay[] = []
    for (const [date, ofDay] of Map.groupBy(added, ({ day }) => day)) {
      const figures = addUp(ofDay)
      const lost = [`${code} ${date}`, `${code} `, ` ${date}`, " "].flatMap((key) => unread.get(key) ?? [])[0]
      const isTooLarge = FIGURES.some((name) => (figures[name] ?? 0) > SUM_MAX)
      if (lost === undefined && !isTooLarge) days.push({ date, figures, rows: ofDay.length })
      const message =
        lost === undefined
          ? `The figures of ${code} are too large.`
          : `Row ${lost} can’t be read, so ${code} would be too low on ${dateInWords(date)}.`
      if (lost !== undefined || isTooLarge)
        for (const { row } of ofDay) rejected.push({ row, reason: INVALID, message })
    }
    const doubt = parts.doubts.get(code) ?? null
    if (stored !== undefined && days.length > 0) entries.push(metricsEntry(code, days, doubt, stored, file))
  }
  rejected.sort((a, b) => a.row - b.row)
  const others = { open: reader.open, looksLikeTotals: false, rowsWithoutCode }
  return { entries, rejected, skipped, sums: sums + parts.sums.size, empty, ...others }
}

type ReadMetric =
  | (Omit<MetricPart, "row"> & { readonly code: string })
  | { readonly code: string; readonly day: CalendarDate | null; readonly reason: string; readonly problem: string }
  | "empty"
  | "sum"
  | "skipped"

const MISSING_CODE = "This row has a figure but no code. Fill in merged cells."

const ROLES = [...COUNTS, "conversionValue"] as const

function readMetric(row: FileRow, { reading, known, receipt }: FileToCheck): ReadMetric {
  const { name: code, day = null, asOf } = row
  const present = ROLES.filter((role) => row.figure(role) !== "empty")
  const invalid = (problem: string) => ({ code, day, reason: INVALID, problem })
  if (row.isLong) return { ...invalid(TOO_LONG), code: "", day: null }
  if (present.length === 0 || (code === "" && !row.hasFigure)) return "empty"
  if (row.isSum && (code === "" || (saysSum(code) && !known.has(code)))) return "sum"
  if (code === "" && reading.withoutCode === "skip") return "skipped"
  if (code === "") return invalid(MISSING_CODE)
  if (day === null || asOf === undefined) return invalid(row.dayProblem ?? "This row has no day.")
  const figures: Figures = {}
  for (const role of present) {
    const figure = row.figure(role)
    if (typeof figure === "object" && "problem" in figure) return invalid(figure.problem)
    const { quantity, digits } = typeof figure === "object" ? figure : { quantity: 0, digits: "0" }
    const micros = role === "conversionValue" ? microsOf(digits) : quantity
    if (micros === null) return invalid(`${digits} has more than 6 decimal places.`)
    figures[role === "conversionValue" ? "valueMicros" : role] = micros
  }
  if (day > receipt.today) return { code, day, reason: "date_in_future", problem: "This day is in the future." }
  const quantity = FIGURES.reduce((sum, name) => sum + (figures[name] ?? 0), 0)
  return { code, day, asOf, quantity, figures }
}

/** The sums of the figures that any row has. They are exact, because all are whole numbers. */
function addUp(parts: readonly MetricPart[]): Figures {
  const sums: Figures = {}
  for (const { figures } of parts)
    for (const name of FIGURES) if (figures[name] !== undefined) sums[name] = (sums[name] ?? 0) + figures[name]
  return sums
}

interface AddedDay {
  readonly date: CalendarDate
  readonly figures: Figures
  readonly rows: number
}

function metricsEntry(
  code: string,
  added: readonly AddedDay[],
  doubt: string | null,
  { id: codeId, lineId }: KnownCode,
  { storedDays }: FileToCheck,
): FileEntry {
  const inOrder = added.toSorted((a, b) => (a.date < b.date ? -1 : 1))
  const days = inOrder.map(({ date, figures: { clicks, conversions, valueMicros } }): CodeDay => {
    return { codeId, lineId, date, clicks, conversions, valueMicros }
  })
  const rows = added.reduce((count, day) => count + day.rows, 0)
  const stored = (day: CodeDay) => storedDays.get(codeDayKey(day))
  const lower = days.map((day) => lowerQuestion(day, stored(day))).find((each) => each !== null) ?? null
  const question = doubt === null || lower === null ? (doubt ?? lower) : `${doubt} ${lower}`
  const isSame = (day: CodeDay, name: keyof CodeDay) => day[name] === undefined || day[name] === stored(day)?.[name]
  const isUnchanged = days.every((day) => FIGURES.every((name) => isSame(day, name)))
  const effect = isUnchanged ? "unchanged" : "changes"
  const flags = { question, isLower: lower !== null, isDoubtful: doubt !== null }
  return { ...NO_LINE, key: code, name: code, rows, effect, text: daysInWords(days), ...flags, codes: [], days }
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
