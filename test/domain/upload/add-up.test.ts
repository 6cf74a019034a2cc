import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { readMetricRow } from "../../../src/domain/affiliate/affiliate-metric.ts"
import { endOfDay } from "../../../src/domain/time/time-zone.ts"
import {
  addFigure,
  addPart,
  type CodeDay,
  deliveredBefore,
  type LineParts,
  metricOf,
  totalsOf,
} from "../../../src/domain/upload/add-up.ts"

const day = fc.integer({ min: 1, max: 28 }).map((number) => `2026-11-${String(number).padStart(2, "0")}`)
const rows = fc.array(fc.record({ as_of: day, impressions: fc.nat(1_000_000) }), { minLength: 1, maxLength: 60 })
const LINE = { flightStart: "2026-11-01", name: "Pre-roll" }
const ZONES = ["UTC", "Europe/Berlin", "America/Los_Angeles", "Pacific/Apia"]

function partsOf(rows: readonly { readonly as_of: string; readonly impressions: number }[]) {
  const parts: LineParts = new Map()
  for (const [i, { as_of, impressions }] of rows.entries()) addPart(parts, as_of, impressions, i)
  return parts
}

describe("figures of single days", () => {
  test("add up to totals that never go down, one for each day, in order, whatever the order of the rows", async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.nat(1_000_000), async (some, before) => {
        const totals = totalsOf(partsOf(some), before, "2026-11-01")
        expect(totals).toEqual(totalsOf(partsOf(some.toReversed()), before, "2026-11-01"))
        const days = totals.map(({ day }) => day)
        expect(days).toEqual([...new Set(some.map(({ as_of }) => as_of))].sort())
        const quantities = totals.map(({ quantity }) => quantity)
        expect(quantities).toEqual(quantities.toSorted((a, b) => a - b))
        expect(quantities.at(-1)).toBe(before + some.reduce((sum, { impressions }) => sum + impressions, 0))
      }),
    )
  })

  test("of one file cut anywhere between two days and sent as two give the same totals", async () => {
    await fc.assert(
      fc.asyncProperty(rows, day, fc.constantFrom(...ZONES), async (some, cut, zone) => {
        const whole = totalsOf(partsOf(some), 0, LINE.flightStart)
        const first = totalsOf(partsOf(some.filter(({ as_of }) => as_of < cut)), 0, LINE.flightStart)
        // The first file has a row for the day before the cut, so that its total is known.
        const known = first.map(({ day, quantity }) => ({ asOf: endOfDay(day, zone), quantity }))
        const before = deliveredBefore(cut, LINE, known, zone)
        const late = some.filter(({ as_of }) => as_of >= cut)
        if (typeof before === "number") {
          expect([...first, ...totalsOf(partsOf(late), before, LINE.flightStart)]).toEqual(whole)
        } else {
          // Refused only where the day before has no total.
          expect(known.some(({ asOf }) => asOf === endOfDay(cut, zone) - 86_400_000_000)).toBe(false)
        }
      }),
    )
  })

  test("days before the flight do not count", async () => {
    const parts = partsOf([
      { as_of: "2026-10-31", impressions: 5 },
      { as_of: "2026-11-01", impressions: 7 },
    ])
    expect(totalsOf(parts, 0, "2026-11-01")).toEqual([{ day: "2026-11-01", quantity: 7 }])
  })

  test("of several totals at the end of the day before, the last one counts", () => {
    const asOf = endOfDay("2026-11-04", "UTC")
    const known = [
      { asOf, quantity: 10 },
      { asOf, quantity: 12 },
    ]
    expect(deliveredBefore("2026-11-05", LINE, known, "UTC")).toBe(12)
    expect(deliveredBefore("2026-11-01", LINE, [], "UTC")).toBe(0)
    expect(deliveredBefore("2026-11-05", LINE, [{ asOf: asOf - 1, quantity: 10 }], "UTC")).toMatchObject({
      text: expect.stringContaining("at the end of 4 Nov 2026 is not known"),
    })
    // Unless somebody knows that nothing came since.
    expect(deliveredBefore("2026-11-05", LINE, [{ asOf: asOf - 1, quantity: 10 }], "UTC", true)).toBe(10)
    expect(deliveredBefore("2026-11-05", LINE, [], "UTC", true)).toBe(0)
  })
})

test("values of orders add up exactly, and the API takes the sum", () => {
  const cents = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(cents, (some) => {
      const sum: CodeDay = { code: "A", date: "2026-11-01", figures: {}, rows: [] }
      for (const one of some) addFigure(sum, { conversions: 1, conversionValue: one / 100 }, 2)
      const row = readMetricRow(metricOf(sum))
      const expected = some.reduce((total, one) => total + one, 0) * 10_000
      expect(row).toMatchObject({ conversions: some.length, conversionValueMicros: expected })
    }),
  )
})
