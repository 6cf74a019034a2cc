import type { TSchema } from "@sinclair/typebox"
import fc from "fast-check"
import { BUILT_IN_FORMATS } from "../../../src/domain/adcp/catalogue/built-in.ts"
import { checkProduct } from "../../../src/domain/adcp/catalogue/check.ts"
import { Product } from "../../../src/domain/adcp/schema/product.ts"
import { ProductFilters } from "../../../src/domain/adcp/tools/products-input.ts"
import { arbitraryOf } from "../../domain/adcp/schema/arbitrary.ts"
import { productOf } from "./agent.ts"
import type { Json } from "./official.ts"

// Products in which every value that can be unique is. Wherever such a value turns up, it tells whose product it came from.

export interface MarkedProduct {
  readonly id: string
  readonly product: Json
  /** What `marksIn` finds in it: texts, numbers and dates. */
  readonly marks: readonly string[]
}

const isValid = (product: unknown) => checkProduct(product, BUILT_IN_FORMATS).length === 0

const FIELDS = Object.entries<TSchema>(Product.properties).filter(([name]) => name !== "product_id")

/** One product for each field, with that field filled in. `owner` is one letter. */
export function markedProducts(owner: string, seed: number): MarkedProduct[] {
  return FIELDS.flatMap(([field, schema], index) => {
    const id = `zq${owner}${index}`
    const channels = owner === "a" ? ["podcast"] : ["cinema", "print"]
    const tried = fc
      .sample(arbitraryOf(schema), { numRuns: 6, seed: seed + index })
      .map((value) => JSON.parse(JSON.stringify(productOf(id, { channels, [field]: value }))))
    const product = tried.find(isValid)
    return product === undefined ? [] : [marked(product, id)]
  })
}

/** Replaces value by value, as long as the product stays valid. */
function marked(product: Json, id: string): MarkedProduct {
  const marks: string[] = [id]
  let count = 0

  function visit(holder: Json): void {
    for (const [name, value] of Object.entries(holder)) {
      if (typeof value === "object" && value !== null) visit(value)
      else if (name !== "product_id") mark(holder, name, value)
    }
  }

  function mark(holder: Json, name: string, value: unknown): void {
    const unique = candidates(value, `${id}v${++count}`).find((candidate) => {
      holder[name] = candidate
      return isValid(product)
    })
    holder[name] = unique ?? value
    if (unique !== undefined) marks.push(...marksIn(String(unique)))
  }

  visit(product)
  return { id, product, marks }
}

/** Values that nothing else has, in the forms that fields ask for. */
function candidates(value: unknown, mark: string): unknown[] {
  const number = Number(BigInt(Bun.hash(mark)) % 80_000n)
  if (typeof value === "number") return [7_100_000 + number, 0.71 + number / 1e7]
  if (typeof value !== "string") return []
  const time = new Date(Date.UTC(2031, 0, 1) + number * 86_400_000).toISOString().replace(".000", "")
  return [`Text ${mark}`, mark, `${mark}.example`, `https://${mark}.example/`, time, time.slice(0, 10)]
}

const MARK = /zq[ab]\d+(?:v\d+)?|2[01]\d\d-\d\d-\d\d|\d[\d,]{6,}|0\.\d{4,}/g

/** Everything in a text that could be a mark. Numbers count without the commas between thousands. */
export const marksIn = (text: string): string[] => (text.match(MARK) ?? []).map((mark) => mark.replaceAll(",", ""))

/** Every filter of products, three times with values that fit it. */
export const anyFilters = (): object[] =>
  Object.entries<TSchema>(ProductFilters.properties).flatMap(([name, schema]) =>
    fc
      .sample(arbitraryOf(schema), { numRuns: 3, seed: 5 })
      .map((value) => ({ [name]: JSON.parse(JSON.stringify(value)) })),
  )
