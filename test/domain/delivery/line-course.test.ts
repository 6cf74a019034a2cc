import { expect, test } from "bun:test"
import fc from "fast-check"
import { courseOf, FORECAST_CLOSINGS } from "../../../src/domain/delivery/line-course.ts"
import { recentDays } from "../../../src/domain/delivery/total-series.ts"
import { dayOf } from "../../../src/domain/time/time-zone.ts"
import { at } from "../../clock.ts"

const closing = (day: string, quantity: number) => ({ asOf: at(`${day}T23:59:59Z`), quantity })

function lineWith(total: { asOf: number; quantity: number } | null) {
  return {
    pricingBasis: "impressions",
    flightStart: "2026-11-01",
    flightEnd: "2026-11-30",
    booked: 3_000,
    total,
  } as const
}

test("each day has what stands of its closing total; days that nobody measured are one stretch", () => {
  const reports = [
    { asOf: at("2026-11-01T10:00:00Z"), quantity: 40 },
    closing("2026-11-01", 100),
    closing("2026-11-04", 400),
    closing("2026-11-05", 390),
  ]
  const { days } = courseOf(lineWith(reports.at(-1) ?? null), reports, "UTC", 100)
  expect(days.map(({ day, total, added, covers }) => [day, total, added, covers])).toEqual([
    ["2026-11-01", 100, 100, 1],
    ["2026-11-04", 390, 290, 3],
    ["2026-11-05", 390, 0, 1],
  ])
  // Three days together say nothing about one of them.
  expect(recentDays(days, "2026-11-06", 6)).toEqual([100, null, null, null, 0, null])
})

test("a total that was corrected stands nowhere: each day is the smallest total measured at its end or later", () => {
  const hours = fc.array(fc.record({ hour: fc.nat(10 * 24), quantity: fc.nat(50) }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(
      hours,
      fc.constantFrom("UTC", "America/St_Johns"),
      fc.integer({ min: 1, max: 12 }),
      (sent, zone, start) => {
        const moments = new Map(sent.map(({ hour, quantity }) => [hour, quantity]))
        const reports = [...moments]
          .sort(([a], [b]) => a - b)
          .map(([hour, quantity]) => ({ asOf: at("2026-11-01T12:00:00Z") + hour * 3_600_000_000, quantity }))
        // Also where the flight was moved past totals that are there already.
        const flightStart = `2026-11-${String(start).padStart(2, "0")}`
        const { days } = courseOf({ ...lineWith(reports.at(-1) ?? null), flightStart }, reports, zone, 100)
        for (const { day, total, added, covers } of days) {
          const last = reports.findLastIndex(({ asOf }) => dayOf(asOf, zone) === day)
          expect(total).toBe(Math.min(...reports.slice(last).map(({ quantity }) => quantity)))
          expect([added >= 0, covers >= 1]).toEqual([true, true])
        }
        expect(days.reduce((sum, { added }) => sum + added, 0)).toBe(reports.at(-1)?.quantity ?? -1)
      },
    ),
  )
})

test("a sparkline has each of the last days once, also where clocks change", () => {
  for (const day of ["2026-03-29", "2026-03-30", "2026-10-25", "2026-10-26"]) {
    const totals = ["2026-03-28", "2026-03-29", "2026-10-24", "2026-10-25"].map((date, i) => ({
      ...{ day: date, asOf: 0, total: i, added: i + 1, covers: 1, expected: null },
    }))
    const shown = recentDays(totals, day, 14).filter((added) => added !== null)
    expect(shown).toEqual(
      totals.filter((total) => total.day <= day && total.day >= `${day.slice(0, 8)}01`).map(({ added }) => added),
    )
  }
})

test("the forecast continues the last seven days, not the whole flight", () => {
  const slow = Array.from({ length: 8 }, (_, i) => closing(`2026-11-${String(i + 1).padStart(2, "0")}`, (i + 1) * 10))
  const quick = Array.from({ length: 7 }, (_, i) =>
    closing(`2026-11-${String(i + 9).padStart(2, "0")}`, 80 + (i + 1) * 100),
  )
  const reports = [...slow, ...quick]
  const { forecast } = courseOf(lineWith(reports.at(-1) ?? null), reports, "UTC", 100)
  expect(forecast).toMatchObject({ perDay: 100, neededPerDay: 148 })
  expect(Math.abs((forecast?.atEnd ?? 0) - 2_280)).toBeLessThan(2)
})

test("the last totals of the latest days tell the same forecast as the whole history", () => {
  const hours = fc.uniqueArray(fc.integer({ min: 1, max: 29 * 24 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(hours, fc.constantFrom("UTC", "America/St_Johns", "Pacific/Kiritimati"), (measured, zone) => {
      const reports = measured
        .toSorted((a, b) => a - b)
        .map((hour) => ({ asOf: at("2026-11-01T12:00:00Z") + hour * 3_600_000_000, quantity: hour * hour }))
      const line = lineWith(reports.at(-1) ?? null)
      const last = reports.filter(({ asOf }, i) => dayOf(asOf, zone) !== dayOf(reports[i + 1]?.asOf ?? 0, zone))
      const latest = last.slice(-FORECAST_CLOSINGS)
      expect(courseOf(line, latest, zone, 100).forecast).toEqual(courseOf(line, reports, zone, 100).forecast)
    }),
  )
})

test("without an end, after it, or before the first report there is no forecast", () => {
  expect(courseOf(lineWith(null), [], "UTC", 100)).toEqual({ series: [], days: [], forecast: null })
  const late = closing("2026-12-02", 100)
  expect(courseOf(lineWith(late), [late], "UTC", 100).forecast).toBeNull()
  const now = closing("2026-11-02", 100)
  expect(courseOf({ ...lineWith(now), flightEnd: null }, [now], "UTC", 100).forecast).toBeNull()
})
