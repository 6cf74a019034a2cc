import { expect, test } from "bun:test"
import fc from "fast-check"
import { findCredential, withoutNulls } from "../../../../src/domain/adcp/tools/arguments.ts"
import { ask, givenProduct, givenView } from "../given.ts"

test.each([
  [{ brief: null }, {}],
  [{ adcp_version: null, adcp_major_version: null, context: null, ext: null }, {}],
  [{ filters: { countries: null, channels: ["podcast"] } }, { filters: { channels: ["podcast"] } }],
  [{ filters: { countries: ["DE", null] } }, { filters: { countries: ["DE"] } }],
  [{ filters: { budget_range: { currency: null, min: null } } }, {}],
  [{ filters: { countries: [null] }, brief: "x" }, { brief: "x" }],
  [
    { filters: {}, fields: [] },
    { filters: {}, fields: [] },
  ],
  [
    { context: { a: null }, ext: { b: [null] } },
    { context: { a: null }, ext: { b: [null] } },
  ],
])("%j is read as %j", (sent, read) => {
  expect(withoutNulls(sent)).toEqual(read)
})

test("arguments without null are handed on as they are", () => {
  fc.assert(
    fc.property(fc.object({ withNullPrototype: false }), (args) => {
      const clean = withoutNulls(JSON.parse(JSON.stringify(args)))
      expect(withoutNulls(clean)).toBe(clean)
    }),
    { seed: 4 },
  )
})

test("the context is echoed with its nulls", () => {
  const context = { trace: null, list: [null, 1] }
  const view = givenView([givenProduct("p")])
  expect(ask(view, { brief: null, context }).context).toEqual(context)
})

test("a list is not asked for the names of its entries, which takes longer than all else", () => {
  const list = new Proxy([1, "two", { three: [4] }], { ownKeys: () => expect.unreachable() })
  const args = { unknown: list, last: { api_key: "x" } }
  expect(withoutNulls(args)).toBe(args)
  expect(findCredential(args)).toBe("/last/api_key")
})
