import { expect, test } from "bun:test"
import fc from "fast-check"
import { rhythmOf, silentOnlyBefore, spanInWords, usualInWords } from "../../../src/domain/activity/rhythm.ts"

const HOUR = 3_600_000_000
const DAY = 24 * HOUR
const every = (step: number, count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i * step)

test("an hourly feed is silent after two and a half hours, not before", () => {
  const hours = every(HOUR, 100)
  const last = 99 * HOUR
  expect(rhythmOf(hours, last, last + 2.5 * HOUR)).toMatchObject({ state: "reporting", usualHours: 1, silentFor: null })
  expect(rhythmOf(hours, last, last + 3 * HOUR)).toMatchObject({ state: "silent", silentFor: 3 * HOUR })
})

test("a nightly feed that is a few hours late still reports", () => {
  const hours = every(DAY, 10)
  expect(rhythmOf(hours, 9 * DAY, 10 * DAY + 12 * HOUR).state).toBe("reporting")
  expect(rhythmOf(hours, 9 * DAY, 10 * DAY + 14 * HOUR).state).toBe("silent")
})

test("a feed of working days is not silent on a weekend", () => {
  const hours = every(DAY, 40).filter((day) => (day / DAY) % 7 < 5)
  const friday = 32 * DAY
  expect(hours).toContain(friday)
  const known = hours.filter((hour) => hour <= friday)
  expect(rhythmOf(known, friday, friday + 3 * DAY)).toMatchObject({ state: "reporting", usualHours: 24 })
  expect(rhythmOf(known, friday, friday + 4 * DAY).state).toBe("silent")
})

test("one long outage does not become usual", () => {
  const hours = [...every(HOUR, 60), ...every(HOUR, 60, 200 * HOUR)]
  const last = 259 * HOUR
  expect(rhythmOf(hours, last, last + 3 * HOUR).state).toBe("silent")
})

test("few requests say nothing, none at all is unused, and nothing for three months is silence", () => {
  expect(rhythmOf([], null, DAY).state).toBe("unused")
  expect(rhythmOf(every(HOUR, 3), 2 * HOUR, 50 * DAY)).toMatchObject({ state: "new", usualHours: null })
  expect(rhythmOf([], 0, 91 * DAY)).toMatchObject({ state: "silent", silentFor: 91 * DAY })
})

test("the order of the hours does not matter, and a longer silence never ends by waiting", () => {
  const hours = fc.uniqueArray(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(hours, fc.nat(10_000), fc.nat(10_000), (given, wait, more) => {
      const moments = given.map((hour) => hour * HOUR)
      const last = Math.max(...moments)
      const now = rhythmOf(moments, last, last + wait * HOUR)
      expect(rhythmOf(moments.toReversed(), last, last + wait * HOUR)).toEqual(now)
      if (now.state === "silent") expect(rhythmOf(moments, last, last + (wait + more) * HOUR).state).toBe("silent")
    }),
  )
})

test("gaps and silences are said in words", () => {
  expect([1, 6, 24, 72, 168].map(usualInWords)).toEqual([
    "every hour",
    "every 6 hours",
    "once a day",
    "every 3 days",
    "once a week",
  ])
  expect(spanInWords(2 * DAY + 6 * HOUR)).toBe("2 days and 6 hours")
  expect(spanInWords(HOUR)).toBe("1 hour")
  expect(spanInWords(HOUR - 1)).toBe("less than an hour")
})

test("only a feed whose last request is old enough can be silent", () => {
  const hours = fc.array(
    fc.integer({ min: 0, max: 60 }).map((hour) => hour * HOUR),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(hours, fc.integer({ min: 0, max: 10 * HOUR }), (hours, since) => {
      const lastAt = Math.max(0, ...hours) + HOUR / 2
      const now = lastAt + since
      expect(rhythmOf(hours, lastAt, now).state === "silent" && lastAt >= silentOnlyBefore(now)).toBe(false)
    }),
  )
})
