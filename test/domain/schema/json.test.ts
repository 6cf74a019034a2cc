import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { DecimalLiteral, decimalOf, exactNumber, isDeeperThan, parseJson } from "../../../src/domain/schema/json.ts"

describe("a number that JavaScript holds exactly is a number", () => {
  test.each([
    ["0", 0],
    ["1e3", 1000],
    ["0.1", 0.1],
    ["1.50000000000000000000000", 1.5],
    ["1.5E+002", 150],
    ["9007199254740991", 9007199254740991],
    ["0.0000001", 1e-7],
  ])("%s", (text, value) => {
    expect(exactNumber(text)).toBe(value)
    expect(parseJson(`{"conversionValue":${text}}`)).toEqual({ conversionValue: value })
  })
})

describe("any other number keeps the digits that were sent", () => {
  test.each(["0.10000000000000000001", "8999999999.1234567", "8999999999.999999", "9007199254740993.5"])(
    "%s",
    (text) => {
      expect(exactNumber(text)).toEqual(new DecimalLiteral(text))
      for (const body of [`[{"conversionValue":${text}}]`, `[{ "clicks": 1, "conversionValue" : ${text} }]`])
        expect((parseJson(body) as { conversionValue: unknown }[])[0]?.conversionValue).toEqual(
          new DecimalLiteral(text),
        )
    },
  )
  test("also one that is no number of JavaScript at all", () => {
    expect(exactNumber("1e400")).toEqual(new DecimalLiteral("1e400"))
  })
})

test("everything else is read as JSON.parse reads it", () => {
  fc.assert(fc.property(fc.json(), (text) => expect(parseJson(text)).toEqual(JSON.parse(text))))
})

test("__proto__ is a key like any other and changes no prototype", () => {
  for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1},"conversionValue":0.10000000000000000001}']) {
    const value = parseJson(text) as Record<string, unknown>
    expect(Object.keys(value)).toContain("__proto__")
    expect(value["x"]).toBeUndefined()
  }
})

test.each(["", '{"a":1', '{"a":NaN}', "{} // no", "[1,]", "[01]", "[+1]", '["\u0001"]'])("%j is no JSON", (text) => {
  expect(parseJson(text)).toBeUndefined()
})

test("levels are counted in arrays and objects, also where there are very many", () => {
  for (const [open, close] of [
    ["[", "]"],
    ['{"a":', "}"],
  ] as const) {
    const nested = (levels: number) => parseJson(`${open.repeat(levels)}1${close.repeat(levels)}`)
    expect([isDeeperThan(nested(64), 64), isDeeperThan(nested(65), 64)]).toEqual([false, true])
    const most = nested(150_000)
    expect(most === undefined || isDeeperThan(most, 64)).toBe(true)
  }
})

test("a decimal is its digits and the place of the point, however it is written", () => {
  const same = ["120", "120.0", "1.2e2", "12e1", "0.0012E5", "1200e-1"].map(decimalOf)
  for (const decimal of same) expect(decimal).toEqual({ negative: false, digits: "12", point: 3 })
  expect(decimalOf("-0.050")).toEqual({ negative: true, digits: "5", point: -1 })
  expect(decimalOf("-0.0")).toEqual({ negative: false, digits: "", point: 0 })
})
