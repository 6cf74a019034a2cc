import { UNITS, type Unit } from "../../domain/campaign/pricing-basis.ts"
import { receiptAt } from "../../domain/delivery/delivery.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import type { CalendarDate } from "../../domain/time/moment.ts"
import type { CodeDay, DayTotal, LineParts } from "../../domain/upload/add-up.ts"
import {
  addFigure,
  addPart,
  COUNTS,
  deliveredBefore,
  incomplete,
  leavesBehind,
  metricOf,
  NO_DAY,
  totalsOf,
} from "../../domain/upload/add-up.ts"
import { unknownLine } from "../../domain/upload/judge-row.ts"
import { isRefusal, type RowRefusal, refusal, UNKNOWN } from "../../domain/upload/row-reader.ts"
import { rowsOf, type Upload } from "../../domain/upload/upload.ts"
import { nextTurn } from "../../next-turn.ts"
import type { DayFigures, SoldLineWithTotal, StoreReads } from "../../storage/port/store.ts"
import type { ReportContext } from "../context.ts"
import {
  type CheckedRow,
  checkedByApi,
  judgedTotal,
  ROWS_AT_ONCE_MAX,
  refusedRows,
  type UploadedFile,
} from "./checked-row.ts"
import type { PreparedRow } from "./open-file.ts"

interface LineInFile {
  readonly line: SoldLineWithTotal
  /** As the file calls it. */
  readonly name: string
  readonly unit: Unit
  readonly parts: LineParts
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
    /** A row that cannot be read, so that its line is unknown. */
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

  function added({ line, parts, unit }: LineInFile, number: number, element: CheckedRow["element"]) {
    const { as_of: day, [unit]: figure } = element
    if (hasDays && day === undefined) return { ...DAY_MISSING, example: line.name }
    if (typeof figure !== "number") return { ...FIGURE_MISSING, example: line.name }
    addPart(parts, String(day ?? NO_DAY), figure, number)
    return null
  }
  return sums
}

const FIGURE_MISSING = refusal(
  "no figure",
  "A figure is missing",
  "Every row needs one, 0 where nothing was delivered.",
  "",
)
const DAY_MISSING = refusal("no day", "A day is missing", "Figures of single days need their day.", "")

function lineInFile(line: SoldLineWithTotal, { read, name }: PreparedRow): LineInFile {
  const said = UNITS.find((unit) => read.ok && read.element[unit] !== undefined)
  const unit = said ?? UNITS.find((unit) => unit === line.pricingBasis) ?? UNITS[0]
  return { line, name: name ?? "", unit, parts: new Map(), broken: null }
}

/** Totals to date from rows that are parts of them. */
export async function summedTotals(
  { store }: ReportContext,
  { upload, zone }: UploadedFile,
  prepared: readonly PreparedRow[],
): Promise<CheckedRow[]> {
  const hasDays = rowsOf(upload.choices) !== "lifetime"
  const sums = lineSums(hasDays)
  const checked = await refusedAmong(prepared, sums.add)
  for (const entry of sums.lines.values()) {
    await nextTurn()
    const totals = await totalsOfLine(entry)
    // A line is refused with all its rows.
    if (isRefusal(totals)) for (const { rows } of entry.parts.values()) checked.push(refusedRows(rows, totals))
    else for (const total of totals) checked.push(judged(entry, total))
  }
  return checked

  async function totalsOfLine({ line, parts, broken }: LineInFile): Promise<RowRefusal | DayTotal[]> {
    const unread = broken ?? sums.broken
    if (unread !== null) return incomplete(unread, line.name)
    const { firstDay } = sums
    const closings = hasDays ? await closingsOf(store, line) : []
    const isNothing = upload.choices.nothingBefore
    const before = !hasDays || firstDay === null ? 0 : deliveredBefore(firstDay, line, closings, zone, isNothing)
    if (typeof before !== "number") return before
    const totals = totalsOf(parts, before, line.flightStart)
    const behind = hasDays ? leavesBehind(totals.at(-1), line, closings, zone) : null
    // Days before the flight are in no total: the rules of the API refuse them.
    const early = [...parts].filter(([day, { sum }]) => day !== NO_DAY && day < line.flightStart && sum > 0)
    return behind ?? [...totals, ...early.map(([day, { sum: quantity }]) => ({ day, quantity }))]
  }

  function judged({ line, name, unit, parts }: LineInFile, { day, quantity }: DayTotal): CheckedRow {
    const element = { [unit]: quantity, ...(day !== NO_DAY && { as_of: day }), package_id: line.packageId }
    const { rows } = parts.get(day) ?? { rows: [] }
    return judgedTotal({ rows, element, line }, name, receiptAt(upload.uploadedAt, zone), upload.choices.sent)
  }
}

/** The last total of each day of a line, as far as they are known. */
export const closingsOf = async ({ deliveryHistory }: StoreReads, { lineId }: Pick<SoldLineWithTotal, "lineId">) =>
  (await deliveryHistory.days([lineId])).get(lineId) ?? []

/** Those of some rows that are refused, each for a reason of its own. */
async function refusedAmong(rows: readonly PreparedRow[], whyOf: (row: PreparedRow) => RowRefusal | null) {
  const refused: CheckedRow[] = []
  for (const row of rows) {
    await nextTurn()
    const refusal = whyOf(row)
    if (refusal !== null) refused.push(refusedRows([row.number], refusal))
  }
  return refused
}

/** Figures of each code and day from rows that are parts of them. */
export async function summedMetrics(
  context: ReportContext,
  { upload }: UploadedFile,
  prepared: readonly PreparedRow[],
): Promise<CheckedRow[]> {
  const codes = new Map<string, Map<CalendarDate, CodeDay>>()
  // Rows that cannot be read, by their code; null for those of which not even that can be told.
  const broken = new Map<string | null, number>()

  function add({ sum, read, name, number }: PreparedRow): RowRefusal | null {
    if (sum !== null) return sum
    if (!read.ok) {
      if (!broken.has(name)) broken.set(name, number)
      // A row of totals names no code, and does not matter.
      return name === "" ? { ...read.refusal, key: UNKNOWN + read.refusal.key } : read.refusal
    }
    const [code, date] = [String(read.element["code"] ?? ""), String(read.element["date"] ?? "")]
    const days = codes.get(code) ?? new Map<CalendarDate, CodeDay>()
    const day = days.get(date) ?? { code, date, figures: {}, rows: [] }
    addFigure(day, read.element, number)
    codes.set(code, days.set(date, day))
    return null
  }

  const checked = await refusedAmong(prepared, add)
  for (const [code, byDate] of codes) {
    const unread = broken.get(code) ?? broken.get(null)
    for (const days of inParts([...byDate.values()], ROWS_AT_ONCE_MAX)) {
      await nextTurn()
      if (unread === undefined) checked.push(...(await checkedDays(context, upload, days)))
      else checked.push(...days.map(({ rows }) => refusedRows(rows, incomplete(unread, code))))
    }
  }
  return checked
}

async function checkedDays(context: ReportContext, upload: Upload, days: readonly CodeDay[]): Promise<CheckedRow[]> {
  const accepted = { line: undefined, total: null, refusal: null }
  const rows = days.map((day) => ({ ...accepted, rows: day.rows, element: metricOf(day) }))
  const checked = await checkedByApi(context, upload, rows)
  const stored = await storedDays(context, upload, days)
  const lower = days.map((day) => lowerThan(day, stored.get(day.date)))
  const { sent } = upload.choices
  return checked.map((row, i): CheckedRow => {
    const [text, code] = [lower[i], String(row.element["code"])]
    if (row.refusal !== null || text === undefined) return row
    if (sent === null || sent.allowLower) return { ...row, warning: text }
    return { ...row, refusal: refusal(`lower ${code}`, "Figures of a day would go down", text, code) }
  })
}

async function storedDays({ store }: ReportContext, { organizationId }: Upload, days: readonly CodeDay[]) {
  const [{ code } = { code: "" }] = days
  const [sold] = (await store.affiliates.codesSold(organizationId, [code])).items
  if (sold === undefined) return new Map<CalendarDate, DayFigures>()
  const dates = days.map(({ date }) => date).sort()
  const scope = { organizationIds: [organizationId], codeId: sold.codeId, from: dates[0] ?? "", to: dates.at(-1) ?? "" }
  return new Map((await store.affiliateFigures.figures(scope)).days.map((day) => [day.date, day]))
}

/** A sentence about the figure of a day that is stored with more. */
function lowerThan({ code, date, figures }: CodeDay, stored: DayFigures | undefined): string | undefined {
  const name = COUNTS.find((count) => (figures[count] ?? Number.POSITIVE_INFINITY) < (stored?.[count] ?? 0))
  if (name === undefined) return undefined
  return `${code} has ${stored?.[name]} ${name} on ${date}, and this file has ${figures[name]}. It may not cover the whole day.`
}
