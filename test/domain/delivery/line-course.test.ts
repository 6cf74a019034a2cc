import { expect, test } from "bun:test"
import fc from "fast-check"
import { courseOf, FORECAST_CLOSINGS } from "../../../src/domain/delivery/line-course.ts"
import { closingTotals, recentDays } from "../../../src/domain/delivery/total-series.ts"

const at = (text: string) => Date.parse(text) * 1_000
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

test("each day has its closing total and what it added; a gap is covered by the day after it", () => {
  const reports = [
    { asOf: at("2026-11-01T10:00:00Z"), quantity: 40 },
    closing("2026-11-01", 100),
    closing("2026-11-04", 400),
    closing("2026-11-05", 390),
  ]
  const { days } = courseOf(lineWith(reports.at(-1) ?? null), reports, "UTC", 100)
  expect(days.map(({ day, total, added, covers }) => [day, total, added, covers])).toEqual([
    ["2026-11-01", 100, 100, 1],
    ["2026-11-04", 400, 300, 3],
    ["2026-11-05", 390, -10, 1],
  ])
  // Three days together say nothing about one of them, and a correction is no negative delivery.
  expect(recentDays(days, at("2026-11-06T12:00:00Z"), "UTC", 6)).toEqual([100, null, null, null, 0, null])
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
      const latest = closingTotals(reports, zone).slice(-FORECAST_CLOSINGS)
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
