import { describe, expect, test } from "bun:test"
import type { TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import fc from "fast-check"
import { CreativeFormat } from "../../../../src/domain/adcp/schema/format/creative-format.ts"
import { Product } from "../../../../src/domain/adcp/schema/product/product.ts"
import { explain } from "../../../../src/domain/schema/explain.ts"
import { unsupportedFields } from "../../../../src/domain/schema/unsupported.ts"
import { arbitraryOf } from "./arbitrary.ts"
import { addressed, plainFormat, plainProduct } from "./documents.ts"
import { mutations } from "./mutation.ts"
import { officialComplaints, officialExamples, officialIsHere } from "./official.ts"

const shapeOf = (schema: TSchema): TSchema => schema["allOf"]?.[0] ?? schema
const fieldsOf = (schema: TSchema) => Object.entries<TSchema>(shapeOf(schema)["properties"])
/** What is refused when it is saved: what is wrong, and what this version does not know. */
const refused = (schema: TSchema, value: unknown) => [...explain(schema, value), ...unsupportedFields(schema, value)]
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

const nouns: [string, TSchema, string, object][] = [
  ["product", Product, "core/product.json", plainProduct],
  ["format", CreativeFormat, "core/format.json", plainFormat],
]
const cases = nouns.flatMap(([noun, schema, path, base]) =>
  fieldsOf(schema).map(([field, fieldSchema]) => ({ noun, schema, path, base, field, fieldSchema })),
)

describe.skipIf(!officialIsHere)("our schemas and the official ones", () => {
  test.each(cases)(
    "whatever we accept as $field of a $noun is valid AdCP",
    ({ schema, path, base, field, fieldSchema }) => {
      const values = arbitraryOf(fieldSchema).map((value) => plain({ ...base, [field]: value }))
      let accepted = 0
      fc.assert(
        fc.property(values, (value) => {
          expect(explain(schema, value)).toEqual([])
          if (unsupportedFields(schema, value).length > 0) return
          accepted++
          expect(officialComplaints(path, addressed(value))).toEqual([])
        }),
        { numRuns: 15, seed: 4 },
      )
      expect(accepted).toBeGreaterThan(0)
    },
  )

  test.each(cases)(
    "we and AdCP agree about a broken $field of a $noun",
    ({ schema, path, base, field, fieldSchema }) => {
      const broken = arbitraryOf(fieldSchema).chain((value) => mutations(addressed(plain({ ...base, [field]: value }))))
      fc.assert(
        fc.property(broken, (value) => {
          const official = officialComplaints(path, addressed(value))
          // What is valid is at most not supported; what is broken is never saved.
          if (official.length === 0)
            expect({ value, isValid: Value.Check(schema, value) }).toEqual({ value, isValid: true })
          else expect({ value, isRefused: refused(schema, value).length > 0 }).toEqual({ value, isRefused: true })
        }),
        { numRuns: 40, seed: 4 },
      )
    },
  )

  test("every official example of a product or a format is valid here, at most with fields that are not supported", () => {
    const documents = [...officialExamples().values()].map(payloadOf)
    const products = documents.flatMap((document) => document.products ?? [])
    const formats = documents.flatMap((document) => document.formats ?? [])
    expect(products.length).toBeGreaterThan(0)
    expect(formats.length).toBeGreaterThan(0)
    for (const product of products) expect(explain(Product, product)).toEqual([])
    for (const format of formats) expect(explain(CreativeFormat, format)).toEqual([])
  })
})

interface Payload {
  products?: unknown[]
  formats?: unknown[]
}

function payloadOf(example: unknown): Payload {
  const wire = example as { result?: { structuredContent?: Payload } } & Payload
  return wire.result?.structuredContent ?? wire
}
