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

const LINE_FEED = 10

/**
 * The rows of a text that are not empty, in a time that grows with its size, whatever its shape: no character is searched twice. Written by
 * hand, because csv-parse takes three times as long, and has no bounds for columns and cells. The tests compare the two.
 */
export function* csvRows(text: string, delimiter: string): Generator<CsvRow> {
  const quote = seeker(text, '"')
  const lineBreak = seeker(text, "\n")
  const separator = seeker(text, delimiter)

  /** Where a row ends. A mark opens a cell only at its start; elsewhere it is a character like any other. Two in a row stand for one. */
  function endOf(start: number, number: number): number {
    for (let at = start; ; ) {
      if (text[at] === '"') {
        const close = closingQuote(text, at, start + CSV_ROW_CHARACTERS_MAX)
        if (close < 0) throw new NotCsv(unclosed(number))
        at = close + 1
      }
      const end = lineBreak(at)
      // Without a mark before its end, nothing else of the row matters.
      if (quote(at) >= end || separator(at) >= end) return end
      at = separator(at) + 1
    }
  }

  for (let [at, number] = [0, 1]; at < text.length; number++) {
    // Exports have thousands of blank rows.
    for (; text.charCodeAt(at) === LINE_FEED; number++) at++
    const end = endOf(at, number)
    if (end - at > CSV_ROW_CHARACTERS_MAX) throw new NotCsv(tooLong(number))
    const row = text.slice(at, end)
    if (row !== "" && row !== "\r") yield { number, cells: cellsOf(row.replace(/\r$/, ""), delimiter, number) }
    at = end + 1
  }
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
    const close = isQuoted ? closingQuote(text, at, text.length) : -1
    if (isQuoted && close < 0) throw new NotCsv(unclosed(number))
    const next = text.indexOf(delimiter, isQuoted ? close + 1 : at)
    const end = next < 0 ? text.length : next
    if (isQuoted && text.slice(close + 1, end).trim() !== "") throw new NotCsv(trailing(number))
    cells.push(isQuoted ? text.slice(at + 1, close).replaceAll('""', '"') : text.slice(at, end))
    at = end + 1
  }
  return cells
}

/** The position of the quotation mark that closes a cell; -1 when there is none up to `max`. */
function closingQuote(text: string, open: number, max: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0 && at <= max; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at
  }
  return -1
}

export const firstRows = (text: string, delimiter: string, rowsMax: number): CsvRow[] =>
  csvRows(text, delimiter).take(rowsMax).toArray()

const unclosed = (row: number) => `a quotation mark in row ${row} is never closed`
const tooLong = (row: number) => `row ${row} is longer than ${inWords(CSV_ROW_CHARACTERS_MAX)} characters`
const tooLongCell = (row: number) =>
  `row ${row} has a cell with more than ${inWords(CSV_CELL_CHARACTERS_MAX)} characters`
const tooManyColumns = (row: number) => `row ${row} has more than ${inWords(CSV_COLUMNS_MAX)} columns`
const trailing = (row: number) => `row ${row} has text after a closing quotation mark`
const inWords = (count: number) => count.toLocaleString("en")
