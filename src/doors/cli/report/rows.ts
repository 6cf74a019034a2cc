import { type CsvReader, type CsvRow, csvReader, NotCsv } from "../../../domain/csv/csv-reader.ts"
import { type CsvKind, delimiterOf, missingColumns, rowProblem, rowValue } from "../../../domain/csv/csv-rows.ts"
import { NotText, PART_CHARACTERS, receivedText } from "../../../domain/upload/received-text.ts"
import { UserError } from "../../../domain/user-error.ts"

/** A row as it was written. Very many are held at a time, so it has only what is needed. */
export interface Row {
  /** As in a spreadsheet: the header is row 1. */
  readonly number: number
  readonly cells: readonly string[]
  /** The value that must be unique within a request, normalized for comparison. */
  readonly unique: string | null
  /** Its size in the file, about, including skipped rows before it. */
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

type SizedRow = Omit<Row, "unique">

/** The names in the first row, and the same bytes once more. */
export async function withColumns({
  bytes,
  name,
}: Source): Promise<{ columns: readonly string[]; bytes: Source["bytes"] }> {
  const [start, all] = bytes.tee()
  const rows = inWords(sizedRows(start.values({ preventCancel: true })), name)
  try {
    const first = await rows.next()
    await rows.return(undefined)
    return { columns: first.done ? [] : first.value.cells.map((cell) => cell.trim()), bytes: all }
  } finally {
    // Not awaited, also not by leaving a loop over it: one half is cancelled only when the other half is.
    start.cancel().catch(() => undefined)
  }
}

/** Reads a CSV file with a header, starting at `firstRow`. Memory does not grow with the file. */
export async function readTable(
  source: Source,
  kind: CsvKind,
  uniqueColumn: string | null,
  firstRow: number,
): Promise<Table> {
  const read = inWords(sizedRows(source.bytes), source.name)
  const first = await read.next()
  if (first.done) throw new UserError(`${source.name} is empty. Its first row must name the columns.`)
  const header = checkedHeader(first.value.cells, kind, source.name)
  const rows = checked(read, header, uniqueColumn, source.name)
  return { header, rows: startingAt(firstRow, rows, source.name, first.value.bytes) }
}

async function* startingAt(
  firstRow: number,
  rows: AsyncIterable<Row>,
  name: string,
  headerBytes: number,
): AsyncGenerator<Row> {
  let last = 1
  let skipped = headerBytes
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

/** Missing cells at the end are fine. Too many cells mean that a row was split in the wrong place. */
async function* checked(
  rows: AsyncIterable<SizedRow>,
  header: readonly string[],
  uniqueColumn: string | null,
  name: string,
): AsyncGenerator<Row> {
  const place = uniqueColumn === null ? -1 : header.indexOf(uniqueColumn)
  for await (const row of rows) {
    const { number, cells } = row
    if (cells.length > header.length) {
      throw new UserError(
        `${name} is not valid CSV: row ${number} has ${cells.length} cells, but the header has ${header.length}.`,
      )
    }
    yield { ...row, unique: place < 0 ? null : (cells[place] ?? "").trim().toLowerCase() }
  }
}

async function* inWords(read: AsyncIterable<SizedRow>, name: string): AsyncGenerator<SizedRow> {
  try {
    yield* read
  } catch (cause) {
    if (cause instanceof NotText) throw new UserError(`${name} cannot be read. ${cause.message}`, { cause })
    if (!(cause instanceof NotCsv)) throw cause
    throw new UserError(`${name} is not valid CSV: ${cause.message}.`, { cause })
  }
}

/** The rows of a file, read as the server reads an uploaded one. */
async function* sizedRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SizedRow> {
  const text = receivedText()
  let reader: CsvReader | undefined
  let start = ""
  let bytes = 0
  // The first row says what separates the cells, so it has to be there whole.
  const rowsOf = (more: string, isLast = false): CsvRow[] => {
    if (reader !== undefined) return reader.add(more)
    start += more
    if (!isLast && start.length < PART_CHARACTERS && !/\S.*\n/.test(start)) return []
    reader = csvReader(delimiterOf(start))
    return reader.add(start)
  }
  const sized = ({ number, cells }: CsvRow): SizedRow => {
    const row = { number, cells, bytes: cells.reduce((sum, { length }) => sum + length + 1, 0) }
    bytes += row.bytes
    return row
  }
  // Whoever types or pipes rows as they come about sees them sent without waiting for a whole part.
  for await (const chunk of chunks) {
    for (const row of rowsOf([...text.add(chunk), text.rest()].join(""))) yield sized(row)
  }
  const last = [...rowsOf(text.end().join(""), true), ...(reader?.end() ?? [])].map(sized)
  // Quotation marks, blank rows and characters of several bytes are not counted above.
  for (const [i, row] of last.entries()) {
    yield i < last.length - 1 ? row : { ...row, bytes: row.bytes + text.bytes - bytes }
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

function checkedHeader(cells: readonly string[], kind: CsvKind, name: string): readonly string[] {
  const header = cells.map((cell) => cell.trim())
  const missing = missingColumns(kind, header)
  if (missing.length === 0) return header
  const names = kind.columns.join(", ")
  throw new UserError(
    `${name} has no column ${missing.join(" and ")}. Its first row must name the columns. Known columns: ${names}.`,
  )
}

// A file with a year of daily totals has each line 365 times, sorted by line or by day. This many batches are filled at the same
// time; more would only cost memory.
const OPEN_MAX = 400

/**
 * Packs rows into batches of at most `rowsMax`, with each unique value at most once per batch. Rows of one value keep their order,
 * because the later arrival wins.
 */
export async function* batchesOf(rows: AsyncIterable<Row>, rowsMax: number): AsyncGenerator<readonly Row[]> {
  const open: Row[][] = []
  let sent = 0
  // The number of the last batch with each value, until that batch is sent.
  const lastBatch = new Map<string, number>()

  function leave(): readonly Row[] {
    const batch = open.shift() ?? []
    for (const { unique } of batch) if (unique !== null && lastBatch.get(unique) === sent) lastBatch.delete(unique)
    sent++
    return batch
  }

  for await (const row of rows) {
    const after = row.unique === null ? undefined : lastBatch.get(row.unique)
    let place = after === undefined ? 0 : after + 1 - sent
    while ((open[place]?.length ?? 0) >= rowsMax) place++
    const batch = open[place] ?? []
    open[place] = batch
    batch.push(row)
    if (row.unique !== null) lastBatch.set(row.unique, sent + place)
    while ((open[0]?.length ?? 0) >= rowsMax || open.length > OPEN_MAX) yield leave()
  }
  while (open.length > 0) yield leave()
}
