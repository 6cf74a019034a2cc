import { delimiterOf } from "../../domain/csv/csv-rows.ts"
import { type CsvRow, csvSplitter } from "../../domain/csv/csv-splitter.ts"
import type { StoreReads } from "../../storage/port/store.ts"

// A slice is split in less than a millisecond, and its rows are checked in a few; then others are served.
const SLICE_CHARACTERS = 8_192
export const ROWS_AT_ONCE_MAX = 250

/** The rows of an uploaded file, in groups. The first row is the header. `pause` lets others be served between groups. */
export async function* fileRows(
  { uploads }: StoreReads,
  uploadId: number,
  pause: () => Promise<void>,
): AsyncGenerator<readonly CsvRow[]> {
  const first = await uploads.part(uploadId, "file", 0)
  if (first === null) return
  const splitter = csvSplitter(delimiterOf(first))
  for (let position = 0, part: string | null = first; part !== null; ) {
    for (let from = 0; from < part.length; from += SLICE_CHARACTERS) {
      const rows = splitter.add(part.slice(from, from + SLICE_CHARACTERS))
      for (let row = 0; row < rows.length; row += ROWS_AT_ONCE_MAX) {
        yield rows.slice(row, row + ROWS_AT_ONCE_MAX)
        await pause()
      }
    }
    part = await uploads.part(uploadId, "file", ++position)
  }
  const last = splitter.end()
  if (last.length > 0) yield last
}

export interface FileStart {
  readonly header: readonly string[]
  readonly rows: readonly CsvRow[]
}

// Enough to see what the columns of a file are.
const START_ROWS_MAX = 200

/** The header and the first rows of a file; null for an empty one. */
export async function fileStart(store: StoreReads, uploadId: number): Promise<FileStart | null> {
  const text = await store.uploads.part(uploadId, "file", 0)
  if (text === null) return null
  const splitter = csvSplitter(delimiterOf(text))
  const complete = splitter.add(text)
  const all = complete.length > START_ROWS_MAX ? complete : [...complete, ...splitter.end()]
  const [header, ...rows] = all
  return header === undefined ? null : { header: headerOf(header), rows: rows.slice(0, START_ROWS_MAX) }
}

export const headerOf = ({ cells }: CsvRow): string[] => cells.map((cell) => cell.trim())
