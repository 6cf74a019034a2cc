import { type AmbiguousReading, markShownBy } from "../../domain/text/typed-number.ts"
import { type DateOrder, dayReader } from "../../domain/time/typed-day.ts"
import { isDays, meaningOf, type UploadKind } from "../../domain/upload/columns.ts"
import type { UploadChoices } from "../../domain/upload/upload.ts"
import { nextTurn } from "../../next-turn.ts"
import type { Table } from "./open-file.ts"

/** The index of the column with the days; negative without one. */
export const dayColumn = (columns: UploadChoices["columns"]): number => columns?.findIndex(isDays) ?? -1

/**
 * Which number of the days of a file comes first: as was said, or else as the whole column shows. Null where it does not, or not with one
 * voice, or contradicts what was said.
 */
export async function datesOf(
  { rows }: Table,
  { dates: said, columns }: Pick<UploadChoices, "dates" | "columns">,
): Promise<{ dates: DateOrder | null; against: string | null }> {
  const dayIndex = dayColumn(columns)
  if (dayIndex < 0) return { dates: said, against: null }
  const read = dayReader("UTC", null)
  // The first day that shows an order.
  const shown = new Map<DateOrder, string>()
  let twoReadings = ""
  for (const { number, cells } of rows) {
    await nextTurn()
    const text = (cells[dayIndex] ?? "").trim()
    const day = read(text)
    if (!day.ok && day.isAmbiguous) twoReadings ||= ` ${day.message}`
    if (!day.ok || day.order === null || shown.has(day.order)) continue
    shown.set(day.order, `${text} in row ${number} can only be ${day.value}, with the ${FIRST[day.order]} first.`)
  }
  const [order = null, ...others] = shown.keys()
  if (said === null) return { dates: others.length === 0 ? order : null, against: null }
  const contradiction = shown.get(said === "day_first" ? "month_first" : "day_first")
  if (contradiction === undefined) return { dates: said, against: null }
  const against = `The ${FIRST[said]} of its days is said to come first, but ${contradiction}${twoReadings}`
  return { dates: null, against }
}

const FIRST: Readonly<Record<DateOrder, string>> = { day_first: "day", month_first: "month" }

/**
 * How figures such as 30,000 are read: by the mark before decimals that other figures of the file show, 1,234.5 for instance; or else as
 * somebody said. Null where nothing shows it, or not with one voice: then whoever sent the file is asked, where both readings are possible.
 */
export async function numbersOf(
  { rows }: Table,
  kind: UploadKind,
  { numbers: said, columns, sheets }: Pick<UploadChoices, "numbers" | "columns" | "sheets">,
): Promise<AmbiguousReading | null> {
  const figures = (columns ?? []).flatMap((name, index) => (meaningOf(kind, name)?.number ? [index] : []))
  const shown = new Set<AmbiguousReading>()
  for (const { cells } of rows) {
    await nextTurn()
    for (const index of figures) {
      const mark = markShownBy((cells[index] ?? "").trim())
      if (mark !== undefined) shown.add(mark)
    }
  }
  const [mark, ...others] = shown
  // The numbers in a workbook are written by us, and say nothing about texts beside them.
  if (mark !== undefined && others.length === 0 && sheets.length === 0) return mark
  // What another file showed, or another column, proves nothing here.
  return said === "grouped" || said === "decimal" ? said : null
}
