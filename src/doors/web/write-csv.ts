import { stringify } from "csv-stringify/sync"
import { inParts } from "../../domain/lists/in-parts.ts"
import { nextTurn } from "../../next-turn.ts"
import { textStream } from "../http/text-stream.ts"

export type CsvValue = string | number | null

const FORM = {
  escape_formulas: true,
  record_delimiter: "windows",
  // Exact amounts are texts, and those below zero begin as formulas do.
  cast: { string: (value: string) => (/^-\d+(?:\.\d+)?$/.test(value) ? { value, escape_formulas: false } : value) },
} as const

// This many rows take a few milliseconds to write; then other requests are served.
const ROWS_AT_ONCE = 100

/** A CSV file to download. Text that a spreadsheet would run as a formula is escaped. */
export function csv(fileName: string, header: readonly string[], rows: readonly (readonly CsvValue[])[]): Response {
  if (rows.length > ROWS_AT_ONCE) return longCsv(fileName, header, [rows])
  return download(fileName, `\ufeff${stringify([header, ...rows] as CsvValue[][], FORM)}`)
}

/** The same for a long table: it is read and sent in parts, and other requests are served in between. */
export function longCsv(
  fileName: string,
  header: readonly string[],
  parts: AsyncIterable<readonly (readonly CsvValue[])[]> | Iterable<readonly (readonly CsvValue[])[]>,
): Response {
  async function* texts() {
    yield `\ufeff${stringify([header as CsvValue[]], FORM)}`
    for await (const part of parts) {
      for (const rows of inParts(part, ROWS_AT_ONCE)) {
        await nextTurn()
        yield stringify(rows as CsvValue[][], FORM)
      }
      await Bun.sleep(0)
    }
  }
  return download(fileName, textStream(texts()))
}

const download = (fileName: string, body: string | ReadableStream): Response =>
  new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${fileName.replace(/[^A-Za-z0-9._-]/g, "-")}"`,
    },
  })
