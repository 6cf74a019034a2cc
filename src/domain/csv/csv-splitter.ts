/** A row of a CSV file. */
export interface CsvRow {
  /** As in a spreadsheet: the header is row 1, and empty rows count. */
  readonly number: number
  readonly cells: readonly string[]
}

/** Thrown for a file that is not CSV, with a sentence that says where. */
export class NotCsv extends Error {
  override readonly name = "NotCsv"
}

// A quotation mark that is never closed would swallow the rest of the file.
const ROW_CHARACTERS_MAX = 1_048_576

export interface CsvSplitter {
  /** The rows that are complete with this piece. Empty rows are left out. */
  add(text: string): CsvRow[]
  /** The last row, if the file does not end with a line break. */
  end(): CsvRow[]
}

/**
 * Splits a CSV file into rows, piece by piece. Written by hand, because the job that reads a million rows shares its thread with
 * everybody else: a parser library takes ten times as long. test/domain/csv compares the two.
 */
export function csvSplitter(delimiter: string): CsvSplitter {
  let rest = ""
  let number = 0

  function rowOf(line: string): CsvRow[] {
    number++
    const text = line.endsWith("\r") ? line.slice(0, -1) : line
    if (text === "") return []
    const cells = text.includes('"') ? quotedCells(text, delimiter, number) : text.split(delimiter)
    return [{ number, cells }]
  }

  return {
    add(text) {
      const all = rest + text
      const rows: CsvRow[] = []
      let start = 0
      for (let end = endOfRow(all, start, delimiter); end >= 0; end = endOfRow(all, start, delimiter)) {
        rows.push(...rowOf(all.slice(start, end)))
        start = end + 1
      }
      rest = all.slice(start)
      if (rest.length > ROW_CHARACTERS_MAX) throw new NotCsv((rest.includes('"') ? unclosed : tooLong)(number + 1))
      return rows
    },
    end() {
      const last = rest
      rest = ""
      return last === "" ? [] : rowOf(last)
    },
  }
}

/** The position of the line break that ends the row; -1 when it is not there yet. */
function endOfRow(text: string, start: number, delimiter: string): number {
  const end = text.indexOf("\n", start)
  const quote = end < 0 ? -1 : text.indexOf('"', start)
  if (quote < 0 || quote > end) return end
  return endOfQuotedRow(text, start, delimiter)
}

/** A quotation mark opens a cell only at its start. Elsewhere it is a character like any other. */
function endOfQuotedRow(text: string, start: number, delimiter: string): number {
  let at = start
  for (;;) {
    if (text[at] === '"') {
      const close = closingQuote(text, at)
      if (close < 0) return -1
      at = close + 1
    }
    const end = text.indexOf("\n", at)
    if (end < 0) return -1
    const next = text.indexOf(delimiter, at)
    if (next < 0 || next > end) return end
    at = next + 1
  }
}

/** The position of the quotation mark that closes a cell; -1 when there is none yet. Two in a row stand for one. */
function closingQuote(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at
  }
  return -1
}

function quotedCells(text: string, delimiter: string, number: number): string[] {
  const cells: string[] = []
  for (let at = 0; at <= text.length; ) {
    const isQuoted = text[at] === '"'
    const close = isQuoted ? closingQuote(text, at) : -1
    if (isQuoted && close < 0) throw new NotCsv(unclosed(number))
    const found = text.indexOf(delimiter, isQuoted ? close + 1 : at)
    const end = found < 0 ? text.length : found
    if (isQuoted && text.slice(close + 1, end).trim() !== "") throw new NotCsv(trailing(number))
    cells.push(isQuoted ? text.slice(at + 1, close).replaceAll('""', '"') : text.slice(at, end))
    at = end + 1
  }
  return cells
}

const unclosed = (row: number) => `a quotation mark in row ${row} is never closed`
const tooLong = (row: number) => `row ${row} is longer than ${ROW_CHARACTERS_MAX.toLocaleString("en")} characters`
const trailing = (row: number) => `row ${row} has text after a closing quotation mark`
