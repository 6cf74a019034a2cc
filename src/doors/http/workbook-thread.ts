import { inflateRawSync } from "node:zlib"
import { stringify } from "csv-stringify/sync"
import readWorkbook from "read-excel-file/web-worker"
import { CSV_COLUMNS_MAX, UPLOAD_ROWS_MAX } from "../../domain/limits.ts"
import { writeNumber } from "../../domain/text/typed-number.ts"
import { NotText } from "../../domain/upload/received-text.ts"
import type { Sheet } from "../../domain/upload/upload.ts"

// Runs in a thread of its own, because a workbook is unpacked and read at once. workbook.ts gives it one, and ends it when it takes too long or
// too much memory.

/** The sheets of a workbook, or why there are none: "" where nobody can tell. */
export type FromThread = { readonly sheets: readonly Sheet[] } | { readonly problem: string }

declare const self: Worker

// A workbook of fifty thousand rows has less.
const UNPACKED_BYTES_MAX = 100_000_000
const CELLS_MAX = 5_000_000
const TOO_LARGE = "This workbook is too large. Save its sheet as CSV."

async function sheetsIn(bytes: Uint8Array<ArrayBuffer>): Promise<readonly Sheet[]> {
  checkBounds(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  const sheets = (await readWorkbook(bytes.buffer)).filter(({ data }) => data.length > 0)
  if (sheets.length === 0) throw new NotText("This workbook is empty.")
  return sheets.map(({ sheet, data }) => ({ name: sheet, text: stringify(data.map((row) => row.map(cellText))) }))
}

/** As people write it: a day, or a day with its time, which is one of the seller's zone. */
function dayOrTime(date: Date): string {
  const [day = "", time = ""] = date.toISOString().slice(0, 19).split("T")
  return time === "00:00:00" ? day : `${day} ${time}`
}

function cellText(value: unknown): string {
  if (value instanceof Date) return dayOrTime(value)
  return typeof value === "number" ? writeNumber(value) : String(value ?? "")
}

/** Throws for a workbook whose cells are further out than any table: reading it would make all the cells in between. */
function checkBounds(zip: Buffer): void {
  const parts = [...partsIn(zip)]
  if (parts.reduce((sum, { unpacked }) => sum + unpacked, 0) > UNPACKED_BYTES_MAX) throw new NotText(TOO_LARGE)
  let cells = 0
  // Any part may be a sheet, whatever its name.
  for (const part of parts) {
    const content = contentOf(zip, part)
    if (!content.includes("sheetData")) continue
    const { rows, columns, last } = extentOf(content)
    if (rows > UPLOAD_ROWS_MAX + 1 || columns > CSV_COLUMNS_MAX)
      throw new NotText(
        `A sheet of this workbook has a cell at ${last}, far outside of a table of figures. Save the sheet as CSV.`,
      )
    cells += rows * columns
  }
  if (cells > CELLS_MAX) throw new NotText(TOO_LARGE)
}

type ZipPart = Readonly<{ name: string; method: number; packed: number; unpacked: number; at: number }>

const ENTRY = Buffer.from([0x50, 0x4b, 1, 2])

/** What the directory of a ZIP file says about its parts. */
function* partsIn(zip: Buffer): Generator<ZipPart> {
  for (let at = zip.indexOf(ENTRY); at >= 0 && at + 46 <= zip.length; at = zip.indexOf(ENTRY, at + 4)) {
    const name = zip.toString("utf8", at + 46, at + 46 + zip.readUInt16LE(at + 28))
    const [packed, unpacked] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)]
    yield { name, method: zip.readUInt16LE(at + 10), packed, unpacked, at: zip.readUInt32LE(at + 42) }
  }
}

function contentOf(zip: Buffer, { method, packed, at }: ZipPart): string {
  const from = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
  const content = zip.subarray(from, from + packed)
  return (method === 0 ? content : inflateRawSync(content, { maxOutputLength: UNPACKED_BYTES_MAX })).toString("latin1")
}

const ADDRESS = /\sr\s*=\s*["']([^"']*)["']/g
const PLAIN_ADDRESS = /^([A-Za-z]{0,4})(\d{1,9})$/

/** How far the rows and columns go that a sheet names. Throws for an address that is written in another way, which only a reader of XML understands. */
function extentOf(xml: string) {
  let [rows, columns, last] = [0, 0, ""]
  for (const [, address = ""] of xml.matchAll(ADDRESS)) {
    const [, letters, digits] = PLAIN_ADDRESS.exec(address) ?? []
    if (letters === undefined || digits === undefined) throw new Error(`${address} is no plain address of a cell`)
    const row = Number.parseInt(digits, 10)
    const column = [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
    if (row > rows || column > columns) last = letters + digits
    rows = Math.max(rows, row)
    columns = Math.max(columns, column)
  }
  return { rows, columns, last }
}

self.onmessage = async ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  const answer = await sheetsIn(data).then(
    (sheets): FromThread => ({ sheets }),
    (cause): FromThread => ({ problem: cause instanceof NotText ? cause.message : "" }),
  )
  self.postMessage(answer)
}
