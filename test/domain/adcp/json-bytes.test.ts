import { expect, test } from "bun:test"
import fc from "fast-check"
import {
  JsonBytes,
  keepJson,
  keepText,
  Line,
  Lines,
  orderUrlOf,
  reasonOf,
  WithFields,
} from "../../../src/domain/adcp/json.ts"

const json = new JsonBytes()
const written = (payload: Record<string, unknown>) => json.start().answer(payload).bytes().toString()

const field = fc.jsonValue({ maxDepth: 3 })
const product = fc.dictionary(fc.string(), field, { minKeys: 1 })

test("kept and new objects are written as JSON.stringify writes them", () => {
  fc.assert(
    fc.property(
      fc.array(product),
      fc.dictionary(fc.string(), field),
      fc.string({ unit: "binary" }),
      (list, rest, reason) => {
        const products = list.map((each, place) => (place % 2 === 0 ? keepJson(each) : each))
        const explained = products.map((each, place) => {
          const hasNone = "brief_relevance" in each || place % 3 === 2
          return new WithFields(each, hasNone ? undefined : reasonOf(`${reason}${place % 5}`), undefined)
        })
        const lines = new Lines(
          reason,
          list.flatMap((each) => Object.keys(each)).map((text) => new Line(text)),
        )
        const payload = { ...rest, lines, products, explained, nothing: undefined, kept: keepJson([...products]) }
        expect(JSON.parse(written(payload))).toEqual(JSON.parse(JSON.stringify(payload)))
      },
    ),
  )
})

test("what a key can order is written where the product ends, as JSON.stringify writes it", () => {
  const emitted = fc.tuple(product, fc.dictionary(fc.string(), field), fc.array(fc.string(), { minLength: 1 }))
  fc.assert(
    fc.property(fc.array(emitted), fc.array(fc.option(fc.string(), { nil: undefined })), (list, some) => {
      const products = list.map(([{ ext: _, ...rest }, { adbooth: __, ...ext }, territories], place) => {
        const whole = { ...rest, ext: { ...ext, adbooth: { territories } } }
        return place % 2 === 0 ? keepJson(whole) : whole
      })
      const linked = products.map((each, place) => {
        const reason = "brief_relevance" in each || some[place] === undefined ? undefined : reasonOf(some[place])
        return new WithFields(each, reason, orderUrlOf(`https://ads.example/order/${place}`))
      })
      expect(JSON.parse(written({ linked }))).toEqual(JSON.parse(JSON.stringify({ linked })))
    }),
  )
})

test("a changed copy of a kept object has its own JSON", () => {
  const original = keepJson({ product_id: "a", price: 1 })
  const changed = { ...original, price: 2 }
  expect(written({ list: [original, changed] })).toBe(
    '{"list":[{"product_id":"a","price":1},{"product_id":"a","price":2}]}',
  )
})

test("a context keeps its text, and answers of every size are whole", () => {
  const context = { n: 1 }
  keepText(context, '{"n":1.000000000000000000001}')
  for (const size of [0, 10, 300_000, 2_000_000, 10]) {
    const text = "ü€😀".repeat(size / 10)
    expect(written({ text, context })).toBe(`{"text":"${text}","context":{"n":1.000000000000000000001}}`)
  }
})
