import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { formatMicros, microsOf, readMetricRow } from "../../../src/domain/affiliate/affiliate-metric.ts"
import {
  INTERNAL_ERROR,
  readCodeRow,
  refusalInWords,
  rowError,
} from "../../../src/domain/affiliate/affiliate-report.ts"
import { exactNumber } from "../../../src/domain/schema/json.ts"

const PACKAGE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
const invalid = { reason: "invalid_row" }

describe("a code row", () => {
  const row = { packageId: PACKAGE, code: "AUTUMN10", slug: "autumn" }

  test.each([
    ["as documented", {}, {}],
    ["the slug is optional", { slug: undefined }, { slug: undefined }],
    ["the package id in capitals", { packageId: PACKAGE.toUpperCase() }, { packageId: PACKAGE }],
    ["128 characters", { code: "x".repeat(128) }, { code: "x".repeat(128) }],
    ["128 characters that take two units each", { code: "🎧".repeat(128) }, { code: "🎧".repeat(128) }],
    ["white space inside", { code: "a b\u00a0c" }, { code: "a b\u00a0c" }],
    ["256 characters of slug", { slug: "s".repeat(256) }, { slug: "s".repeat(256) }],
    ["unknown fields are ignored", { note: 1 }, {}],
  ])("is understood: %s", (_, fields, understood) => {
    expect(readCodeRow({ ...row, ...fields })).toEqual({ ...row, ...understood })
  })

  test.each([
    ["no package id", { packageId: undefined }],
    ["a bad package id", { packageId: "x" }],
    ["no code", { code: undefined }],
    ["an empty code", { code: "" }],
    ["129 characters", { code: "x".repeat(129) }],
    ["129 characters that take two units each", { code: "🎧".repeat(129) }],
    ["a number as code", { code: 7 }],
    ["a control character", { code: "a\u0007b" }],
    ["a late control character", { code: "a\u0085b" }],
    ["a tab inside", { code: "a\tb" }],
    ["white space before", { code: " a" }],
    ["white space behind", { code: "a\u3000" }],
    ["half a character", { code: "a\ud83c" }],
    ["a null slug", { slug: null }],
    ["an empty slug", { slug: "" }],
    ["257 characters of slug", { slug: "s".repeat(257) }],
  ])("is invalid_row: %s", (_, fields) => {
    expect(readCodeRow({ ...row, ...fields })).toMatchObject(invalid)
  })

  test.each([[null], [1], ["x"], [[]]])("is invalid_row when it is no object: %p", (value) => {
    expect(readCodeRow(value)).toMatchObject(invalid)
    expect(readMetricRow(value)).toMatchObject(invalid)
  })
})

describe("a metric row", () => {
  const row = { code: "AUTUMN10", date: "2026-11-14", clicks: 1, conversions: 2, conversionValue: 3.5 }

  test.each([
    ["as documented", {}, { clicks: 1, conversions: 2, conversionValueMicros: 3_500_000 }],
    ["clicks alone", { conversions: undefined, conversionValue: undefined }, { clicks: 1, conversions: undefined }],
    ["zero is a figure", { clicks: 0, conversions: undefined, conversionValue: undefined }, { clicks: 0 }],
    ["the most clicks", { clicks: 2 ** 53 - 1 }, { clicks: 9007199254740991 }],
  ])("is understood: %s", (_, fields, understood) => {
    expect(readMetricRow({ ...row, ...fields })).toMatchObject(understood)
  })

  test.each([
    ["no code", { code: undefined }],
    ["an untidy code", { code: " AUTUMN10" }],
    ["no date", { date: undefined }],
    ["30 February", { date: "2026-02-30" }],
    ["a timestamp as date", { date: "2026-11-14T00:00:00Z" }],
    ["no figure", { clicks: undefined, conversions: undefined, conversionValue: undefined }],
    ["negative clicks", { clicks: -1 }],
    ["half a click", { clicks: 0.5 }],
    ["clicks as text", { clicks: "1" }],
    ["null clicks", { clicks: null }],
    ["clicks above 2^53-1", { clicks: 2 ** 53 }],
    ["negative conversions", { conversions: -1 }],
    ["a negative value", { conversionValue: -0.01 }],
    ["a value as text", { conversionValue: "1.00" }],
    ["a null value", { conversionValue: null }],
  ])("is invalid_row: %s", (_, fields) => {
    expect(readMetricRow({ ...row, ...fields })).toMatchObject(invalid)
  })
})

describe("a conversion value is kept exactly, in millionths", () => {
  test.each([
    ["0", 0],
    ["-0", 0],
    ["0.000001", 1],
    ["1e-6", 1],
    ["0.1", 100_000],
    ["19.99", 19_990_000],
    ["1.10000000000000000000000", 1_100_000],
    ["4294967295.999999", 4294967295999999],
    ["4294967296.000001", 4294967296000001],
    ["8999999999.123456", 8999999999123456],
    ["8999999999.123457", 8999999999123457],
    ["8999999999.999999", 8999999999999999],
    ["9000000000", 9000000000000000],
    ["9e9", 9000000000000000],
  ])("%s", (text, micros) => {
    expect(microsOf(exactNumber(text))).toBe(micros)
  })

  test.each([
    "9000000000.000001",
    "9000000001",
    "1e400",
    "0.0000001",
    "1e-7",
    "1e-400",
    "1.0000001",
    "0.10000000000000000001",
    "4000000000.1234561",
    "-1",
    "-0.000001",
    "-1e400",
  ])("%s is out of bounds or too fine", (text) => {
    expect(microsOf(exactNumber(text))).toBeUndefined()
  })

  test("every value that can be stored survives the way through JSON and back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_000_000_000_000_000 }), (micros) => {
        expect(microsOf(exactNumber(formatMicros(micros)))).toBe(micros)
      }),
      { numRuns: 2_000 },
    )
  })

  test("a sum of many is written exactly, too", () => {
    expect(formatMicros(9_000_000_000_000_001n * 1_000_000n)).toBe("9000000000000001")
    expect(formatMicros(10_000_001n)).toBe("10.000001")
  })
})

test("our own failures have status 500, a declined row 400", () => {
  expect(rowError(1, INTERNAL_ERROR)).toMatchObject({ index: 1, status: 500, reason: "internal_error" })
  expect(rowError(1, { reason: "not_seller", message: "x" })).toMatchObject({ index: 1, status: 400 })
})

test("people read of a line's ID, programs of packageId", () => {
  expect(refusalInWords("packageId must be a UUID.")).toBe("The line ID must be as on the line’s page.")
  expect(refusalInWords("packageId is not one of yours.")).toBe("None of your lines has this line ID.")
})
