import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type ListQuery, type ListRules, listPage, naturalKey } from "../../../src/domain/lists/list-query.ts"

const sorted = (names: readonly string[]) =>
  names.toSorted((one, other) =>
    naturalKey(one) < naturalKey(other) ? -1 : naturalKey(one) > naturalKey(other) ? 1 : 0,
  )

describe("the natural order of names", () => {
  test("numbers are numbers, and neither case nor accents matter", () => {
    const names = [
      "Week 10",
      "week 2",
      "Week 1",
      "Week 02b",
      "Zürich",
      "zurich 2",
      "Äpfel",
      "apfel 1",
      "10",
      "9",
      "2026-11-2",
    ]
    expect(sorted(names)).toEqual([
      "9",
      "10",
      "2026-11-2",
      "Äpfel",
      "apfel 1",
      "Week 1",
      "week 2",
      "Week 02b",
      "Week 10",
      "Zürich",
      "zurich 2",
    ])
  })

  test("of two names that differ in one number, the one with the smaller number comes first, whatever is around it", () => {
    const word = fc.string({ unit: fc.constantFrom(..."aB -_é") })
    fc.assert(
      fc.property(word, word, fc.nat(), fc.nat(), (before, after, one, other) => {
        const [small, large] = [one, other].toSorted((a, b) => a - b)
        expect(naturalKey(`${before}${small}${after}`) <= naturalKey(`${before}${large}${after}`)).toBe(true)
      }),
    )
  })
})

interface Row {
  readonly name: string
  readonly size: number | null
}

const RULES: ListRules<Row> = {
  searched: ({ name }) => name,
  states: { small: ({ size }) => (size ?? 0) < 10, large: ({ size }) => (size ?? 0) >= 10 },
  sorts: { name: ({ name }) => name, size: ({ size }) => size },
}

const rows = fc.array(fc.record({ name: fc.string(), size: fc.option(fc.nat(20)) }))
const query: fc.Arbitrary<ListQuery> = fc.record({
  text: fc.string({ maxLength: 1 }),
  state: fc.option(fc.constantFrom("small", "large")),
  sort: fc.constantFrom("name", "size"),
  descending: fc.boolean(),
  offset: fc.nat(5),
  limit: fc.integer({ min: 1, max: 5 }),
})

describe("a page of a list", () => {
  test("pages one after the other show every row that matches once, and counts say how many there are", () => {
    fc.assert(
      fc.property(rows, query, (all, asked) => {
        const limit = 3
        const first = listPage(all, RULES, { ...asked, offset: 0, limit })
        const shown = Array.from(
          { length: Math.ceil(first.matching / limit) },
          (_, page) => listPage(all, RULES, { ...asked, offset: page * limit, limit }).rows,
        ).flat()
        const expected = all.filter(
          (row) =>
            row.name.toLowerCase().includes(asked.text.toLowerCase()) &&
            (asked.state === null || RULES.states[asked.state]?.(row)),
        )
        expect(shown).toHaveLength(first.matching)
        expect(new Set(shown)).toEqual(new Set(expected))
        expect(first.all).toBe(all.length)
        const { small = 0, large = 0 } = first.counts ?? {}
        expect(small + large).toBe(first.matches)
      }),
    )
  })

  test("a page of a long list is that part of the whole list in order, equal rows in the order they came", () => {
    const values = fc.array(fc.option(fc.nat(50)), { minLength: 1, maxLength: 20 })
    const start = { offset: fc.nat(2_000), limit: fc.integer({ min: 1, max: 60 }) }
    fc.assert(
      fc.property(values, fc.record(start), fc.boolean(), (sizes, { offset, limit }, descending) => {
        const all = Array.from({ length: 2_000 }, (_, i) => ({
          name: `Row ${i}`,
          size: sizes[(i * i) % sizes.length] ?? null,
        }))
        const asked = { text: "", state: null, sort: "size", descending }
        const direction = descending ? -1 : 1
        const inOrder = all.toSorted((one, other) => {
          if (one.size === null || other.size === null) return Number(one.size === null) - Number(other.size === null)
          return direction * (one.size - other.size)
        })
        const { rows } = listPage(all, RULES, { ...asked, offset, limit })
        expect(rows).toEqual(inOrder.slice(offset, offset + limit))
      }),
      { numRuns: 30 },
    )
  })

  test("rows without a value come last in both directions", () => {
    fc.assert(
      fc.property(rows, fc.boolean(), (all, descending) => {
        const asked = { text: "", state: null, sort: "size", descending, offset: 0, limit: all.length }
        const sizes = listPage(all, RULES, asked).rows.map(({ size }) => size)
        const known = sizes.filter((size) => size !== null)
        expect(sizes).toEqual([...known, ...sizes.slice(known.length)])
        expect(known).toEqual(known.toSorted((a, b) => (descending ? b - a : a - b)))
      }),
    )
  })
})
