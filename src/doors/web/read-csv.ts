import { Readable } from "node:stream"
import { CsvError, parse } from "csv-parse"
import { type CsvKind, delimiterOf, missingColumns, rowValue } from "../../domain/import/csv-rows.ts"
import { UPLOAD_ROWS_MAX } from "../../domain/limits.ts"
import { inNumbers } from "./parts/format.tsx"
import { yieldToEventLoop } from "./yield-to-event-loop.ts"

// A part is read in a millisecond or two; then others are served.
const CHARACTERS_AT_ONCE = 4_096

export type ReadCsv =
  | { readonly ok: true; readonly rows: readonly Record<string, unknown>[] }
  | { readonly ok: false; readonly problem: string }

/** The rows of a CSV file as a program would have sent them, or a sentence about why it cannot be read. */
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
    // A row may end early. One with too many cells was cut where it should not be.
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
    return { ok: false, problem: `This is not CSV as we can read it: ${cause.message}.` }
  } finally {
    source.destroy()
  }
  const missing = missingColumns(kind, header)
  if (missing.length > 0) return { ok: false, problem: `The header row has no column ${missing.join(" and ")}.` }
  if (rows.length === 0) return { ok: false, problem: "There are no rows below the first." }
  return { ok: true, rows }
}

const TOO_MANY_ROWS = `This file has more than ${inNumbers(UPLOAD_ROWS_MAX)} rows. Split it and upload the parts one after the other.`

async function* partsOf(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += CHARACTERS_AT_ONCE) {
    yield text.slice(from, from + CHARACTERS_AT_ONCE)
    await yieldToEventLoop()
  }
}
