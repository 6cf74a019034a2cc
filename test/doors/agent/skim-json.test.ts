import { expect, test } from "bun:test"
import fc from "fast-check"
import { skimJson } from "../../../src/doors/agent/skim-json.ts"

const MANY = 1_000_000

test("the texts of members are found by their paths, in whichever order they come", () => {
  const text =
    ' { "b" : [1, {"c":2}] , "params":{"x":{"name":0}, "name":"a,\\"}b" ,"list":["name"]}, "id": 12345678901234567890 }'
  const { members } = skimJson(text, new Set(["id", "params.name", "params.list", "name"]), MANY)
  expect(Object.fromEntries(members)).toEqual({
    id: "12345678901234567890",
    "params.name": '"a,\\"}b"',
    "params.list": '["name"]',
  })
})

test("of members of the same name the last counts", () => {
  expect(skimJson('{"a":1,"a":{"b":2}}', new Set(["a"]), MANY).members.get("a")).toBe('{"b":2}')
})

test("the text of every member is what it is parsed from", () => {
  const names = fc.constantFrom("a", "b", "c")
  const leaf = fc.oneof(fc.string(), fc.double({ noDefaultInfinity: true, noNaN: true }), fc.boolean(), fc.jsonValue())
  const nested = fc.dictionary(names, fc.oneof(leaf, fc.dictionary(names, leaf)))
  fc.assert(
    fc.property(nested, fc.constantFrom(0, 2), (value, indent) => {
      const { members } = skimJson(JSON.stringify(value, null, indent), new Set(["a", "b", "a.a", "a.b"]), MANY)
      const inner = typeof value["a"] === "object" && !Array.isArray(value["a"]) ? (value["a"] ?? {}) : {}
      for (const [path, found] of [
        ["a", value["a"]],
        ["b", value["b"]],
        ["a.a", (inner as Record<string, unknown>)["a"]],
        ["a.b", (inner as Record<string, unknown>)["b"]],
      ] as const) {
        const text = members.get(path)
        expect(text === undefined ? undefined : JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(found))
      }
    }),
  )
})

test("values are counted, however they are nested, and never in strings", () => {
  const isTooMany = (text: string, valuesMax: number) => skimJson(text, new Set(["x"]), valuesMax).hasTooMany
  const counts = [
    ["[1,2,3,4,5]", 5],
    // A name counts, too.
    ['{"a":1,"b":2,"c":3,"d":4,"e":5}', 10],
    ["[[[[[]]]]]", 5],
    ['[{"a":{}},{}]', 6],
    // And a long number for every 20 characters.
    [`[${"7".repeat(199)},1]`, 2 + 10],
    [`[1,${"7".repeat(199)}  ]`, 2 + 10],
    [`["${"7".repeat(199)}",1]`, 2],
  ] as const
  for (const [text, count] of counts) {
    expect([text, isTooMany(text, count - 1)]).toEqual([text, true])
    expect([text, isTooMany(text, count)]).toEqual([text, false])
  }
  expect(isTooMany('["a,b,c,d[[[{{{\\",,,"]', 1)).toBe(false)
})

test.each(["", "{", '"', '{"a', '{"a":', "]]]", "}}{{", '{"a":1]', "[}", '"\\', ",,,,", "::"])(
  "%j does no harm",
  (text) => {
    expect(skimJson(text, new Set(["a", "a.b"]), MANY).hasTooMany).toBe(false)
  },
)
