import { dayReader } from "../../domain/time/typed-day.ts"
import { EXTERNAL_ID, isDays, LINE_NAME, lineMeanings } from "../../domain/upload/columns.ts"
import type { FileReading } from "../../domain/upload/recognize-file.ts"
import type { Table } from "./open-file.ts"
import type { OwnLines } from "./own-lines.ts"

// Enough to see what the columns of a file are.
const ROWS_LOOKED_AT = 200

const readDay = dayReader("UTC", null)

/** The columns of a new file, where their values are what the titles say: lines may be in another column, and days be none. */
export function suggestColumns(
  own: OwnLines,
  { kind, choices: { columns } }: FileReading,
  { rows }: Table,
): readonly string[] {
  const valuesOf = (index: number) => rows.slice(0, ROWS_LOOKED_AT).map(({ cells }) => (cells[index] ?? "").trim())
  const finderOf = (meaning: string) =>
    meaning === LINE_NAME ? own.byName : meaning === EXTERNAL_ID ? own.byId : own.byPackageId
  const meanings = lineMeanings(kind)
  const hasDay = (index: number) =>
    valuesOf(index).some((text) => {
      const day = readDay(text)
      return day.ok || day.isAmbiguous
    })

  /** What names lines of ours in a column: exactly, as every row of it will be compared. */
  const lineMeaningOf = (index: number) =>
    meanings.find((meaning) => valuesOf(index).some((text) => text !== "" && finderOf(meaning)(text) !== undefined))

  const days = (columns ?? []).map((meaning, index) => (isDays(meaning) && !hasDay(index) ? "" : meaning))
  // What the heading says comes first; where its values are no lines of ours, those of another column may be.
  const guessed = days.findIndex((meaning) => meanings.includes(meaning))
  const unused = days.flatMap((meaning, index) => (meaning === "" ? [index] : []))
  const found = (guessed < 0 ? unused : [guessed, ...unused]).find((index) => lineMeaningOf(index) !== undefined)
  if (found === undefined) return days
  return days.map((meaning, index) =>
    index === found ? (lineMeaningOf(index) ?? "") : index === guessed ? "" : meaning,
  )
}
