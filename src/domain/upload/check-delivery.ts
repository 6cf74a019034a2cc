import type { LineDay } from "../delivery/day.ts"
import { type DeliveryItem, type JudgedReason, judge, measuredAt, type Receipt } from "../delivery/delivery.ts"
import { type CalendarDate, dateInWords, type Moment } from "../time/moment.ts"
import { addUp, type DayFigure, laterDaysLeftBehind, neverFalls, totalBefore } from "./daily.ts"
import { inWords, ourReading } from "./reading.ts"
import { type DeliveryRow, type FileLine, type LineFinder, type RowReader, TOO_LONG } from "./rows.ts"
import type { Reading, RejectedRow, Row, SkippedRows } from "./upload.ts"

interface DeliveryFile {
  readonly headings: readonly string[]
  readonly rows: readonly Row[]
  readonly reading: Reading
  readonly readRow: RowReader["read"]
  /** When totals without a day were measured. */
  readonly asOf: CalendarDate | Moment
  readonly findLine: LineFinder
  /** The line of all rows, if no column has it. */
  readonly onlyLine: FileLine | null
  /** The known days of a line, oldest first. */
  readonly daysOf: (line: FileLine) => readonly LineDay[]
}

/** The totals that the file reports for a line. */
export interface CheckedLine {
  readonly line: FileLine
  /** Accepted totals in the order in which they were measured. */
  readonly items: readonly DeliveryItem[]
  readonly rows: number
  /** Whether days before the file are unknown, so that the totals may be too low. */
  readonly hasUnknownDays: boolean
}

interface CheckedFile {
  readonly lines: readonly CheckedLine[]
  readonly rejected: readonly RejectedRow[]
  readonly skipped: SkippedRows
  /** Rows that are labeled as sums of others. */
  readonly sums: number
  /** Rows of lines without a total. */
  readonly empty: number
  /** Whether daily figures only rise, as totals do. */
  readonly looksLikeTotals: boolean
}

/** A total that isn't judged yet, with its rows. */
interface FileTotal {
  readonly item: DeliveryItem
  readonly rows: readonly number[]
}

interface LineRows {
  readonly figures: (DayFigure & { readonly asOf: CalendarDate | Moment })[]
  unreadRow: number | null
}

/** Finds out what a delivery file reports, by the rules of the API. Writes nothing. */
export function checkDelivery(file: DeliveryFile, receipt: Receipt): CheckedFile {
  const { byLine, firstDay, rowWithoutLine, ...rows } = readRows(file, receipt)
  const isDailyFile = file.reading.figures === "daily"
  const rejected = [...rows.rejected]
  const byNumber = new Map(file.rows.map((row) => [row.number, row]))
  const textOf = (row: number) => JSON.stringify(byNumber.get(row)?.cells)
  const lines: CheckedLine[] = []
  for (const [line, lineRows] of byLine) {
    // A flat-rate line is delivered or not, so there is nothing to add up.
    const isDaily = isDailyFile && line.pricingBasis !== "flat_rate"
    // A total stands alone, but a sum without one of its rows would be too low.
    const lost = rowWithoutLine ?? (isDaily ? lineRows.unreadRow : null)
    const checked = isDaily
      ? checkDays(line, lineRows.figures, { days: file.daysOf(line), firstDay, receipt })
      : checkTotals(line, lineRows.figures, textOf, receipt)
    const conflict = lost === null ? checked.conflict : `Row ${lost} can’t be read, so ${line.name} would be too low.`
    for (const row of checked.rejected) rejected.push(row)
    if (conflict !== null) for (const row of rejectionsOf(checked.accepted, INVALID, conflict)) rejected.push(row)
    else if (checked.accepted.length > 0) lines.push(checkedLine(line, checked, receipt))
  }
  rejected.sort((a, b) => a.row - b.row)
  return { ...rows, lines, rejected, looksLikeTotals: isDailyFile && lookLikeTotals([...byLine.values()]) }
}

const INVALID = "invalid_item"

/** Goes through the rows, and sorts their figures by line. */
function readRows(file: DeliveryFile, { today }: Receipt) {
  const { headings, rows, reading, readRow, asOf: asOfFile, findLine, onlyLine } = file
  const isOurs = ourReading(headings) !== null
  const rejected: RejectedRow[] = []
  const skipped = new Map<string, number[]>()
  const byLine = new Map<FileLine, LineRows>()
  let [sums, empty] = [0, 0]
  let firstDay: CalendarDate | null = null
  let rowWithoutLine: number | null = null
  for (const one of rows) {
    const row = readRow(one)
    // Rows of other sellers' lines count here: the file is complete from its first day on.
    if (row.day !== undefined && (firstDay === null || row.day < firstDay)) firstDay = row.day
    if (row.isSum && (row.name === "" || onlyLine !== null)) {
      sums++
      continue
    }
    if (row.isLong || (row.name === "" && onlyLine === null)) {
      if (!row.isLong && !row.hasFigure) continue
      // Its line is probably in a merged cell above, but it may be another line.
      const message = row.isLong ? TOO_LONG : "This row has a figure but no line. Fill in merged cells."
      rejected.push({ row: row.number, reason: INVALID, message })
      rowWithoutLine ??= row.number
      continue
    }
    const line = onlyLine ?? findLine(row.name)
    if (line === null) {
      skipped.getOrInsertComputed(row.name, () => []).push(row.number)
      continue
    }
    const lineRows = byLine.getOrInsertComputed(line, () => ({ figures: [], unreadRow: null }))
    const quantity = quantityOf(row, line, reading, isOurs)
    if (quantity === "empty") empty++
    else if (typeof quantity === "number")
      lineRows.figures.push({ row: row.number, day: row.day ?? today, asOf: row.asOf ?? asOfFile, quantity })
    else {
      rejected.push({ row: row.number, ...quantity })
      lineRows.unreadRow ??= row.number
    }
  }
  return { rejected, skipped, byLine, firstDay, rowWithoutLine, sums, empty }
}

/**
 * The figure of a row, or why it can't be counted. Rows without a total are empty, but a day needs its figure. Under our own
 * headings, the row alone marks a flat-rate line as delivered, as in the API.
 */
function quantityOf(row: DeliveryRow, line: FileLine, { figures, columns }: Reading, isOurs: boolean) {
  const { pricingBasis } = line
  const figure = row.figure(pricingBasis)
  const problem = typeof figure === "object" && "problem" in figure ? figure.problem : undefined
  const marksFlatRate = isOurs && pricingBasis === "flat_rate"
  const needsNoDay = figure === "empty" && figures === "totals" && !marksFlatRate
  const message = problem ?? (needsNoDay ? undefined : row.dayProblem)
  if (message !== undefined) return { reason: INVALID, message }
  if (pricingBasis === "flat_rate") {
    const reason = "flat_rate_takes_no_quantity"
    if (figure !== "empty") return { reason, message: reasonInWords(reason, line) }
    return marksFlatRate ? 1 : "empty"
  }
  if (typeof figure === "object" && "quantity" in figure) return figure.quantity
  const isOther = columns[pricingBasis] === undefined || row.hasFigure
  if (figures === "totals" && !isOther) return "empty"
  return { reason: "quantity_required", message: reasonInWords("quantity_required", line) }
}

function itemOf({ packageId, pricingBasis }: FileLine, quantity: number, asOf: DeliveryItem["asOf"]): DeliveryItem {
  return { packageId, unit: pricingBasis === "flat_rate" ? undefined : pricingBasis, quantity, asOf }
}

/** The totals of a line before anything is decided about the line as a whole. */
interface JudgedTotals {
  readonly accepted: readonly FileTotal[]
  readonly rejected: readonly RejectedRow[]
  /** Why none of the accepted totals can be reported. */
  readonly conflict: string | null
  readonly hasUnknownDays: boolean
}

function checkTotals(line: FileLine, figures: LineRows["figures"], textOf: RowText, receipt: Receipt): JudgedTotals {
  const totals = figures.map(({ row, quantity, asOf }) => ({ item: itemOf(line, quantity, asOf), rows: [row] }))
  const judged = judgeTotals(line, totals, receipt)
  return { ...judged, conflict: twoTotalsAtOnce(judged.accepted, line, textOf, receipt), hasUnknownDays: false }
}

interface KnownDays {
  readonly days: readonly LineDay[]
  readonly firstDay: CalendarDate | null
  readonly receipt: Receipt
}

function checkDays(line: FileLine, figures: LineRows["figures"], { days, firstDay, receipt }: KnownDays): JudgedTotals {
  const before = totalBefore(days, firstDay, line, receipt)
  const dayTotals = addUp(
    figures.filter(({ day }) => day >= line.flightStart),
    before.quantity,
  )
  const totals = dayTotals.map(({ day, quantity, rows }) => ({ item: itemOf(line, quantity, day), rows }))
  const { accepted, rejected } = judgeTotals(line, totals, receipt)
  // Days before the flight are in no total. Empty ones don't matter.
  const early = figures.filter(({ day, quantity }) => day < line.flightStart && quantity > 0)
  const reason = "before_flight_start"
  const earlyRows = early.map(({ row }) => ({ row, reason, message: reasonInWords(reason, line) }))
  const over = dayTotals.filter(({ day }) => day <= receipt.today)
  const conflict = laterDaysLeftBehind(over, days, line, receipt)
  return { accepted, rejected: [...rejected, ...earlyRows], conflict, hasUnknownDays: before.isUnknown }
}

function judgeTotals(line: FileLine, totals: readonly FileTotal[], receipt: Receipt) {
  const accepted: FileTotal[] = []
  const rejected: RejectedRow[] = []
  for (const total of totals) {
    const reason = judge(total.item, line, receipt)
    if (reason === null) accepted.push(total)
    else rejected.push(...rejectionsOf([total], reason, reasonInWords(reason, line)))
  }
  return { accepted, rejected }
}

const rejectionsOf = (totals: readonly FileTotal[], reason: string, message: string): RejectedRow[] =>
  totals.flatMap(({ rows }) => rows.map((row) => ({ row, reason, message })))

/** All cells of a row, by its number. */
type RowText = (row: number) => string

/**
 * Two rows of one line and time, in words. They are probably parts of a total, one for each device for example, even if both have
 * the same figure. Only an exact repetition of a row counts once.
 */
function twoTotalsAtOnce(
  totals: readonly FileTotal[],
  { name, pricingBasis }: FileLine,
  textOf: RowText,
  receipt: Receipt,
): string | null {
  const byMoment = new Map<Moment, FileTotal>()
  if (pricingBasis === "flat_rate") return null
  for (const total of totals) {
    const other = byMoment.getOrInsert(measuredAt(total.item, receipt), total)
    const [first = 0, second = 0] = [other.rows[0], total.rows[0]]
    if (other === total || textOf(first) === textOf(second)) continue
    const both = `${inWords(other.item.quantity)} in row ${first} and ${inWords(total.item.quantity)} in row ${second}`
    return `${name} has two totals at the same time: ${both}.`
  }
  return null
}

function checkedLine(line: FileLine, { accepted, hasUnknownDays }: JudgedTotals, receipt: Receipt): CheckedLine {
  const inOrder = accepted
    .map((total) => ({ ...total, at: measuredAt(total.item, receipt) }))
    .sort((a, b) => a.at - b.at)
  const rows = accepted.reduce((count, { rows }) => count + rows.length, 0)
  // A total that occurs in several rows is reported once.
  const items = inOrder.filter(({ at }, i) => at !== inOrder[i + 1]?.at).map(({ item }) => item)
  return { line, items, rows, hasUnknownDays }
}

/** Whether the daily figures of at least half of the lines with several days never fall. */
function lookLikeTotals(all: readonly LineRows[]): boolean {
  const several = all.filter(({ figures }) => new Set(figures.map(({ day }) => day)).size > 1)
  const rising = several.filter(({ figures }) => neverFalls(figures))
  return several.length > 0 && rising.length * 2 >= several.length
}

function reasonInWords(reason: JudgedReason, { name, flightStart, pricingBasis }: FileLine): string {
  switch (reason) {
    case "not_seller":
      return `${name} isn’t one of your lines.`
    case "before_flight_start":
      return `The flight of ${name} starts on ${dateInWords(flightStart)}.`
    case "as_of_in_future":
      return "This day is in the future."
    case "flat_rate_takes_no_quantity":
      return `${name} has a flat rate, so it takes no total.`
    case "quantity_required":
      return `${name} is priced on ${pricingBasis}, and this row has none.`
  }
}
