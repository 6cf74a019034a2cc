import { inParts, nextTurn } from "../../domain/event-loop.ts"
import type { CalendarDate } from "../../domain/time/moment.ts"
import { addFigure, type CodeDay, incomplete, metricOf } from "../../domain/upload/add-up.ts"
import { refusal } from "../../domain/upload/judge-row.ts"
import { UNKNOWN } from "../../domain/upload/row-reader.ts"
import type { Upload } from "../../domain/upload/upload.ts"
import type { DayFigures } from "../../storage/port/store.ts"
import type { ReportContext } from "../context.ts"
import type { Sums } from "./check-file.ts"
import { checkedRow, type PreparedRow, recordRows, withRefusals } from "./check-rows.ts"
import { ROWS_AT_ONCE_MAX } from "./read-rows.ts"

interface CodeInFile {
  readonly first: PreparedRow
  readonly days: Map<CalendarDate, CodeDay>
}

/** Figures of each code and day from rows that are parts of them. */
export function summedMetrics(context: ReportContext, upload: Upload): Sums {
  const codes = new Map<string, CodeInFile>()
  // Rows that cannot be read, by their code; null for those of which not even that can be told.
  const broken = new Map<string | null, number>()
  return {
    add(row) {
      const { sum, read, name, number } = row
      if (sum !== null) return sum
      if (read.ok) return addRow(codes, row, read.element)
      if (!broken.has(name)) broken.set(name, number)
      // A row of totals names no code, and does not matter.
      return name === "" ? { ...read.refusal, key: UNKNOWN + read.refusal.key } : read.refusal
    },
    async *totals(refuse) {
      for (const [code, { first, days }] of codes) {
        const unread = broken.get(code) ?? broken.get(null)
        if (unread !== undefined) refuse(subjectOf(code), incomplete(unread, code))
        else
          for (const some of inParts([...days.values()], ROWS_AT_ONCE_MAX)) {
            const rows = await checkedDays(context, upload, some, first)
            for (const [i, { refusal }] of rows.entries())
              if (refusal !== null) refuse(subjectOf(code, some[i]?.date), refusal)
            yield rows.filter(({ refusal }) => refusal === null)
            await nextTurn()
          }
        await nextTurn()
      }
    },
    subjectsOf({ read }) {
      const { code, date } = read.ok ? read.element : {}
      return [subjectOf(code), subjectOf(code, date)]
    },
  }
}

/** A code, or one of its days. */
const subjectOf = (code: unknown = "", date: unknown = "") => JSON.stringify([code, date])

function addRow(codes: Map<string, CodeInFile>, row: PreparedRow, element: Readonly<Record<string, unknown>>): null {
  const code = String(element["code"] ?? "")
  const date = String(element["date"] ?? "")
  const figures = codes.get(code) ?? { first: row, days: new Map() }
  const day = figures.days.get(date) ?? { code, date, figures: {} }
  addFigure(day, element)
  figures.days.set(date, day)
  codes.set(code, figures)
  return null
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
