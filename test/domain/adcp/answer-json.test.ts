import { expect, test } from "bun:test"
import fc from "fast-check"
import { answerJson, keepJson, WithFields } from "../../../src/domain/adcp/json.ts"

const field = fc.jsonValue({ maxDepth: 3 })
const product = fc.dictionary(fc.string(), field)

test("kept and new objects are written as JSON.stringify writes them", () => {
  const fields = fc.record({ brief_relevance: fc.string({ unit: "binary" }), ext: product }, { requiredKeys: [] })
  fc.assert(
    fc.property(fc.array(product), fc.dictionary(fc.string(), field), fc.array(fields), (list, rest, own) => {
      const products = list.map((each, place) => (place % 2 === 0 ? keepJson(each) : each))
      const shown = products.map(({ brief_relevance: _, ext: __, ...each }, place) => {
        return new WithFields(place % 3 === 0 ? keepJson(each) : each, own[place] ?? {})
      })
      const payload = { ...rest, products, shown, nothing: undefined, kept: keepJson([...products]) }
      expect(JSON.parse(answerJson(payload))).toEqual(JSON.parse(JSON.stringify(payload)))
    }),
  )
})

test("a changed copy of a kept object has its own JSON", () => {
  const original = keepJson({ product_id: "a", price: 1 })
  const changed = { ...original, price: 2 }
  expect(answerJson({ list: [original, changed] })).toBe(
    '{"list":[{"product_id":"a","price":1},{"product_id":"a","price":2}]}',
  )
})

test("a context keeps its text", () => {
  const context = { n: 1 }
  keepJson(context, '{"n":1.000000000000000000001}')
  expect(answerJson({ text: "ü€😀", context })).toBe('{"text":"ü€😀","context":{"n":1.000000000000000000001}}')
})
