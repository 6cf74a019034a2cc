import { type JudgedReason, judge, measuredAt, type Receipt } from "../delivery/delivery.ts"
import { dateInWords, type Moment } from "../time/moment.ts"
import type { CheckedFile, FileEntry, FileToCheck } from "./check.ts"
import {
  addUp,
  type DailyLine,
  dailyDoubt,
  type FileTotal,
  figuresByDay,
  laterDaysLeftBehind,
  laterTotalsStay,
  looksLikeTotals,
  totalBefore,
  totalsOfEmptyDays,
} from "./daily.ts"
import { headingDoubt } from "./headings.ts"
import { askAboutLowerFile, itemOf, type LineTotals, lineEntry } from "./line-entry.ts"
import { checkParts, type Part } from "./parts.ts"
import { ourReading } from "./reading.ts"
import { type FileLine, type FileRow, isNameless, saysSum, TOO_LONG } from "./rows.ts"
import { cellOf, inWords, type Reading, type RejectedRow } from "./upload.ts"

const INVALID = "invalid_item"

/** Finds out what a delivery file reports, by the rules of the API. Writes nothing. */
export function checkDelivery(file: FileToCheck): CheckedFile {
  const { receipt, reading, begin, daysOf } = file
  const { byLine, rowWithoutLine, rejected: unread, ...counts } = sortRows(file)
  // A flat-rate line is delivered or not, so there is nothing to add up.
  const added = [...byLine].filter(([line]) => reading.figures === "daily" && line.pricingBasis !== "flat_rate")
  const partsOf = new Map(added.map(([line, { parts }]) => [line, parts]))
  const { sums, doubts } = checkParts(file, partsOf)
  const dailyLines = new Map<FileLine, DailyLine>()
  for (const [line, parts] of partsOf) dailyLines.set(line, { line, parts, begin, receipt, days: daysOf(line) })
  const columns = doubtsAboutColumns(file)
  const rejected: (readonly RejectedRow[])[] = [unread]
  const entries: FileEntry[] = []
  for (const [line, { parts, unreadRow }] of byLine) {
    const daily = dailyLines.get(line)
    const found = daily === undefined ? totalsIn(line, parts, receipt) : dailyTotalsIn(daily, sums)
    const { accepted } = found
    // A total stands alone, but a sum without one of its rows would be too low.
    const lost = rowWithoutLine ?? (daily === undefined ? null : unreadRow)
    const problem = lost === null ? found.conflict : `Row ${lost} can’t be read, so ${line.name} would be too low.`
    rejected.push(found.rejected)
    if (problem !== null) rejected.push(rejectedRows(accepted, INVALID, problem))
    if (problem !== null || accepted.length === 0) continue
    const doubt = columns[line.pricingBasis] ?? doubts.get(line) ?? found.doubt
    entries.push(lineEntry(file, line, { ...found, doubt }))
  }
  return {
    ...counts,
    entries: reading.figures === "totals" ? askAboutLowerFile(entries) : entries,
    rejected: rejected.flat().sort((a, b) => a.row - b.row),
    sums: counts.sums + sums.size,
    looksLikeTotals: looksLikeTotals([...dailyLines.values()].map(figuresByDay)),
    rowsWithoutCode: [],
  }
}

function totalsIn(line: FileLine, parts: readonly Part[], receipt: Receipt): LineTotals {
  const { accepted, rejected } = judgeAll(line, parts.map(totalOf), receipt)
  const conflict = twoTotalsAtOnce(line, accepted, receipt)
  return { accepted, rejected, conflict, hasUnknownDays: false, doubt: null }
}

function dailyTotalsIn(daily: DailyLine, sums: ReadonlySet<number>): LineTotals {
  const { line, parts, receipt } = daily
  const before = totalBefore(daily)
  const isEarly = ({ day }: Part) => day < line.flightStart
  const counted = parts.filter((part) => !isEarly(part) && !sums.has(part.row))
  // Days before the flight are in no total, so they are rejected. Empty ones don't matter.
  const early = parts.filter((part) => isEarly(part) && part.quantity > 0).map(totalOf)
  const { accepted, rejected } = judgeAll(line, [...early, ...addUp(counted, before.quantity)], receipt)
  const emptyDays = totalsOfEmptyDays(daily, accepted, before.quantity)
  const filled = [...accepted, ...judgeAll(line, emptyDays, receipt).accepted].sort((a, b) =>
    a.asOf < b.asOf ? -1 : 1,
  )
  return {
    accepted: filled,
    rejected,
    conflict: laterDaysLeftBehind(filled, daily),
    hasUnknownDays: before.isUnknown,
    doubt: laterTotalsStay(filled, daily) ?? dailyDoubt(daily, accepted, before.quantity),
  }
}

const totalOf = (part: Part): FileTotal => ({ asOf: part.asOf, quantity: part.quantity, parts: [part] })

function judgeAll(line: FileLine, totals: readonly FileTotal[], receipt: Receipt) {
  const accepted: FileTotal[] = []
  const rejected: RejectedRow[] = []
  for (const total of totals) {
    const reason = judge(itemOf(line, total), line, receipt)
    if (reason === null) accepted.push(total)
    else rejected.push(...rejectedRows([total], reason, reasonInWords(reason, line)))
  }
  return { accepted, rejected }
}

const rejectedRows = (totals: readonly FileTotal[], reason: string, message: string): RejectedRow[] =>
  totals.flatMap(({ parts }) => parts.map(({ row }) => ({ row, reason, message })))

interface LineRows {
  readonly parts: Part[]
  unreadRow: number | null
}

/** Goes through the rows, and sorts their figures by line. */
function sortRows(file: FileToCheck) {
  const { rows, findLine, onlyLine } = file
  const isOurs = ourReading(file.headings) !== null
  const rejected: RejectedRow[] = []
  const skipped = new Map<string, number[]>()
  const byLine = new Map<FileLine, LineRows>()
  let [sums, empty] = [0, 0]
  let rowWithoutLine: number | null = null
  for (const row of rows) {
    const line = onlyLine ?? findLine(row.name)
    const hasNoLine = row.name === "" && onlyLine === null
    const isOnlySum = isNameless(row.name) || onlyLine !== null || (line === null && saysSum(row.name))
    if (row.isSum && isOnlySum) sums++
    else if (row.isLong || (hasNoLine && row.hasFigure)) {
      // Its line can't be known: the cells of a long row may have moved, and the merged cell above may belong to another line.
      const message = row.isLong ? TOO_LONG : "This row has a figure but no line. Fill in merged cells."
      rejected.push({ row: row.number, reason: INVALID, message })
      rowWithoutLine ??= row.number
    } else if (line === null) {
      if (!hasNoLine) skipped.getOrInsertComputed(row.name, () => []).push(row.number)
    } else {
      const lineRows = byLine.getOrInsertComputed(line, () => ({ parts: [], unreadRow: null }))
      const quantity = quantityOf(row, line, file.reading, isOurs)
      if (quantity === "empty") empty++
      else if (typeof quantity === "number") lineRows.parts.push(partOf(row, line, quantity, file))
      else {
        rejected.push({ row: row.number, ...quantity })
        lineRows.unreadRow ??= row.number
      }
    }
  }
  return { rejected, skipped, byLine, rowWithoutLine, sums, empty }
}

function partOf(row: FileRow, { packageId }: FileLine, quantity: number, { names, receipt, asOf }: FileToCheck): Part {
  const isMatched = names.get(row.name) === packageId
  return {
    row: row.number,
    cells: row.cells,
    day: row.day ?? receipt.today,
    asOf: row.asOf ?? asOf,
    quantity,
    name: isMatched ? row.name : "",
  }
}

/**
 * The figure of a row, or why it can't be counted. Rows without a total are empty, but a day needs its figure. Under our own
 * headings, the row alone marks a flat-rate line as delivered, as in the API.
 */
function quantityOf(row: FileRow, line: FileLine, { figures, columns }: Reading, isOurs: boolean) {
  const { pricingBasis } = line
  const isFlat = pricingBasis === "flat_rate"
  const flatFigure = row.hasFigure ? ({ quantity: 0 } as const) : "empty"
  const figure = isFlat ? flatFigure : row.figures[pricingBasis]
  const isNothing = figure === "empty" || figure === "dash"
  const needsNoDay = isNothing && figures === "totals" && !(isOurs && isFlat)
  const problem = typeof figure === "object" && "problem" in figure ? figure.problem : undefined
  const message = problem ?? (needsNoDay ? undefined : row.dayProblem)
  if (message !== undefined) return { reason: INVALID, message }
  if (isFlat) {
    const reason = "flat_rate_takes_no_quantity"
    if (figure !== "empty") return { reason, message: reasonInWords(reason, line) }
    return isOurs ? 1 : "empty"
  }
  if (typeof figure === "object" && "quantity" in figure) return figure.quantity
  if (figure === "dash") return figures === "daily" ? 0 : "empty"
  const isOther = columns[pricingBasis] === undefined || row.hasFigure
  if (figures === "totals" && !isOther) return "empty"
  return { reason: "quantity_required", message: reasonInWords("quantity_required", line) }
}

/**
 * Two rows of one line and time, in words. They are probably parts of a total, one for each device for example, even if both have
 * the same figure. Only an exact repetition of a row counts once.
 */
function twoTotalsAtOnce(line: FileLine, totals: readonly FileTotal[], receipt: Receipt): string | null {
  if (line.pricingBasis === "flat_rate") return null
  const byMoment = new Map<Moment, Part>()
  for (const total of totals) {
    for (const part of total.parts) {
      const other = byMoment.getOrInsert(measuredAt(itemOf(line, total), receipt), part)
      if (other === part || other.cells.join("\n") === part.cells.join("\n")) continue
      const both = `${inWords(other.quantity)} in row ${other.row} and ${inWords(part.quantity)} in row ${part.row}`
      return `${line.name} has two totals at the same time: ${both}. If each is about a mailing or an episode of its own, read the file as daily figures.`
    }
  }
  return null
}

// 112.5, but not 12.00 or 1,234.
const FRACTION = /\d[.,]\d?[1-9]$/

/** Why a column may be something else: its heading says so, or it has parts of impressions. Other rows may happen to be whole. */
function doubtsAboutColumns({ headings, rows, reading }: FileToCheck) {
  const part = rows.find((row) => FRACTION.test(cellOf(row, reading.columns.impressions)))
  const ofPart =
    part === undefined
      ? null
      : `Row ${part.number} has a part of an impression. If it counts thousands or millions, the total is too low.`
  return {
    impressions: headingDoubt(headings, reading, "impressions") ?? ofPart,
    downloads: headingDoubt(headings, reading, "downloads"),
    flat_rate: null,
  }
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
