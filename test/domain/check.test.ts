import { expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { checkFor } from "../../src/domain/check.ts"

test("a check that is used often says what it said at first, and why", () => {
  const check = checkFor(Type.Object({ name: Type.String({ minLength: 1 }), size: Type.Optional(Type.Integer()) }))
  const values = [{ name: "a" }, { name: "" }, { name: "a", size: 1.5 }, { size: 1 }, null, { name: "a", more: [1] }]
  const first = values.map(check)
  expect(first.map(({ ok }) => ok)).toEqual([true, false, false, false, false, true])
  for (let round = 0; round < 1_000; round++) expect(values.map(check)).toEqual(first)
})
