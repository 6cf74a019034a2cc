import { type CsvRow, firstRows, NotCsv } from "./csv-reader.ts"

export interface FoundTable {
  readonly delimiter: string
  /** As a spreadsheet counts. */
  readonly headerRow: number
  readonly header: readonly string[]
}

const DELIMITERS = [",", ";", "\t", "|"]
// Exports have a title, a date range and an account before the header, not more.
const HEADER_ROW_MAX = 30
const NAME_CHARACTERS_MAX = 200

/** The cells of a row that may be the header, without what surrounds them. */
export const trimmed = ({ cells }: CsvRow): string[] => cells.map((cell) => cell.replace(/^\ufeff/, "").trim())

/** How much a row looks like a header, by the names in it and by all its cells. */
type HeaderScore = (names: readonly string[], header: readonly string[]) => number

/** The first rows of a text in each way to separate cells, and why one of these ways does not work. Read once, and scored in several ways. */
export function startOf(text: string) {
  const rows: FoundTable[] = []
  let problem: NotCsv | undefined
  for (const delimiter of DELIMITERS) {
    try {
      for (const row of firstRows(text, delimiter, HEADER_ROW_MAX))
        rows.push({ delimiter, headerRow: row.number, header: trimmed(row) })
    } catch (cause) {
      if (!(cause instanceof NotCsv)) throw cause
      // A quotation mark that is not closed, most likely, read with another delimiter.
      problem ??= cause
    }
  }
  return { rows, problem }
}

/**
 * The row that names the columns, of all ways to separate cells: the one with the highest score, then with the most names, then the first.
 * Null for an empty file. Throws for one that is not CSV.
 */
export function findTable({ rows, problem }: ReturnType<typeof startOf>, scoreOf: HeaderScore): FoundTable | null {
  let best: FoundTable | null = null
  let bestRank = -1
  for (const row of rows) {
    const { header } = row
    const names = header.filter(({ length }) => length > 0 && length <= NAME_CHARACTERS_MAX)
    // Rows below the header have figures; where there is no other, the first row is taken for it, as everybody is told.
    const rank = names.some(isFigure) ? 0 : scoreOf(names, header) * 1_000 + names.length
    const isWider = rank === 0 && bestRank === 0 && header.length > (best?.header.length ?? 0)
    if (rank > bestRank || isWider) [best, bestRank] = [row, rank]
  }
  if (problem !== undefined && (best === null || best.header.length === 1)) throw problem
  return best
}

// A heading may be a day, such as 01.11.2026.
const DAY = /^\d{1,2}\.\d{1,2}\.\d{2,4}$/
const isFigure = (cell: string) => /^[\d.,' ]*\d[\d.,' ]*$/.test(cell) && !DAY.test(cell)
