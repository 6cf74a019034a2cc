import { expect, test } from "bun:test"
import fc from "fast-check"
import { deliveredValue, type ValuedLine, valueByDay } from "../../src/domain/campaign/value.ts"
import { datesFrom } from "../../src/domain/time/moment.ts"
import { endOfDay } from "../../src/domain/time/time-zone.ts"

type Days = Readonly<Record<string, number>>

/** A line, and the totals of its measured days. */
function measured(id: number, days: Days, fields: Partial<ValuedLine> = {}) {
  const totals = Object.entries(days).map(([day, quantity]) => ({ day, quantity, asOf: endOfDay(day, "UTC") }))
  const basics = { pricingBasis: "impressions", flightStart: "2026-11-01", timeZone: "UTC", booked: null } as const
  const line: ValuedLine = { id, ...basics, rate: 10, currency: "EUR", total: totals.at(-1) ?? null, ...fields }
  return { line, totals }
}

const valuesOf = (all: readonly ReturnType<typeof measured>[]) =>
  valueByDay(
    all.map(({ line }) => line),
    new Map(all.map(({ line, totals }) => [line.id, totals])),
    datesFrom("2026-11-01", "2026-11-10"),
  )

test("days that weren't measured one by one are one stretch, and belong to no single day", () => {
  const [value] = valuesOf([measured(1, { "2026-11-01": 1_000, "2026-11-04": 4_000, "2026-11-05": 6_000 })])
  expect(value?.days.filter(({ coins }) => coins !== null)).toEqual([
    { date: "2026-11-01", coins: 1_000 },
    { date: "2026-11-05", coins: 2_000 },
  ])
  expect(value?.stretches).toEqual([{ from: "2026-11-02", to: "2026-11-04", coins: 3_000 }])
  expect(value?.sum).toBe(6_000)
})

test("delivery beyond the booked quantity has no value", () => {
  const [value] = valuesOf([measured(1, { "2026-11-01": 900, "2026-11-02": 1_500 }, { booked: 1_000 })])
  expect(value?.days.slice(0, 2).map(({ coins }) => coins)).toEqual([900, 100])
})

test("stretches with a day in common become one, and currencies stay apart", () => {
  const values = valuesOf([
    measured(1, { "2026-11-03": 3_000 }),
    measured(2, { "2026-11-02": 1_000, "2026-11-05": 2_000 }),
    measured(3, { "2026-11-01": 500 }, { currency: "USD" }),
    measured(4, { "2026-11-01": 500 }, { rate: null, currency: null }),
  ])
  expect(values.map(({ currency, stretches }) => [currency, stretches])).toEqual([
    ["EUR", [{ from: "2026-11-01", to: "2026-11-05", coins: 5_000 }]],
    ["USD", []],
  ])
})

test("over the whole flight, the sum is what the lines have delivered", () => {
  const quantities = fc.array(fc.tuple(fc.nat(9), fc.nat(50_000)), { maxLength: 10 })
  fc.assert(
    fc.property(quantities, fc.nat(100_000), fc.nat(5_000), (reports, booked, rate) => {
      const days: Record<string, number> = {}
      let total = 0
      for (const [index, added] of reports.toSorted(([a], [b]) => a - b)) {
        total += added
        days[`2026-11-${String(index + 1).padStart(2, "0")}`] = total
      }
      const one = measured(1, days, { booked, rate: rate / 100 })
      const [value] = valuesOf([one])
      expect(value?.sum).toBe(deliveredValue(one.line) ?? 0)
    }),
  )
})
