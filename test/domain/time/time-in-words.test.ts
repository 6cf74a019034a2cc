import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { daysBefore } from "../../../src/domain/time/moment.ts"
import { ago, dayOf, timeInUtc, timeInWords } from "../../../src/domain/time/time-zone.ts"
import { at } from "../../clock.ts"

const BERLIN = "Europe/Berlin"

test("a moment is written in its zone", () => {
  expect(timeInWords(at("2026-11-14T17:30:00Z"), BERLIN)).toBe("14 Nov 2026, 18:30")
  expect(timeInUtc(at("2026-11-14T17:30:00Z"))).toBe("14 Nov 2026, 17:30 UTC")
})

describe("how long ago", () => {
  const NOW = "2026-11-16T10:00:00Z"
  test.each([
    ["2026-11-16T09:59:31Z", "just now"],
    ["2026-11-16T09:00:01Z", "59 minutes ago"],
    ["2026-11-16T09:00:00Z", "1 hour ago"],
    ["2026-11-15T10:00:01Z", "23 hours ago"],
    ["2026-11-15T10:00:00Z", "yesterday"],
    // 34 hours, and the first moment of yesterday in Berlin.
    ["2026-11-14T23:00:00Z", "yesterday"],
    ["2026-11-14T22:59:59Z", "2 days ago"],
    ["2026-11-14T12:00:00Z", "2 days ago"],
    ["2026-11-16T10:05:00Z", "in 5 minutes"],
    ["2026-11-17T12:00:00Z", "tomorrow"],
  ])("%s is %s", (moment, words) => {
    expect(ago(at(moment), at(NOW), BERLIN)).toBe(words)
  })

  test("a day of 25 hours is one day", () => {
    expect(ago(at("2026-10-24T22:30:00Z"), at("2026-10-25T22:45:00Z"), BERLIN)).toBe("24 hours ago")
    expect(ago(at("2026-10-24T21:30:00Z"), at("2026-10-25T22:45:00Z"), BERLIN)).toBe("yesterday")
  })

  test("yesterday is the day before today, in every zone and at every moment", () => {
    const moments = fc.integer({ min: at("2026-01-01T00:00:00Z") / 1e6, max: at("2027-12-31T00:00:00Z") / 1e6 })
    const zones = fc.constantFrom("UTC", BERLIN, "Pacific/Auckland", "America/St_Johns", "Pacific/Apia")
    fc.assert(
      fc.property(moments, fc.integer({ min: 0, max: 4 * 86_400 }), zones, (second, since, zone) => {
        const [then, now] = [second * 1e6, (second + since) * 1e6]
        const words = ago(then, now, zone)
        const isDayBefore = dayOf(then, zone) === daysBefore(dayOf(now, zone), 1)
        if (words === "yesterday") expect(isDayBefore).toBe(true)
        if (since >= 86_400 && isDayBefore) expect(words).toBe("yesterday")
        if (since < 86_400) expect(words).toMatch(/^just now$|^\d+ (?:minutes?|hours?) ago$/)
      }),
      { numRuns: 2_000 },
    )
  })
})
