import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { PacedLine } from "../../../src/domain/campaign/line-state.ts"
import { type DeliveryTotal, measuredAt, receiptAt } from "../../../src/domain/delivery/delivery.ts"
import { seriesOf } from "../../../src/domain/delivery/total-series.ts"
import { dayAfter, MICROS_PER_DAY, parseTimestamp } from "../../../src/domain/time/moment.ts"
import { dayOf, endOfDay } from "../../../src/domain/time/time-zone.ts"

const line = (more: Partial<PacedLine> = {}): PacedLine => ({
  pricingBasis: "impressions",
  flightStart: "2026-10-01",
  flightEnd: "2026-11-30",
  booked: 61_000,
  total: null,
  ...more,
})

const ZONES = ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia", "Asia/Kathmandu", "America/Sao_Paulo"]
// Days on which one of these zones changed its clocks, skipped midnight or skipped a whole day, and ordinary ones.
const ODD_DAYS = ["2026-03-29", "2026-10-25", "2018-11-04", "2018-02-17", "2010-11-06", "2010-03-14", "2011-12-29"]

const days = fc.oneof(
  fc.constantFrom(...ODD_DAYS),
  fc.integer({ min: 3_650, max: 22_000 }).map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10)),
)

describe("a day's closing total", () => {
  test("belongs to that day in the series, in every zone", () => {
    fc.assert(
      fc.property(days, fc.constantFrom(...ZONES), (date, zone) => {
        fc.pre(zone !== "Pacific/Apia" || date !== "2011-12-30") // a day that the zone skipped
        // Reported as a date, long after the day was over.
        const now = endOfDay(dayAfter(dayAfter(date)), zone)
        const item = { packageId: "", unit: "impressions", quantity: 5, asOf: date } as const
        const asOf = measuredAt(item, receiptAt(now, zone))
        const total = { quantity: 5, asOf }
        const series = seriesOf(line({ flightStart: date, flightEnd: null, total }), [total], zone, 160)
        const point = series.find(({ quantity }) => quantity === 5)
        expect(point?.day).toBe(date)
      }),
    )
  })

  test("is what a long history keeps of each day", () => {
    const zone = "Europe/Berlin"
    const start = parseTimestamp("2026-10-01T00:00:00Z") ?? 0
    const reports = Array.from({ length: 40 * 24 }, (_, hour) => ({
      asOf: start + (hour * MICROS_PER_DAY) / 24,
      quantity: hour,
    }))
    const measured = seriesOf(line({ total: reports.at(-1) ?? null }), reports, zone, 160).filter(
      ({ quantity }) => quantity,
    )
    expect(measured.map(({ day }) => day)).toEqual([...new Set(reports.map(({ asOf }) => dayOf(asOf, zone)))])
    for (const { day, quantity } of measured) {
      expect(quantity).toBe(reports.findLast(({ asOf }) => dayOf(asOf, zone) === day)?.quantity ?? -1)
    }
  })
})

describe("a series", () => {
  const totals = fc.array(
    fc.record({
      asOf: fc
        .integer({ min: 0, max: 80 * 24 })
        .map((hour) => (parseTimestamp("2026-10-01T00:00:00Z") ?? 0) + hour * 3_600_000_000),
      quantity: fc.nat(1_000),
    }),
    { minLength: 1, maxLength: 400 },
  )

  test("has one point for each moment, in order, from the start to the end of the flight, and at most as many as asked", () => {
    fc.assert(
      fc.property(totals, fc.integer({ min: 2, max: 200 }), fc.constantFrom(...ZONES), (sent, most, zone) => {
        const reports = byTime(sent)
        const total = reports.findLast(({ asOf }, i) => asOf !== reports[i - 1]?.asOf) ?? null
        const series = seriesOf(line({ total }), reports, zone, most)
        const moments = series.map(({ asOf }) => asOf)
        expect(moments).toEqual([...new Set(moments)].sort((one, other) => one - other))
        // The start and the end of the flight come on top, and a report of just that moment may have been left out before.
        const measured = series.filter(({ asOf }) => reports.some((report) => report.asOf === asOf))
        expect(measured.length).toBeLessThanOrEqual(most + 2)
        for (const { asOf, quantity } of measured) {
          expect(reports.filter((report) => report.asOf >= asOf).map((report) => report.quantity)).toContain(
            quantity ?? -1,
          )
        }
        expect(series).toContainEqual(expect.objectContaining({ asOf: total?.asOf, quantity: total?.quantity }))
        expect(series.map(({ expected }) => expected)).not.toContain(null)
      }),
    )
  })

  test("shows the correction of a moment, not what it corrected", () => {
    const asOf = endOfDay("2026-10-10", "UTC")
    const [corrected, wrong] = [
      { asOf, quantity: 90 },
      { asOf, quantity: 900 },
    ]
    const shown = (...reports: DeliveryTotal[]) =>
      seriesOf(line({ total: reports.at(-1) ?? null }), reports, "UTC", 160)[1]?.quantity
    expect(shown(wrong, corrected)).toBe(90)
    expect(shown(wrong, corrected, wrong)).toBe(900)
  })

  test("without a plan has no end and expects nothing", () => {
    const total = { asOf: endOfDay("2026-10-10", "UTC"), quantity: 90 }
    for (const more of [{ booked: null }, { flightEnd: null }]) {
      const series = seriesOf(line({ total, ...more }), [total], "UTC", 160)
      expect(series.map(({ quantity, expected }) => [quantity, expected])).toEqual([
        [0, null],
        [90, null],
      ])
    }
  })
})

/** As the store gives reports: by time, and of one time the latest arrival last. */
function byTime(arrived: readonly DeliveryTotal[]): DeliveryTotal[] {
  return arrived.toSorted((one, other) => one.asOf - other.asOf)
}
