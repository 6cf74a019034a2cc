import { UNITS } from "../../domain/campaign/pricing-basis.ts"
import { receiptAt } from "../../domain/delivery/delivery.ts"
import { inParts } from "../../domain/event-loop.ts"
import { nearestNumber } from "../../domain/schema/exact-json.ts"
import type { CalendarDate } from "../../domain/time/moment.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import type { LineParts } from "../../domain/upload/add-up.ts"
import { addPart, deliveredBefore, incomplete, leavesBehind, totalsOf, unitOf } from "../../domain/upload/add-up.ts"
import { refusal, unknownLine } from "../../domain/upload/judge-row.ts"
import type { RowRefusal } from "../../domain/upload/row-reader.ts"
import { rowsOf, type Upload } from "../../domain/upload/upload.ts"
import type { SoldLineWithTotal, StoreReads } from "../../storage/port/store.ts"
import type { ReportContext } from "../context.ts"
import { type CheckedRow, type Checker, judgedTotal, refusedAmong, refusedRows } from "./checked-row.ts"
import type { PreparedRow } from "./prepare-rows.ts"
import { ROWS_AT_ONCE_MAX } from "./read-rows.ts"

export interface LineInFile {
  readonly line: SoldLineWithTotal
  /** As the file calls it. */
  readonly name: string
  readonly parts: LineParts
  /** The numbers of its rows, by day. */
  readonly rows: Map<CalendarDate, number[]>
  /** The last row of its last day. */
  last: Readonly<{ day: CalendarDate; quantity: number }>
  /** A row that cannot be read. */
  broken: number | null
}

/** What a file says about each line, row by row. `hasDays`: whether each row is a part of one day. */
export function lineSums(hasDays: boolean) {
  const lines = new Map<number, LineInFile>()
  const sums = {
    lines,
    /** The first day of any row, also of lines that are not ours: from there on the file has every day. */
    firstDay: null as CalendarDate | null,
    /** A row that cannot be read, of which nobody knows to which line it belongs. */
    broken: null as number | null,
    /** Null when the row is part of a sum; otherwise why it is refused. */
    add(row: PreparedRow): RowRefusal | null {
      const { read, line, number, name, namesakes, sum } = row
      if (sum !== null) return sum
      const day = read.ok ? read.element["as_of"] : undefined
      if (typeof day === "string" && (sums.firstDay === null || day < sums.firstDay)) sums.firstDay = day
      // Rows of totals name no line of ours, and do not matter; a row of which nothing can be told does.
      if (!read.ok && name === null) sums.broken ??= number
      if (line === undefined) return !read.ok && name === null ? read.refusal : unknownLine(name ?? "", namesakes)
      const entry = lines.get(line.lineId) ?? lineInFile(line, row)
      lines.set(line.lineId, entry)
      const refused = read.ok ? added(entry, number, read.element) : read.refusal
      if (refused !== null) entry.broken ??= number
      return refused
    },
  }

  function added(entry: LineInFile, number: number, element: CheckedRow["element"]): RowRefusal | null {
    const { line, parts, rows, last } = entry
    if (hasDays && element["as_of"] === undefined) return { ...NO_DAY, example: line.name }
    if (!addPart(parts, element)) return { ...NO_FIGURE, example: line.name }
    const day = String(element["as_of"] ?? "")
    const ofDay = rows.get(day)
    if (ofDay === undefined) rows.set(day, [number])
    else ofDay.push(number)
    if (day >= last.day) entry.last = { day, quantity: nearestNumber(element[parts.unit]) ?? 0 }
    return null
  }
  return sums
}

const NO_FIGURE = refusal("no figure", "A figure is missing", "Every row needs one, 0 where nothing was delivered.", "")
const NO_DAY = refusal("no day", "A day is missing", "Figures of single days need their day.", "")

function lineInFile(line: SoldLineWithTotal, { read, name }: PreparedRow): LineInFile {
  const said = read.ok ? unitOf(read.element) : undefined
  const unit = said ?? UNITS.find((unit) => unit === line.pricingBasis) ?? UNITS[0]
  const parts = { unit, byDay: new Map() }
  return { line, name: name ?? "", parts, rows: new Map(), last: { day: "", quantity: 0 }, broken: null }
}

/** Totals to date from rows that are parts of them. */
export function summedTotals({ store }: ReportContext, upload: Upload, zone: TimeZone): Checker {
  const hasDays = rowsOf(upload.choices) !== "lifetime"
  const sums = lineSums(hasDays)
  return {
    add: async (rows) => refusedAmong(rows, sums.add),
    async *rest() {
      for (const entry of sums.lines.values()) {
        const totals = await totalsOfLine(entry)
        // A line is refused with all its rows.
        if ("key" in totals)
          for (const days of inParts([...entry.rows.values()], ROWS_AT_ONCE_MAX))
            yield days.map((rows) => refusedRows(rows, totals))
        else for (const some of inParts(totals, ROWS_AT_ONCE_MAX)) yield some.map((total) => judgedPart(entry, total))
      }
    },
  }

  async function totalsOfLine({ line, parts, broken }: LineInFile): Promise<RowRefusal | CheckedRow["element"][]> {
    const unread = broken ?? sums.broken
    if (unread !== null) return incomplete(unread, line.name)
    const { firstDay } = sums
    const closings = hasDays ? await closingsOf(store, line) : []
    const isNothing = upload.choices.nothingBefore
    const before = !hasDays || firstDay === null ? 0 : deliveredBefore(firstDay, line, closings, zone, isNothing)
    if (typeof before !== "number") return before
    const totals = await totalsOf(parts, before, line.flightStart)
    const behind = hasDays ? leavesBehind(totals.at(-1), line, closings, zone) : null
    // Days before the flight are in no total: the rules of the API refuse them.
    const early = [...parts.byDay].filter(([day, quantity]) => day !== "" && day < line.flightStart && quantity > 0)
    return behind ?? [...totals, ...early.map(([day, quantity]) => ({ [parts.unit]: quantity, as_of: day }))]
  }

  function judgedPart({ line, name, rows }: LineInFile, total: CheckedRow["element"]): CheckedRow {
    const element = { ...total, package_id: line.packageId }
    const ofDay = rows.get(String(total["as_of"] ?? "")) ?? []
    return judgedTotal({ rows: ofDay, element, line }, name, receiptAt(upload.uploadedAt, zone), upload.choices.sent)
  }
}

/** The last total of each day of a line, as far as they are known. */
export const closingsOf = async ({ deliveryHistory }: StoreReads, { lineId }: SoldLineWithTotal) =>
  (await deliveryHistory.days([lineId])).get(lineId) ?? []
