import { describe, expect, test } from "bun:test"
import { readOrganization, slugFrom, slugProblem } from "../../../src/domain/people/organization.ts"
import { importProblem, isEmail, nameProblem, normalEmail, storedName } from "../../../src/domain/people/person.ts"
import { deviceOf } from "../../../src/domain/people/session.ts"

test.each([
  ["ana@example.com", true],
  ["o'brien+ads@mail.example.co.uk", true],
  ["jürgen@müller.example", true],
  ["ana", false],
  ["ana@example", false],
  ["ana@.com", false],
  ["ana@example.com.", false],
  ["ana ruiz@example.com", false],
  ["ana@b@example.com", false],
  ['"ana"@example.com', false],
  ["Ana <ana@example.com>", false],
  ["ana\u200b@example.com", false],
  ["ana\u202e@example.com", false],
  [`${"a".repeat(250)}@example.com`, false],
])("the email address %s", (email, isFine) => {
  expect(isEmail(email)).toBe(isFine)
})

test("an address means the same person however it's typed", () => {
  expect(normalEmail(" Ana@Example.COM ")).toBe("ana@example.com")
})

test.each([
  ["Ana Ruiz", undefined],
  ["مريم", undefined],
  ["", "Enter a name."],
  ["a\nb", "Enter a name of at most 200 characters."],
  ["x".repeat(201), "Enter a name of at most 200 characters."],
  ["Ana\u202eziuR", "Enter a name without invisible characters."],
  ["Ana\u200bRuiz", "Enter a name without invisible characters."],
])("the name %j", (name, problem) => {
  expect(nameProblem(name)).toBe(problem)
})

test("a key in a name is masked", () => {
  expect(storedName(`Ana aba_${"x".repeat(38)}`)).toBe("Ana aba_********")
})

test.each([
  ["Großer Herbst 2026!", "grosser-herbst-2026"],
  ["Möwe & Söhne", "mowe-sohne"],
  ["Łódź Sør Ægir", "lodz-sor-aegir"],
  ["--", ""],
  ["日本", ""],
  ["x".repeat(70), "x".repeat(64)],
])("the slug from %s", (name, slug) => {
  expect(slugFrom(name)).toBe(slug)
})

test("a slug has lower-case letters, digits and single hyphens", () => {
  expect(["a", "acme-audio-2"].map(slugProblem)).toEqual([undefined, undefined])
  const problem = "Enter a slug of lower-case letters, digits and single hyphens."
  for (const slug of ["", "Acme", "a--b", "-a", "a_b", "x".repeat(65)]) expect(slugProblem(slug)).toBe(problem)
})

test.each([
  ["Berlin", "Europe/Berlin"],
  ["new york", "America/New_York"],
  ["europe/berlin", "Europe/Berlin"],
  ["utc", "UTC"],
  ["+01:00", null],
  ["Springfield", null],
  ["", null],
])("the time zone %s", (typed, timeZone) => {
  const read = readOrganization({ name: "Acme", timeZone: typed })
  expect("fields" in read ? read.fields.timeZone : null).toBe(timeZone)
})

describe("an import", () => {
  const organization = { slug: "acme" }
  const member = { isOperator: false, seats: [{ organization, role: "member" }] } as const

  test.each([
    ["creates an account", null, { isOperator: true, organization: "acme", role: "admin" }, true],
    ["repeats an account", member, { isOperator: false, organization: "acme", role: "member" }, true],
    ["leaves out the organization", member, { isOperator: false, organization: null, role: null }, true],
    ["makes somebody an operator", member, { isOperator: true, organization: "acme", role: "member" }, false],
    ["makes a member an admin", member, { isOperator: false, organization: "acme", role: "admin" }, false],
    ["adds an organization", member, { isOperator: false, organization: "other", role: "member" }, false],
    [
      "takes a right away",
      { ...member, isOperator: true },
      { isOperator: false, organization: null, role: null },
      false,
    ],
  ] as const)("that %s", (_, stored, imported, isFine) => {
    const problem = importProblem("ana@example.com", stored, imported)
    if (isFine) expect(problem).toBeNull()
    else expect(problem).toStartWith("ana@example.com already has an account with other rights.")
  })
})

test.each([
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1", "Safari on iPhone"],
  ["Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Linux"],
  ["Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"],
  ["curl/8.0", "Unknown device"],
  ["", "Unknown device"],
])("the browser %s", (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
})
