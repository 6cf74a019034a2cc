import { CSV_CELL_CHARACTERS_MAX, CSV_COLUMNS_MAX, CSV_ROW_CHARACTERS_MAX } from "../limits.ts"

export interface CsvRow {
  /** As in a spreadsheet: the header is row 1, and empty rows count. */
  readonly number: number
  readonly cells: readonly string[]
}

/** Thrown for a file that is not CSV, with half a sentence that says where. */
export class NotCsv extends Error {
  override readonly name = "NotCsv"
}

export type CsvReader = ReturnType<typeof csvReader>

const LINE_FEED = 10

/** Where the next character stands: at the start of a cell, in a plain one, in a quoted one, or after a mark that may close it. */
type CellState = "start" | "plain" | "quoted" | "closed"

/**
 * Reads a CSV file piece by piece, in a time that grows with its size, whatever its shape: no character is searched twice. Written by
 * hand, because the job that reads a hundred thousand rows shares its thread with everybody else: csv-parse takes three times as long, and has
 * no bounds for columns and cells. The tests compare the two.
 */
export function csvReader(delimiter: string) {
  // The row that is not complete yet. Its pieces are joined once, when its end is found.
  let pieces: string[] = []
  let [length, number] = [0, 0]
  let state: CellState = "start"

  function rowOf(piece: string): CsvRow | null {
    const line = pieces.length === 0 ? piece : pieces.join("") + piece
    number++
    pieces = []
    length = 0
    state = "start"
    return rowIn(line, delimiter, number)
  }

  return {
    /** The rows that are complete with this piece. Empty rows are left out. */
    add(text: string): CsvRow[] {
      const rows: CsvRow[] = []
      const quote = seeker(text, '"')
      const lineBreak = seeker(text, "\n")
      const separator = seeker(text, delimiter)
      let start = 0
      for (let at = 0; at < text.length; ) {
        if (text.charCodeAt(at) === LINE_FEED && at === start && length === 0) {
          // Exports have thousands of blank rows, which are not worth a string each.
          number++
          start = ++at
        } else if (state === "quoted") {
          at = quote(at) + 1
          if (at <= text.length) state = "closed"
        } else if (quote(at) === at && state !== "plain") {
          // A mark opens a cell only at its start; elsewhere it is a character like any other. Two in a row stand for one.
          state = "quoted"
          at++
        } else {
          const end = lineBreak(at)
          const next = quote(at) < end ? separator(at) : end
          if (next < end) {
            state = "start"
            at = next + 1
          } else if (end < text.length) {
            const row = rowOf(text.slice(start, end))
            if (row !== null) rows.push(row)
            start = at = end + 1
          } else {
            state = text.endsWith(delimiter) ? "start" : "plain"
            at = text.length
          }
        }
      }
      if (start < text.length) pieces.push(text.slice(start))
      length += text.length - start
      if (length > CSV_ROW_CHARACTERS_MAX) throw new NotCsv((state === "quoted" ? unclosed : tooLong)(number + 1))
      return rows
    },
    /** The last row, if the file does not end with a line break. */
    end: (): CsvRow[] => (pieces.length === 0 ? [] : [rowOf("") ?? []].flat()),
    /** Empty ones too. */
    get rowsRead() {
      return number
    },
  }
}

function rowIn(line: string, delimiter: string, number: number): CsvRow | null {
  if (line.length > CSV_ROW_CHARACTERS_MAX) throw new NotCsv(tooLong(number))
  const text = line.endsWith("\r") ? line.slice(0, -1) : line
  return text === "" ? null : { number, cells: cellsOf(text, delimiter, number) }
}

/** Finds the next one of a character from left to right; the end of the text where there is none. */
function seeker(text: string, character: string): (from: number) => number {
  let at = -1
  return (from) => {
    if (at < from) {
      at = text.indexOf(character, from)
      if (at < 0) at = text.length
    }
    return at
  }
}

function cellsOf(text: string, delimiter: string, number: number): string[] {
  const cells = text.includes('"') ? quotedCells(text, delimiter, number) : text.split(delimiter, CSV_COLUMNS_MAX + 1)
  if (cells.length > CSV_COLUMNS_MAX) throw new NotCsv(tooManyColumns(number))
  if (text.length > CSV_CELL_CHARACTERS_MAX && cells.some((cell) => cell.length > CSV_CELL_CHARACTERS_MAX)) {
    throw new NotCsv(tooLongCell(number))
  }
  return cells
}

function quotedCells(text: string, delimiter: string, number: number): string[] {
  const cells: string[] = []
  for (let at = 0; at <= text.length && cells.length <= CSV_COLUMNS_MAX; ) {
    const isQuoted = text[at] === '"'
    const close = isQuoted ? closingQuote(text, at) : -1
    if (isQuoted && close < 0) throw new NotCsv(unclosed(number))
    const next = text.indexOf(delimiter, isQuoted ? close + 1 : at)
    const end = next < 0 ? text.length : next
    if (isQuoted && text.slice(close + 1, end).trim() !== "") throw new NotCsv(trailing(number))
    cells.push(isQuoted ? text.slice(at + 1, close).replaceAll('""', '"') : text.slice(at, end))
    at = end + 1
  }
  return cells
}

/** The position of the quotation mark that closes a cell; -1 when there is none. */
function closingQuote(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at
  }
  return -1
}

// Few enough that a slice is read in a fraction of a millisecond, and its rows are worked on in a few.
export const CSV_SLICE_CHARACTERS = 8_192

export function firstRows(text: string, delimiter: string, rowsMax: number): CsvRow[] {
  const reader = csvReader(delimiter)
  const rows: CsvRow[] = []
  for (let from = 0; from < text.length && rows.length < rowsMax; from += CSV_SLICE_CHARACTERS) {
    rows.push(...reader.add(text.slice(from, from + CSV_SLICE_CHARACTERS)))
  }
  if (rows.length < rowsMax) rows.push(...lastRow(reader, rows.length > 1))
  return rows.slice(0, rowsMax)
}

/** A row that is cut off inside quotation marks does not matter where there are others. */
function lastRow(reader: CsvReader, hasOthers: boolean): CsvRow[] {
  try {
    return reader.end()
  } catch (cause) {
    if (hasOthers && cause instanceof NotCsv) return []
    throw cause
  }
}

const unclosed = (row: number) => `a quotation mark in row ${row} is never closed`
const tooLong = (row: number) => `row ${row} is longer than ${inWords(CSV_ROW_CHARACTERS_MAX)} characters`
const tooLongCell = (row: number) =>
  `row ${row} has a cell with more than ${inWords(CSV_CELL_CHARACTERS_MAX)} characters`
const tooManyColumns = (row: number) => `row ${row} has more than ${inWords(CSV_COLUMNS_MAX)} columns`
const trailing = (row: number) => `row ${row} has text after a closing quotation mark`
const inWords = (count: number) => count.toLocaleString("en")
