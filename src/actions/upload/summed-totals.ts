import { UNITS } from "../../domain/campaign/pricing-basis.ts"
import { receiptAt } from "../../domain/delivery/delivery.ts"
import { inParts, nextTurn } from "../../domain/event-loop.ts"
import type { CalendarDate } from "../../domain/time/moment.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import type { LineParts } from "../../domain/upload/add-up.ts"
import { addPart, deliveredBefore, incomplete, leavesBehind, totalsOf, unitOf } from "../../domain/upload/add-up.ts"
import { refusal, unknownLine } from "../../domain/upload/judge-row.ts"
import type { RowRefusal } from "../../domain/upload/row-reader.ts"
import { rowsOf, type Upload } from "../../domain/upload/upload.ts"
import type { SoldLineWithTotal } from "../../storage/port/store.ts"
import type { ReportContext } from "../context.ts"
import type { Sums } from "./check-file.ts"
import { type CheckedRow, judgedTotal, type PreparedRow } from "./check-rows.ts"
import { ROWS_AT_ONCE_MAX } from "./read-rows.ts"

interface LineInFile {
  readonly line: SoldLineWithTotal
  readonly parts: LineParts
  readonly first: PreparedRow
  /** A row that cannot be read. */
  broken: number | null
}

/** What a file says about each line, row by row. */
interface FileSums {
  readonly lines: Map<number, LineInFile>
  /** The first day of any row, also of lines that are not ours: from there on the file has every day. */
  firstDay: CalendarDate | null
  /** A row that cannot be read, of which nobody knows to which line it belongs. */
  broken: number | null
  /** Whether each row is a part of one day. */
  readonly hasDays: boolean
}

/** Totals to date from rows that are parts of them. */
export function summedTotals(context: ReportContext, upload: Upload, zone: TimeZone): Sums {
  const hasDays = rowsOf(upload.choices) !== "lifetime"
  const sums: FileSums = { lines: new Map(), firstDay: null, broken: null, hasDays }
  return {
    add: (row) => addRow(sums, row),
    async *totals(refuse) {
      for (const line of sums.lines.values()) {
        yield* totalsOfLine(context, upload, zone, sums, line, refuse)
        await nextTurn()
      }
    },
    subjectsOf: ({ line, read }) => [subjectOf(line), subjectOf(line, read.ok && read.element["as_of"])],
  }
}

/** A line, or one of its days: that is refused as a whole. */
const subjectOf = (line: SoldLineWithTotal | undefined, day: unknown = "") => `${line?.lineId} ${day}`

const NO_FIGURE = refusal("no figure", "A figure is missing", "Every row needs one, 0 where nothing was delivered.", "")
const NO_DAY = refusal("no day", "A day is missing", "Figures of single days need their day.", "")

/** Null when the row is part of a sum; otherwise why it is refused. */
function addRow(sums: FileSums, row: PreparedRow): RowRefusal | null {
  const { read, line, number, name, namesakes, sum } = row
  if (sum !== null) return sum
  const day = read.ok ? read.element["as_of"] : undefined
  if (typeof day === "string" && (sums.firstDay === null || day < sums.firstDay)) sums.firstDay = day
  // Rows of totals name no line of ours, and do not matter; a row of which nothing can be told does.
  if (!read.ok && name === null) sums.broken ??= number
  if (line === undefined) return !read.ok && name === null ? read.refusal : unknownLine(name ?? "", namesakes)
  const entry = sums.lines.get(line.lineId) ?? lineInFile(line, row)
  sums.lines.set(line.lineId, entry)
  const refused = read.ok ? partProblem(sums, entry, read.element) : read.refusal
  if (refused !== null) entry.broken ??= number
  return refused
}

function lineInFile(line: SoldLineWithTotal, first: PreparedRow): LineInFile {
  const said = first.read.ok ? unitOf(first.read.element) : undefined
  const unit = said ?? UNITS.find((unit) => unit === line.pricingBasis) ?? UNITS[0]
  return { line, first, parts: { unit, byDay: new Map() }, broken: null }
}

function partProblem({ hasDays }: FileSums, { line, parts }: LineInFile, element: CheckedRow["element"]) {
  if (hasDays && element["as_of"] === undefined) return { ...NO_DAY, example: line.name }
  return addPart(parts, element) ? null : { ...NO_FIGURE, example: line.name }
}

async function* totalsOfLine(
  context: ReportContext,
  { choices: { sent, nothingBefore }, uploadedAt }: Upload,
  zone: TimeZone,
  sums: FileSums,
  { line, parts, first, broken }: LineInFile,
  refuse: Parameters<Sums["totals"]>[0],
) {
  const unread = broken ?? sums.broken
  const whole = (why: RowRefusal) => refuse(subjectOf(line), why)
  if (unread !== null) return whole(incomplete(unread, line.name))
  const { lineId } = line
  const { firstDay, hasDays } = sums
  const closings = hasDays ? ((await context.store.deliveryHistory.days([lineId])).get(lineId) ?? []) : []
  const before = !hasDays || firstDay === null ? 0 : deliveredBefore(firstDay, line, closings, zone, nothingBefore)
  if (typeof before !== "number") return whole(before)
  const { number, cells, name } = first
  const receipt = receiptAt(uploadedAt, zone)
  const totals = await totalsOf(parts, before, line.flightStart)
  const behind = hasDays ? leavesBehind(totals.at(-1), line, closings, zone) : null
  if (behind !== null) return whole(behind)
  // Days before the flight are in no total: the rules of the API refuse them.
  for (const [day, quantity] of parts.byDay)
    if (day !== "" && day < line.flightStart && quantity > 0) totals.push({ [parts.unit]: quantity, as_of: day })
  for (const some of inParts(totals, ROWS_AT_ONCE_MAX)) {
    yield some.flatMap((total) => {
      const element = { ...total, package_id: line.packageId }
      const row = judgedTotal({ number, cells, line, total: null, element }, name ?? "", receipt, sent)
      if (row.refusal === null) return [row]
      refuse(subjectOf(line, total["as_of"]), row.refusal)
      return []
    })
    await nextTurn()
  }
}
