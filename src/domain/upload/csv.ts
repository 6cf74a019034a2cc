import {
  CELL_CHARACTERS_MAX,
  CELLS_MAX,
  COLUMNS_MAX,
  inWords,
  ROWS_MAX,
  type Row,
  type Sheet,
  Unreadable,
} from "./upload.ts"

/** Exports put a title, a date range and an account above the headings, but hardly more. */
export const FIRST_ROWS = 30

/** The text of a file in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252, which older spreadsheets save. */
export function textIn(bytes: Uint8Array): string {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 500)).replace(/^\u00ef\u00bb\u00bf/, "")
  if (start.startsWith("\u00d0\u00cf\u0011\u00e0")) throw new Unreadable(OLD_EXCEL)
  if (/^\s*<(?:!doctype|html|head|body|meta|table|\?xml)\b/i.test(start)) throw new Unreadable(WEB_PAGE)
  const text = decoded(bytes)
  if (text.includes("\0")) throw new Unreadable("This isn’t a text file. Export it as CSV or .xlsx, then upload that.")
  return text
}

const OLD_EXCEL = "This workbook is from an older Excel (.xls). Save it as .xlsx or CSV, then upload that."
const WEB_PAGE =
  "This is a web page, not a table. If it asks you to sign in, sign in and export again. If it shows the totals, open it " +
  "in Excel and save it as .xlsx."

function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

/** What may be between the cells of a text. */
const SEPARATORS = [",", ";", "\t", "|"] as const

/** The table of a text. The separator is the one that makes the largest table from its beginning. */
export function sheetOfText(text: string): Sheet {
  const sizes = SEPARATORS.map((separator) => ({ separator, size: sizeOf(text, separator) }))
  const { separator } = sizes.reduce((best, each) => (each.size > best.size ? each : best))
  const rows = limitedRows(csvRows(text, separator))
  if (rows.length === 0) throw new Unreadable("This file is empty.")
  if (rows.length === 1) throw new Unreadable("This file has only one row. It needs headings, and rows below them.")
  return { name: "", separator, rows }
}

/** The largest width times the number of rows with that width. */
function sizeOf(text: string, separator: string): number {
  const counts = new Map<number, number>()
  try {
    for (const row of csvRows(text, separator).take(FIRST_ROWS))
      counts.set(row.cells.length, (counts.get(row.cells.length) ?? 0) + 1)
  } catch (cause) {
    // Most likely a quotation mark in the middle of a cell, which another separator reads well.
    if (!(cause instanceof Unreadable)) throw cause
    return 0
  }
  return Math.max(0, ...[...counts].map(([width, count]) => width * count))
}

/** All rows that aren't blank. Throws if there are too many rows or cells. */
export function limitedRows(rows: Iterable<Row>): Row[] {
  const kept: Row[] = []
  let cells = 0
  for (const row of rows) {
    cells += row.cells.length
    if (cells > CELLS_MAX) throw new Unreadable(`This file has more than ${inWords(CELLS_MAX)} cells. ${SPLIT}`)
    checkRow(row)
    if (row.cells.every((cell) => cell.trim() === "")) continue
    // Headings don't count, but where they are isn't known yet.
    if (kept.length > ROWS_MAX + FIRST_ROWS) throw tooManyRows()
    kept.push(row)
  }
  return kept
}

const SPLIT = "Split it so that each line is in one part only, then upload the parts one by one."

export const tooManyRows = () => new Unreadable(`This file has more than ${inWords(ROWS_MAX)} rows. ${SPLIT}`)

function checkRow({ number, cells }: Row): void {
  if (cells.length > COLUMNS_MAX)
    throw new Unreadable(`Row ${number} has more than ${COLUMNS_MAX} columns. Leave some of them out of the export.`)
  if (cells.some((cell) => cell.length > CELL_CHARACTERS_MAX)) throw tooLongCell(number)
}

const tooLongCell = (row: number) =>
  new Unreadable(`Row ${row} has a cell with more than ${inWords(CELL_CHARACTERS_MAX)} characters.`)

const RETURN = 13
/** The last row of a spreadsheet. */
const NUMBER_MAX = 1_048_576
const MOSTLY_BLANK = `This file has more than ${inWords(NUMBER_MAX)} rows, most of them blank. Remove the blank rows.`

// Exports write an ID as ="0123", so that Excel doesn't make a number of it.
const FORMULA = /^="([^"]*)"$/

/**
 * The rows of a text except empty ones. A quotation mark opens a cell only at its start, and two in a row stand for
 * one. The time grows only with the length of the text, because no character is searched twice.
 */
export function* csvRows(text: string, separator: string): Generator<Row> {
  // Only old Macs end rows with carriage returns alone.
  const lineBreak = text.includes("\n") ? "\n" : "\r"
  const breakCode = lineBreak.charCodeAt(0)
  const nextBreak = finderOf(text, lineBreak)
  const nextSeparator = finderOf(text, separator)
  let cells: string[] = []
  let number = 1
  for (let at = 0; at < text.length || cells.length > 0; ) {
    // Some exports have thousands of blank rows.
    if (cells.length === 0) {
      let code = text.charCodeAt(at)
      while (
        number <= NUMBER_MAX &&
        (code === breakCode || (code === RETURN && text.charCodeAt(at + 1) === breakCode))
      ) {
        at += code === breakCode ? 1 : 2
        number++
        code = text.charCodeAt(at)
      }
      if (at >= text.length) return
      if (number > NUMBER_MAX) throw new Unreadable(MOSTLY_BLANK)
    }
    const isQuoted = text[at] === '"'
    const close = isQuoted ? closingQuote(text, at, number) : at
    const end = Math.min(nextBreak(close), nextSeparator(close))
    if (isQuoted && end > close + 1 && text.slice(close + 1, end).trim() !== "")
      throw new Unreadable(`Row ${number} has text after a closing quotation mark.`)
    const cell = isQuoted ? text.slice(at + 1, close).replaceAll('""', '"') : text.slice(at, end)
    cells.push(cell.startsWith('="') ? cell.replace(FORMULA, "$1") : cell)
    at = end + 1
    if (text[end] === separator && cells.length <= COLUMNS_MAX) continue
    yield { number, cells: withoutReturn(cells) }
    cells = []
    number++
  }
}

/** The carriage return before a line break isn't part of the last cell. */
function withoutReturn(cells: readonly string[]): readonly string[] {
  const last = cells.at(-1) ?? ""
  return last.endsWith("\r") ? [...cells.slice(0, -1), last.slice(0, -1)] : cells
}

/** Finds the next place of a character from left to right, or the end of the text. */
function finderOf(text: string, character: string): (from: number) => number {
  let at = -1
  return (from) => {
    if (at < from) {
      at = text.indexOf(character, from)
      if (at < 0) at = text.length
    }
    return at
  }
}

function closingQuote(text: string, open: number, row: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at
    if (at - open > 2 * CELL_CHARACTERS_MAX) throw tooLongCell(row)
  }
  throw new Unreadable(`A quotation mark in row ${row} is never closed.`)
}

/** How far a row goes. Some exports end each row with separators. */
export const widthOf = ({ cells }: Row): number => cells.findLastIndex((cell) => cell.trim() !== "") + 1

/** The headings of a row, without what is around them. */
export const headingsOf = ({ cells }: Row): string[] => cells.map((cell) => cell.trim())

/** The number of the row that names the columns: one with known headings, else the first of the widest at the beginning. */
export function findHeaderRow(rows: readonly Row[], isKnown: (headings: readonly string[]) => boolean): number {
  const first = rows.slice(0, FIRST_ROWS)
  const widest = Math.max(0, ...first.map(widthOf))
  const found = first.find((row) => isKnown(headingsOf(row))) ?? first.find((row) => widthOf(row) === widest)
  return found?.number ?? 1
}
