import { formatMicros, microsOf, readCodeRow } from "../affiliate.ts"
import { type CalendarDate, dateInWords } from "../time/moment.ts"
import {
  type CheckedFile,
  type CodeDay,
  codeDayKey,
  EARLIER,
  type FileEntry,
  type FileToCheck,
  type KnownCode,
} from "./check.ts"
import { looksLikeTotals, neverFalls } from "./daily.ts"
import { headingDoubt } from "./headings.ts"
import { checkParts, type Part } from "./parts.ts"
import { ourReading } from "./reading.ts"
import { type FileLine, type FileRow, isNameless, saysSum, TOO_LONG } from "./rows.ts"
import { cellOf, inWords, type RejectedRow } from "./upload.ts"

const INVALID = "invalid_row"

/** What no code has. */
const NO_LINE = { packageId: null, externalId: null, before: null, after: null, items: [] } as const

/** Finds out which codes a file adds or moves, by the rules of the API. If a code comes twice, the later row applies. */
export function checkCodes({ rows, reading, findLine, onlyLine, known }: FileToCheck): CheckedFile {
  const { columns } = reading
  const rejected: RejectedRow[] = []
  const skipped = new Map<string, number[]>()
  const entries = new Map<string, FileEntry>()
  for (const row of rows) {
    const reject = (message: string) => rejected.push({ row: row.number, reason: INVALID, message })
    const line = onlyLine ?? findLine(row.name)
    if (row.isLong) reject(TOO_LONG)
    else if (line === null && row.name !== "") skipped.getOrInsertComputed(row.name, () => []).push(row.number)
    else if (line === null) reject("This row has a code but no line. Fill in merged cells.")
    else {
      const slug = cellOf(row, columns.slug) || undefined
      const read = readCodeRow({ packageId: line.packageId, code: cellOf(row, columns.code), slug })
      if ("reason" in read) reject(read.message.replace(/^(code|slug) must/, "The $1 must"))
      else entries.set(read.code, codeEntry(read, line, known.get(read.code), (entries.get(read.code)?.rows ?? 0) + 1))
    }
  }
  const counts = { sums: 0, empty: 0, looksLikeTotals: false, rowsWithoutCode: [] }
  return { entries: [...entries.values()], rejected, skipped, ...counts }
}

function codeEntry(
  { code, slug = null }: { readonly code: string; readonly slug?: string | null | undefined },
  line: FileLine,
  known: KnownCode | undefined,
  rows: number,
): FileEntry {
  const isMoved = known !== undefined && known.lineId !== line.id
  const isUnchanged = known !== undefined && !isMoved && (slug === null || slug === known.slug)
  const verb = isMoved ? "Moves to" : "Code of"
  return {
    ...NO_LINE,
    key: code,
    name: code,
    rows,
    effect: isUnchanged ? "unchanged" : "changes",
    text: `${known === undefined ? "New code of" : verb} ${line.name}`,
    question: null,
    concern: null,
    codes: [{ code, lineId: line.id, slug }],
    days: [],
  }
}

interface Figures {
  clicks?: number
  conversions?: number
  valueMicros?: number
}

/** The figures of a row. Their sum stands for them where rows are compared. */
interface MetricPart extends Part {
  readonly code: string
  readonly figures: Figures
}

const COUNTS = ["clicks", "conversions"] as const
const FIGURES = [...COUNTS, "valueMicros"] as const
const ROLES = [...COUNTS, "conversionValue"] as const
// Nine billion in millionths, as in the API. Sums up to it are exact.
const SUM_MAX = 9_000_000_000_000_000

const NO_CODE = "No code"
const MISSING_CODE = "This row has a figure but no code. Fill in merged cells."

/** Adds up the figures of each code and day. A row that can't be read holds back the days that it could belong to. */
export function checkMetrics(file: FileToCheck): CheckedFile {
  const { byCode, unread, rejected, ...counts } = sortMetrics(file)
  const { sums, doubts } = checkParts(file, byCode)
  const daysByCode = new Map<string, AddedDay[]>()
  for (const [code, parts] of byCode) {
    const byDay = Map.groupBy(
      parts.filter(({ row }) => !sums.has(row)),
      ({ day }) => day,
    )
    const days: AddedDay[] = []
    for (const [date, ofDay] of [...byDay].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const figures = addUp(ofDay)
      const lost = [`${code} ${date}`, `${code} `, ` ${date}`, " "].flatMap((key) => unread.get(key) ?? [])[0]
      const message = whyNotAdded(code, date, figures, lost)
      if (message === null) days.push({ date, figures, rows: ofDay.length })
      else rejected.push(...ofDay.map(({ row }) => ({ row, reason: INVALID, message })))
    }
    if (days.length > 0) daysByCode.set(code, days)
  }
  const ofFile = doubtAboutFile(file, daysByCode)
  const entries = [...daysByCode].flatMap(([code, days]) => {
    const stored = file.known.get(code)
    return stored === undefined ? [] : [metricsEntry(code, days, doubts.get(code) ?? ofFile, stored, file)]
  })
  rejected.sort((a, b) => a.row - b.row)
  return { ...counts, entries, rejected, sums: counts.sums + sums.size, looksLikeTotals: false }
}

function whyNotAdded(code: string, date: CalendarDate, figures: Figures, lostRow: number | undefined): string | null {
  if (lostRow !== undefined) return `Row ${lostRow} can’t be read, so ${code} would be too low on ${dateInWords(date)}.`
  const isTooLarge = FIGURES.some((name) => (figures[name] ?? 0) > SUM_MAX)
  return isTooLarge ? `The figures of ${code} are too large.` : null
}

/** Goes through the rows, and sorts their figures by code. */
function sortMetrics(file: FileToCheck) {
  const rejected: RejectedRow[] = []
  const skipped = new Map<string, number[]>()
  const skip = (name: string, { number }: FileRow) => skipped.getOrInsertComputed(name, () => []).push(number)
  const byCode = new Map<string, MetricPart[]>()
  // Rows that can't be read, by their code and day as far as these are known.
  const unread = new Map<string, number>()
  const rowsWithoutCode: number[] = []
  let [sums, empty] = [0, 0]
  for (const row of file.rows) {
    const read = readMetric(row, file)
    if (read === "empty") empty++
    else if (read === "sum") sums++
    else if (read === "skipped") skip(NO_CODE, row)
    else if (read.code !== "" && !file.known.has(read.code)) skip(read.code, row)
    else if ("figures" in read) byCode.getOrInsertComputed(read.code, () => []).push(read)
    else {
      const { code, day, reason, message } = read
      rejected.push({ row: row.number, reason, message })
      if (message === MISSING_CODE) rowsWithoutCode.push(row.number)
      if (reason === INVALID) unread.getOrInsert(`${code} ${day ?? ""}`, row.number)
    }
  }
  return { byCode, unread, rejected, skipped, rowsWithoutCode, sums, empty }
}

interface UnreadMetric {
  readonly code: string
  readonly day: CalendarDate | null
  readonly reason: string
  readonly message: string
}

function readMetric(
  row: FileRow,
  { reading, known, receipt }: FileToCheck,
): MetricPart | UnreadMetric | "empty" | "sum" | "skipped" {
  const { number, cells, name: code, day = null, asOf } = row
  const present = ROLES.filter((role) => row.figures[role] !== "empty")
  const invalid = (message: string) => ({ code, day, reason: INVALID, message })
  if (row.isLong) return { ...invalid(TOO_LONG), code: "", day: null }
  if (present.length === 0 || (code === "" && !row.hasFigure)) return "empty"
  if (row.isSum && (isNameless(code) || (saysSum(code) && !known.has(code)))) return "sum"
  if (code === "") return reading.withoutCode === "skip" ? "skipped" : invalid(MISSING_CODE)
  if (day === null || asOf === undefined) return invalid(row.dayProblem ?? "This row has no day.")
  const figures: Figures = {}
  for (const role of present) {
    const figure = row.figures[role]
    if (typeof figure === "object" && "problem" in figure) return invalid(figure.problem)
    const { quantity, digits } = typeof figure === "object" ? figure : { quantity: 0, digits: "0" }
    const micros = role === "conversionValue" ? microsOf(digits) : quantity
    if (micros === null) return invalid(`${digits} has more than 6 decimal places.`)
    figures[role === "conversionValue" ? "valueMicros" : role] = micros
  }
  if (day > receipt.today) return { code, day, reason: "date_in_future", message: "This day is in the future." }
  const quantity = FIGURES.reduce((sum, name) => sum + (figures[name] ?? 0), 0)
  return { row: number, cells, code, day, asOf, quantity, figures }
}

/** Adds up each figure over the rows that have it. The sums are exact, because all are whole numbers. */
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

const NEVER_FALL =
  "The figures in this file are never below the ones before them. If each row has everything so far, adding the rows up is too high."

/** Why the figures of a file may not be those of days. Our own headings always have figures of days. */
function doubtAboutFile(
  { headings, reading, known, storedDays }: FileToCheck,
  daysByCode: ReadonlyMap<string, readonly AddedDay[]>,
): string | null {
  if (ourReading(headings) !== null) return null
  const [ofHeading = null] = ROLES.flatMap((role) => headingDoubt(headings, reading, role) ?? [])
  if (ofHeading !== null) return ofHeading
  const figuresOf = [...daysByCode].map(([code, days]) => {
    const before = storedDays.get(codeDayKey({ codeId: known.get(code)?.id ?? 0, date: EARLIER }))
    const names = FIGURES.filter((name) => days.some(({ figures }) => figures[name] !== undefined))
    const columns = names.map((name) => [before?.[name] ?? 0, ...days.map(({ figures }) => figures[name] ?? 0)])
    const falls = (figures: readonly number[]) => figures.some((figure, i) => figure < (figures[i - 1] ?? 0))
    // Totals of a code don't fall, apart from a value or a sale that is reversed.
    return columns.find(risesSteadily) ?? columns.find(falls) ?? columns.find(neverFalls) ?? []
  })
  return looksLikeTotals(figuresOf) ? NEVER_FALL : null
}

const RISES_MIN = 4

/** Whether figures never fall and rise on most days. */
function risesSteadily(figures: readonly number[]): boolean {
  const rises = figures.filter((figure, i) => i > 0 && figure > (figures[i - 1] ?? 0)).length
  return neverFalls(figures) && rises >= RISES_MIN && rises * 2 >= figures.length
}

function metricsEntry(
  code: string,
  added: readonly AddedDay[],
  doubt: string | null,
  { id: codeId, lineId }: KnownCode,
  { storedDays }: FileToCheck,
): FileEntry {
  const days = added.map(({ date, figures: { clicks, conversions, valueMicros } }): CodeDay => {
    return { codeId, lineId, date, clicks, conversions, valueMicros }
  })
  const stored = (day: CodeDay) => storedDays.get(codeDayKey(day))
  const lower = days.map((day) => lowerQuestion(day, stored(day))).find((each) => each !== null) ?? null
  const replaced = doubt ?? replacesMuchLess(days, stored)
  const reasons = [replaced, lower].filter((reason) => reason !== null)
  const isSame = (day: CodeDay, name: keyof CodeDay) => day[name] === undefined || day[name] === stored(day)?.[name]
  const isUnchanged = days.every((day) => FIGURES.every((name) => isSame(day, name)))
  const lowerConcern = lower === null ? null : "lower"
  return {
    ...NO_LINE,
    key: code,
    name: code,
    rows: added.reduce((count, day) => count + day.rows, 0),
    effect: isUnchanged ? "unchanged" : "changes",
    text: daysInWords(days),
    question: reasons.length === 0 ? null : reasons.join(" "),
    concern: replaced === null ? lowerConcern : "doubt",
    codes: [],
    days,
  }
}

const MUCH_MORE = 1.25

/** If a file has much more for known days and none as it was, it may be about another part of them, such as another device. */
function replacesMuchLess(days: readonly CodeDay[], stored: (day: CodeDay) => CodeDay | undefined): string | null {
  const name = COUNTS.find((count) => days.some((day) => day[count] !== undefined)) ?? "clicks"
  const pairs = days.map((day) => [stored(day)?.[name] ?? 0, day[name] ?? 0] as const)
  // The last known day was perhaps reported before it was over.
  const settled = pairs.filter(([known]) => known > 0).slice(0, -1)
  const [known, inFile] = [0, 1].map((side) => settled.reduce((sum, pair) => sum + (pair[side] ?? 0), 0))
  if (known === undefined || inFile === undefined || inFile <= known * MUCH_MORE) return null
  if (settled.some(([before, after]) => before === after)) return null
  return `The file replaces ${inWords(known)} known ${name} by ${inWords(inFile)}. If it has another part of these days, such as another device, the figures are too low.`
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
