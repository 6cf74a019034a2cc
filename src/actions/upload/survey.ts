import { type DateOrder, dayReader } from "../../domain/time/typed-day.ts"
import { deliveredBefore, totalsOf } from "../../domain/upload/add-up.ts"
import type { Upload, UploadChoices } from "../../domain/upload/upload.ts"
import type { ReportContext } from "../context.ts"
import { preparedRows } from "./prepare-rows.ts"
import { fileRows, zoneOf } from "./read-rows.ts"
import { closingsOf, lineSums } from "./summed-totals.ts"

/** What a line of a file would become. */
export interface FiguresExample {
  readonly name: string
  readonly now: number | null
  /** If each row is a total so far. */
  readonly totals: number
  /** If each row is one day; null where nobody knows what was delivered before. */
  readonly daily: number | null
}

/** Which number of the days of a file comes first: as was said, or else as the whole column shows. */
interface DatesRead {
  /** Null where nobody said it and the column does not, or not with one voice, or contradicts what was said. */
  readonly dates: DateOrder | null
  readonly against: string | null
}

/** What only the whole of a file tells. */
export interface Survey extends DatesRead {
  /** Whether a line has figures of more than one day. */
  readonly severalDays: boolean
  /** A line of the file with as many days as any. */
  readonly example: FiguresExample | null
}

type Surveyed = Pick<Upload, "id" | "kind" | "organizationId" | "choices">

/** Reads a whole file for what has to be known before it can be read. */
export async function surveyFile(context: ReportContext, upload: Surveyed): Promise<Survey> {
  const read = await datesOf(context, upload)
  const zone = await zoneOf(context.store, upload.organizationId)
  // Read as parts, so that every time is one of a day.
  const choices = { ...upload.choices, dates: read.dates, figures: "daily" }
  const sums = lineSums(false)
  for await (const rows of preparedRows(context.store, { ...upload, choices }, zone))
    for (const row of rows) if (row.read.ok) sums.add(row)
  const lines = [...sums.lines.values()].filter(({ rows }) => rows.size > 0)
  const most = lines.reduce((best, entry) => (entry.rows.size > (best?.rows.size ?? 0) ? entry : best), lines[0])
  if (most === undefined) return { ...read, severalDays: false, example: null }
  const { line, parts, last } = most
  const { firstDay } = sums
  const before = firstDay === null ? null : deliveredBefore(firstDay, line, await closingsOf(context.store, line), zone)
  const totals = typeof before === "number" ? await totalsOf(parts, before, line.flightStart) : []
  const sum = totals.at(-1)?.[parts.unit]
  const daily = typeof sum === "number" ? sum : null
  const example = { name: line.name, now: line.total?.quantity ?? null, totals: last.quantity, daily }
  return { ...read, severalDays: parts.byDay.size > 1, example }
}

/** The index of the column with the days; negative without one. */
export const dayColumn = (columns: UploadChoices["columns"]): number =>
  columns?.findIndex((meaning) => meaning === "as_of" || meaning === "date") ?? -1

export async function datesOf({ store }: ReportContext, upload: Surveyed): Promise<DatesRead> {
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
  return {
    dates: null,
    against: `The ${FIRST[said]} of its days is said to come first, but ${contradiction}${twoReadings}`,
  }
}

const FIRST: Readonly<Record<DateOrder, string>> = { day_first: "day", month_first: "month" }
