import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { isUnit } from "../../../src/domain/campaign/pricing-basis.ts"
import { NotCsv } from "../../../src/domain/csv/csv-reader.ts"
import { startOf } from "../../../src/domain/csv/find-table.ts"
import { PRESETS } from "../../../src/domain/presets/built-in.ts"
import { requiredColumns } from "../../../src/domain/presets/preset.ts"
import { meaningsIn, recognize } from "../../../src/domain/presets/recognize.ts"
import { columnsProblem } from "../../../src/domain/upload/columns.ts"

const GUIDE = await Bun.file("docs/files.md").text()

describe("a preset", () => {
  test("that comes with the program is in the guide, with the addresses of its documentation, and no other is", () => {
    const rows = [...GUIDE.matchAll(/^\| `([a-z0-9-]+)` \| ([^|]+) \|.*\|$/gm)].filter(([row]) =>
      row.includes("](http"),
    )
    expect(rows.map(([, name]) => name)).toEqual(PRESETS.map(({ name }) => name))
    for (const [i, { title, documentation }] of PRESETS.entries()) {
      const [row = "", , shown] = rows[i] ?? []
      expect(shown).toBe(title)
      expect([...row.matchAll(/\]\((https?:[^)]+)\)/g)].map(([, address]) => address)).toEqual([...documentation])
    }
  })

  test("that comes with the program says which line or code a row is of, and what is counted", () => {
    for (const { name, kind, columns, rows, counts } of PRESETS) {
      const given = Object.values(columns)
      expect([name, columnsProblem(kind, given)]).toEqual([name, undefined])
      const day = kind === "delivery" ? "as_of" : "date"
      expect([name, given.includes(day)]).toEqual([name, rows !== "lifetime"])
      expect([name, counts !== undefined]).toEqual([name, rows === "events"])
      expect([name, counts !== undefined || given.some(isUnit)]).toEqual([name, true])
    }
  })
})

describe("an export is recognized", () => {
  const cell = fc.string({ maxLength: 12 }).filter((text) => !/[",;\t\r\n]/.test(text))

  test("with any other columns, in any order, after lines before the header, and in any case", () => {
    const anyFile = fc.record({
      preset: fc.constantFrom(...PRESETS),
      delimiter: fc.constantFrom(",", ";", "\t"),
      before: fc.array(cell, { maxLength: 5 }),
      others: fc.array(cell, { maxLength: 5 }),
      order: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      upper: fc.boolean(),
    })
    fc.assert(
      fc.property(anyFile, ({ preset, delimiter, before, others, order, upper }) => {
        const names = [...Object.keys(preset.columns), ...requiredColumns(preset), ...others.map((name) => `x ${name}`)]
        const header = [...new Set(names)]
          .map((name) => ({ name: upper ? name.toUpperCase() : name, place: order.next().value }))
          .sort((one, other) => one.place - other.place)
          .map(({ name }) => name)
        const found = recognize(startOf(`${[...before, header.join(delimiter)].join("\n")}\n`), PRESETS)
        expect(found?.preset.name).toBe(preset.name)
        expect(found?.header).toEqual(header.map((name) => name.trim()))
        const meanings = meaningsIn(found?.header ?? [], preset).filter(Boolean)
        expect(meanings.sort()).toEqual(Object.values(preset.columns).sort())
      }),
    )
  })

  test("not without one of its columns, and whatever a file begins with, it is read or no CSV", () => {
    for (const preset of PRESETS) {
      for (const left of requiredColumns(preset)) {
        const header = requiredColumns(preset).filter((name) => name !== left)
        expect(recognize(startOf(`${header.join(",")}\n`), [preset])).toBeNull()
      }
    }
    fc.assert(
      fc.property(fc.string(), (start) => {
        try {
          recognize(startOf(start), PRESETS)
        } catch (cause) {
          expect(cause).toBeInstanceOf(NotCsv)
        }
      }),
    )
  })
})
