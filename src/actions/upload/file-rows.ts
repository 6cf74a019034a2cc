import { delimiterOf } from "../../domain/csv/csv-rows.ts"
import { type CsvRow, csvSplitter } from "../../domain/csv/csv-splitter.ts"
import { rowFilter } from "../../domain/presets/recognize.ts"
import type { Upload, UploadLayout } from "../../domain/upload/upload.ts"
import type { StoreReads } from "../../storage/port/store.ts"

// A slice is split in less than a millisecond, and its rows are checked in a few; then others are served.
const SLICE_CHARACTERS = 8_192
export const ROWS_AT_ONCE_MAX = 250

/** The rows of an uploaded file that count, in groups, without the header. `pause` lets others be served between groups. */
export async function* fileRows(
  { uploads }: StoreReads,
  { id, choices: { layout, preset } }: Upload,
  pause: () => Promise<void>,
): AsyncGenerator<readonly CsvRow[]> {
  const first = await uploads.part(id, "file", 0)
  if (first === null) return
  const splitter = csvSplitter(layout?.delimiter ?? delimiterOf(first))
  let header: readonly string[] | undefined
  let counts = (_: readonly string[]) => true

  function below(rows: readonly CsvRow[]): readonly CsvRow[] {
    if (header !== undefined) return preset === null ? rows : rows.filter(({ cells }) => counts(cells))
    const place = rows.findIndex(({ number }) => number >= (layout?.headerRow ?? 1))
    const found = rows[place]
    if (found === undefined) return []
    header = headerOf(found)
    if (preset !== null) counts = rowFilter(header, preset)
    return below(rows.slice(place + 1))
  }

  for (let position = 0, part: string | null = first; part !== null; ) {
    for (let from = 0; from < part.length; from += SLICE_CHARACTERS) {
      const rows = below(splitter.add(part.slice(from, from + SLICE_CHARACTERS)))
      for (let row = 0; row < rows.length; row += ROWS_AT_ONCE_MAX) {
        yield rows.slice(row, row + ROWS_AT_ONCE_MAX)
        await pause()
      }
    }
    part = await uploads.part(id, "file", ++position)
  }
  const last = below(splitter.end())
  if (last.length > 0) yield last
}

export interface FileStart {
  readonly header: readonly string[]
  readonly rows: readonly CsvRow[]
  /** The text that it was read from. */
  readonly text: string
}

// Enough to see what the columns of a file are.
const START_ROWS_MAX = 200

/** The header and the first rows of a file; null for an empty one. */
export async function fileStart(
  store: StoreReads,
  uploadId: number,
  layout: UploadLayout | null,
): Promise<FileStart | null> {
  const text = await store.uploads.part(uploadId, "file", 0)
  if (text === null) return null
  const splitter = csvSplitter(layout?.delimiter ?? delimiterOf(text))
  const complete = splitter.add(text)
  const all = complete.length > START_ROWS_MAX ? complete : [...complete, ...splitter.end()]
  const [header, ...rows] = all.filter(({ number }) => number >= (layout?.headerRow ?? 1))
  return header === undefined ? null : { header: headerOf(header), rows: rows.slice(0, START_ROWS_MAX), text }
}

const headerOf = ({ cells }: CsvRow): string[] => cells.map((cell) => cell.trim())
