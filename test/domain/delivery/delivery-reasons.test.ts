import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { ONE_UNIT_ONLY } from "../../../src/domain/campaign/pricing-basis.ts"
import { judge, readItem, receiptAt } from "../../../src/domain/delivery/delivery.ts"
import { malformed, refusal } from "../../../src/domain/delivery/delivery-reasons.ts"
import { complaintAbout } from "../../../src/domain/delivery/item-complaint.ts"

const PACKAGE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
const KEY = "abi_0123456789abcdefghijABCDEFGHIJ0123456789"
const receipt = receiptAt(Date.parse("2026-11-15T12:00:00Z") * 1_000, "Europe/Berlin")

describe("a malformed item is told which field is wrong, and how", () => {
  test.each([
    [null, "An item must be an object, not null."],
    [7, "An item must be an object, not a number."],
    ["x", "An item must be an object, not a string."],
    [[], "An item must be an object, not an array."],
    [1, "An item must be an object, not a number."],
    [{}, "package_id is required."],
    [{ package_id: 42 }, "package_id must be a string that is a UUID, not a number."],
    [{ package_id: "42" }, "package_id must be a UUID, such as 0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01."],
  ])("%p", (element, message) => {
    expect(malformed(element)).toEqual({ reason: "invalid_item", message })
  })

  test.each([
    [{ impressions: 1, downloads: 1 }, `Send ${ONE_UNIT_ONLY}.`],
    [{ impressions: "100" }, "impressions must be a number, not a string."],
    [{ impressions: null }, "impressions must be a number, not null."],
    [{ impressions: true }, "impressions must be a number, not a boolean."],
    [{ impressions: {} }, "impressions must be a number, not an object."],
    [{ impressions: -1 }, "impressions must not be negative."],
    [{ impressions: 1.5 }, "impressions must be a whole number, without a fraction."],
    [{ impressions: 2 ** 53 }, "impressions must not be above 9007199254740991."],
    [{ impressions: JSON.parse("9007199254740993") }, "impressions must not be above 9007199254740991."],
    [{ downloads: [1] }, "downloads must be a number, not an array."],
    [{ downloads: -0.5 }, "downloads must not be negative."],
    [{ downloads: JSON.parse("1e400") }, "downloads must not be above 9007199254740991."],
    [{ as_of: 1763200000 }, /^as_of must be a date such as .* or an RFC 3339 timestamp .*, not a number\.$/],
    [{ as_of: "" }, /^as_of must be a date such as 2026-11-14 or an RFC 3339 timestamp/],
    [{ as_of: "yesterday" }, /^as_of must be a date such as/],
    [{ as_of: "2026-11-14 12:00" }, /^as_of must be a date such as/],
    [{ as_of: "2026-11-14T12:00Z" }, /^as_of must be a date such as/],
    [{ as_of: "2026-02-30" }, "as_of is a day, a time or an offset that does not exist."],
    [{ as_of: "2026-02-30T12:00:00Z" }, "as_of is a day, a time or an offset that does not exist."],
    [{ as_of: "2026-11-14T12:00:00" }, "as_of has no time zone: end it with Z or an offset such as +01:00."],
    [{ as_of: "2026-11-14T25:00:00Z" }, "as_of is a day, a time or an offset that does not exist."],
    [{ as_of: "2026-11-14T12:00:00+25:00" }, "as_of is a day, a time or an offset that does not exist."],
  ])("%p", (fields, message) => {
    const told = malformed({ package_id: PACKAGE, ...fields }).message
    if (message instanceof RegExp) expect(told).toMatch(message)
    else expect(told).toBe(message)
  })

  test("whatever is sent: the field is one that is wrong, and nothing of it is repeated but digits", () => {
    const value = fc.oneof(fc.constant(undefined), fc.constant(KEY), fc.string(), fc.jsonValue(), fc.double())
    const id = fc.oneof({ weight: 4, arbitrary: fc.constant<unknown>(PACKAGE) }, { weight: 1, arbitrary: value })
    const item = fc.record({ package_id: id, impressions: value, downloads: value, as_of: value })
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: item }, { weight: 1, arbitrary: value }), (element) => {
        fc.pre(readItem(element) === undefined)
        const { field, message } = complaintAbout(element)
        expect(message).toMatch(/^[^\n]{10,160}\.$/)
        if (field === "")
          return expect(typeof element === "object" && element !== null && !Array.isArray(element)).toBe(false)
        expect(message).toContain(field)
        const { [field]: wrong, ...others } = element as Record<string, unknown>
        if (typeof wrong === "string" && /[a-z]{4}/i.test(wrong)) expect(message).not.toContain(wrong)
        // Without that field it is well-formed, or the complaint is about another one.
        const right = { ...others, ...(field === "package_id" && { package_id: PACKAGE }) }
        if (readItem(right) === undefined) expect(complaintAbout(right).field).not.toBe(field)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe("a well-formed item that is refused is told why, by what its seller knows", () => {
  const line = { pricingBasis: "impressions", flightStart: "2026-11-10" } as const
  test.each([
    [{ impressions: 1 }, undefined, "package_id is not a package that your organization sells."],
    [
      { impressions: 1, as_of: "2026-11-09" },
      line,
      "The flight of this line starts on 2026-11-10: neither as_of nor today may be before it.",
    ],
    [
      { impressions: 1, as_of: "2026-11-16" },
      line,
      "as_of is later than today, which is 2026-11-15 in your organization's time zone (Europe/Berlin).",
    ],
    [
      { impressions: 1, as_of: "2026-11-15T12:00:01Z" },
      line,
      "as_of is later than the time of receipt, 2026-11-15T12:00:00Z.",
    ],
    [
      { downloads: 1 },
      { ...line, pricingBasis: "flat_rate" },
      "downloads must be left out, because this line is flat-rate.",
    ],
    [{ downloads: 1 }, line, "impressions is required, because this line is priced on it."],
    [{}, { ...line, pricingBasis: "downloads" }, "downloads is required, because this line is priced on it."],
  ] as const)("%p", (fields, sold, message) => {
    const item = readItem({ package_id: PACKAGE, ...fields })
    if (item === undefined) throw new Error("the test needs a well-formed item")
    const reason = judge(item, sold, receipt)
    if (reason === undefined) throw new Error("the test needs an item that is refused")
    expect(refusal(reason, item, sold ?? line, receipt)).toEqual({ reason, message })
  })
})
