import { Readable } from "node:stream"
import { CsvError, parse } from "csv-parse"
import { type CsvKind, delimiterOf, missingColumns, rowProblem, rowValue } from "../../../domain/csv/csv-rows.ts"
import { UserError } from "../../../domain/user-error.ts"

/** A row as it was written. Very many are held at a time, so it has only what is needed. */
export interface Row {
  /** As in a spreadsheet: the header is row 1. */
  readonly number: number
  readonly cells: readonly string[]
  /** The value that must be unique within a request, normalized for comparison. */
  readonly unique: string | null
  /** Its size in the file, including skipped rows before it. */
  readonly bytes: number
}

export interface Source {
  readonly name: string
  readonly bytes: ReadableStream<Uint8Array>
}

export interface Table {
  readonly header: readonly string[]
  readonly rows: AsyncIterable<Row>
}

/** Reads a CSV file with a header, starting at `firstRow`. Memory does not grow with the file. */
export async function readTable(
  source: Source,
  kind: CsvKind,
  uniqueColumn: string | null,
  firstRow: number,
): Promise<Table> {
  const read = inWords(records(source), source.name)
  const first = await read.next()
  if (first.done) throw new UserError(`${source.name} is empty. Its first row must name the columns.`)
  const header = checkedHeader(first.value.record, kind, source.name)
  const rows = numbered(read, uniqueColumn === null ? -1 : header.indexOf(uniqueColumn))
  return { header, rows: startingAt(firstRow, rows, source.name) }
}

async function* startingAt(firstRow: number, rows: AsyncIterable<Row>, name: string): AsyncGenerator<Row> {
  let last = 1
  let skipped = 0
  for await (const row of rows) {
    last = row.number
    if (last < firstRow) skipped += row.bytes
    else if (skipped === 0) yield row
    else {
      yield { ...row, bytes: row.bytes + skipped }
      skipped = 0
    }
  }
  if (last < firstRow - 1) throw new UserError(`${name} has no row ${firstRow}: it ends with row ${last}.`)
}

/** A record from the parser, with the bytes read up to its end. */
interface Parsed {
  readonly record: string[]
  readonly info: { readonly bytes: number; readonly records: number; readonly empty_lines: number }
}

async function* numbered(read: AsyncIterable<Parsed>, uniquePlace: number): AsyncGenerator<Row> {
  let start = 0
  for await (const { record: cells, info } of read) {
    // Empty rows are skipped, but a spreadsheet counts them.
    const number = info.records + info.empty_lines
    const unique = uniquePlace < 0 ? null : (cells[uniquePlace] ?? "").trim().toLowerCase()
    yield { number, cells, unique, bytes: info.bytes - start }
    start = info.bytes
  }
}

async function* inWords(read: AsyncIterable<Parsed>, name: string): AsyncGenerator<Parsed> {
  try {
    yield* read
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    throw new UserError(`${name} is not valid CSV: ${cause.message}.`, { cause })
  }
}

export function jsonOf(row: Row, header: readonly string[], kind: CsvKind): string {
  return JSON.stringify(rowOf(row, header, kind))
}

/** Why a cell of a rejected row is not a number: the server only sees that it is a string. */
export function misreadNumber(row: Row, header: readonly string[], kind: CsvKind): string | undefined {
  return rowProblem(kind, rowOf(row, header, kind))
}

function rowOf({ cells }: Row, header: readonly string[], kind: CsvKind): Record<string, unknown> {
  return rowValue(kind, Object.fromEntries(header.map((column, i) => [column, cells[i] ?? ""])))
}

async function* records({ bytes }: Source): AsyncGenerator<Parsed> {
  const chunks = bytes[Symbol.asyncIterator]()
  const start = await firstLine(chunks)
  const delimiter = delimiterOf(new TextDecoder().decode(start))
  // Missing cells at the end are fine. Too many cells mean that a row was split in the wrong place.
  const parser = parse({ bom: true, delimiter, skip_empty_lines: true, relax_column_count_less: true, info: true })
  const read = Readable.from(followedBy(start, chunks))
  read.on("error", (cause) => parser.destroy(cause))
  yield* read.pipe(parser)
}

const FIRST_LINE_BYTES_MAX = 65_536
const NEW_LINE = 10

/** The start of the file, including its first line. */
async function firstLine(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let start = new Uint8Array()
  while (!start.includes(NEW_LINE) && start.length < FIRST_LINE_BYTES_MAX) {
    const { value, done } = await chunks.next()
    if (done) break
    start = Buffer.concat([start, value])
  }
  return start
}

async function* followedBy(start: Uint8Array, rest: AsyncIterableIterator<Uint8Array>) {
  if (start.length > 0) yield start
  yield* rest
}

function checkedHeader(cells: readonly string[], kind: CsvKind, name: string): readonly string[] {
  const header = cells.map((cell) => cell.trim())
  const missing = missingColumns(kind, header)
  if (missing.length === 0) return header
  const known = kind.columns.join(", ")
  throw new UserError(`The first row of ${name} has no column ${missing.join(" and ")}. Known columns: ${known}.`)
}
