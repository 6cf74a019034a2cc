import { describe, expect, test } from "bun:test"
import {
  addFigures,
  formatMicros,
  keepDigits,
  microsOf,
  NO_FIGURES,
  readCodeRow,
  readMetricRow,
} from "../../src/domain/affiliate.ts"

const PACKAGE_ID = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"

describe("a value is stored exactly, or rejected", () => {
  test.each([
    ["0", 0],
    ["0.000001", 1],
    ["199.95", 199_950_000],
    ["1e3", 1_000_000_000],
    ["12e-1", 1_200_000],
    ["1.10", 1_100_000],
    ["8999999999.999999", 8_999_999_999_999_999],
    ["9000000000", 9_000_000_000_000_000],
  ])("%s", (text, micros) => {
    const [row] = JSON.parse(`[{"code":"A","date":"2026-03-01","conversionValue":${text}}]`, keepDigits)
    expect(readMetricRow(row)).toMatchObject({ valueMicros: micros })
    expect(microsOf(formatMicros(micros))).toBe(micros)
  })

  test.each(["-1", "0.0000001", "9000000000.000001", "9000000001", "1e10", "1e-7", "1e999"])(
    "%s is rejected",
    (text) => {
      const [row] = JSON.parse(`[{"code":"A","date":"2026-03-01","conversionValue":${text}}]`, keepDigits)
      expect(readMetricRow(row)).toMatchObject({
        reason: "invalid_row",
        message: "conversionValue must be a number from 0 to 9000000000 with at most 6 decimal places.",
      })
    },
  )
})

const METRIC = { code: "A", date: "2026-03-01", clicks: 1 }

test.each([
  [null, "A row must be an object."],
  [{ ...METRIC, code: "" }, "code must be"],
  [{ ...METRIC, code: " A" }, "code must be"],
  [{ ...METRIC, code: "A\u0000" }, "code must be"],
  [{ ...METRIC, code: "\ud800" }, "code must be"],
  [{ ...METRIC, code: "x".repeat(129) }, "code must be"],
  [{ ...METRIC, date: "2026-02-30" }, "date must be"],
  [{ ...METRIC, date: 20260301 }, "date must be"],
  [{ ...METRIC, clicks: 1.5 }, "clicks must be"],
  [{ ...METRIC, clicks: null }, "clicks must be"],
  [{ ...METRIC, conversions: 2 ** 53 }, "conversions must be"],
  [{ ...METRIC, conversionValue: "1" }, "conversionValue must be"],
  [{ ...METRIC, clicks: undefined }, "A row needs at least one of"],
])("the metric row %o names what is wrong", (row, message) => {
  expect(readMetricRow(row)).toEqual({ reason: "invalid_row", message: expect.stringContaining(message) })
})

const CODE = { packageId: PACKAGE_ID, code: "AUTUMN10" }

test.each([
  [[], "A row must be an object."],
  [{ ...CODE, packageId: "x" }, "packageId must be a UUID."],
  [{ ...CODE, code: 7 }, "code must be"],
  [{ ...CODE, slug: null }, "slug must be"],
  [{ ...CODE, slug: "x".repeat(257) }, "slug must be"],
  [{ ...CODE, code: `abi_${"0".repeat(38)}` }, "code and slug must not contain an API key."],
  [{ ...CODE, slug: `abi_${"0".repeat(38)}` }, "code and slug must not contain an API key."],
])("the code row %o names what is wrong", (row, message) => {
  expect(readCodeRow(row)).toEqual({ reason: "invalid_row", message: expect.stringContaining(message) })
})

test("the length of a code is counted in characters, and package IDs may be in upper case", () => {
  const code = "😀".repeat(128)
  expect(readCodeRow({ packageId: PACKAGE_ID.toUpperCase(), code })).toEqual({
    packageId: PACKAGE_ID,
    code,
    slug: undefined,
  })
})

test("missing figures stay unknown in a sum", () => {
  const sum = addFigures({ clicks: 2n ** 53n, conversions: null, valueMicros: null }, { ...NO_FIGURES, clicks: 3n })
  expect(sum).toEqual({ clicks: 2n ** 53n + 3n, conversions: null, valueMicros: null })
})
