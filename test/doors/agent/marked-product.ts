import type { TSchema } from "@sinclair/typebox"
import fc from "fast-check"
import { checkProduct } from "../../../src/domain/adcp/catalogue/check.ts"
import { Product } from "../../../src/domain/adcp/schema/product/product.ts"
import { own } from "../../domain/adcp/given.ts"
import { arbitraryOf } from "../../domain/adcp/schema/arbitrary.ts"
import { givenProduct } from "./buyer.ts"

// Products in which every value that can be one of a kind is one of a kind: wherever it turns up, it tells whose product it came from.

export interface MarkedProduct {
  readonly id: string
  readonly product: Product
  /** What `marksIn` finds of it: texts, numbers and dates. */
  readonly marks: readonly string[]
}

type Holder = Record<string, unknown>

const FIELDS = Object.entries<TSchema>(Product["allOf"][0].properties).filter(([name]) => name !== "product_id")

/** One product for each field that a product can have, with that field filled in. */
export function markedProducts(owner: string, seed: number): MarkedProduct[] {
  return FIELDS.flatMap(([field, schema], index) => {
    const id = `zq${owner}${index}`
    const channels = owner === "a" ? ["podcast"] : ["cinema", "print"]
    const tried = fc
      .sample(arbitraryOf(schema), { numRuns: 6, seed: seed + index })
      .map((value) => JSON.parse(JSON.stringify(givenProduct(id, { channels, [field]: value }))) as Holder)
    const product = tried.find((each) => checkProduct(each, own).length === 0)
    return product === undefined ? [] : [marked(product, id)]
  })
}

/** Replaces value by value, where the product stays valid. */
function marked(product: Holder, id: string): MarkedProduct {
  const marks: string[] = [id]
  let count = 0
  function visit(holder: Holder): void {
    for (const [name, value] of Object.entries(holder)) {
      if (typeof value === "object" && value !== null) visit(value as Holder)
      else if (!(holder === product && name === "product_id")) mark(holder, name, value)
    }
  }
  function mark(holder: Holder, name: string, value: unknown): void {
    const mine = candidates(value, `${id}v${++count}`).find((candidate) => {
      holder[name] = candidate
      return checkProduct(product, own).length === 0
    })
    holder[name] = mine ?? value
    if (mine !== undefined) marks.push(...marksIn(String(mine)))
  }
  visit(product)
  return { id, product: product as unknown as Product, marks }
}

/** Values that nothing else has, in the forms that fields ask for. */
function candidates(value: unknown, mark: string): unknown[] {
  const number = Number(BigInt(Bun.hash(mark)) % 80_000n)
  if (typeof value === "number") return [7_100_000 + number, 0.71 + number / 1e7]
  if (typeof value !== "string") return []
  const day = new Date(Date.UTC(2031, 0, 1) + number * 86_400_000).toISOString()
  return [
    `Text ${mark}`,
    mark,
    `${mark}.example`,
    `https://${mark}.example/`,
    day.replace(".000", ""),
    day.slice(0, 10),
  ]
}

const MARK = /zq[ab]\d+(?:v\d+)?|2[01]\d\d-\d\d-\d\d|\d[\d,]{6,}|0\.\d{4,}/g

/** Everything in a text that could be a mark. Numbers count without the commas between their thousands. */
export const marksIn = (text: string): string[] => (text.match(MARK) ?? []).map((mark) => mark.replaceAll(",", ""))
