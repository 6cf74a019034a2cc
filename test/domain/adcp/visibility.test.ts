import { expect, test } from "bun:test"
import { products } from "../../../bench/briefs/catalogue.ts"
import { seeOnce } from "../../../src/domain/adcp/visibility.ts"
import { own } from "./given.ts"

test("keys with the same territories share what they see of a product, others do not", () => {
  const see = seeOnce(own, "https://agent.example/")
  const [product] = products
  if (product === undefined) throw new Error("no product")
  const first = see(product, ["DE", "AT"])
  expect(see(product, ["DE", "AT"])).toBe(first)
  const other = see(product, ["DE"])
  expect(other).not.toBe(first)
  expect(JSON.stringify(other)).not.toContain("AT")
  expect(JSON.stringify(other.product)).not.toBe(JSON.stringify(first.product))
})
