import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { checkFormat, checkProduct } from "../../../../src/domain/adcp/catalogue/check.ts"
import { emitFormat, emitProduct } from "../../../../src/domain/adcp/catalogue/emit.ts"
import { CreativeFormat } from "../../../../src/domain/adcp/schema/format/creative-format.ts"
import { Product } from "../../../../src/domain/adcp/schema/product/product.ts"
import { own } from "../given.ts"
import { arbitraryOf } from "../schema/arbitrary.ts"
import { agentUrl, plainProduct } from "../schema/documents.ts"
import { officialComplaints, officialIsHere } from "../schema/official.ts"

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
const ownRefs = fc.subarray([...own.keys()], { minLength: 1, maxLength: 3 }).map((ids) => ids.map((id) => ({ id })))
const territories = fc.oneof(fc.constant(["*"]), fc.subarray(["DE", "AT", "CH", "US"], { minLength: 1 }))

// Random products seldom name formats that exist or have one price, so the parts with rules of their own are put in.
const products = fc.record({ product: arbitraryOf(Product), format_ids: ownRefs }).map(({ product, format_ids }) => {
  const { placements: _, ...rest } = product as Product
  return plain({
    ...rest,
    product_id: "p",
    name: "n",
    description: "d",
    format_ids,
    publisher_properties: plainProduct.publisher_properties,
    pricing_options: plainProduct.pricing_options,
  })
})

describe.skipIf(!officialIsHere)("what we show", () => {
  test("a product that we accept is valid as every key sees it", () => {
    let accepted = 0
    fc.assert(
      fc.property(products, territories, (product, opened) => {
        if (checkProduct(product, own).length > 0) return
        accepted++
        const shown = plain(emitProduct(product, opened, own, agentUrl))
        expect(officialComplaints("core/product.json", shown)).toEqual([])
        expect(shown.format_ids).toEqual(
          product.format_ids.map(({ id }: { id: string }) => ({ agent_url: agentUrl, id })),
        )
      }),
      { numRuns: 120, seed: 4 },
    )
    expect(accepted).toBeGreaterThan(15)
  })

  test("a format that we accept is valid as everybody sees it", () => {
    let accepted = 0
    fc.assert(
      fc.property(arbitraryOf(CreativeFormat).map(plain), (format) => {
        if (checkFormat(format, own).length > 0) return
        accepted++
        expect(officialComplaints("core/format.json", plain(emitFormat(format, agentUrl)))).toEqual([])
      }),
      { numRuns: 150, seed: 4 },
    )
    expect(accepted).toBeGreaterThan(30)
  })
})
