import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { ANY_UNIT } from "../../../src/domain/campaign/pricing-basis.ts"
import { NotCsv } from "../../../src/domain/csv/csv-reader.ts"
import { startOf } from "../../../src/domain/csv/find-table.ts"
import { BUILT_IN, withOwn } from "../../../src/domain/presets/built-in.ts"
import { type Preset, readPreset, requiredColumns } from "../../../src/domain/presets/preset.ts"
import { meaningsIn, recognize } from "../../../src/domain/presets/recognize.ts"
import { snippets } from "../../docs-snippets.ts"

const GUIDE = await Bun.file("docs/files.md").text()

const OWN: Preset = {
  name: "mine",
  title: "Mine",
  kind: "delivery",
  documentation: ["https://example.com"],
  columns: { Placement: "external_id", Views: "impressions" },
  rows: "lifetime",
}

function problemsOf(change: object): readonly string[] {
  const read = readPreset({ ...OWN, ...change })
  return "problems" in read ? read.problems : []
}

describe("a preset", () => {
  test("that comes with the program is in the guide, with the addresses of its documentation, and no other is", () => {
    const rows = [...GUIDE.matchAll(/^\| `([a-z0-9-]+)` \| ([^|]+) \|.*\|$/gm)].filter(([row]) =>
      row.includes("](http"),
    )
    expect(rows.map(([, name]) => name)).toEqual(BUILT_IN.map(({ name }) => name))
    for (const [i, { title, documentation }] of BUILT_IN.entries()) {
      const [row = "", , shown] = rows[i] ?? []
      expect(shown).toBe(title)
      expect([...row.matchAll(/\]\((https?:[^)]+)\)/g)].map(([, address]) => address)).toEqual([...documentation])
    }
  })

  test("as the guide shows one can be used", () => {
    const [example] = snippets(GUIDE, "json").filter(({ words }) => words[0] === "preset")
    expect(readPreset(JSON.parse(example?.text ?? ""))).toHaveProperty("preset")
  })

  test.each([
    [{ name: "My Server" }, "/name must be lower-case words joined by hyphens."],
    [{ documentation: [] }, "/documentation"],
    [{ rows: "weekly" }, "/rows must be one of"],
    [{ more: 1 }, "/more"],
    [{ columns: { a: "external_id", b: "views" } }, "columns has views, which delivery does not take."],
    [{ columns: { a: "impressions" } }, "columns: Say which column is"],
    [{ columns: { a: "external_id", b: "package_id", c: "impressions" } }, "columns: Choose"],
    [{ columns: { a: "external_id" } }, `columns needs ${ANY_UNIT}.`],
    [{ rows: "daily" }, "rows daily needs a column as_of."],
    [{ columns: { ...OWN.columns, Day: "as_of" } }, "rows lifetime has no column as_of"],
    [{ rows: "events" }, "counts belongs to rows events"],
    [{ counts: "downloads" }, "counts belongs to rows events"],
    [{ skip: [{ column: "a" }] }, "/skip/0/equals"],
    [{ optional: ["Nothing"] }, "optional: there is no column Nothing."],
    [{ kind: "affiliate_metrics", columns: { c: "code", d: "date" } }, "Affiliate figures are of single days"],
  ])("%j is refused with the reason", (change, reason) => {
    expect(problemsOf(change).join(" ")).toContain(reason)
  })

  test("of an operator replaces a built-in one of the same name, and is tried first", () => {
    const ghost = { ...OWN, name: "ghost" }
    expect(withOwn([ghost]).filter(({ name }) => name === "ghost")).toEqual([ghost])
    expect(withOwn([OWN])[0]).toBe(OWN)
  })
})

describe("an export is recognized", () => {
  const cell = fc.string({ maxLength: 12 }).filter((text) => !/[",;\t\r\n]/.test(text))

  test("with any other columns, in any order, after lines before the header, and in any case", () => {
    const anyFile = fc.record({
      preset: fc.constantFrom(...BUILT_IN),
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
        const found = recognize(startOf(`${[...before, header.join(delimiter)].join("\n")}\n`), BUILT_IN)
        expect(found?.preset.name).toBe(preset.name)
        expect(found?.header).toEqual(header.map((name) => name.trim()))
        const meanings = meaningsIn(found?.header ?? [], preset).filter(Boolean)
        expect(meanings.sort()).toEqual(Object.values(preset.columns).sort())
      }),
    )
  })

  test("not without one of its columns, and whatever a file begins with, it is read or no CSV", () => {
    for (const preset of BUILT_IN) {
      for (const left of requiredColumns(preset)) {
        const header = requiredColumns(preset).filter((name) => name !== left)
        expect(recognize(startOf(`${header.join(",")}\n`), [preset])).toBeNull()
      }
    }
    fc.assert(
      fc.property(fc.string(), (start) => {
        try {
          recognize(startOf(start), BUILT_IN)
        } catch (cause) {
          expect(cause).toBeInstanceOf(NotCsv)
        }
      }),
    )
  })
})
