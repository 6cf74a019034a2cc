import { type JudgedReason, judge, measuredAt, type Receipt } from "../delivery/delivery.ts"
import { dateInWords, type Moment } from "../time/moment.ts"
import { dayOf } from "../time/time-zone.ts"
import { readTypedDay } from "../time/typed-day.ts"
import type { CheckedFile, FileToCheck } from "./check.ts"
import {
  addUp,
  type DailyLine,
  type FileTotal,
  figuresByDay,
  laterTotalsStay,
  looksLikeTotals,
  totalBefore,
  totalsOfEmptyDays,
} from "./daily.ts"
import { dailyDoubt } from "./daily-doubts.ts"
import { headingDoubt, periodColumn, periodDoubt } from "./headings.ts"
import { askAboutLowerFile, itemOf, type LineTotals, lineEntry } from "./line-entry.ts"
import { checkParts, type Part } from "./parts.ts"
import { otherColumns, ourReading } from "./reading.ts"
import type { FileLine, FileRow } from "./rows.ts"
import { type Subjects, sortRows } from "./sort-rows.ts"
import { cellOf, inWords, type RejectedRow } from "./upload.ts"

const INVALID = "invalid_item"

/** Finds out what a delivery file reports, by the rules of the API. Writes nothing. */
export function checkDelivery(file: FileToCheck): CheckedFile {
  const { bySubject, unread, ...sorted } = sortRows(file, linesOf(file))
  const isDaily = file.reading.figures === "daily"
  const columns = doubtsAboutColumns(file)
  const lines = [...bySubject].map(([line, parts]) => {
    // A total stands alone, but a sum without one of its rows would be too low.
    const lost = unread.get(ANY_LINE) ?? (isDaily ? unread.get(line.packageId) : undefined)
    return checkLine(file, line, parts, { lost, doubt: sorted.doubt ?? columns[line.pricingBasis] })
  })
  const entries = lines.flatMap(({ entry }) => entry ?? [])
  const rejected = [...sorted.rejected, ...lines.flatMap((each) => each.rejected)]
  return {
    ...sorted,
    entries: isDaily ? entries : askAboutLowerFile(entries),
    rejected: rejected.sort((a, b) => a.row - b.row),
    sums: lines.reduce((count, { sums }) => count + sums, sorted.sums),
    looksLikeTotals: looksLikeTotals(lines.flatMap(({ figures }) => (figures === null ? [] : [figures]))),
    sameDay: lines.find(({ sameDay }) => sameDay !== null)?.sameDay ?? null,
  }
}

/** What the whole file means for a line. */
interface AboutFile {
  /** A row that can't be read and could belong to the line. */
  readonly lost: number | undefined
  readonly doubt: string | null
}

function checkLine(file: FileToCheck, line: FileLine, parts: readonly Part[], { lost, doubt }: AboutFile) {
  const { reading, receipt, begin, daysOf, headings } = file
  // A flat-rate line is delivered or not, so there is nothing to add up.
  const isAdded = reading.figures === "daily" && line.pricingBasis !== "flat_rate"
  const daily = { line, parts, begin, receipt, columns: reading.parts ?? [], days: daysOf(line) }
  const together = isAdded ? checkParts(parts, reading.parts, headings) : null
  const found = together === null ? ownTotals(file, line, parts) : addedTotals(daily, together)
  const problem = lost === undefined ? found.conflict : `Row ${lost} can’t be read, so ${line.name} would be too low.`
  const isReported = problem === null && found.accepted.length > 0
  const why = doubt ?? idOfOther(file, line, parts) ?? found.doubt
  return {
    entry: isReported ? lineEntry(file, line, { ...found, doubt: why }) : null,
    rejected:
      problem === null ? found.rejected : [...found.rejected, ...rejectedRows(found.accepted, INVALID, problem)],
    figures: isAdded ? figuresByDay(daily) : null,
    sums: together?.sums.size ?? 0,
    sameDay: together === null || together.open === null ? null : `${line.name}: ${together.open}`,
  }
}

const ANY_LINE = ""

/** The lines of a delivery file, and how its rows are read. A row that can't be read stops all days of its line. */
function linesOf(file: FileToCheck): Subjects<FileLine, Part> {
  const { findLine, onlyLine } = file
  const isOurs = ourReading(file.headings) !== null
  return {
    noun: "line",
    invalid: INVALID,
    find: ({ name }) => onlyLine ?? findLine(name),
    scope: (line) => line?.packageId ?? ANY_LINE,
    read(row, line) {
      const quantity = quantityOf(row, line, file, isOurs)
      return typeof quantity === "number" ? partOf(row, line, quantity, file) : quantity
    },
  }
}

function partOf(row: FileRow, { packageId }: FileLine, quantity: number, { names, receipt, asOf }: FileToCheck): Part {
  return {
    row: row.number,
    cells: row.cells,
    day: row.day ?? receipt.today,
    asOf: row.asOf ?? asOf,
    quantity,
    name: names.get(row.name) === packageId ? row.name : "",
  }
}

/**
 * The figure of a row, or why it can't be counted. Rows without a total are empty, but a day needs its figure. Under our own
 * headings, the row alone marks a flat-rate line as delivered, as in the API.
 */
function quantityOf(row: FileRow, line: FileLine, { reading, receipt }: FileToCheck, isOurs: boolean) {
  const { figures, columns } = reading
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
  // Plans have rows for days to come.
  if (figure === "empty" && (row.day ?? "") > receipt.today) return "empty"
  const isOther = columns[pricingBasis] === undefined || row.hasFigure
  if (figures === "totals" && !isOther) return "empty"
  return { reason: "quantity_required", message: reasonInWords("quantity_required", line) }
}

/** The totals of a line that are in the file itself. */
function ownTotals(file: FileToCheck, line: FileLine, parts: readonly Part[]): LineTotals {
  const { receipt, reading, above } = file
  const { accepted, rejected } = judgeAll(line, parts.map(totalOf), receipt)
  const conflict = twoTotalsAtOnce(line, accepted, receipt)
  const ofFile = reading.columns.day === undefined ? periodDoubt(above, reading, line.flightStart) : null
  return { accepted, rejected, conflict, hasUnknownDays: false, doubt: ofFile ?? laterBeginning(file, line, parts) }
}

/** Asks about a total whose row says that it begins after the flight. */
function laterBeginning({ headings, reading, receipt }: FileToCheck, line: FileLine, parts: readonly Part[]) {
  const column = periodColumn(headings, reading)
  if (column === undefined) return null
  for (const { row, cells } of parts) {
    const read = readTypedDay(cells[column] ?? "", reading.dayOrder, receipt.timeZone)
    const possible = "asOf" in read ? [read.asOf] : (read.readings ?? [])
    const days = possible.map((asOf) => (typeof asOf === "number" ? dayOf(asOf, receipt.timeZone) : asOf))
    const begins = days.find((day) => day > line.flightStart)
    if (begins !== undefined)
      return `Row ${row} begins on ${dateInWords(begins)}. If it has only the days from then on, the total is too low.`
  }
  return null
}

/** The totals of a line that its daily figures add up to. */
function addedTotals(daily: DailyLine, { sums, conflict, doubt }: ReturnType<typeof checkParts>): LineTotals {
  const { line, parts, receipt } = daily
  const before = totalBefore(daily)
  const isEarly = ({ day }: Part) => day < line.flightStart
  const counted = parts.filter((part) => !isEarly(part) && !sums.has(part.row))
  // Days before the flight are in no total, so they are rejected. Empty ones don't matter.
  const early = parts.filter((part) => isEarly(part) && part.quantity > 0).map(totalOf)
  const { accepted, rejected } = judgeAll(line, [...early, ...addUp(counted, before.quantity)], receipt)
  const emptyDays = judgeAll(line, totalsOfEmptyDays(daily, accepted, before.quantity), receipt).accepted
  const totals = [...accepted, ...emptyDays].sort((a, b) => (a.asOf < b.asOf ? -1 : 1))
  const later = laterTotalsStay(totals, daily)
  return {
    accepted: totals,
    rejected,
    conflict: conflict ?? later.conflict,
    hasUnknownDays: before.isUnknown,
    doubt: doubt ?? later.doubt ?? dailyDoubt(daily, accepted, before.quantity),
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

/** Asks about a row with the ID of another line in a column that nobody chose. */
function idOfOther(
  { headings, reading, lineOfId }: FileToCheck,
  line: FileLine,
  parts: readonly Part[],
): string | null {
  const others = otherColumns(headings, reading.columns)
  for (const { row, cells } of parts)
    for (const column of others) {
      const other = lineOfId((cells[column] ?? "").trim())
      if (other !== null && other.id !== line.id)
        return `Row ${row} has an ID of ${other.name}, but it’s read as ${line.name}.`
    }
  return null
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
