import { describe, expect, test } from "bun:test"
import { createWebhookSecret, maskedWebhook, nextAttempt, readWebhookSecret } from "../../../src/domain/alert.ts"
import { backupName, backupTime, isBackupDue, outdatedBackups } from "../../../src/domain/operations/backup.ts"
import { isTryDue, nextTry, renewalMoment } from "../../../src/domain/operations/https.ts"
import { readSmtpUrl } from "../../../src/domain/operations/mail.ts"
import { hasPassword, withoutPassword } from "../../../src/domain/operations/setting-kinds.ts"

const SECOND = 1_000_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const NOW = Date.parse("2026-11-16T12:00:00Z") * 1_000

describe("backups", () => {
  const names = ["adbooth-20261114T030000Z.db", "adbooth-20261115T030000Z.db.gz", "adbooth-20261116T030000Z.db"]

  test("are named after their time", () => {
    expect(backupName(NOW)).toBe("adbooth-20261116T120000Z.db")
    expect(backupTime(backupName(NOW))).toBe(NOW)
  })

  test("beyond the newest are outdated, and other files never are", () => {
    expect(outdatedBackups(["notes.txt", ...names], 2, NOW)).toEqual(names.slice(0, 1))
    expect(outdatedBackups(names, 3, NOW)).toEqual([])
  })

  test("of a clock that was ahead are the oldest", () => {
    const ahead = "adbooth-20301116T030000Z.db"
    expect(outdatedBackups([...names, ahead], 3, NOW)).toEqual([ahead])
  })

  test.each([
    ["the first one", null, true],
    ["an hour after a good one", { ago: HOUR, problem: null }, false],
    ["a day after a good one", { ago: 24 * HOUR, problem: null }, true],
    ["ten minutes after a failure", { ago: 10 * MINUTE, problem: "full" }, false],
    ["fifteen minutes after a failure", { ago: 15 * MINUTE, problem: "full" }, true],
    ["a day before the last one, by a clock that was set back", { ago: -24 * HOUR, problem: null }, true],
  ])("%s", (_, last, isDue) => {
    const before = last && { at: NOW - last.ago, name: "x", problem: last.problem }
    expect(isBackupDue(before, NOW, 24 * HOUR)).toBe(isDue)
  })
})

describe("HTTPS", () => {
  test("is renewed with a third of its life left, not at the same minute everywhere", () => {
    const certificate = { validFrom: 0, validUntil: 90 * 24 * HOUR, issuer: "", names: [] }
    expect(renewalMoment(certificate, 0)).toBe(60 * 24 * HOUR)
    expect(renewalMoment(certificate, 1)).toBe(59 * 24 * HOUR)
  })

  test("is tried again with growing pauses, and not before the authority wants it", () => {
    const pauses = [1, 2, 5, 50].map((failures) => (nextTry(failures, 0, 0, 0) - 0) / MINUTE)
    expect(pauses).toEqual([2, 15, 60, 720])
    expect(nextTry(1, 0, 3_600, 0)).toBe(HOUR)
  })

  test("is tried at once if nothing was tried, and if the clock was set back", () => {
    expect(isTryDue({ nextTryAt: null, triedAt: null }, NOW)).toBe(true)
    expect(isTryDue({ nextTryAt: NOW + 1, triedAt: NOW }, NOW)).toBe(false)
    expect(isTryDue({ nextTryAt: NOW + 49 * HOUR, triedAt: NOW + 48 * HOUR }, NOW)).toBe(true)
  })
})

test("another service is tried again after 30 seconds at most, then later and later, up to an hour", () => {
  expect([1, 2, 3, 20].map((failures) => nextAttempt(failures, 0, 0) / SECOND)).toEqual([30, 60, 120, 3_600])
  expect(nextAttempt(1, 0, 1) / SECOND).toBe(15)
})

test.each([
  ["smtp://mail.example.com", { host: "mail.example.com", port: 587, tls: "starttls", user: null }],
  ["smtps://me:p%40ss@mail.example.com", { port: 465, tls: "implicit", user: "me", password: "p@ss" }],
  ["smtp://[2001:db8::1]:2525?tls=no", { host: "2001:db8::1", port: 2525, tls: "none" }],
  ["smtp://me:pw@mail.example.com?tls=no", null],
  ["smtp://mail.example.com/inbox", null],
  ["http://mail.example.com", null],
  ["smtp://%E0%A4%A@mail.example.com", null],
])("the mail server %s", (url, server) => {
  if (server === null) expect(readSmtpUrl(url)).toBeNull()
  else expect(readSmtpUrl(url)).toMatchObject(server)
})

test.each([
  ["postgres://me:secret@db/x", "postgres://me:***@db/x"],
  ["postgres://me%3Asecret@db/x", "postgres://me:***@db/x"],
  ["postgres://me@db/x?password=secret&sslmode=require", "postgres://me@db/x?password=***&sslmode=require"],
  // Cut anywhere in the password.
  ["postgres://me:sec/ret@db/x", "***"],
  ["postgres://me:sec?ret@db/x", "***"],
  ["nonsense secret", "***"],
])("of the database URL %s people see %s", (url, shown) => {
  expect(withoutPassword(url)).toBe(shown)
  expect(hasPassword(url)).toBe(true)
})

test("a webhook's secret has the Standard Webhooks format, and its path is never shown", () => {
  expect(readWebhookSecret(createWebhookSecret())).toHaveLength(32)
  expect(readWebhookSecret("whsec_c2hvcnQ=")).toBeNull()
  expect(readWebhookSecret("password-of-mine")).toBeNull()
  expect(maskedWebhook("https://hooks.example.com/T0/secret?x=1")).toBe("https://hooks.example.com/***")
  expect(maskedWebhook("https://hooks.example.com/")).toBe("https://hooks.example.com")
})
