import { expect, test } from "bun:test"
import { parse } from "csv-parse/sync"
import fc from "fast-check"
import { type CsvRow, csvSplitter } from "../../../src/domain/csv/csv-splitter.ts"

/** The rows of a text that arrives in these pieces. */
function split(pieces: readonly string[], delimiter = ","): CsvRow[] {
  const splitter = csvSplitter(delimiter)
  return [...pieces.flatMap((piece) => splitter.add(piece)), ...splitter.end()]
}

const cell = fc.oneof(
  fc.constantFrom("", "a", "1,000", '"', "x\ny", "x\r\ny", '""', "é", " ", ";"),
  fc.string({ maxLength: 6 }).filter((text) => !text.includes("\r")),
)
const quoted = (text: string) => (/[",;\r\n]/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text)

test("a file is split as a parser library splits it, wherever it is cut into pieces", () => {
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(
      rows,
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      fc.array(fc.nat(60)),
      (cells, end, isEnded, cuts) => {
        const text = cells.map((row) => row.map(quoted).join(",")).join(end) + (isEnded ? end : "")
        const expected: string[][] = parse(text, { relax_column_count: true, record_delimiter: ["\r\n", "\n"] })
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((one, other) => one - other), text.length]
        const pieces = places.slice(1).map((to, i) => text.slice(places[i], to))
        expect(split(pieces).map(({ cells }) => [...cells])).toEqual(expected)
      },
    ),
    { numRuns: 500 },
  )
})

test("rows are numbered as a spreadsheet numbers them", () => {
  const text = 'a,b\n\n1,"x\ny"\r\n\r\n2,3'
  expect(split([text])).toEqual([
    { number: 1, cells: ["a", "b"] },
    { number: 3, cells: ["1", "x\ny"] },
    { number: 5, cells: ["2", "3"] },
  ])
})

test("a quotation mark inside a cell is a character like any other", () => {
  expect(split(['5" pipe;6\n'], ";")).toEqual([{ number: 1, cells: ['5" pipe', "6"] }])
})

test("what is not CSV is refused with its row", () => {
  expect(() => split(['a\n"never closed\nx'])).toThrow("a quotation mark in row 2 is never closed")
  expect(() => split(['a\n"b"c\n'])).toThrow("row 2 has text after a closing quotation mark")
  expect(() => split(["a\n", '"'.padEnd(600_000, "x"), "x".repeat(600_000)])).toThrow("is never closed")
  expect(() => split(["a\n", "x".repeat(1_100_000)])).toThrow("row 2 is longer than 1,048,576 characters")
})
