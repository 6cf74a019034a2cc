import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { dayReader } from "../../../src/domain/time/typed-day.ts"
import { columnsProblem, figuresIn, guessColumns } from "../../../src/domain/upload/columns.ts"
import { problemsIn } from "../../../src/domain/upload/problem-list.ts"
import { type Remembered, readingOf } from "../../../src/domain/upload/recognize-file.ts"
import type { RowRefusal } from "../../../src/domain/upload/row-reader.ts"
import { sheetsIn } from "../../../src/doors/http/uploaded-file.ts"

const ZONE = "Europe/Berlin"

describe("days", () => {
  test.each([
    ["2026-11-02", "2026-11-02"],
    ["20261102", "2026-11-02"],
    ["2026/11/2", "2026-11-02"],
    ["02.11.2026", "2026-11-02"],
    ["2.11.2026", "2026-11-02"],
    ["13/11/2026", "2026-11-13"],
    ["11/13/2026", "2026-11-13"],
    ["11-11-2026", "2026-11-11"],
    ["2026-11-02T10:00:00Z", "2026-11-02T10:00:00Z"],
    ["2026-11-02 09:00", "2026-11-02T08:00:00Z"],
    ["02.11.2026 09:00:30", "2026-11-02T08:00:30Z"],
  ])("%s is %s", (typed, value) => {
    expect(dayReader(ZONE, null)(typed)).toMatchObject({ ok: true, value })
  })

  test.each(["30.02.2026", "26-11-02", "31/31/2026", "yesterday", "2026-11-02 25:00", "2026-02-30", ""])(
    "%s is refused",
    (typed) => {
      expect(dayReader(ZONE, "day_first")(typed)).toMatchObject({ ok: false, isAmbiguous: false })
    },
  )

  test("that can be two days are refused until somebody says which comes first", () => {
    expect(dayReader(ZONE, null)("02/11/2026")).toMatchObject({
      ok: false,
      isAmbiguous: true,
      message: "02/11/2026 can mean 2026-11-02 or 2026-02-11.",
    })
    expect(dayReader(ZONE, "day_first")("02/11/2026")).toMatchObject({ value: "2026-11-02" })
    expect(dayReader(ZONE, "month_first")("02/11/2026")).toMatchObject({ value: "2026-02-11" })
  })
})

describe("columns", () => {
  test("with our names need no question, and others are ignored", () => {
    // "line" is the name of the line in our own template, and means its ID in other files.
    const guessed = guessColumns("delivery", ["package_id", "impressions", "line"])
    expect(guessed).toEqual({ columns: ["package_id", "impressions", ""], isSure: true, isUsual: true })
  })

  test("with other names are guessed, and asked about", () => {
    const guessed = guessColumns("delivery", ["Order line", "Day", "Ad impressions", "Clicks"])
    expect(guessed).toEqual({ columns: ["external_id", "as_of", "impressions", ""], isSure: false, isUsual: true })
  })

  test("that may be counted are never chosen by words in them, only named", () => {
    const header = ["Order line", "Day", "Opens of the letter"]
    expect(guessColumns("delivery", header)).toEqual({
      columns: ["external_id", "as_of", ""],
      isSure: false,
      isUsual: false,
    })
    expect(figuresIn("delivery", header, ["external_id", "as_of", ""])).toEqual([null, null, "Impressions"])
  })

  test("of which two may be counted are both left to somebody: one of them may be what is booked", () => {
    for (const header of [
      ["Line item ID", "Impressions", "Delivered"],
      ["Line name", "Impressions", "Impressions (booked)", "Served"],
    ]) {
      const { columns, isSure, isUsual } = guessColumns("delivery", header)
      expect({ isSure, isUsual, counted: columns.includes("impressions") }).toEqual({
        isSure: false,
        isUsual: false,
        counted: false,
      })
    }
  })

  test.each([
    [["impressions"], "Say which column is “Line ID for the API”, “Your line ID” or “Line name”."],
    [["package_id", "external_id"], "Choose only one of “Line ID for the API”, “Your line ID” and “Line name”."],
    [["package_id", "as_of", "as_of"], "Two columns mean “Day”. Choose one of them."],
    [["package_id", "nonsense"], "Choose one of the meanings in the list."],
    [["package_id", "", ""], undefined],
  ])("%p: %p", (columns, problem) => {
    expect(columnsProblem("delivery", columns)).toBe(problem as string)
  })
})

const NOTHING: Remembered = { readings: new Map(), lines: new Map() }

test("a preset decides before our own names, for the command line as for the app", () => {
  const header = "package_id,Dimension.LINE_ITEM_ID,Dimension.DATE,Column.AD_SERVER_IMPRESSIONS,code,date\n"
  for (const kind of ["delivery", null] as const)
    expect(readingOf(kind, header, NOTHING)).toMatchObject({
      kind: "delivery",
      choices: { preset: { name: "google-ad-manager" } },
    })
})

describe("the table of a file", () => {
  test.each([
    [
      "a title and a range of dates",
      "Report:,Delivery\nDate range:,1 Nov 2026 - 14 Nov 2026\n\nLine item,Date,Impressions\nA,14.11.2026,5\n",
      ",",
      4,
    ],
    ["a comma in a quoted heading", '"Impressions, delivered";Line item;Date\n5;A;14.11.2026\n', ";", 1],
    ["days for headings", "Folge;01.11.2026;02.11.2026\nEp. 41: Harbours;100;120\n", ";", 1],
    ["tabs", "Line item\tDate\tImpressions\nA, B\t2026-11-14\t5\n", "\t", 1],
    ["nothing that anybody knows", "Foo;Bar\nA;5,5\n", ";", 1],
  ])("is found below %s", (_, text, delimiter, headerRow) => {
    expect(readingOf("delivery", text, NOTHING)?.choices.layout).toEqual({ delimiter, headerRow })
  })

  test.each([
    ["Downloads gesamt", "downloads"],
    ["Impressions Delivered", "impressions"],
    ["Auslieferung", "impressions"],
    ["Impr.", "impressions"],
    ["Impressions booked", ""],
    ["Viewable impressions", ""],
    ["Click rate", ""],
  ])("has a column %p that means %p", (name, meaning) => {
    expect(guessColumns("delivery", ["Line item", name]).columns).toEqual(["external_id", meaning])
  })

  test.each([
    [["Order", "Line item", "Line item ID", "Date", "Impressions Delivered"]],
    [["Campaign ID", "Line item", "Line item ID", "Date", "Impressions"]],
  ])("has the name of the line beside its ID: %p", (header) => {
    expect(guessColumns("delivery", header).columns).toEqual(["", "line_name", "", "as_of", "impressions"])
  })

  test("with two headings that may mean the same leaves both open", () => {
    const { columns } = guessColumns("delivery", ["Line item", "Impressions (web)", "Impressions (app)"])
    expect(columns).toEqual(["external_id", "", ""])
    expect(guessColumns("delivery", ["package_id", "impressions", "impressions"]).isUsual).toBe(false)
  })
})

test("a day as spreadsheets count them is refused, and the reason says what to do", () => {
  for (const typed of ["46327", "46327.5"])
    expect(dayReader(ZONE, null)(typed)).toMatchObject({
      message: expect.stringContaining("as spreadsheets count them"),
    })
})

test.each([
  ["<!DOCTYPE html>\n<html><body>Please sign in</body></html>", "a web page"],
  ['\ufeff  <table border="1"><tr><td>Line</td></tr></table>', "a web page"],
  ['<?xml version="1.0"?><Workbook></Workbook>', "is XML"],
  ['{"items": []}', "is JSON"],
  ["%PDF-1.7\n", "is a PDF"],
  [Buffer.from([0x1f, 0x8b, 8, 0]), "is compressed"],
  [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), "an older Excel (.xls)"],
])("a file that is no table is told from one, whatever its name: %p", async (content, what) => {
  await expect(sheetsIn(Buffer.from(content as string))).rejects.toThrow(what)
})

test.each([
  ["11/14/26", "2026-11-14", "month_first"],
  ["14/11/26", "2026-11-14", "day_first"],
  ["14.11.26", "2026-11-14", null],
  ["11/11/26", "2026-11-11", null],
  ["Nov 02, 2026 08:05 pm", "2026-11-02T19:05:00Z", null],
])("%s is a day, and says which number comes first: %p", (text, value, order) => {
  expect(dayReader(ZONE, null)(text)).toMatchObject({ ok: true, value, order })
})

test("a text arrives as it was, whatever its encoding and wherever it is cut, with line feeds", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 300 }).filter((one) => !/[\0\r\ufeff]/.test(one))
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom("utf8", "utf16le"), fc.nat(3), async (content, encoding, times) => {
      const whole = `${content}\n`.repeat(times * 1_000)
      const mark = encoding === "utf8" ? "" : "\ufeff"
      const sent = mark + whole.replaceAll("\n", "\r\n")
      expect(await sheetsIn(Buffer.from(sent, encoding as BufferEncoding))).toEqual([{ name: "", text: whole }])
    }),
    { numRuns: 50 },
  )
})

test("problems are grouped, with their rows as ranges", async () => {
  const refused: RowRefusal[] = []
  const list = () => problemsIn(refused, ({ key }) => key === "b")
  const refusal = (key: string) => ({ key, title: key, text: "", example: "", decide: null, reason: "invalid_item" })
  for (const row of [3, 4, 5, 9]) refused[row] = refusal("a")
  refused[7] = refusal("b")
  const { problems, ...counts } = await list()
  expect(counts).toEqual({ problemKinds: 2, refused: 4, ignored: 1 })
  expect(problems.map(({ title, count, rows }) => [title, count, rows])).toEqual([
    [
      "a",
      4,
      [
        [3, 5],
        [9, 9],
      ],
    ],
    ["b", 1, [[7, 7]]],
  ])
  for (let row = 10; row < 20_000; row += 2) refused[row] = refusal(String(row))
  expect((await list()).problems).toHaveLength(50)
})
