import { CsvError, parse } from "csv-parse/sync"
import { type CsvKind, delimiterOf, missingColumns, rowValue } from "../../domain/csv-rows.ts"

const ROWS_MAX = 5_000

export type ReadCsv =
  | { readonly ok: true; readonly rows: readonly Record<string, unknown>[] }
  | { readonly ok: false; readonly problem: string }

/** The rows of a CSV file as a program would have sent them, or a sentence about why it cannot be read. */
export function readRows(kind: CsvKind, text: string): ReadCsv {
  let header: string[] = []
  try {
    const records: Record<string, string>[] = parse(text, {
      bom: true,
      columns: (names: string[]) => {
        header = names.map((name) => name.trim())
        return header
      },
      delimiter: delimiterOf(text),
      skip_empty_lines: true,
      // A row may end early. One with too many cells was cut where it should not be.
      relax_column_count_less: true,
    })
    const missing = missingColumns(kind, header)
    if (missing.length > 0) return { ok: false, problem: `The first row lacks ${missing.join(" and ")}.` }
    if (records.length === 0) return { ok: false, problem: "There are no rows below the first." }
    if (records.length > ROWS_MAX) return { ok: false, problem: `At most ${ROWS_MAX} rows are taken at once.` }
    return { ok: true, rows: records.map((cells) => rowValue(kind, cells)) }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    return { ok: false, problem: `This is not CSV as we can read it: ${cause.message}.` }
  }
}
