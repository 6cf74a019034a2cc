import { formatMicros, microsOf, readCodeRow } from "../affiliate.ts"
import { isCurrency } from "../money.ts"
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
import { looksLikeTotals } from "./daily.ts"
import { areOtherParts } from "./daily-doubts.ts"
import { headingDoubt } from "./headings.ts"
import { checkParts, type Part } from "./parts.ts"
import { ourReading } from "./reading.ts"
import type { FileLine, FileRow } from "./rows.ts"
import { type Subjects, sortRows, TOO_LONG } from "./sort-rows.ts"
import { cellOf, type Reading, type RejectedRow } from "./upload.ts"

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
  const counts = { sums: 0, empty: 0, looksLikeTotals: false, withoutName: [], sameDay: null }
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
  readonly figures: Figures
}

const COUNTS = ["clicks", "conversions"] as const
const FIGURES = [...COUNTS, "valueMicros"] as const
const ROLES = [...COUNTS, "conversionValue"] as const
// Nine billion in millionths, as in the API. Sums up to it are exact.
const SUM_MAX = 9_000_000_000_000_000

/** Adds up the figures of each code and day. A row that can't be read holds back the days that it could belong to. */
export function checkMetrics(file: FileToCheck): CheckedFile {
  const { bySubject, unread, ...sorted } = sortRows(file, codesOf(file))
  const codes = [...bySubject].map(([code, parts]) => checkCode(file, code, parts, unread))
  const ofFile = sorted.doubt ?? doubtAboutFile(file, codes)
  const entries = codes.flatMap(({ code, days, doubt }) => {
    const stored = file.known.get(code)
    return stored === undefined || days.length === 0 ? [] : [metricsEntry(code, days, doubt ?? ofFile, stored, file)]
  })
  const rejected = [...sorted.rejected, ...codes.flatMap((each) => each.rejected)]
  return {
    ...sorted,
    entries,
    rejected: rejected.sort((a, b) => a.row - b.row),
    sums: codes.reduce((count, { sums }) => count + sums, sorted.sums),
    looksLikeTotals: false,
    sameDay: codes.find(({ sameDay }) => sameDay !== null)?.sameDay ?? null,
  }
}

function checkCode(file: FileToCheck, code: string, parts: readonly MetricPart[], unread: ReadonlyMap<string, number>) {
  const { sums, open, conflict, doubt } = checkParts(parts, file.reading.parts, file.headings)
  const added = parts.filter(({ row }) => !sums.has(row))
  const days: AddedDay[] = []
  const rejected: RejectedRow[] = []
  for (const [date, ofDay] of [...Map.groupBy(added, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const figures = addUp(ofDay)
    const scopes = [`${code} ${date}`, `${code} `, ` ${date}`, " "]
    const lost = scopes.map((scope) => unread.get(scope)).find((row) => row !== undefined)
    const problem = whyNotAdded(code, date, figures, { lost, conflict, today: file.receipt.today })
    if (problem === null) days.push({ date, figures, rows: ofDay.length })
    else rejected.push(...ofDay.map(({ row }) => ({ row, ...problem })))
  }
  return {
    code,
    days,
    rejected,
    sums: sums.size,
    sameDay: open === null ? null : `${code}: ${open}`,
    doubt: doubt ?? refusedRow(parts) ?? severalCurrencies(parts, file.reading),
  }
}

interface WhyNot {
  /** A row that can't be read and could belong to the day. */
  readonly lost: number | undefined
  readonly conflict: string | null
  readonly today: CalendarDate
}

function whyNotAdded(code: string, date: CalendarDate, figures: Figures, { lost, conflict, today }: WhyNot) {
  if (date > today) return { reason: "date_in_future", message: "This day is in the future." }
  const isTooLarge = FIGURES.some((name) => (figures[name] ?? 0) > SUM_MAX)
  const tooLarge = isTooLarge ? `The figures of ${code} are too large.` : null
  const tooLow = `Row ${lost} can’t be read, so ${code} would be too low on ${dateInWords(date)}.`
  const message = lost === undefined ? (conflict ?? tooLarge) : tooLow
  return message === null ? null : { reason: INVALID, message }
}

/** The codes of a file, and how its rows are read. A row that can't be read stops only its day. */
function codesOf({ known }: FileToCheck): Subjects<string, MetricPart> {
  return {
    noun: "code",
    invalid: INVALID,
    find: ({ name }) => (known.has(name) ? name : null),
    scope: (code, day) => `${code ?? ""} ${day ?? ""}`,
    read: readMetric,
  }
}

function readMetric(row: FileRow): MetricPart | "empty" | Omit<RejectedRow, "row"> {
  const { number, cells, day, asOf } = row
  const present = ROLES.filter((role) => row.figures[role] !== "empty")
  const invalid = (message: string) => ({ reason: INVALID, message })
  if (present.length === 0) return "empty"
  if (day === undefined || asOf === undefined) return invalid(row.dayProblem ?? "This row has no day.")
  const figures: Figures = {}
  for (const role of present) {
    const figure = row.figures[role]
    if (typeof figure === "object" && "problem" in figure) return invalid(figure.problem)
    const { quantity, digits } = typeof figure === "object" ? figure : { quantity: 0, digits: "0" }
    const micros = role === "conversionValue" ? microsOf(digits) : quantity
    if (micros === null) return invalid(`${digits} has more than 6 decimal places.`)
    figures[role === "conversionValue" ? "valueMicros" : role] = micros
  }
  const quantity = FIGURES.reduce((sum, name) => sum + (figures[name] ?? 0), 0)
  return { row: number, cells, day, asOf, quantity, name: "", figures }
}

const REFUSED =
  /^(?:declined|rejected|denied|void(?:ed)?|refunded|returned|reversed|cancell?ed|abgelehnt|storniert|refusée?|annulée?|rechazad[ao]|cancelad[ao])$/iu

/** Asks about a sale that doesn't count any more. Nothing but such a word tells it from others. */
function refusedRow(parts: readonly MetricPart[]): string | null {
  for (const { row, cells } of parts) {
    const word = cells.find((cell) => REFUSED.test(cell.trim()))
    if (word !== undefined)
      return `Row ${row} says “${word.trim()}”, and it’s counted. If it shouldn’t be, the figures are too high.`
  }
  return null
}

/** Asks about values in several currencies, whose sum means nothing. */
function severalCurrencies(parts: readonly MetricPart[], { columns }: Reading): string | null {
  if (columns.conversionValue === undefined) return null
  const [first, second] = new Set(parts.flatMap(({ cells }) => cells.find((cell) => isCurrency(cell.trim())) ?? []))
  return second === undefined ? null : `The rows have values in ${first} and ${second}, and they’re added up.`
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
  { headings, reading, isRemembered, currency, known, storedDays }: FileToCheck,
  codes: readonly { readonly code: string; readonly days: readonly AddedDay[] }[],
): string | null {
  if (ourReading(headings) !== null) return null
  if (isRemembered && reading.currency !== null && currency !== null && currency !== reading.currency)
    return `Values are in ${currency}. In earlier files they were in ${reading.currency}.`
  const [ofHeading = null] = ROLES.flatMap((role) => headingDoubt(headings, reading, role) ?? [])
  if (ofHeading !== null) return ofHeading
  // Clicks don't fall if they are totals. A value may, because sales are reversed.
  const name = FIGURES.find((each) => reading.columns[each === "valueMicros" ? "conversionValue" : each] !== undefined)
  if (name === undefined) return null
  const figuresOf = codes.map(({ code, days }) => {
    const before = storedDays.get(codeDayKey({ codeId: known.get(code)?.id ?? 0, date: EARLIER }))
    return [before?.[name] ?? 0, ...days.map(({ figures }) => figures[name] ?? 0)]
  })
  return looksLikeTotals(figuresOf) ? NEVER_FALL : null
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
  const replaced = doubt ?? changesEachDay(days, stored)
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

/** Asks if a file changes each known day: it may be about another part of them, such as another device. */
function changesEachDay(days: readonly CodeDay[], stored: (day: CodeDay) => CodeDay | undefined): string | null {
  const name = COUNTS.find((count) => days.some((day) => day[count] !== undefined)) ?? "valueMicros"
  if (!areOtherParts(days.map((day) => [stored(day)?.[name] ?? 0, day[name] ?? 0]))) return null
  return "The file changes each day that was known before. If it has another part of these days, such as another device, the figures are too low."
}

/** Asks about a day with higher stored figures, because the file may not cover all of it. */
function lowerQuestion(day: CodeDay, stored: CodeDay | undefined): string | null {
  const name = COUNTS.find((count) => (day[count] ?? Number.POSITIVE_INFINITY) < (stored?.[count] ?? 0))
  if (name === undefined) return null
  return `${stored?.[name]} ${name} are known for ${dateInWords(day.date)}, and the file has ${day[name]}.`
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
