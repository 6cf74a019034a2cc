import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import {
  ALERT_KINDS,
  type Alert,
  type AlertCause,
  alertNews,
  certificateCause,
  isGivenUp,
  keyText,
} from "../../../src/domain/alerts/alert.ts"
import { contentOf, headline, plainText, readContent } from "../../../src/domain/alerts/alert-content.ts"
import { nextAttempt } from "../../../src/domain/operations/next-attempt.ts"
import { MICROS_PER_DAY } from "../../../src/domain/time/moment.ts"

const cause = fc.record({
  kind: fc.constantFrom(...ALERT_KINDS),
  subject: fc.constantFrom("", "a", "b", "a b"),
  title: fc.string(),
  detail: fc.string(),
  path: fc.constant("/app"),
}) satisfies fc.Arbitrary<AlertCause>

/** What is wrong at each check, and what cannot be told. */
const checks = fc.array(fc.record({ causes: fc.array(cause), unknown: fc.array(cause) }), { maxLength: 20 })

describe("alerts", () => {
  test("begin and end in turn, whatever is found, and last exactly while their cause does", () => {
    fc.assert(
      fc.property(checks, (found) => {
        let lasting: readonly Alert[] = []
        found.forEach(({ causes, unknown }, now) => {
          const isUnknown = (one: Pick<AlertCause, "kind" | "subject">) =>
            unknown.some((two) => keyText(one) === keyText(two))
          const before = new Set(lasting.map(keyText))
          const { began, ended } = alertNews(lasting, { causes, isUnknown, isThere: () => true }, now)
          const over = new Set(ended.map(keyText))
          expect(began.some((alert) => before.has(keyText(alert)))).toBe(false)
          expect(ended.every((alert) => before.has(keyText(alert)) && alert.endedAt === now)).toBe(true)
          lasting = [...lasting.filter((alert) => !over.has(keyText(alert))), ...began]
          const keys = lasting.map(keyText)
          expect(new Set(keys).size).toBe(keys.length)
          const expected = [
            ...causes.map(keyText),
            ...[...before].filter((key) => unknown.some((one) => keyText(one) === key)),
          ]
          expect(new Set(keys)).toEqual(new Set(expected))
        })
      }),
    )
  })

  test("a message survives being stored, and names at most 50", () => {
    fc.assert(
      fc.property(fc.array(cause, { maxLength: 60 }), fc.array(cause, { maxLength: 60 }), (began, ended) => {
        const content = contentOf({
          began: began.map((one) => ({ ...one, beganAt: 1, endedAt: null })),
          ended: ended.map((one) => ({ ...one, beganAt: 1, endedAt: 2 })),
        })
        expect(readContent({ content: JSON.stringify(content) })).toEqual(content)
        expect(content.alerts.length).toBe(Math.min(began.length + ended.length, 50))
        const isLong = began.length + ended.length > 50
        expect(plainText(content, "https://ads.example.com").includes("\n\nAnd ")).toBe(isLong)
      }),
    )
  })

  test("the subject of an email is the only alert, or how many there are", () => {
    const disk: AlertCause = { kind: "disk_low", subject: "", title: "Disk space is low", detail: "", path: "/" }
    const began: Alert = { ...disk, beganAt: 1, endedAt: null }
    const ended: Alert = { ...disk, beganAt: 1, endedAt: 2 }
    expect(headline(contentOf({ began: [began], ended: [] }))).toBe("Disk space is low")
    expect(headline(contentOf({ began: [], ended: [ended] }))).toBe("Resolved: Disk space is low")
    expect(headline(contentOf({ began: [began, began], ended: [ended] }))).toBe("2 alerts, 1 resolved")
    expect(headline(contentOf({ began: [began], ended: [ended] }))).toBe("1 alert, 1 resolved")
    expect(headline(contentOf({ began: [], ended: [ended, ended] }))).toBe("2 resolved")
  })
})

test("attempts come later and later, at most an hour apart, never twice at the same distance", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, chance) => {
      const wait = nextAttempt(attempts, 0, chance) / 1_000_000
      const longest = Math.min(30 * 2 ** (attempts - 1), 3_600)
      expect(wait).toBeGreaterThanOrEqual(longest / 2)
      expect(wait).toBeLessThanOrEqual(longest)
    }),
  )
  expect(isGivenUp(0, MICROS_PER_DAY - 1)).toBe(false)
  expect(isGivenUp(0, MICROS_PER_DAY)).toBe(true)
})

test.each([
  // Valid for so many days, of which so many are left.
  [90, 15, false],
  [90, 13, true],
  [45, 10, false],
  [45, 8, true],
  [6, 2, false],
  [6, 1, true],
  [90, 0, true],
  [90, -3, true],
])("a certificate for %p days with %p left is worth an alert: %p", (days, left, isAlert) => {
  const validUntil = 100 * MICROS_PER_DAY
  const certificate = { host: "ads.example.com", validFrom: validUntil - days * MICROS_PER_DAY, validUntil }
  expect(certificateCause(certificate, validUntil - left * MICROS_PER_DAY)).toHaveLength(isAlert ? 1 : 0)
})
