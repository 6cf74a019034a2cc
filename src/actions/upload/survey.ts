import { type DateOrder, dayReader } from "../../domain/time/typed-day.ts"
import { deliveredBefore, totalsOf } from "../../domain/upload/add-up.ts"
import { columnsProblem } from "../../domain/upload/columns.ts"
import type { Upload, UploadChoices } from "../../domain/upload/upload.ts"
import type { ReportContext } from "../context.ts"
import { closingsOf, lineSums } from "./add-up-rows.ts"
import { fileRows, preparedRows, zoneOf } from "./read-rows.ts"

/** What a line of a file would become. */
export type FiguresExample = NonNullable<Awaited<ReturnType<typeof surveyFile>>["example"]>

export type Surveyed = Pick<Upload, "id" | "kind" | "organizationId" | "choices">

/** Whether a line of a file has figures of more than one day, and what a line with as many days as any would become. */
export async function surveyFile({ store }: ReportContext, upload: Surveyed) {
  const zone = await zoneOf(store, upload.organizationId)
  // Read as parts, so that every time is one of a day.
  const choices = { ...upload.choices, figures: "daily" }
  const sums = lineSums(false)
  for await (const rows of preparedRows(store, { ...upload, choices }, zone))
    for (const row of rows) if (row.read.ok) sums.add(row)
  const [first, ...others] = [...sums.lines.values()].filter(({ parts }) => parts.size > 0)
  const most = others.reduce((best, entry) => (entry.parts.size > (best?.parts.size ?? 0) ? entry : best), first)
  if (most === undefined) return { hasSeveralDays: false, example: null }
  const { line, parts } = most
  const { firstDay } = sums
  const before = firstDay === null ? null : deliveredBefore(firstDay, line, await closingsOf(store, line), zone)
  const totals = typeof before === "number" ? await totalsOf(parts, before, line.flightStart) : []
  const [, lastDay] = [...parts].reduce((last, next) => (next[0] > last[0] ? next : last))
  const example = {
    name: line.name,
    now: line.total?.quantity ?? null,
    /** If each row is a total so far. */
    totals: lastDay.last,
    /** If each row is one day; null where nobody knows what was delivered before. */
    daily: totals.at(-1)?.quantity ?? null,
  }
  return { hasSeveralDays: parts.size > 1, example }
}

/** What a line of the file would become by either reading of its figures; null where these columns cannot be read. */
export async function figuresExample(
  context: ReportContext,
  upload: Upload,
  chosen: Pick<UploadChoices, "columns" | "line">,
) {
  if (columnsProblem(upload.kind, chosen.columns ?? [], chosen.line !== null) !== undefined) return null
  const choices = { ...upload.choices, ...chosen }
  const { dates } = await datesOf(context, { ...upload, choices })
  return (await surveyFile(context, { ...upload, choices: { ...choices, dates } })).example
}

/** The index of the column with the days; negative without one. */
export const dayColumn = (columns: UploadChoices["columns"]): number =>
  columns?.findIndex((meaning) => meaning === "as_of" || meaning === "date") ?? -1

/**
 * Which number of the days of a file comes first: as was said, or else as the whole column shows. Null where it does not, or not with one
 * voice, or contradicts what was said.
 */
export async function datesOf({ store }: ReportContext, upload: Pick<Upload, "id" | "choices">) {
  const said = upload.choices.dates
  const dayIndex = dayColumn(upload.choices.columns)
  if (dayIndex < 0) return { dates: said, against: null }
  const read = dayReader("UTC", null)
  // The first day that shows an order.
  const shown = new Map<DateOrder, string>()
  let twoReadings = ""
  for await (const rows of fileRows(store, upload)) {
    for (const { number, cells } of rows) {
      const text = (cells[dayIndex] ?? "").trim()
      const day = read(text)
      if (!day.ok && day.isAmbiguous) twoReadings ||= ` ${day.message}`
      if (!day.ok || day.order === null || shown.has(day.order)) continue
      shown.set(day.order, `${text} in row ${number} can only be ${day.value}, with the ${FIRST[day.order]} first.`)
    }
  }
  const [order = null, ...others] = shown.keys()
  if (said === null) return { dates: others.length === 0 ? order : null, against: null }
  const contradiction = shown.get(said === "day_first" ? "month_first" : "day_first")
  if (contradiction === undefined) return { dates: said, against: null }
  const against = `The ${FIRST[said]} of its days is said to come first, but ${contradiction}${twoReadings}`
  return { dates: null, against }
}

const FIRST: Readonly<Record<DateOrder, string>> = { day_first: "day", month_first: "month" }
