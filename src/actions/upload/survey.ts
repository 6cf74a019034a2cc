import { nearestNumber } from "../../domain/schema/exact-json.ts"
import { type DateOrder, dayReader } from "../../domain/time/typed-day.ts"
import { addPart, deliveredBefore, type LineParts, totalsOf, unitOf } from "../../domain/upload/add-up.ts"
import type { Upload, UploadChoices } from "../../domain/upload/upload.ts"
import type { SoldLineWithTotal } from "../../storage/port/store.ts"
import type { ReportContext } from "../context.ts"
import { rowPreparer } from "./check-rows.ts"
import { fileRows, zoneOf } from "./read-rows.ts"

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
  const { dates, against } = await datesOf(context, upload)
  // Read as parts, so that every time is one of a day.
  const choices = { ...upload.choices, dates, figures: "daily" }
  const zone = await zoneOf(context.store, upload.organizationId)
  const prepare = rowPreparer(context, { ...upload, choices }, zone)
  const lines = new Map<
    number,
    { line: SoldLineWithTotal; parts: LineParts; last: { day: string; quantity: number } }
  >()
  let firstDay = ""
  for await (const group of fileRows(context.store, { ...upload, choices })) {
    for (const { read, line } of await prepare(group)) {
      const day = String((read.ok && read.element["as_of"]) || "")
      if (day !== "" && (firstDay === "" || day < firstDay)) firstDay = day
      const unit = read.ok ? unitOf(read.element) : undefined
      if (!read.ok || line === undefined || unit === undefined) continue
      const entry = lines.get(line.lineId) ?? { line, parts: { unit, byDay: new Map() }, last: { day, quantity: 0 } }
      lines.set(line.lineId, entry)
      const quantity = nearestNumber(read.element[unit])
      if (quantity === undefined || !addPart(entry.parts, read.element)) continue
      if (day >= entry.last.day) entry.last = { day, quantity }
    }
  }
  const [first, ...others] = lines.values()
  const most = others.reduce(
    (best, entry) => (entry.parts.byDay.size > (best?.parts.byDay.size ?? 0) ? entry : best),
    first,
  )
  if (most === undefined) return { dates, against, severalDays: false, example: null }
  const { line, parts, last } = most
  const closings = (await context.store.deliveryHistory.days([line.lineId])).get(line.lineId) ?? []
  const before = firstDay === "" ? null : deliveredBefore(firstDay, line, closings, zone)
  const sums = typeof before === "number" ? await totalsOf(parts, before, line.flightStart) : []
  const sum = sums.at(-1)?.[parts.unit]
  const daily = typeof sum === "number" ? sum : null
  const example = { name: line.name, now: line.total?.quantity ?? null, totals: last.quantity, daily }
  return { dates, against, severalDays: parts.byDay.size > 1, example }
}

/** The index of the column with the days; negative without one. */
export const dayColumn = (columns: UploadChoices["columns"]): number =>
  columns?.findIndex((meaning) => meaning === "as_of" || meaning === "date") ?? -1

export async function datesOf(context: ReportContext, upload: Surveyed): Promise<DatesRead> {
  const said = upload.choices.dates
  const dayIndex = dayColumn(upload.choices.columns)
  if (dayIndex < 0) return { dates: said, against: null }
  const read = dayReader("UTC", null)
  // The first day that shows an order.
  const shown = new Map<DateOrder, string>()
  let twoReadings = ""
  for await (const group of fileRows(context.store, upload)) {
    for (const { number, cells } of group) {
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
