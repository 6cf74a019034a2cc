import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import {
  dayAfter,
  formatMoment,
  isAfter,
  type Moment,
  parseDate,
  parseTimestamp,
} from "../../../src/domain/time/moment.ts"

const at = (text: string): Moment => Date.parse(text) * 1_000

describe("a date is exactly YYYY-MM-DD and names a day that exists", () => {
  test.each(["2026-11-15", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])("%p is a day", (text) => {
    expect(parseDate(text)).toBe(text)
  })

  test.each([
    ["30 February", "2026-02-30"],
    ["29 February of a common year", "2026-02-29"],
    ["29 February of a common century", "1900-02-29"],
    ["month 13", "2026-13-01"],
    ["month 0", "2026-00-10"],
    ["day 0", "2026-01-00"],
    ["31 April", "2026-04-31"],
    ["one digit", "2026-1-1"],
    ["slashes", "2026/01/01"],
    ["other digits", "２026-01-01"],
    ["a sign", "+026-01-01"],
    ["something behind it", "2026-01-01 "],
    ["nothing", ""],
  ])("%s is none", (_, text) => {
    expect(parseDate(text)).toBeUndefined()
  })

  test.each([2024, 2025, 2000, 1900])("every month of %d has its days and no more", (year) => {
    for (let month = 1; month <= 12; month++) {
      const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
      const text = (day: number) => `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
      expect([parseDate(text(days)), parseDate(text(days + 1))]).toEqual([text(days), undefined])
    }
  })

  test("every day of the calendar is known, and the day after it", () => {
    fc.assert(
      fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => {
        const text = new Date(day * 86_400_000).toISOString().slice(0, 10)
        expect(parseDate(text)).toBe(text)
        expect(dayAfter(text)).toBe(new Date((day + 1) * 86_400_000).toISOString().slice(0, 10))
      }),
    )
  })
})

describe("a timestamp is RFC 3339 with Z or an offset", () => {
  test.each([
    ["2026-11-15T12:34:56Z", at("2026-11-15T12:34:56Z")],
    ["2026-11-15t12:34:56z", at("2026-11-15T12:34:56Z")],
    ["2026-11-15T12:34:56+01:00", at("2026-11-15T11:34:56Z")],
    ["2026-11-15T00:34:56-23:59", at("2026-11-16T00:33:56Z")],
    ["2026-11-15T12:34:56-00:00", at("2026-11-15T12:34:56Z")],
    ["2026-11-15T12:34:56.5Z", at("2026-11-15T12:34:56.500Z")],
    ["2026-11-15T12:34:56.123456Z", at("2026-11-15T12:34:56.123Z") + 456],
    ["2026-11-15T12:34:56.1234569999999999+00:00", at("2026-11-15T12:34:56.123Z") + 456],
    ["1969-12-31T23:59:59.999999Z", -1],
    ["0000-02-29T00:00:00Z", at("0000-02-29T00:00:00Z")],
  ])("%s", (text, moment) => {
    expect(parseTimestamp(text)).toBe(moment)
  })

  test.each([
    ["no offset", "2026-11-15T12:34:56"],
    ["25:00", "2026-11-15T25:00:00Z"],
    ["24:00", "2026-11-15T24:00:00Z"],
    ["a leap second", "2026-12-31T23:59:60Z"],
    ["minute 60", "2026-11-15T12:60:00Z"],
    ["30 February", "2026-02-30T12:00:00Z"],
    ["a space in the middle", "2026-11-15 12:34:56Z"],
    ["no seconds", "2026-11-15T12:34Z"],
    ["an empty fraction", "2026-11-15T12:34:56.Z"],
    ["a comma", "2026-11-15T12:34:56,5Z"],
    ["an offset without colon", "2026-11-15T12:34:56+0100"],
    ["an offset of hours only", "2026-11-15T12:34:56+01"],
    ["an offset of 24 hours", "2026-11-15T12:34:56+24:00"],
    ["an offset of 60 minutes", "2026-11-15T12:34:56+01:60"],
    ["something behind Z", "2026-11-15T12:34:56Z "],
    ["something behind the offset", "2026-11-15T12:34:56+01:00[Europe/Berlin]"],
    ["something before it", " 2026-11-15T12:34:56Z"],
    ["a year of five digits", "12026-11-15T12:34:56Z"],
    ["words", "yesterday"],
    ["a date", "2026-11-15"],
    ["nothing", ""],
  ])("%s is none", (_, text) => {
    expect(parseTimestamp(text)).toBeUndefined()
  })

  // Some of these stand right before 0 and right behind 9 in Unicode.
  test.each(["/", ":", " ", "-", "a", "٣"])("%j in place of any digit makes it none", (other) => {
    const text = "2026-11-15T12:34:56+01:00"
    const digits = [...text.matchAll(/\d/g)].map(({ index }) => index)
    const taken = digits.map((at) => text.slice(0, at) + other + text.slice(at + 1)).filter(parseTimestamp)
    expect(taken).toEqual([])
  })

  test("agrees with the platform on every moment and offset", () => {
    const offset = fc.tuple(fc.constantFrom("+", "-"), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    const time = fc.integer({ min: Date.parse("0001-01-02T00:00:00Z"), max: Date.parse("9999-12-30T00:00:00Z") })
    fc.assert(
      fc.property(time, offset, (ms, [sign, hours, minutes]) => {
        const two = (value: number) => String(value).padStart(2, "0")
        const text = `${new Date(ms).toISOString().slice(0, -1)}${sign}${two(hours)}:${two(minutes)}`
        expect(parseTimestamp(text)).toBe(at(text))
      }),
    )
  })
})

test("a moment is written as RFC 3339 in UTC and read back as the same moment", () => {
  expect(formatMoment(at("2026-11-15T12:00:00Z"))).toBe("2026-11-15T12:00:00Z")
  expect(formatMoment(at("2026-11-15T12:00:00.120Z"))).toBe("2026-11-15T12:00:00.120Z")
  expect(formatMoment(at("2026-11-15T12:00:00Z") + 1)).toBe("2026-11-15T12:00:00.000001Z")
  expect(formatMoment(at("2026-11-15T12:00:00Z") - 1)).toBe("2026-11-15T11:59:59.999999Z")
  fc.assert(
    fc.property(fc.integer({ min: -8e15, max: 8e15 }), (moment) => {
      expect(parseTimestamp(formatMoment(moment))).toBe(moment)
    }),
  )
})

test("later than now allows no slack beyond the clock's own tick of a millisecond", () => {
  const now = at("2026-11-15T12:00:00.005Z")
  expect(isAfter(now + 999, now)).toBe(false)
  expect(isAfter(now + 1_000, now)).toBe(true)
  expect(isAfter(now - 1, now)).toBe(false)
})
