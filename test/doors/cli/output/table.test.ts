import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { linesAt } from "../../../../src/doors/cli/commands/line.ts"
import { type Column, tableOf } from "../../../../src/doors/cli/output/table.ts"
import { coloured, wantsColours } from "../../../../src/doors/cli/output/text.ts"
import type { LineWithTotal } from "../../../../src/storage/port/store.ts"

interface Row {
  readonly id: string
  readonly name: string
  readonly count: string
  readonly note: string
}

const COLUMNS: readonly Column<Row>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "NAME", text: ({ name }) => name, shrinks: true },
  { title: "COUNT", text: ({ count }) => count, isFigure: true, colour: () => "green" },
  { title: "NOTE", text: ({ note }) => note, shrinks: true, optional: 1 },
]

const plain = (width: number | null) => ({ width, hasColours: false })
const ROWS = [
  { id: "a-1", name: "Größe 漢字 👩‍👩‍👧", count: "1,000", note: "-" },
  { id: "b-22", name: "x", count: "7", note: "a longer note about it" },
]

test("colours are off with NO_COLOR, whatever it says, and on terminals without them", () => {
  expect(wantsColours({})).toBe(true)
  expect(wantsColours({ NO_COLOR: "" })).toBe(true)
  expect(wantsColours({ NO_COLOR: "0" })).toBe(false)
  expect(wantsColours({ TERM: "dumb" })).toBe(false)
  expect(coloured("x", "red", false)).toBe("x")
})

describe("a table", () => {
  test("aligns wide characters, and figures at their end", () => {
    expect(tableOf(COLUMNS.slice(0, 3), ROWS, plain(null)).text).toBe(
      "ID    NAME           COUNT\na-1   Größe 漢字 👩‍👩‍👧  1,000\nb-22  x                  7\n",
    )
  })

  test("shortens names, never IDs or figures, and says which columns do not fit", () => {
    expect(tableOf(COLUMNS, ROWS, plain(40))).toEqual({
      text: "ID    NAME           COUNT\na-1   Größe 漢字 👩‍👩‍👧  1,000\nb-22  x                  7\n",
      leftOut: ["NOTE"],
    })
    expect(tableOf(COLUMNS, ROWS, plain(24)).text).toBe(
      "ID    NAME         COUNT\na-1   Größe 漢字…  1,000\nb-22  x                7\n",
    )
  })

  test("leaves out, without a word, optional columns that say nothing", () => {
    const rows = ROWS.map((row) => ({ ...row, note: "-" }))
    expect(tableOf(COLUMNS, rows, plain(200))).toMatchObject({ text: expect.not.stringContaining("NOTE"), leftOut: [] })
    expect(tableOf(COLUMNS, rows, plain(null)).text).toContain("NOTE")
  })

  test("has colours only where the terminal has them, and lets no text bring its own", () => {
    const rows = [{ id: "a", name: "\u001b[31mred\nlines", count: "1", note: "x" }]
    expect(tableOf(COLUMNS, rows, { width: 80, hasColours: true }).text).toContain("\u001b[32m1\u001b[39m")
    expect(tableOf(COLUMNS, rows, plain(80)).text).toBe(
      "ID  NAME                 COUNT  NOTE\na   \\u001b[31mred lines      1  x\n",
    )
  })

  test("fits every terminal that is wide enough for its IDs and figures, whatever the texts are", () => {
    const row = fc.record({
      id: fc.stringMatching(/^[a-z0-9]{1,8}$/),
      name: fc.string({ unit: "grapheme", maxLength: 40 }),
      count: fc.nat().map(String),
      note: fc.string({ unit: "binary", maxLength: 40 }),
    })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), fc.integer({ min: 44, max: 160 }), (rows, width) => {
        const { text } = tableOf(COLUMNS, rows, plain(width))
        const lines = text.trimEnd().split("\n")
        expect(lines).toHaveLength(rows.length + 1)
        for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(width)
        for (const { id, count } of rows) expect([text.includes(id), text.includes(count)]).toEqual([true, true])
      }),
    )
  })
})

test("a list of lines keeps the whole package ID at 80 columns", () => {
  const packageId = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
  const line = {
    packageId,
    name: "Pre-roll in the morning show of everybody",
    campaign: "autumn",
    seller: "acme-audio",
    pricingBasis: "impressions",
    flightStart: "2026-11-01",
    flightEnd: null,
    booked: 500_000,
    timeZone: "UTC",
    externalId: null,
    total: null,
  } as unknown as LineWithTotal
  const { text } = tableOf(linesAt(Date.UTC(2026, 10, 18) * 1_000).columns, [line], plain(80))
  expect(text).toContain(packageId)
  expect(Math.max(...text.split("\n").map((row) => Bun.stringWidth(row)))).toBeLessThanOrEqual(80)
})
