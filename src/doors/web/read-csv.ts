import { Readable } from "node:stream"
import { CsvError, parse } from "csv-parse"
import { type CsvKind, delimiterOf, missingColumns, rowValue } from "../../domain/csv/csv-rows.ts"
import { UPLOAD_ROWS_MAX } from "../../domain/limits.ts"
import { formatNumber } from "./parts/format.tsx"
import { yieldToEventLoop } from "./yield-to-event-loop.ts"

// A part is parsed in a millisecond or two; then other requests are served.
const CHARACTERS_AT_ONCE = 4_096

export type ReadCsv =
  | { readonly ok: true; readonly rows: readonly Record<string, unknown>[] }
  | { readonly ok: false; readonly problem: string }

/** The rows of a CSV file as API items, or a sentence about why it cannot be read. */
export async function readRows(kind: CsvKind, text: string): Promise<ReadCsv> {
  const rows: Record<string, unknown>[] = []
  const header: string[] = []
  const parser = parse({
    bom: true,
    columns: (names: string[]) => {
      header.push(...names.map((name) => name.trim()))
      return header
    },
    delimiter: delimiterOf(text),
    skip_empty_lines: true,
    // A row may be short. One that is too long was split in the wrong place.
    relax_column_count_less: true,
  })
  const source = Readable.from(partsOf(text))
  try {
    for await (const cells of source.pipe(parser)) {
      if (rows.length === UPLOAD_ROWS_MAX) return { ok: false, problem: TOO_MANY_ROWS }
      rows.push(rowValue(kind, cells))
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    return { ok: false, problem: `This file could not be read as CSV: ${cause.message}.` }
  } finally {
    source.destroy()
  }
  const missing = missingColumns(kind, header)
  if (missing.length > 0) return { ok: false, problem: `The header row has no column ${missing.join(" and ")}.` }
  if (rows.length === 0) return { ok: false, problem: "There are no rows below the header." }
  return { ok: true, rows }
}

const TOO_MANY_ROWS = `This file has more than ${formatNumber(UPLOAD_ROWS_MAX)} rows. Split it and upload the parts one by one.`

async function* partsOf(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += CHARACTERS_AT_ONCE) {
    yield text.slice(from, from + CHARACTERS_AT_ONCE)
    await yieldToEventLoop()
  }
}
