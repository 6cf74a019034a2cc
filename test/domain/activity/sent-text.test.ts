import { expect, test } from "bun:test"
import fc from "fast-check"
import { sentText } from "../../../src/domain/activity/sent-text.ts"
import { mint } from "../../../src/domain/keys/api-key.ts"

const KEY = mint("ingest", (count) => new Uint8Array(count).fill(7))

test("an item is shown as it was sent", () => {
  expect(sentText({ package_id: "x", downloads: "61.204", as_of: null })).toBe(
    '{ "package_id": "x", "downloads": "61.204", "as_of": null }',
  )
  expect(sentText({ impressions: 1.5 })).toBe('{ "impressions": 1.5 }')
  expect(sentText([1])).toBe("[…]")
  expect(sentText("text")).toBe('"text"')
})

test("keys and secrets are masked wherever they are, also at the end of the part that is shown", () => {
  expect(sentText({ note: KEY, api_key: "s3cret", [KEY]: 1 })).toBe(
    '{ "note": "abi_********…", "api_key": "********", "********": 1 }',
  )
  expect(sentText({ [`abi_ ${KEY.slice(4)}`]: 1 })).toBe('{ "********": 1 }')
  expect(sentText({ a: KEY.slice(0, 20), b: KEY.slice(20, 40), c: KEY.slice(40) })).toBe('"********"')
  expect(sentText({ a: KEY.slice(0, 12), b: KEY.slice(12, 30), c: KEY.slice(30) })).toBe('"********"')
  const id = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
  expect(sentText({ note: KEY, package_id: id })).toBe(`{ "note": "abi_********…", "package_id": "${id}" }`)
  fc.assert(
    fc.property(fc.nat(400), fc.string({ maxLength: 400 }), (before, after) => {
      const shown = sentText({ note: `${" ".repeat(before)}${KEY}${after}` })
      expect(shown).not.toContain(KEY.slice(4, 16))
    }),
  )
})

test("of a long text only the beginning is kept, since it may be a password; IDs and moments are whole", () => {
  const id = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
  expect(
    sentText({ code: "correct horse battery staple", package_id: id, as_of: "2026-11-15T10:00:00.000000+01:00" }),
  ).toBe(`{ "code": "correct hors…", "package_id": "${id}", "as_of": "2026-11-15T10:00:00.000000+01:00" }`)
})

test("whatever is sent, the text is short and can be stored", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4, noUnicodeString: false }), (item) => {
      const text = sentText(item)
      expect(text.length).toBeLessThanOrEqual(700)
      expect(text.isWellFormed()).toBe(true)
      expect(text).not.toContain("\0")
    }),
  )
  const large = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`${"n".repeat(90)}${i}`, "v".repeat(900)]))
  expect(sentText(large).length).toBeLessThanOrEqual(700)
})
