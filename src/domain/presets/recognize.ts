import type { CsvRow } from "../csv/csv-reader.ts"
import { type FoundTable, findTable, type startOf } from "../csv/find-table.ts"
import { type Preset, requiredColumns } from "./preset.ts"

/** Where the table of a file begins, and which preset reads it. */
export interface Recognized extends FoundTable {
  readonly preset: Preset
}

/** The preset whose columns the start of a file has. The one with the most columns wins, then the first. */
export function recognize(start: ReturnType<typeof startOf>, presets: readonly Preset[]): Recognized | null {
  const scoreOf = (header: readonly string[]) => {
    const preset = presetOf(header, presets)
    return preset === null ? 0 : columnCount(preset)
  }
  const table = findTable(start, scoreOf)
  const preset = table && presetOf(table.header, presets)
  return table && preset && { ...table, preset }
}

/** The preset whose columns a header has: the one with the most, then the first. */
function presetOf(header: readonly string[], presets: readonly Preset[]): Preset | null {
  const names = new Set(header.map(plain))
  const fitting = presets.filter((preset) => requiredColumns(preset).every((name) => names.has(plain(name))))
  return fitting.toSorted((a, b) => columnCount(b) - columnCount(a))[0] ?? null
}

const columnCount = (preset: Preset) => requiredColumns(preset).length

/** What each column of a header means; "" for a column that is ignored. */
export function meaningsIn(header: readonly string[], { columns }: Preset): string[] {
  const meanings = new Map(Object.entries(columns).map(([name, meaning]) => [plain(name), meaning]))
  const taken = new Set<string>()
  return header.map((name) => {
    const meaning = meanings.get(plain(name)) ?? ""
    // A name that stands twice counts once.
    if (taken.has(meaning)) return ""
    taken.add(meaning)
    return meaning
  })
}

/** Whether a row counts, by what is left out of the export. */
export function rowFilter(header: readonly string[], skip: NonNullable<Preset["skip"]>): (row: CsvRow) => boolean {
  const rules = skip.map(({ column, equals }) => ({
    place: header.findIndex((name) => plain(name) === plain(column)),
    values: new Set(equals.map(plain)),
  }))
  return ({ cells }) => !rules.some(({ place, values }) => place >= 0 && values.has(plain(cells[place] ?? "")))
}

const plain = (name: string) => name.trim().toLowerCase()
