import { expect, test } from "bun:test"
import { numbersOf } from "../../../src/actions/upload/shown-by-rows.ts"
import { NO_CHOICES } from "../../../src/domain/upload/upload.ts"

const TABLE = {
  header: ["Line name", "Downloads", "Price"],
  rows: [
    { number: 2, cells: ["A", "30.000", "1,5"] },
    { number: 3, cells: ["B", "3400.5", "2,5"] },
  ],
}
const CHOICES = { ...NO_CHOICES, columns: ["line_name", "downloads", ""] }

test("figures show the mark before decimals, not columns that are ignored", async () => {
  expect(await numbersOf(TABLE, "delivery", CHOICES)).toBe(".")
})

test("numbers of a workbook, which we write, show nothing about a text beside them: then what somebody said counts", async () => {
  const choices = { ...CHOICES, sheets: ["October"] }
  expect(await numbersOf(TABLE, "delivery", choices)).toBeNull()
  expect(await numbersOf(TABLE, "delivery", { ...choices, numbers: "grouped" })).toBe("grouped")
})

test("what another file showed proves nothing about one that shows nothing", async () => {
  const table = { ...TABLE, rows: TABLE.rows.slice(0, 1) }
  expect(await numbersOf(table, "delivery", { ...CHOICES, numbers: "." })).toBeNull()
})
