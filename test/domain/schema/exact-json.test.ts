import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { DecimalLiteral, decimalOf, nearestNumber, parseJson } from "../../../src/domain/schema/exact-json.ts"

describe("a number that JavaScript holds exactly is a number", () => {
  test.each([
    ["0", 0],
    ["-0", -0],
    ["1e3", 1000],
    ["0.1", 0.1],
    ["1.50000000000000000000000", 1.5],
    ["100000000000000000000", 1e20],
    ["1.5E+002", 150],
    ["9007199254740991", 9007199254740991],
    ["1e100", 1e100],
    ["1000000000000000000000", 1e21],
    ["0.0000001", 1e-7],
  ])("%s", (text, value) => {
    expect(parseJson(`{"n":${text}}`)).toEqual({ n: value })
    expect(parseJson(text)).toBe(value)
  })
})

describe("any other number keeps the digits that were sent", () => {
  test.each([
    "0.10000000000000000001",
    "8999999999.1234567",
    "9007199254740993",
    "1.0000000000000000001",
    "1e400",
    "-1e400",
    "1e-400",
    "123456789012345678901234567890.5",
  ])("%s", (text) => {
    for (const body of [`{"n":${text}}`, `{"n": ${text} }`, `[1,${text}]`, `[${text}]`, text]) {
      const parsed = parseJson(body)
      const found = parsed instanceof DecimalLiteral ? parsed : Object.values(parsed as object).at(-1)
      expect(found).toEqual(new DecimalLiteral(text))
    }
  })
})

test("everything else is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const expected: unknown = JSON.parse(text)
      if (!text.match(/\d{15}|e[-+]?\d{3}/)) expect(parseJson(text)).toEqual(expected)
    }),
  )
})

test("of duplicate keys the last one wins, also beside a long number", () => {
  expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 })
  expect(parseJson('{"b":0.10000000000000000001,"a":1,"a":2}')).toMatchObject({ a: 2 })
})

test("__proto__ is a key like any other and changes no prototype", () => {
  for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1},"n":0.10000000000000000001}']) {
    const value = parseJson(text) as Record<string, unknown>
    expect(Object.keys(value)).toContain("__proto__")
    expect(value["x"]).toBeUndefined()
  }
})

test.each([
  ["nothing", ""],
  ["half an object", '{"a":1'],
  ["NaN", '{"a":NaN}'],
  ["a comment", "{} // no"],
  ["a trailing comma", "[1,]"],
  ["a leading zero", "[01]"],
  ["a bare plus", "[+1]"],
  ["a control character in a text", '["\u0001"]'],
  ["nesting without end around a long number", `${"[".repeat(500_000)}0.10000000000000000001${"]".repeat(500_000)}`],
])("%s is no JSON", (_, text) => {
  expect(parseJson(text)).toBeUndefined()
})

test("a decimal is its digits and the place of the point, however it is written", () => {
  const same = ["120", "120.0", "1.2e2", "12e1", "0.0012E5", "1200e-1"].map(decimalOf)
  for (const decimal of same) expect(decimal).toEqual({ negative: false, digits: "12", point: 3 })
  expect(decimalOf("-0.050")).toEqual({ negative: true, digits: "5", point: -1 })
  expect(decimalOf("-0.0")).toEqual({ negative: false, digits: "", point: 0 })
})

test("the nearest number of a long literal is its rounded value, and of anything else none", () => {
  expect(nearestNumber(new DecimalLiteral("0.10000000000000000001"))).toBe(0.1)
  expect(nearestNumber(7)).toBe(7)
  expect(nearestNumber("7")).toBeUndefined()
  expect(nearestNumber(null)).toBeUndefined()
})
