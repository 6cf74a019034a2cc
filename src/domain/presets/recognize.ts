import { type CsvRow, firstRows, NotCsv } from "../csv/csv-reader.ts"
import { type Preset, requiredColumns } from "./preset.ts"

/** Where the table of a file begins, and which preset reads it. */
export interface Recognized {
  readonly preset: Preset
  readonly delimiter: string
  /** As a spreadsheet counts. */
  readonly headerRow: number
  readonly header: readonly string[]
}

// Exports have a title, a date range and an account before the header, not more.
const HEADER_ROW_MAX = 30
const DELIMITERS = [",", ";", "\t"]

/** The preset whose columns the start of a file has. The one with the most columns wins, then the first. */
export function recognize(start: string, presets: readonly Preset[]): Recognized | null {
  let best: Recognized | null = null
  let most = 0
  for (const delimiter of DELIMITERS) {
    for (const { number, cells } of rowsOf(start, delimiter)) {
      const header = cells.map((cell) => cell.replace(/^\ufeff/, "").trim())
      const preset = presetOf(header, presets)
      if (preset === null || columnCount(preset) <= most) continue
      best = { preset, delimiter, headerRow: number, header }
      most = columnCount(preset)
    }
  }
  return best
}

/** The preset whose columns a header has: the one with the most, then the first. */
function presetOf(header: readonly string[], presets: readonly Preset[]): Preset | null {
  const names = new Set(header.map(plain))
  const fitting = presets.filter((preset) => requiredColumns(preset).every((name) => names.has(plain(name))))
  const most = Math.max(...fitting.map(columnCount))
  return fitting.find((preset) => columnCount(preset) === most) ?? null
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

export function rowFilter(header: readonly string[], { skip = [] }: Preset): (cells: readonly string[]) => boolean {
  const rules = skip.map(({ column, equals, unless = [] }) => ({
    place: header.findIndex((name) => plain(name) === plain(column)),
    values: new Set((equals ?? unless).map(plain)),
    leavesOutListed: equals !== undefined,
  }))
  return (cells) =>
    !rules.some(
      ({ place, values, leavesOutListed }) => place >= 0 && values.has(plain(cells[place] ?? "")) === leavesOutListed,
    )
}

const plain = (name: string) => name.trim().toLowerCase()

function rowsOf(start: string, delimiter: string): CsvRow[] {
  try {
    return firstRows(start, delimiter, HEADER_ROW_MAX)
  } catch (cause) {
    // A quotation mark that is not closed, read with another delimiter.
    if (cause instanceof NotCsv) return []
    throw cause
  }
}
