import { CSV_SLICE_CHARACTERS, type CsvRow, csvReader, firstRows, NotCsv } from "../../domain/csv/csv-reader.ts"
import { trimmed } from "../../domain/csv/find-table.ts"
import { inParts, nextTurn } from "../../domain/event-loop.ts"
import { UPLOAD_ROWS_MAX } from "../../domain/limits.ts"
import { rowFilter } from "../../domain/presets/recognize.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { PART_CHARACTERS } from "../../domain/upload/received-text.ts"
import type { Upload, UploadChoices } from "../../domain/upload/upload.ts"
import type { StoreReads } from "../../storage/port/store.ts"

export const ROWS_AT_ONCE_MAX = 250

/** The rows of an uploaded file that count, in groups, without the header. Others are served after each, and after text without rows. */
export async function* fileRows(
  { uploads }: StoreReads,
  { id, choices: { layout, preset } }: Pick<Upload, "id" | "choices">,
): AsyncGenerator<readonly CsvRow[]> {
  const reader = csvReader(layout.delimiter)
  // Known once the header was read.
  let counts: ReturnType<typeof rowFilter> | undefined

  function below(rows: readonly CsvRow[]): readonly CsvRow[] {
    if (reader.rowsRead > UPLOAD_ROWS_MAX + layout.headerRow) throw new NotCsv(TOO_MANY_ROWS)
    if (counts !== undefined) return rows.filter(counts)
    const index = rows.findIndex(({ number }) => number >= layout.headerRow)
    const header = rows[index]
    if (header === undefined) return []
    counts = rowFilter(trimmed(header), preset?.skip ?? [])
    return below(rows.slice(index + 1))
  }

  for (let position = 0; ; position++) {
    const part = await uploads.part(id, "file", position)
    if (part === null) break
    for (let from = 0; from < part.length; from += CSV_SLICE_CHARACTERS) {
      const rows = below(reader.add(part.slice(from, from + CSV_SLICE_CHARACTERS)))
      for (const some of inParts(rows, ROWS_AT_ONCE_MAX)) {
        yield some
        await nextTurn()
      }
      if (rows.length === 0) await nextTurn()
    }
  }
  const last = below(reader.end())
  if (last.length > 0) yield last
}

const TOO_MANY_ROWS = `it has more than ${UPLOAD_ROWS_MAX.toLocaleString("en")} rows, blank ones included. Split it, or remove the blank rows`

// Enough to see what the columns of a file are.
const START_ROWS_MAX = 200

export type FileStart = NonNullable<Awaited<ReturnType<typeof fileStart>>>

/** The header, the first rows below it and those above it; null for an empty file. */
export async function fileStart({ uploads }: StoreReads, id: number, { layout }: Pick<UploadChoices, "layout">) {
  const text = await uploads.part(id, "file", 0)
  if (text === null) return null
  const { delimiter, headerRow } = layout
  const start = firstRows(text, delimiter, headerRow + START_ROWS_MAX)
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
