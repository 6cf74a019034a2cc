import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { dayAfter, formatMoment, MICROS_PER_DAY } from "../../../src/domain/time/moment.ts"
import { dayOf, endOfDay, isTimeZone, namedTimeZone, startOfDay } from "../../../src/domain/time/time-zone.ts"
import { at } from "../../clock.ts"

describe("a day begins and ends by the clocks of its zone", () => {
  test.each([
    ["UTC", "2026-11-15", "2026-11-15T00:00:00Z", "2026-11-15T23:59:59.999999Z"],
    ["Europe/Berlin", "2026-11-15", "2026-11-14T23:00:00Z", "2026-11-15T22:59:59.999999Z"],
    ["Europe/Berlin, 23 hours", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59.999999Z"],
    ["Europe/Berlin, 25 hours", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59.999999Z"],
    ["Asia/Kathmandu", "2026-11-15", "2026-11-14T18:15:00Z", "2026-11-15T18:14:59.999999Z"],
    ["America/Sao_Paulo, midnight skipped", "2018-11-04", "2018-11-04T03:00:00Z", "2018-11-05T01:59:59.999999Z"],
    ["America/Toronto, half an hour skipped", "1919-03-31", "1919-03-31T04:30:00Z", "1919-04-01T03:59:59.999999Z"],
    ["America/St_Johns, ends twice", "2010-11-06", "2010-11-06T02:30:00Z", "2010-11-07T03:29:59.999999Z"],
    ["Pacific/Apia, the day before a skipped one", "2011-12-29", "2011-12-29T10:00:00Z", "2011-12-30T09:59:59.999999Z"],
  ])("%s %s", (name, date, start, end) => {
    const zone = name.split(",")[0] ?? ""
    expect(formatMoment(startOfDay(date, zone))).toBe(start)
    expect(formatMoment(endOfDay(date, zone))).toBe(end)
  })

  test("a day that a zone skipped ends where the day before it ends", () => {
    expect(endOfDay("2011-12-30", "Pacific/Apia")).toBe(endOfDay("2011-12-29", "Pacific/Apia"))
    expect(dayOf(endOfDay("2011-12-30", "Pacific/Apia") + 1, "Pacific/Apia")).toBe("2011-12-31")
  })
})

test("a city is enough for a time zone where only one has it", () => {
  const typed = ["Berlin", "new york", "europe/berlin", "UTC", "Mars", ""]
  expect(typed.map(namedTimeZone)).toEqual(["Europe/Berlin", "America/New_York", "europe/berlin", "UTC", "Mars", ""])
})

test("a moment lies on the day that the platform's calendar shows in the zone", () => {
  const zones = ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia", "Asia/Kathmandu", "America/Sao_Paulo"]
  const formats = new Map(zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat("sv-SE", { timeZone })]))
  const moments = fc.integer({ min: at("1970-01-01T00:00:00Z"), max: at("2040-01-01T00:00:00Z") })
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), (moment, zone) => {
      const day = dayOf(moment, zone)
      expect(day).toBe(formats.get(zone)?.format(new Date(Math.floor(moment / 1_000))) ?? "")
      expect(moment).toBeGreaterThanOrEqual(startOfDay(day, zone))
      expect(moment).toBeLessThanOrEqual(endOfDay(day, zone))
      expect(dayOf(startOfDay(day, zone), zone)).toBe(day)
      expect(dayOf(endOfDay(day, zone), zone)).toBe(day)
      expect(dayOf(endOfDay(day, zone) + 1, zone) >= dayAfter(day)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test("a moment on the very change of the clocks belongs to the new time", () => {
  expect(dayOf(at("2018-11-04T03:00:00Z"), "America/Sao_Paulo")).toBe("2018-11-04")
  expect(dayOf(at("2018-11-04T03:00:00Z") - 1, "America/Sao_Paulo")).toBe("2018-11-03")
})

test("answers stay right after more days than are remembered", () => {
  const first = at("2000-01-01T12:00:00Z")
  for (let day = 0; day < 10_000; day++) dayOf(first + day * MICROS_PER_DAY, "America/New_York")
  for (let day = 0; day < 10_000; day++) endOfDay(dayOf(first + day * MICROS_PER_DAY, "UTC"), "UTC")
  expect(dayOf(first, "America/New_York")).toBe("2000-01-01")
  expect(endOfDay("2000-01-01", "UTC")).toBe(at("2000-01-02T00:00:00Z") - 1)
})

test.each([
  ["UTC", true],
  ["Europe/Berlin", true],
  ["America/Argentina/Buenos_Aires", true],
  ["Europe/Atlantis", false],
  ["+01:00", false],
  ["", false],
])("%p names a time zone: %p", (name, real) => {
  expect(isTimeZone(name)).toBe(real)
})
