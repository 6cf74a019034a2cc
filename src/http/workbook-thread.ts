import { type UnzipFileInfo, unzipSync } from "fflate"
import readWorkbook from "read-excel-file/web-worker"
import { writeNumber } from "../domain/typed-number.ts"
import { FIRST_ROWS, limitedRows } from "../domain/upload/csv.ts"
import { CELL_CHARACTERS_MAX, COLUMNS_MAX, ROWS_MAX, type Sheet, Unreadable } from "../domain/upload/upload.ts"

// This runs in a thread of its own, because a workbook is unpacked and read at once. workbook.ts starts and ends it.

/** The sheets of a workbook, or why there are none. The problem is empty if it's unknown. */
export type WorkbookAnswer = { readonly sheets: readonly Sheet[] } | { readonly problem: string }

declare const self: Worker

// A workbook of 50,000 rows has less.
const UNPACKED_BYTES_MAX = 100_000_000
// Each of them takes 200 bytes while the workbook is read.
const WORKBOOK_CELLS_MAX = 1_000_000
const TOO_LARGE = "This workbook is too large. Save its sheet as CSV, then upload that."

async function sheetsIn(bytes: Uint8Array<ArrayBuffer>): Promise<readonly Sheet[]> {
  checkParts(bytes)
  const sheets = (await readWorkbook(bytes.buffer)).filter(({ data }) => data.length > 0)
  if (sheets.length === 0) throw new Unreadable("This workbook is empty.")
  return sheets.map(({ sheet, data }) => {
    const rows = data.map((cells, index) => ({ number: index + 1, cells: cells.map(cellText) }))
    return { name: sheet, separator: "", rows: limitedRows(rows) }
  })
}

/** Throws if the workbook unpacks to too much, or has cells far outside of a table: reading it would make all cells in between. */
function checkParts(bytes: Uint8Array): void {
  let unpacked = 0
  const isXml = ({ name, originalSize }: UnzipFileInfo) => {
    unpacked += originalSize
    if (unpacked > UNPACKED_BYTES_MAX) throw new Unreadable(TOO_LARGE)
    return name.endsWith(".xml")
  }
  let cells = 0
  for (const part of Object.values(unzipSync(bytes, { filter: isXml }))) {
    const xml = new TextDecoder("latin1").decode(part)
    checkTags(xml)
    // Any part may be a sheet, whatever its name.
    if (xml.includes("sheetData")) cells += cellsOf(xml)
  }
  if (cells > WORKBOOK_CELLS_MAX) throw new Unreadable(TOO_LARGE)
}

// A character takes six bytes at most, such as "&quot;".
const TEXT_BYTES_MAX = 6 * CELL_CHARACTERS_MAX
// A cell has two tags, each of which ends.
const TAGS_MAX = 5 * WORKBOOK_CELLS_MAX

/** Throws if a part has a longer text or more tags than a table needs: the library would take a multiple of its size. */
function checkTags(xml: string): void {
  let before = 0
  let tags = 0
  for (let at = xml.indexOf("<"); at >= 0; at = xml.indexOf("<", at + 1)) {
    tags++
    if (at - before > TEXT_BYTES_MAX || tags > TAGS_MAX) throw new Unreadable(TOO_LARGE)
    before = at
  }
  if (xml.length - before > TEXT_BYTES_MAX) throw new Unreadable(TOO_LARGE)
}

const ADDRESS = /\sr\s*=\s*["']([^"']*)["']/g

/** How many cells the table of a sheet has. */
function cellsOf(xml: string): number {
  let [rows, columns] = [0, 0]
  for (const [, address = ""] of xml.matchAll(ADDRESS)) {
    const [, letters, digits] = /^([A-Za-z]{0,4})(\d{1,9})$/.exec(address) ?? []
    // Excel never writes an address in any other form, so such a file is an attempt to get past this check.
    if (letters === undefined) throw new Error("The address of a cell can't be read.")
    const column = [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
    rows = Math.max(rows, Number(digits))
    columns = Math.max(columns, column)
    if (rows > ROWS_MAX + FIRST_ROWS || columns > COLUMNS_MAX)
      throw new Unreadable(
        `A sheet of this workbook reaches cell ${address}, so it isn’t a table. Save the table as CSV.`,
      )
  }
  return rows * columns
}

function cellText(value: unknown): string {
  if (value instanceof Date) return dayOrTime(value)
  return typeof value === "number" ? writeNumber(value) : String(value ?? "")
}

/** A day, or a day with its time in the seller's time zone. */
function dayOrTime(date: Date): string {
  const [day = "", time = ""] = date.toISOString().slice(0, 19).split("T")
  return time === "00:00:00" ? day : `${day} ${time}`
}

self.onmessage = async ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => self.postMessage(await answerTo(data))

async function answerTo(bytes: Uint8Array<ArrayBuffer>): Promise<WorkbookAnswer> {
  try {
    return { sheets: await sheetsIn(bytes) }
  } catch (cause) {
    return { problem: cause instanceof Unreadable ? cause.message : "" }
  }
}
