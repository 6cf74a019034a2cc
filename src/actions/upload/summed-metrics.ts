import { inParts } from "../../domain/event-loop.ts"
import type { CalendarDate } from "../../domain/time/moment.ts"
import { addFigure, type CodeDay, incomplete, metricOf } from "../../domain/upload/add-up.ts"
import { refusal } from "../../domain/upload/judge-row.ts"
import { type RowRefusal, UNKNOWN } from "../../domain/upload/row-reader.ts"
import type { Upload } from "../../domain/upload/upload.ts"
import type { DayFigures } from "../../storage/port/store.ts"
import type { ReportContext } from "../context.ts"
import { type CheckedRow, type Checker, checkedByApi, refusedAmong, refusedRows } from "./checked-row.ts"
import type { PreparedRow } from "./prepare-rows.ts"
import { ROWS_AT_ONCE_MAX } from "./read-rows.ts"

/** The figures of a day, and the numbers of the rows that they are in. */
interface DayInFile extends CodeDay {
  readonly rows: number[]
}

/** Figures of each code and day from rows that are parts of them. */
export function summedMetrics(context: ReportContext, upload: Upload): Checker {
  const codes = new Map<string, Map<CalendarDate, DayInFile>>()
  // Rows that cannot be read, by their code; null for those of which not even that can be told.
  const broken = new Map<string | null, number>()

  function refusalOf({ sum, read, name, number }: PreparedRow): RowRefusal | null {
    if (sum !== null) return sum
    if (!read.ok) {
      if (!broken.has(name)) broken.set(name, number)
      // A row of totals names no code, and does not matter.
      return name === "" ? { ...read.refusal, key: UNKNOWN + read.refusal.key } : read.refusal
    }
    const [code, date] = [String(read.element["code"] ?? ""), String(read.element["date"] ?? "")]
    const days = codes.get(code) ?? new Map<CalendarDate, DayInFile>()
    const day = days.get(date) ?? { code, date, figures: {}, rows: [] }
    addFigure(day, read.element)
    day.rows.push(number)
    codes.set(code, days.set(date, day))
    return null
  }

  return {
    add: async (rows) => refusedAmong(rows, refusalOf),
    async *rest() {
      for (const [code, byDate] of codes) {
        const unread = broken.get(code) ?? broken.get(null)
        for (const days of inParts([...byDate.values()], ROWS_AT_ONCE_MAX))
          if (unread === undefined) yield await checkedDays(context, upload, days)
          else yield days.map(({ rows }) => refusedRows(rows, incomplete(unread, code)))
      }
    },
  }
}

const ACCEPTED = { line: undefined, total: null, refusal: null }

async function checkedDays(context: ReportContext, upload: Upload, days: readonly DayInFile[]) {
  const rows = days.map((day) => ({ ...ACCEPTED, rows: day.rows, element: metricOf(day) }))
  const checked = await checkedByApi(context, upload, rows)
  const stored = await storedDays(context, upload, days)
  return checked.map((row, i): CheckedRow => {
    const day = days[i]
    const lower = day && lowerThan(day, stored.get(day.date))
    if (row.refusal !== null || lower === undefined) return row
    const { sent } = upload.choices
    if (sent === null || sent.allowLower) return { ...row, warning: lower }
    return { ...row, refusal: refusal(`lower ${day?.code}`, "Figures of a day would go down", lower, day?.code ?? "") }
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
  const isLower = (name: "clicks" | "conversions") =>
    (figures[name] ?? Number.POSITIVE_INFINITY) < (stored?.[name] ?? 0)
  const name = (["clicks", "conversions"] as const).find(isLower)
  if (name === undefined) return undefined
  return `${code} has ${stored?.[name]} ${name} on ${date}, and this file has ${figures[name]}. It may not cover the whole day.`
}
