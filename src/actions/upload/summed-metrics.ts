import { inParts, nextTurn } from "../../domain/event-loop.ts"
import type { CalendarDate } from "../../domain/time/moment.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { addFigure, type CodeDay, incomplete, metricOf } from "../../domain/upload/add-up.ts"
import { refusal } from "../../domain/upload/judge-row.ts"
import { UNKNOWN } from "../../domain/upload/row-reader.ts"
import type { Upload } from "../../domain/upload/upload.ts"
import type { DayFigures } from "../../storage/port/store.ts"
import type { ReportContext } from "../context.ts"
import { type CheckedRow, checkedRow, type PreparedRow, recordRows, rowPreparer, withRefusals } from "./check-rows.ts"
import { fileRows, ROWS_AT_ONCE_MAX } from "./read-rows.ts"

interface CodeInFile {
  readonly first: PreparedRow
  readonly days: Map<CalendarDate, CodeDay>
}

/** Figures of each code and day from rows that are parts of them. */
export async function* summedMetrics(context: ReportContext, upload: Upload, zone: TimeZone) {
  const prepare = rowPreparer(context, upload, zone)
  const codes = new Map<string, CodeInFile>()
  // Rows that cannot be read, by their code; null for those of which not even that can be told.
  const broken = new Map<string | null, number>()
  for await (const group of fileRows(context.store, upload)) {
    const rows: CheckedRow[] = []
    for (const row of await prepare(group)) {
      if (row.sum !== null) rows.push(checkedRow(row, {}, row.sum))
      else if (row.read.ok) addRow(codes, row, row.read.element)
      else {
        if (!broken.has(row.name)) broken.set(row.name, row.number)
        // A row of totals names no code, and does not matter.
        const { refusal } = row.read
        rows.push(checkedRow(row, {}, row.name === "" ? { ...refusal, key: UNKNOWN + refusal.key } : refusal))
      }
    }
    yield { rows, read: group.length }
  }
  for (const [code, figures] of codes) {
    const unread = broken.get(code) ?? broken.get(null)
    if (unread !== undefined) yield { rows: [checkedRow(figures.first, {}, incomplete(unread, code))], read: 0 }
    else {
      for (const days of inParts([...figures.days.values()], ROWS_AT_ONCE_MAX)) {
        yield { rows: await checkedDays(context, upload, days, figures.first), read: 0 }
        await nextTurn()
      }
    }
    await nextTurn()
  }
}

function addRow(codes: Map<string, CodeInFile>, row: PreparedRow, element: Readonly<Record<string, unknown>>): void {
  const code = String(element["code"] ?? "")
  const date = String(element["date"] ?? "")
  const figures = codes.get(code) ?? { first: row, days: new Map() }
  const day = figures.days.get(date) ?? { code, date, figures: {} }
  addFigure(day, element)
  figures.days.set(date, day)
  codes.set(code, figures)
}

async function checkedDays(context: ReportContext, upload: Upload, days: readonly CodeDay[], first: PreparedRow) {
  const rows = days.map((day) => checkedRow(first, metricOf(day), null))
  const checked = withRefusals(rows, await recordRows(context, upload, rows, { dryRun: true }))
  const stored = await storedDays(context, upload, days)
  return checked.map((row, i) => {
    const day = days[i]
    const lower = day === undefined ? undefined : lowerThan(day, stored.get(day.date))
    if (row.refusal !== null || lower === undefined) return row
    const { sent } = upload.choices
    if (sent === null || sent.allowLower) return { ...row, warning: lower }
    return { ...row, refusal: refusal(`lower ${day?.code}`, LOWER, lower, day?.code ?? "") }
  })
}

const LOWER = "Figures of a day would go down"

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
  const pairs = [
    ["clicks", figures.clicks, stored?.clicks],
    ["conversions", figures.conversions, stored?.conversions],
  ] as const
  const drop = pairs.find(([, sent, existing]) => sent !== undefined && existing != null && sent < existing)
  if (drop === undefined) return undefined
  const [name, sent, existing] = drop
  return `${code} has ${existing} ${name} on ${date}, and this file has ${sent}. It may not cover the whole day.`
}
