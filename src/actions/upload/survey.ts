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

/** What only the whole of a file tells. */
export interface Survey {
  /** Which number of its days comes first, where only one reading fits all of them. */
  readonly dates: UploadChoices["dates"]
  /** Whether a line has figures of more than one day. */
  readonly severalDays: boolean
  /** A line of the file with as many days as any. */
  readonly example: FiguresExample | null
}

type Surveyed = Pick<Upload, "id" | "kind" | "organizationId" | "choices">

/** Reads a whole file for what has to be known before it can be read. */
export async function surveyFile(context: ReportContext, upload: Surveyed): Promise<Survey> {
  const dates = upload.choices.dates ?? (await dateOrder(context, upload))
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
      const unit = read.ok ? unitOf(read.element) : undefined
      if (!read.ok || line === undefined || unit === undefined) continue
      const day = String(read.element["as_of"] ?? "")
      const entry = lines.get(line.lineId) ?? { line, parts: { unit, byDay: new Map() }, last: { day, quantity: 0 } }
      lines.set(line.lineId, entry)
      const quantity = nearestNumber(read.element[unit])
      if (quantity === undefined || !addPart(entry.parts, read.element)) continue
      if (day >= entry.last.day) entry.last = { day, quantity }
      if (firstDay === "" || day < firstDay) firstDay = day
    }
  }
  const [first, ...others] = lines.values()
  const most = others.reduce(
    (best, entry) => (entry.parts.byDay.size > (best?.parts.byDay.size ?? 0) ? entry : best),
    first,
  )
  if (most === undefined) return { dates, severalDays: false, example: null }
  const { line, parts, last } = most
  const closings = (await context.store.deliveryHistory.days([line.lineId])).get(line.lineId) ?? []
  const before = firstDay === "" ? null : deliveredBefore(firstDay, line, closings, zone)
  const sums = typeof before === "number" ? await totalsOf(parts, before, line.flightStart) : []
  const sum = sums.at(-1)?.[parts.unit]
  const daily = typeof sum === "number" ? sum : null
  const example = { name: line.name, now: line.total?.quantity ?? null, totals: last.quantity, daily }
  return { dates, severalDays: parts.byDay.size > 1, example }
}

/** What the whole column of days says; null where it has none that say it, or where they contradict each other. */
async function dateOrder(context: ReportContext, upload: Surveyed): Promise<UploadChoices["dates"]> {
  const place = upload.choices.columns?.findIndex((meaning) => meaning === "as_of" || meaning === "date") ?? -1
  if (place < 0) return null
  const read = dayReader("UTC", null)
  const orders = new Set<DateOrder>()
  for await (const group of fileRows(context.store, upload)) {
    for (const { cells } of group) {
      const day = read((cells[place] ?? "").trim())
      if (day.ok && day.order !== null) orders.add(day.order)
    }
  }
  const [order = null, ...others] = orders
  return others.length === 0 ? order : null
}
