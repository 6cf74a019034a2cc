import { describe, expect, test } from "bun:test"
import { parse } from "csv-parse/sync"
import fc from "fast-check"
import { csvRows, findHeaderRow, sheetOfText, textIn } from "../../../src/domain/upload/csv.ts"

const cell = fc.oneof(
  fc.constantFrom("", "a", "1,000", '"', "x\ny", "x\r\ny", '""', "é", " ", ";", "\t"),
  fc.string({ maxLength: 6 }).filter((text) => !text.includes("\r") && !text.startsWith('="')),
)
// Null is an empty row.
const table = fc.array(fc.option(fc.array(cell, { minLength: 1, maxLength: 4 })), { minLength: 1, maxLength: 9 })

interface Written {
  readonly separator: string
  readonly end: string
  readonly isEnded: boolean
  /** Whether every cell is quoted, not only those that need it. */
  readonly isQuoted: boolean
}

const written = fc.record<Written>({
  separator: fc.constantFrom(",", ";", "\t", "|"),
  end: fc.constantFrom("\n", "\r\n"),
  isEnded: fc.boolean(),
  isQuoted: fc.boolean(),
})

function textOf(rows: readonly (readonly string[] | null)[], { separator, end, isEnded, isQuoted }: Written): string {
  const cellText = (text: string) =>
    isQuoted || /[",;|\t\r\n]/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text
  return rows.map((row) => (row ?? []).map(cellText).join(separator)).join(end) + (isEnded ? end : "")
}

test("a text is read as a parser library reads it, with row numbers as in a spreadsheet", () => {
  fc.assert(
    fc.property(table, written, (rows, how) => {
      const text = textOf(rows, how)
      const expected: string[][] = parse(text, {
        delimiter: how.separator,
        relax_column_count: true,
        skip_empty_lines: true,
        record_delimiter: ["\r\n", "\n"],
      })
      const found = [...csvRows(text, how.separator)]
      expect(found.map(({ cells }) => [...cells])).toEqual(expected)
      expect(found.map(({ number }) => number)).toEqual(rowNumbers(rows))
    }),
    { numRuns: 200 },
  )
})

/** The number of each row that isn't empty. A line break within a cell doesn't begin a row. */
const rowNumbers = (rows: readonly (readonly string[] | null)[]) =>
  rows.flatMap((row, i) => (row === null ? [] : [i + 1]))

test("a text means the same in every encoding, and with the line ends of old Macs", () => {
  const text = "Größe;€ 5;a\nb;c;d\n"
  const rows = sheetOfText(text).rows.map(({ cells }) => cells)
  const encodings = [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    Buffer.from(`\ufeff${text}`, "utf16le"),
    Buffer.from(text.replaceAll("\n", "\r")),
    Buffer.from(text.replace("€", "\u0080"), "latin1"),
  ]
  for (const bytes of encodings) expect(sheetOfText(textIn(bytes)).rows.map(({ cells }) => cells)).toEqual(rows)
})

describe("the separator and the headings", () => {
  test.each([
    [",", "Report,1 Nov\n\nDate,Line,Count\n1,a,5\n2,b,6\n", 3],
    [";", "Titel;Zahl\na;1,5\nb;2,5\n", 1],
    ["\t", "Line\tCount\na, b\t5\nc, d\t6\n", 1],
    ["|", "Line|Count\na|5\n", 1],
    [",", "\n\n,Date,Count\n0,1 Nov,5\n", 3],
    [";", "Bericht;;\nLine;Date;Count\na;1;5\n", 2],
  ])("%p separates %p, and the headings are in row %i", (separator, text, header) => {
    const rows = sheetOfText(text).rows
    expect(Math.max(...rows.map(({ cells }) => cells.length))).toBe(
      Math.max(...[...csvRows(text, separator)].map(({ cells }) => cells.length)),
    )
    expect(findHeaderRow(rows, () => false)).toBe(header)
  })

  test("known headings take precedence", () => {
    const rows = sheetOfText("a,b,c\nLine,Count\nx,5\n").rows
    expect(findHeaderRow(rows, (headings) => headings.join() === "Line,Count")).toBe(2)
  })
})

test("a quotation mark inside a cell is a character like any other", () => {
  expect([...csvRows('5" pipe;6\n', ";")]).toEqual([{ number: 1, cells: ['5" pipe', "6"] }])
})

test("an ID that is written as a formula for Excel is read as it is", () => {
  for (const text of ['id,n\n="0123",5\n', 'id,n\n"=""0123""",5\n'])
    expect(sheetOfText(text).rows[1]?.cells).toEqual(["0123", "5"])
})

test("blank rows don't count, and neither do rows of empty cells", () => {
  expect(sheetOfText("\n\na,b\n,,\n \n1,2\n").rows).toEqual([
    { number: 3, cells: ["a", "b"] },
    { number: 6, cells: ["1", "2"] },
  ])
  expect(sheetOfText(`a,b\n${"\n".repeat(1_000_000)}1,2\n`).rows).toHaveLength(2)
})

const MB = 1_048_576

describe("a file that isn't a table, or is too large, is refused with an explanation", () => {
  test.each<[string, string, string]>([
    ["nothing", "\n\n", "This file is empty."],
    [
      "only headings",
      "package_id,impressions\n",
      "This file has only one row. It needs headings, and rows below them.",
    ],
    ["an open quotation mark", 'a\n"never closed\nx', "A quotation mark in row 2 is never closed."],
    ["text after a quotation mark", 'a\n"b"c\n', "Row 2 has text after a closing quotation mark."],
    ["a long cell", `a,b\nx,${"y".repeat(40_000)}`, "Row 2 has a cell with more than 32,767 characters."],
    ["many columns", `a\n${",".repeat(200)}x\n`, "Row 2 has more than 200 columns."],
    ["many rows", "a,b\n".repeat(50_100), "This file has more than 50,000 rows."],
    ["many cells", `${"1,".repeat(150)}\n`.repeat(14_000), "This file has more than 2,000,000 cells."],
    ["20 MB of line breaks", "\n".repeat(20 * MB), "This file has more than 1,048,576 rows, most of them blank."],
    ["20 MB of quotation marks", '"'.repeat(20 * MB), "Row 1 has a cell with more than 32,767 characters."],
    ["20 MB of separators", ",".repeat(20 * MB), "Row 1 has more than 200 columns."],
    ["20 MB of cells", ",\n".repeat(10 * MB), "This file has more than 2,000,000 cells."],
  ])("%s", (_, text, message) => {
    expect(() => sheetOfText(text)).toThrow(message)
  })

  test.each<[string, string]>([
    ["\u00d0\u00cf\u0011\u00e0\u00a1", "This workbook is from an older Excel (.xls)."],
    ["<!doctype html><p>Sign in</p>", "This is a web page, not a table."],
    ["\u0089PNG\r\n\0\0", "This isn’t a text file."],
  ])("%p", (start, message) => {
    expect(() => textIn(Buffer.from(start, "latin1"))).toThrow(message)
  })
})
