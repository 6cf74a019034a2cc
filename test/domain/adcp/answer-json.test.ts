import { expect, test } from "bun:test"
import fc from "fast-check"
import { answerJson, keepJson, ShownProduct } from "../../../src/domain/adcp/json.ts"

const field = fc.jsonValue({ maxDepth: 3 })
const product = fc.dictionary(fc.string(), field)

test("kept and new objects are written as JSON.stringify writes them", () => {
  fc.assert(
    fc.property(fc.array(product), fc.dictionary(fc.string(), field), (list, rest) => {
      const products = list.map((each, place) => (place % 2 === 0 ? keepJson(each) : each))
      const payload = { ...rest, products, nothing: undefined, kept: keepJson([...products]) }
      expect(JSON.parse(answerJson(payload))).toEqual(JSON.parse(JSON.stringify(payload)))
    }),
  )
})

test("a product is written with what is its own in this answer, and without ext where there is nothing in it", () => {
  const own = fc.record({
    order_url: fc.option(fc.webUrl(), { nil: undefined }),
    matches: fc.option(fc.constant({ channel: true }), { nil: undefined }),
    brief_relevance: fc.option(fc.string({ unit: "binary" }), { nil: undefined }),
  })
  fc.assert(
    fc.property(product, product, product, own, (fields, others, adbooth, each) => {
      const { ext: _, brief_relevance: __, ...rest } = fields
      const { adbooth: ___, ...ext } = others
      const given = { product_id: "p", ...rest, ext: { ...ext, adbooth } }
      const shown = new ShownProduct(given, each)
      const { brief_relevance, ...ours } = each
      const expected = { product_id: "p", ...rest, ext: { ...ext, adbooth: { ...adbooth, ...ours } }, brief_relevance }
      const isNothing = Object.keys({ ...ext, ...adbooth }).length === 0 && JSON.stringify(ours) === "{}"
      const [sent] = JSON.parse(answerJson({ list: [shown] })).list
      expect(sent).toEqual(
        JSON.parse(JSON.stringify(isNothing ? { product_id: "p", ...rest, brief_relevance } : expected)),
      )
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
