import { describe, expect, test } from "bun:test"
import {
  type Alert,
  type AlertCause,
  alertNews,
  certificateCause,
  contentOf,
  headline,
  plainText,
} from "../../../src/domain/alert.ts"
import { MICROS_PER_DAY as DAY } from "../../../src/domain/time/moment.ts"

const NOW = Date.parse("2026-11-16T12:00:00Z") * 1_000

const cause = (subject: string, title = "Disk space is low"): AlertCause => ({
  kind: "feed_silent",
  subject,
  title,
  detail: "Look at it.",
  path: "/app/x",
})

const lasting = (subject: string): Alert => ({ ...cause(subject), beganAt: NOW - DAY, endedAt: null })

const check = (causes: readonly AlertCause[], changes: { unknown?: string; gone?: string } = {}) => ({
  causes,
  isUnknown: ({ subject }: { subject: string }) => subject === changes.unknown,
  exists: ({ subject }: { subject: string }) => subject !== changes.gone,
})

test("new causes begin, missing causes end, and unknown ones stay", () => {
  const before = [lasting("stays"), lasting("ends"), lasting("unknown"), lasting("gone")]
  const found = check([cause("stays"), cause("new"), cause("new")], { unknown: "unknown", gone: "gone" })
  const { began, ended } = alertNews(before, found, NOW)
  expect(began.map(({ subject }) => subject)).toEqual(["new"])
  expect(ended.map(({ subject, detail }) => [subject, detail])).toEqual([
    ["ends", "It reports again."],
    ["gone", "Its key is no longer in use."],
  ])
})

test.each([
  [90, 15, false],
  [90, 14, true],
  // One that is valid for six days is renewed on the fourth.
  [6, 2, false],
  [6, 1, true],
  [90, -1, true],
])("a certificate for %i days with %i days left: an alert is %p", (days, left, isAlert) => {
  const validUntil = NOW + left * DAY
  const certificate = { names: ["ads.example.com"], validFrom: validUntil - days * DAY, validUntil }
  expect(certificateCause(certificate, NOW)).toHaveLength(isAlert ? 1 : 0)
})

describe("a message", () => {
  test("has the only alert as its headline, or how many there are", () => {
    const began = [{ ...cause("1", "Disk space is low"), beganAt: NOW, endedAt: null }]
    const ended = [{ ...lasting("2"), title: "A backup failed", endedAt: NOW }]
    expect(headline(contentOf({ began, ended: [] }))).toBe("Disk space is low")
    expect(headline(contentOf({ began: [], ended }))).toBe("Resolved: A backup failed")
    expect(headline(contentOf({ began, ended }))).toBe("1 alert, 1 resolved")
  })

  test("says what began and what ended, with links, in a limited length", () => {
    const ended = [{ ...lasting("2"), detail: "It reports again.", endedAt: NOW }]
    const text = plainText(contentOf({ began: [], ended }), "https://ads.example.com")
    expect(text).toContain("It began on 15 Nov 2026, 12:00 UTC and lasted 1 day.")
    const many = Array.from({ length: 80 }, (_, i) => ({ ...cause(String(i)), beganAt: NOW, endedAt: null }))
    const long = plainText(contentOf({ began: many, ended: [] }), "https://ads.example.com")
    expect(long.match(/https:\/\/ads\.example\.com\/app\/x/g)).toHaveLength(50)
    expect(long).toEndWith("And 30 more: https://ads.example.com/app\n")
  })
})
