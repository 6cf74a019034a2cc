import { expect, test } from "bun:test"
import { parse } from "csv-parse/sync"
import fc from "fast-check"
import { type CsvRow, csvRows, firstRows } from "../../../src/domain/csv/csv-reader.ts"
import { findTable, startOf } from "../../../src/domain/csv/find-table.ts"
import { sheetsIn } from "../../../src/doors/http/uploaded-file.ts"

const read = (text: string, delimiter = ","): CsvRow[] => [...csvRows(text, delimiter)]

const cell = fc.oneof(
  fc.constantFrom("", "a", "1,000", '"', "x\ny", "x\r\ny", '""', "é", " ", ";", "\t"),
  fc.string({ maxLength: 6 }).filter((text) => !text.includes("\r")),
  // Longer than a piece, and with marks where one may end.
  fc.nat(20_000).map((length) => 'x"'.repeat(length / 2)),
)
const rowOfCells = fc.oneof(
  { weight: 8, arbitrary: fc.array(cell, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.nat(199).map((more) => Array.from({ length: more + 1 }, (_, i) => String(i))) },
)
// Null is an empty row.
const rows = fc.array(fc.oneof({ weight: 4, arbitrary: rowOfCells }, fc.constant(null)), { minLength: 1, maxLength: 9 })

interface Written {
  readonly delimiter: string
  readonly end: string
  readonly isEnded: boolean
  /** Whether every cell is quoted, not only those that need it. */
  readonly isQuoted: boolean
}

const written = fc.record<Written>({
  delimiter: fc.constantFrom(",", ";", "\t"),
  end: fc.constantFrom("\n", "\r\n"),
  isEnded: fc.boolean(),
  isQuoted: fc.boolean(),
})

function textOf(table: readonly (readonly string[] | null)[], { delimiter, end, isEnded, isQuoted }: Written): string {
  const cellText = (text: string) =>
    isQuoted || /[",;\t\r\n]/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text
  return table.map((row) => (row ?? []).map(cellText).join(delimiter)).join(end) + (isEnded ? end : "")
}

test("a file is read as a parser library reads it", () => {
  fc.assert(
    fc.property(rows, written, (table, how) => {
      const text = textOf(table, how)
      const expected: string[][] = parse(text, {
        delimiter: how.delimiter,
        relax_column_count: true,
        skip_empty_lines: true,
        record_delimiter: ["\r\n", "\n"],
      })
      const found = read(text, how.delimiter)
      expect(found.map(({ cells }) => [...cells])).toEqual(expected)
      // As a spreadsheet numbers them: empty rows count.
      const numbers = table.flatMap((row, i) => (row === null ? [] : [i + 1]))
      expect(found.map(({ number }) => number)).toEqual(numbers)
      expect(firstRows(text, how.delimiter, 3)).toEqual(found.slice(0, 3))
    }),
    { numRuns: 100 },
  )
})

test("a file means the same in every encoding, with a byte order mark or without", async () => {
  const encodings: readonly ((text: string) => Buffer)[] = [
    (text) => Buffer.from(text),
    (text) => Buffer.from(`\ufeff${text}`),
    (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
    (text) => Buffer.from(text.replaceAll("\r\n", "\n").replaceAll("\n", "\r")),
  ]
  const plain = fc.constantFrom("a", "1", "größe", "€ 5", "", " ")
  const table = fc.array(fc.array(plain, { minLength: 2, maxLength: 4 }), { minLength: 2, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(table, written, fc.constantFrom(...encodings), async (cells, how, encode) => {
      const header = ["name", "figure"]
      const bytes = encode(textOf([header, ...cells], how))
      const [{ text } = { text: "" }] = await sheetsIn(bytes)
      const found = read(text, findTable(startOf(text), () => 0)?.delimiter).map((row) => [...row.cells])
      expect(found).toEqual([header, ...cells])
    }),
    { numRuns: 100 },
  )
})

test("a quotation mark inside a cell is a character like any other", () => {
  expect(read('5" pipe;6\n', ";")).toEqual([{ number: 1, cells: ['5" pipe', "6"] }])
})

test("what is not CSV, and what is larger than any table, is refused with its row", () => {
  expect(() => read('a\n"never closed\nx')).toThrow("a quotation mark in row 2 is never closed")
  expect(() => read('a\n"b"c\n')).toThrow("row 2 has text after a closing quotation mark")
  expect(() => read(`a\n${'"'.padEnd(1_200_000, "x")}`)).toThrow("row 2 is never closed")
  expect(() => read(`a\n${"x".repeat(1_100_000)}`)).toThrow("row 2 is longer than 1,048,576 characters")
  expect(() => read(`a\n${"x".repeat(1_100_000)}\n`)).toThrow("row 2 is longer than 1,048,576 characters")
  expect(() => read(`a,b\n\nx,${"y".repeat(32_768)}\n`)).toThrow("row 3 has a cell with more than 32,767 characters")
  expect(read(`a,b\nx,${"y".repeat(32_767)}\n`)).toHaveLength(2)
  for (const wide of [",".repeat(200), `"",${",".repeat(199)}`, ",".repeat(1_000_000)]) {
    expect(() => read(`a\n${wide}\n`)).toThrow("row 2 has more than 200 columns")
  }
  expect(read(`${",".repeat(199)}\n`)[0]?.cells).toHaveLength(200)
})
