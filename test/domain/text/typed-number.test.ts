import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { DecimalLiteral } from "../../../src/domain/schema/json.ts"
import {
  CONVERSION_VALUE,
  DECIMAL,
  markShownBy,
  moneyIn,
  type NumberField,
  numberOrText,
  numberProblem,
  readNumber,
  WHOLE,
  writeNumber,
} from "../../../src/domain/text/typed-number.ts"

import type { UploadKind } from "../../../src/domain/upload/columns.ts"
import { rowReader } from "../../../src/domain/upload/row-reader.ts"
import { NO_CHOICES } from "../../../src/domain/upload/upload.ts"

const EURO = moneyIn("EUR")

function meant(text: string, field: NumberField): number | string {
  const read = readNumber(text, field)
  return read.ok ? read.value : read.message
}

const WRITE_DECIMAL = "Write it in digits, such as 1000 or 1000.50."
const FULL = "is in scientific notation, where spreadsheets leave digits out. Write the number in full."
const ODD = "has separators in odd places. Write the number without them."

// What is typed, what it is in a field for whole numbers, and what in one that takes decimals.
test.each<[string, number | string, number | string]>([
  ["1000", 1_000, 1_000],
  [" 1000 ", 1_000, 1_000],
  ["0", 0, 0],
  ["1000.50", "1000.50 is not a whole number.", 1_000.5],
  ["1000.0", 1_000, 1_000],
  ["1000.000", 1_000, 1_000],
  ["1 000", 1_000, 1_000],
  ["1\u00a0000", 1_000, 1_000],
  ["1\u202f000\u202f000", 1_000_000, 1_000_000],
  ["1'000", 1_000, 1_000],
  ["1’000.5", "1’000.5 is not a whole number.", 1_000.5],
  ["1,000", 1_000, "1,000 can mean 1000 or 1. Write 1000 or 1."],
  ["1,000,000", 1_000_000, 1_000_000],
  ["1.000", 1_000, "1.000 can mean 1000 or 1. Write 1000 or 1."],
  ["217.500", 217_500, "217.500 can mean 217500 or 217.5. Write 217500 or 217.5."],
  ["1.125", 1_125, "1.125 can mean 1125 or 1.125. Write 1125 or 1.1250."],
  ["1.234.567", 1_234_567, 1_234_567],
  ["1,000.50", "1,000.50 is not a whole number.", 1_000.5],
  ["1.000,50", "1.000,50 is not a whole number.", 1_000.5],
  ["1,234.567", "1,234.567 is not a whole number.", 1_234.567],
  ["1.5", "1.5 is not a whole number.", 1.5],
  ["1,5", "1,5 is not a whole number.", 1.5],
  ["14,50", "14,50 is not a whole number.", 14.5],
  ["0,500", "0,500 is not a whole number.", 0.5],
  ["0.500", "0.500 is not a whole number.", 0.5],
  [".5", ".5 is not a whole number.", 0.5],
  ["1.0000", 1, 1],
  ["1234,567", "1234,567 is not a whole number.", 1_234.567],
  ["12,34,567", `12,34,567 ${ODD}`, `12,34,567 ${ODD}`],
  ["1,00,000", `1,00,000 ${ODD}`, `1,00,000 ${ODD}`],
  ["1,000 000", `1,000 000 ${ODD}`, `1,000 000 ${ODD}`],
  ["1..5", `1..5 ${ODD}`, `1..5 ${ODD}`],
  ["5.", `5. ${ODD}`, `5. ${ODD}`],
  ["0x10", "0x10 is not a number. Write it in digits, such as 1000.", `0x10 is not a number. ${WRITE_DECIMAL}`],
  [
    "Infinity",
    "Infinity is not a number. Write it in digits, such as 1000.",
    `Infinity is not a number. ${WRITE_DECIMAL}`,
  ],
  ["1e3", `1e3 ${FULL}`, `1e3 ${FULL}`],
  ["1.23457E+11", `1.23457E+11 ${FULL}`, `1.23457E+11 ${FULL}`],
  ["+5", "+5 has a plus sign. Enter the number alone.", "+5 has a plus sign. Enter the number alone."],
  ["-0", "-0 has a minus sign. Enter 0 or more.", "-0 has a minus sign. Enter 0 or more."],
  ["−7", "−7 has a minus sign. Enter 0 or more.", "−7 has a minus sign. Enter 0 or more."],
  [
    "007",
    "007 starts with a zero. Write the number without it.",
    "007 starts with a zero. Write the number without it.",
  ],
  [
    "٣٤",
    "٣٤ has digits other than 0 to 9. Write it in digits, such as 1000.",
    `٣٤ has digits other than 0 to 9. ${WRITE_DECIMAL}`,
  ],
  [
    "１０",
    "１０ has digits other than 0 to 9. Write it in digits, such as 1000.",
    `１０ has digits other than 0 to 9. ${WRITE_DECIMAL}`,
  ],
  ["5%", "5% has a symbol in it. Enter the number without it.", "5% has a symbol in it. Enter the number without it."],
  ["", "Enter a number. Write it in digits, such as 1000.", `Enter a number. ${WRITE_DECIMAL}`],
  [
    "9007199254740992",
    expect.stringContaining("is more than 9007199254740991") as never,
    expect.stringContaining("is more than") as never,
  ],
  [
    "0.12345678901234567",
    "0.12345678901234567 is not a whole number.",
    "0.12345678901234567 has more than 15 decimal places.",
  ],
  [
    "123456789012.12345",
    "123456789012.12345 is not a whole number.",
    "123456789012.12345 has more digits than can be kept exactly.",
  ],
])("%p typed as a whole number is %p, as a decimal %p", (text, whole, decimal) => {
  expect(meant(text, WHOLE)).toEqual(whole)
  expect(meant(text, DECIMAL)).toEqual(decimal)
})

test.each<[string, string, number | string]>([
  ["€14.50", "EUR", 14.5],
  ["14,50 €", "EUR", 14.5],
  ["EUR 14.50", "EUR", 14.5],
  ["14.50eur", "EUR", 14.5],
  ["$5", "USD", 5],
  ["$5", "AUD", 5],
  ["A$5", "AUD", 5],
  ["€14.50", "USD", "€14.50 does not match the currency USD. Enter the number without the symbol."],
  ["€14.50", "", "€14.50 has a symbol in it. Enter the number without it."],
  ["€1,000", "EUR", "€1,000 can mean 1000 or 1. Write 1000 or 1."],
  ["14.50 USD", "EUR", `14.50 USD is not a number. ${WRITE_DECIMAL}`],
  ["0.1234567", "EUR", "0.1234567 has more than 6 decimal places."],
  ["€", "EUR", `Enter a number. ${WRITE_DECIMAL}`],
])("the amount %p in %p is %p", (text, currency, amount) => {
  expect(meant(text, moneyIn(currency))).toBe(amount)
})

test("a long text is quoted in part, without what a terminal would obey", () => {
  const message = meant(`\u001b[31m${"x".repeat(500)}`, WHOLE)
  expect(message).toBe(`[31m${"x".repeat(36)}… is not a number. Write it in digits, such as 1000.`)
})

describe("whatever is typed", () => {
  const GROUPINGS: readonly [separator: string, mark: string][] = [
    ["", "."],
    ["", ","],
    [" ", "."],
    [" ", ","],
    ["\u202f", ","],
    ["'", "."],
    ["’", "."],
    [",", "."],
    [".", ","],
  ]
  const amounts = fc.record({
    whole: fc.nat(10 ** 9),
    fraction: fc.stringMatching(/^\d{0,4}$/),
    way: fc.constantFrom(...GROUPINGS),
  })
  const grouped = (whole: number, separator: string) => String(whole).replace(/\B(?=(\d{3})+$)/g, separator)

  test("a number as the forms show it is read as the same number", () => {
    const shown = fc.oneof(
      fc.nat(),
      fc.maxSafeNat(),
      fc.integer({ min: 0, max: 10 ** 9 }).map((micros) => micros / 1_000_000),
    )
    fc.assert(fc.property(shown, (value) => expect(meant(writeNumber(value), EURO)).toBe(value)))
    fc.assert(fc.property(fc.maxSafeNat(), (value) => expect(meant(writeNumber(value), WHOLE)).toBe(value)))
    for (const tiny of [1e-7, 1.25e-7, 1e-15]) expect(meant(writeNumber(tiny), DECIMAL)).toBe(tiny)
  })

  test("a number written in any common way is that number or is refused, never another one", () => {
    fc.assert(
      fc.property(
        amounts,
        fc.constantFrom(WHOLE, DECIMAL, EURO),
        ({ whole, fraction, way: [separator, mark] }, field) => {
          const text = grouped(whole, separator) + (fraction === "" ? "" : mark + fraction)
          const read = readNumber(text, field)
          const value = Number(`${whole}.${fraction || "0"}`)
          // A mark before three digits in a field for whole numbers groups: it is how a million is written.
          const isGroup = field === WHOLE && fraction.length === 3 && whole < 1_000 && whole > 0
          if (read.ok && !(isGroup && separator !== mark)) expect(read.value).toBe(value)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test("every reading that is refused as ambiguous names both numbers", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 999 }), (whole, group) => {
        const digits = String(group).padStart(3, "0")
        const message = meant(`${whole}.${digits}`, DECIMAL)
        expect(message).toContain(`${whole}${digits} or ${Number(`${whole}.${digits}`)}.`)
      }),
    )
  })

  test("no text throws, and what is read as a number is in bounds", () => {
    const anything = fc.oneof(fc.string(), fc.stringMatching(/^[\d., '’eE+-]{0,20}$/))
    const fields = fc.constantFrom(WHOLE, DECIMAL, EURO, CONVERSION_VALUE)
    fc.assert(
      fc.property(anything, fields, (text, field) => {
        const read = readNumber(text, field)
        if (!read.ok) return expect(read.message).toMatch(/\.$/)
        expect(read.value >= 0 && read.value <= field.max).toBe(true)
        expect(read.digits).toMatch(/^\d+(\.\d+)?$/)
      }),
      { numRuns: 2_000 },
    )
  })
})

/** A row with these cells, by what their columns mean, as the API takes it. */
function elementOf(kind: UploadKind, cells: Readonly<Record<string, string>>) {
  const row = rowReader(kind, { ...NO_CHOICES, columns: Object.keys(cells) }, "UTC")(Object.values(cells))
  return row.ok ? row.element : row.refusal
}

describe("a row of a file", () => {
  test("has its numbers read like a form's", () => {
    expect(elementOf("delivery", { impressions: "125,000" })).toEqual({ impressions: 125_000 })
    expect(elementOf("delivery", { downloads: "3 400.5" })).toEqual({ downloads: 3_400.5 })
    const metric = { clicks: "1'200", conversions: "4", conversionValue: "8999999999,123456" }
    expect(elementOf("affiliate_metrics", metric)).toEqual({
      clicks: 1_200,
      conversions: 4,
      // Kept to the last digit, which no JavaScript number can.
      conversionValue: new DecimalLiteral("8999999999.123456"),
    })
  })

  test("leaves out empty cells and columns that mean nothing", () => {
    const cells = { package_id: " x ", impressions: "5", downloads: "", "": "no" }
    expect(elementOf("delivery", cells)).toEqual({ package_id: "x", impressions: 5 })
  })
})

test.each([
  [DECIMAL, "1,000", "1,000 can mean 1000 or 1. Write 1000 or 1."],
  [WHOLE, "many", "many is not a number. Write it in digits, such as 1000."],
])("a typed figure that is no number of %p stays a text, and says why", (field, text, why) => {
  expect(numberOrText(text, field)).toBe(text)
  expect(numberProblem(text, field)).toBe(why)
})

test("in a field for whole numbers, groups of three are thousands", () => {
  for (const text of ["41.300", "41,300", "41 300", "41'300"])
    expect(readNumber(text, WHOLE)).toMatchObject({ value: 41_300 })
  expect(readNumber("41.30", WHOLE)).toMatchObject({ ok: false })
  expect(readNumber("1.000", WHOLE)).toMatchObject({ value: 1_000 })
})

test.each([
  ["1.234,5", ","],
  ["1.234.567", ","],
  ["12,50", ","],
  ["1,234.5", "."],
  ["1,234,567", "."],
  ["0.000", "."],
  ["1234.000", "."],
  ["30,000", undefined],
  ["1.000", undefined],
  ["1 000", undefined],
  ["1,23,456", undefined],
  ["1.2K", undefined],
  ["", undefined],
] as const)("%p shows the mark before decimals: %p", (text, mark) => {
  expect(markShownBy(text)).toBe(mark as typeof mark)
})

test("what can be read in two ways is read by the mark before decimals, where that is known", () => {
  for (const [text, mark, value] of [
    ["30,000", ".", 30_000],
    ["30,000", ",", 30],
    ["123.000", ".", 123],
    ["123.000", ",", 123_000],
  ] as const)
    for (const field of [WHOLE, DECIMAL])
      expect(readNumber(text, { ...field, ambiguous: mark })).toMatchObject({ value })
})

test.each([
  ["SEK", "100 kr"],
  ["NOK", "kr 100"],
  ["PLN", "100 zł"],
  ["CZK", "100 Kč"],
  ["CZK", "100 kč"],
  ["EUR", "eur 100"],
])("the sign of %s may stand beside an amount in small letters: %s", (currency, text) => {
  expect(readNumber(text, moneyIn(currency))).toMatchObject({ value: 100 })
})
