import { Readable } from "node:stream"
import { CsvError, parse } from "csv-parse"
import { type CsvKind, missingColumns, rowValue } from "../../../domain/csv-rows.ts"
import { Trouble } from "../../../domain/trouble.ts"

/** A row of the file: where it stands, as it was written, and as JSON to be sent. */
export interface Row {
  /** Counted as a spreadsheet does: the header is row 1. */
  readonly number: number
  readonly cells: readonly string[]
  readonly json: string
  /** What may stand in a request only once, in the form in which it is compared. */
  readonly unique: string | null
}

export interface Source {
  readonly name: string
  readonly bytes: ReadableStream<Uint8Array>
  /** Told how many bytes were read so far. */
  readonly onBytes: (count: number) => void
}

/** The rows of a CSV file, one by one as they are read: a file of any size takes the same memory. */
export async function* readRows(
  source: Source,
  kind: CsvKind,
  uniqueColumn: string | null,
  onHeader: (header: readonly string[]) => void,
): AsyncGenerator<Row> {
  let header: readonly string[] | undefined
  let number = 0
  try {
    for await (const cells of records(source)) {
      number++
      if (header !== undefined) yield rowOf(cells, header, kind, uniqueColumn, number)
      else {
        header = checkedHeader(cells, kind, source.name)
        onHeader(header)
      }
    }
  } catch (cause) {
    if (cause instanceof CsvError)
      throw new Trouble(`${source.name} is not CSV as we can read it: ${cause.message}.`, { cause })
    throw cause
  }
  if (header === undefined) throw new Trouble(`${source.name} is empty. Its first row must name the columns.`)
}

function records({ bytes, onBytes }: Source): AsyncIterable<string[]> {
  const parser = parse({ bom: true, delimiter: [",", ";", "\t"], skip_empty_lines: true, relax_column_count: true })
  const counted = Readable.from(counting(bytes, onBytes))
  counted.on("error", (cause) => parser.destroy(cause))
  return counted.pipe(parser)
}

async function* counting(bytes: ReadableStream<Uint8Array>, onBytes: (count: number) => void) {
  let count = 0
  for await (const chunk of bytes) {
    count += chunk.length
    onBytes(count)
    yield chunk
  }
}

function checkedHeader(cells: readonly string[], kind: CsvKind, name: string): readonly string[] {
  const header = cells.map((cell) => cell.trim())
  const missing = missingColumns(kind, header)
  if (missing.length === 0) return header
  const known = kind.columns.join(", ")
  throw new Trouble(`The first row of ${name} lacks ${missing.join(" and ")}. It names the columns, out of ${known}.`)
}

function rowOf(
  cells: readonly string[],
  header: readonly string[],
  kind: CsvKind,
  uniqueColumn: string | null,
  number: number,
): Row {
  const value = rowValue(kind, Object.fromEntries(header.map((column, i) => [column, cells[i] ?? ""])))
  const unique = uniqueColumn === null ? null : String(value[uniqueColumn] ?? "").toLowerCase()
  return { number, cells, json: JSON.stringify(value), unique }
}
