import { CSV_SLICE_CHARACTERS, type CsvRow, csvReader, firstRows, NotCsv } from "../../domain/csv/csv-reader.ts"
import { findTable, trimmed } from "../../domain/csv/find-table.ts"
import { inParts, nextTurn } from "../../domain/event-loop.ts"
import { UPLOAD_ROWS_MAX } from "../../domain/limits.ts"
import { rowFilter } from "../../domain/presets/recognize.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { PART_CHARACTERS } from "../../domain/upload/received-text.ts"
import type { Upload, UploadLayout } from "../../domain/upload/upload.ts"
import type { StoreReads } from "../../storage/port/store.ts"

export const ROWS_AT_ONCE_MAX = 250

/**
 * The rows of an uploaded file that count, in groups, without the header. `pause` lets others be served after every slice of the
 * text, also where it has no rows.
 */
export async function* fileRows(
  { uploads }: StoreReads,
  { id, choices: { layout, preset } }: Pick<Upload, "id" | "choices">,
): AsyncGenerator<readonly CsvRow[]> {
  const first = await uploads.part(id, "file", 0)
  if (first === null) return
  const reader = csvReader(delimiterOf(layout, first))
  let header: readonly string[] | undefined
  let counts = (_: readonly string[]) => true

  function below(rows: readonly CsvRow[]): readonly CsvRow[] {
    if (reader.rowsRead > UPLOAD_ROWS_MAX + (layout?.headerRow ?? 1)) throw new NotCsv(TOO_MANY_ROWS)
    if (header !== undefined) return preset === null ? rows : rows.filter(({ cells }) => counts(cells))
    const index = rows.findIndex(({ number }) => number >= (layout?.headerRow ?? 1))
    const row = rows[index]
    if (row === undefined) return []
    header = trimmed(row)
    if (preset !== null) counts = rowFilter(header, preset)
    return below(rows.slice(index + 1))
  }

  for (let position = 0, part: string | null = first; part !== null; ) {
    for (let from = 0; from < part.length; from += CSV_SLICE_CHARACTERS) {
      const rows = below(reader.add(part.slice(from, from + CSV_SLICE_CHARACTERS)))
      for (const some of inParts(rows, ROWS_AT_ONCE_MAX)) {
        yield some
        await nextTurn()
      }
      if (rows.length === 0) await nextTurn()
    }
    part = await uploads.part(id, "file", ++position)
  }
  const last = below(reader.end())
  if (last.length > 0) yield last
}

/** A file of an earlier version says nothing of where its table begins. */
const delimiterOf = (layout: UploadLayout | null, text: string) =>
  layout?.delimiter ?? findTable(text, () => 0)?.delimiter ?? ","

const TOO_MANY_ROWS = `it has more than ${UPLOAD_ROWS_MAX.toLocaleString("en")} rows, blank ones included. Split it, or remove the blank rows`

export interface FileStart {
  readonly header: readonly string[]
  readonly rows: readonly CsvRow[]
  readonly above: readonly CsvRow[]
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
  const headerRow = layout?.headerRow ?? 1
  const start = firstRows(text, delimiterOf(layout, text), headerRow + START_ROWS_MAX)
  const [header, ...rows] = start.filter(({ number }) => number >= headerRow)
  const above = start.filter(({ number }) => number < headerRow)
  // Perhaps a header that is cut off, or a row of blank ones without an end.
  if (rows.length === 0 && text.length >= PART_CHARACTERS - 1) throw new NotCsv(NO_TABLE)
  return header === undefined ? null : { header: trimmed(header), rows: rows.slice(0, START_ROWS_MAX), above }
}

const NO_TABLE = `there is no row with figures in its first ${PART_CHARACTERS.toLocaleString("en")} characters`

/** Days in a file are days of the organization that sells. */
export async function zoneOf({ deliveries }: StoreReads, organizationId: number): Promise<TimeZone> {
  return (await deliveries.linesSold(organizationId, [])).timeZone
}
