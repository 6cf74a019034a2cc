import { describe, expect, test } from "bun:test"
import type { TSchema } from "@sinclair/typebox"
import fc from "fast-check"
import { CreativeFormat } from "../../../../src/domain/adcp/schema/creative-format.ts"
import { Product } from "../../../../src/domain/adcp/schema/product.ts"
import { explain } from "../../../../src/domain/schema/explain.ts"
import { hasOfficial, type Json, officialExamples, officialProblems } from "../../../harness/agent/official.ts"
import { addressed, PLAIN_FORMAT, PLAIN_PRODUCT } from "../documents.ts"
import { arbitraryOf } from "./arbitrary.ts"
import { mutations } from "./mutation.ts"

/** AdCP has fields that we don't know. */
const knownProblems = (schema: TSchema, value: unknown) =>
  explain(schema, value).filter(({ keyword }) => keyword !== "additionalProperties")

const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value))

const CASES = (
  [
    ["product", Product, "core/product.json", PLAIN_PRODUCT],
    ["format", CreativeFormat, "core/format.json", PLAIN_FORMAT],
  ] as const
).flatMap(([noun, schema, path, base]) =>
  Object.entries<TSchema>(schema.properties).map(([field, shape]) => ({ noun, schema, path, base, field, shape })),
)

describe.skipIf(!hasOfficial)("our schemas and the official ones [needs schemas]", () => {
  test.each(CASES)("whatever we accept as $field of a $noun is valid AdCP", ({ schema, path, base, field, shape }) => {
    const values = arbitraryOf(shape).map((value) => plain({ ...base, [field]: value }))
    let accepted = 0
    fc.assert(
      fc.property(values, (value) => {
        if (explain(schema, value).length > 0) return
        accepted++
        expect(officialProblems(path, addressed(value))).toEqual([])
      }),
      { numRuns: 15, seed: 4 },
    )
    expect(accepted).toBeGreaterThan(0)
  })

  test.each(CASES)(
    "what AdCP finds wrong with $field of a $noun is never saved",
    ({ schema, path, base, field, shape }) => {
      const broken = arbitraryOf(shape).chain((value) => mutations(plain({ ...base, [field]: value })))
      fc.assert(
        fc.property(broken, (value) => {
          const isWrong = officialProblems(path, addressed(value)).length > 0
          if (isWrong)
            expect({ value, isRefused: explain(schema, value).length > 0 }).toEqual({ value, isRefused: true })
        }),
        { numRuns: 40, seed: 4 },
      )
    },
  )

  test("every official example of a product or format is valid here apart from unknown fields", () => {
    const documents = [...officialExamples().values()].map((example) => example.result?.structuredContent ?? example)
    const products = documents.flatMap(({ products = [] }: Json) => products)
    const formats = documents.flatMap(({ formats = [] }: Json) => formats)
    expect(Math.min(products.length, formats.length)).toBeGreaterThan(0)
    for (const product of products) expect(knownProblems(Product, product)).toEqual([])
    for (const format of formats) expect(knownProblems(CreativeFormat, format)).toEqual([])
  })
})
