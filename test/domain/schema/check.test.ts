import { describe, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { batchOf } from "../../../src/domain/schema/batch.ts"
import { checkFor } from "../../../src/domain/schema/check.ts"

describe("every problem of a value is told with its place and a sentence", () => {
  const Person = Type.Object({
    name: Type.String({ minLength: 1, maxLength: 5 }),
    age: Type.Optional(Type.Integer({ minimum: 0, maximum: 150 })),
    role: Type.Union([Type.Literal("admin"), Type.Literal("member")]),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: 2 })),
    slug: Type.Optional(Type.String({ pattern: "^[a-z]+$", title: "a short name of lower-case letters" })),
  })
  const check = checkFor(Type.Array(Person))
  const good = { name: "Ada", role: "admin" }

  test("a right value comes back as it is", () => {
    const people = [good]
    expect(check(people)).toEqual({ ok: true, value: [{ name: "Ada", role: "admin" }] })
  })

  test.each([
    ["a missing property, once", { role: "admin" }, [["/0/name", "is required"]]],
    ["an empty text", { ...good, name: "" }, [["/0/name", "must not be empty"]]],
    ["a long text", { ...good, name: "Adelheid" }, [["/0/name", "must be a string of at most 5 characters"]]],
    ["a wrong type", { ...good, tags: [7] }, [["/0/tags/0", "must be a string"]]],
    ["a fraction", { ...good, age: 1.5 }, [["/0/age", "must be a whole number, at least 0 and at most 150"]]],
    ["an unknown choice", { ...good, role: "boss" }, [["/0/role", "must be one of admin, member"]]],
    ["too many", { ...good, tags: ["a", "b", "c"] }, [["/0/tags", "takes at most 2 entries"]]],
    ["no object", 7, [["/0", "must be an object"]]],
    ["a pattern", { ...good, slug: "A b" }, [["/0/slug", "must be a short name of lower-case letters"]]],
    [
      "two problems",
      { name: "", role: 1 },
      [
        ["/0/name", "must not be empty"],
        ["/0/role", "must be one of admin, member"],
      ],
    ],
  ])("%s", (_, value, expected) => {
    const checked = check([value])
    if (checked.ok) throw new Error("the value is wrong")
    const found = checked.problems.map(({ pointer, message }) => [pointer, message])
    expect(found.filter(([pointer]) => pointer !== "/0" || expected.length === 1)).toEqual(expected as string[][])
  })

  test("each of several wrong elements, and a whole that is none", () => {
    const pointers = (value: unknown) => {
      const checked = check(value)
      return checked.ok ? [] : checked.problems.map(({ pointer, message }) => `${pointer} ${message}`)
    }
    expect(pointers([{ role: "admin" }, 7])).toEqual(["/0/name is required", "/1 must be an object"])
    expect(pointers("x")).toEqual([" must be a list"])
  })
})

describe("an envelope is an object with one array of so many rows", () => {
  const batch = batchOf("items", Type.Object({}), { min: 1, max: 3 })

  test("whatever the rows are", () => {
    expect(batch.read({ items: [1, null, "x"], other: true })).toEqual([1, null, "x"])
  })

  test.each([
    ["missing", {}],
    ["no array", { items: {} }],
    ["null", { items: null }],
    ["empty", { items: [] }],
    ["too many", { items: [1, 2, 3, 4] }],
    ["an array as body", [1]],
    ["null as body", null],
    ["a text as body", "items"],
    ["only inherited", Object.create({ items: [1] })],
  ])("%s is invalid_request", (_, body) => {
    expect(batch.read(body)).toMatchObject({ code: "invalid_request", status: 400 })
  })

  test("where none are needed, an empty array is a valid request", () => {
    expect(batchOf("codes", Type.Object({}), { min: 0, max: 3 }).read({ codes: [] })).toEqual([])
  })
})
