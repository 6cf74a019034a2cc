import { type DeliveryItem, type JudgedReason, judge, measuredAt, type Receipt } from "../delivery/delivery.ts"
import { type CalendarDate, dateInWords, type Moment } from "../time/moment.ts"
import {
  addUp,
  beginsLate,
  dayMissing,
  dayOutOfOrder,
  type FileTotal,
  laterDaysLeftBehind,
  looksLikeTotals,
  totalBefore,
} from "./daily.ts"
import { countsThousands, isFraction, lineEntry } from "./line-entry.ts"
import { checkParts, type Part } from "./parts.ts"
import { ourReading } from "./reading.ts"
import type { CheckedFile, FileEntry } from "./result.ts"
import { type FileLine, type FileRow, type FileToCheck, saysSum, TOO_LONG } from "./rows.ts"
import { cellOf, inWords, type Reading, type RejectedRow } from "./upload.ts"

interface LineRows {
  readonly figures: Part[]
  unreadRow: number | null
}

const INVALID = "invalid_item"

/** Finds out what a delivery file reports, by the rules of the API. Writes nothing. */
export function checkDelivery(file: FileToCheck): CheckedFile {
  const { receipt } = file
  const { byLine, firstDay, firstMoment, fraction, rowWithoutLine, rejected, skipped, empty, ...found } = readRows(file)
  const cellsOf = new Map(file.rows.map(({ number, cells }) => [number, cells]))
  // A flat-rate line is delivered or not, so there is nothing to add up.
  const isDailyFile = file.reading.figures === "daily"
  const added = [...byLine].filter(([line]) => isDailyFile && line.pricingBasis !== "flat_rate")
  const partsOf = new Map(added.map(([line, { figures }]) => [line, figures]))
  const { sums, doubts } = checkParts({ ...file, cellsOf, partsOf })
  const entries: FileEntry[] = []
  for (const [line, { figures, unreadRow }] of byLine) {
    const isDaily = partsOf.has(line)
    const days = file.daysOf(line)
    const reject = ({ rows }: Pick<FileTotal, "rows">, reason: string, message: string) => {
      for (const row of rows) rejected.push({ row, reason, message })
    }
    const before = isDaily ? totalBefore(days, firstDay, line, receipt) : { quantity: 0, isUnknown: false }
    const counted = figures.filter(({ row, day }) => !isDaily || (day >= line.flightStart && !sums.has(row)))
    const ofDays = isDaily ? addUp(counted, before.quantity) : null
    const totals: readonly FileTotal[] = ofDays ?? counted.map((one) => ({ ...one, rows: [one.row] }))
    const accepted: FileTotal[] = []
    for (const total of totals) {
      const reason = judge(itemOf(line, total), line, receipt)
      if (reason === null) accepted.push(total)
      else reject(total, reason, reasonInWords(reason, line))
    }
    // Days before the flight are in no total. Empty ones don't matter.
    const early = figures.filter(({ day, quantity }) => isDaily && day < line.flightStart && quantity > 0)
    reject({ rows: early.map(({ row }) => row) }, "before_flight_start", reasonInWords("before_flight_start", line))

    // A total stands alone, but a sum without one of its rows would be too low.
    const lost = rowWithoutLine ?? (isDaily ? unreadRow : null)
    const conflict =
      (lost === null ? null : `Row ${lost} can’t be read, so ${line.name} would be too low.`) ??
      (ofDays === null
        ? twoTotalsAtOnce(accepted, line, cellsOf, receipt)
        : laterDaysLeftBehind(ofDays, days, line, receipt))
    if (conflict !== null) {
      for (const total of accepted) reject(total, INVALID, conflict)
      continue
    }
    if (accepted.length === 0) continue
    const begin = { firstDay, firstMoment }
    const doubt =
      countsThousands(headingOf(file, line), line.pricingBasis === "impressions" ? fraction : null) ??
      doubts.get(line) ??
      (isDaily ? dayOutOfOrder(figures, line, receipt) : null) ??
      (ofDays === null ? null : dayMissing(ofDays, days, firstDay, before.quantity, line)) ??
      (isDaily ? beginsLate(figures, days, begin, receipt) : null)
    const items = newestItems(line, accepted, receipt)
    const rows = accepted.reduce((count, { rows }) => count + rows.length, 0)
    entries.push(lineEntry(line, { items, rows, hasUnknownDays: before.isUnknown, doubt }, days, receipt))
  }
  rejected.sort((a, b) => a.row - b.row)
  const isOdd = isDailyFile && looksLikeTotals(partsOf, file.daysOf, receipt)
  const others = { open: file.reader.open, looksLikeTotals: isOdd, rowsWithoutCode: [] }
  return { entries, rejected, skipped, sums: found.sums + sums.size, empty, ...others }
}

/** The heading of the column with the totals of a line. */
const headingOf = ({ headings, reading }: FileToCheck, { pricingBasis }: FileLine): string =>
  pricingBasis === "flat_rate" ? "" : (headings[reading.columns[pricingBasis] ?? -1] ?? "")

/** Goes through the rows, and sorts their figures by line. */
function readRows(file: FileToCheck) {
  const { headings, rows, reading, reader, asOf: asOfFile, receipt, findLine, names, onlyLine } = file
  const isOurs = ourReading(headings) !== null
  const rejected: RejectedRow[] = []
  const skipped = new Map<string, number[]>()
  const byLine = new Map<FileLine, LineRows>()
  let [sums, empty] = [0, 0]
  let firstDay: CalendarDate | null = null
  let firstMoment: Moment | null = null
  let fraction: number | null = null
  let rowWithoutLine: number | null = null
  for (const one of rows) {
    const row = reader.read(one)
    // Rows of other sellers' lines count here: the file is complete from its first day on.
    if (row.day !== undefined && (firstDay === null || row.day < firstDay)) firstDay = row.day
    if (typeof row.asOf === "number" && (firstMoment === null || row.asOf < firstMoment)) firstMoment = row.asOf
    if (fraction === null && isFraction(cellOf(one, reading.columns.impressions))) fraction = row.number
    const line = onlyLine ?? findLine(row.name)
    if (row.isSum && (row.name === "" || onlyLine !== null || (line === null && saysSum(row.name)))) {
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
    if (line === null) {
      skipped.getOrInsertComputed(row.name, () => []).push(row.number)
      continue
    }
    const lineRows = byLine.getOrInsertComputed(line, () => ({ figures: [], unreadRow: null }))
    const quantity = quantityOf(row, line, reading, isOurs)
    if (quantity === "empty") empty++
    else if (typeof quantity === "number") {
      const name = names.get(row.name) === line.packageId ? row.name : ""
      lineRows.figures.push({
        row: row.number,
        day: row.day ?? receipt.today,
        asOf: row.asOf ?? asOfFile,
        quantity,
        name,
      })
    } else {
      rejected.push({ row: row.number, ...quantity })
      lineRows.unreadRow ??= row.number
    }
  }
  return { rejected, skipped, byLine, firstDay, firstMoment, fraction, rowWithoutLine, sums, empty }
}

/**
 * The figure of a row, or why it can't be counted. Rows without a total are empty, but a day needs its figure. Under our own
 * headings, the row alone marks a flat-rate line as delivered, as in the API.
 */
function quantityOf(row: FileRow, line: FileLine, { figures, columns }: Reading, isOurs: boolean) {
  const { pricingBasis } = line
  const figure = pricingBasis === "flat_rate" ? flatFigure(row) : row.figure(pricingBasis)
  const problem = typeof figure === "object" && "problem" in figure ? figure.problem : undefined
  const marksFlatRate = isOurs && pricingBasis === "flat_rate"
  const isNothing = figure === "empty" || figure === "dash"
  const needsNoDay = isNothing && figures === "totals" && !marksFlatRate
  const message = problem ?? (needsNoDay ? undefined : row.dayProblem)
  if (message !== undefined) return { reason: INVALID, message }
  if (pricingBasis === "flat_rate") {
    const reason = "flat_rate_takes_no_quantity"
    if (figure !== "empty") return { reason, message: reasonInWords(reason, line) }
    return marksFlatRate ? 1 : "empty"
  }
  if (typeof figure === "object" && "quantity" in figure) return figure.quantity
  if (figure === "dash") return figures === "daily" ? 0 : "empty"
  const isOther = columns[pricingBasis] === undefined || row.hasFigure
  if (figures === "totals" && !isOther) return "empty"
  return { reason: "quantity_required", message: reasonInWords("quantity_required", line) }
}

/** Any figure is one too many for a flat rate. */
const flatFigure = ({ hasFigure }: FileRow) => (hasFigure ? { quantity: 0 } : "empty")

function itemOf({ packageId, pricingBasis }: FileLine, { quantity, asOf }: FileTotal): DeliveryItem {
  return { packageId, unit: pricingBasis === "flat_rate" ? undefined : pricingBasis, quantity, asOf }
}

/**
 * Two rows of one line and time, in words. They are probably parts of a total, one for each device for example, even if both have
 * the same figure. Only an exact repetition of a row counts once.
 */
function twoTotalsAtOnce(
  totals: readonly FileTotal[],
  line: FileLine,
  cellsOf: ReadonlyMap<number, readonly string[]>,
  receipt: Receipt,
): string | null {
  const byMoment = new Map<Moment, FileTotal>()
  if (line.pricingBasis === "flat_rate") return null
  for (const total of totals) {
    const other = byMoment.getOrInsert(measuredAt(itemOf(line, total), receipt), total)
    const [first = 0, second = 0] = [other.rows[0], total.rows[0]]
    if (JSON.stringify(cellsOf.get(first)) === JSON.stringify(cellsOf.get(second))) continue
    const both = `${inWords(other.quantity)} in row ${first} and ${inWords(total.quantity)} in row ${second}`
    return `${line.name} has two totals at the same time: ${both}.`
  }
  return null
}

/** The items of a line in the order in which they were measured. A total that occurs in several rows is reported once. */
function newestItems(line: FileLine, totals: readonly FileTotal[], receipt: Receipt): DeliveryItem[] {
  const items = totals.map((total) => itemOf(line, total))
  const byMoment = new Map(items.map((item) => [measuredAt(item, receipt), item]))
  return [...byMoment].sort(([a], [b]) => a - b).map(([, item]) => item)
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
