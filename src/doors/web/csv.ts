import { stringify } from "csv-stringify/sync"

export type CsvValue = string | number | null

/** A table as a file to keep. A text that a spreadsheet would take for a formula is made harmless. */
export function csv(fileName: string, header: readonly string[], rows: Iterable<readonly CsvValue[]>): Response {
  const text = stringify([header, ...rows] as CsvValue[][], { escape_formulas: true, record_delimiter: "windows" })
  return new Response(`\ufeff${text}`, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${fileName.replace(/[^A-Za-z0-9._-]/g, "-")}"`,
    },
  })
}
