import { expect, test } from "bun:test"
import fc from "fast-check"
import { prepareFormats } from "../../../src/domain/adcp/format-view.ts"
import { getProducts } from "../../../src/domain/adcp/tools/get-products.ts"
import { GetProductsInput } from "../../../src/domain/adcp/tools/get-products-input.ts"
import { ListCreativeFormatsInput } from "../../../src/domain/adcp/tools/input.ts"
import { listCreativeFormats } from "../../../src/domain/adcp/tools/list-creative-formats.ts"
import { givenProduct, givenView, own } from "./given.ts"
import { payloadOf } from "./schema/answers.ts"
import { arbitraryOf } from "./schema/arbitrary.ts"
import { agentUrl } from "./schema/documents.ts"
import { mutations } from "./schema/mutation.ts"
import { officialComplaints, officialIsHere } from "./schema/official.ts"

const secret = givenProduct("theirs", { name: "Secret of another key" })
const view = givenView([givenProduct("mine-1"), givenProduct("mine-2", { channels: ["podcast"] })])
const formats = prepareFormats(own, agentUrl)
type Args = Record<string, unknown>
const anyOf = (schema: Parameters<typeof arbitraryOf>[0]) => {
  const fitting = arbitraryOf(schema).map((value) => JSON.parse(JSON.stringify(value)))
  return fc.oneof(
    fitting,
    fitting.chain((value) => mutations({ brief: "x", ...value })),
    fc.object(),
  ) as fc.Arbitrary<Args>
}

test("whatever the arguments of get_products are, the answer is valid and tells of no other key's products", () => {
  const other = givenView([secret], {}, "key-2")
  const foreign = { cursor: getProducts(other, { buying_mode: "wholesale" }).payload["wholesale_feed_version"] }
  fc.assert(
    fc.property(anyOf(GetProductsInput), (args) => {
      const payload = payloadOf("get_products", getProducts(view, args))
      expect(JSON.stringify({ ...payload, context: null })).not.toContain("Secret of another key")
      if (payload.filter_diagnostics) expect(payload.filter_diagnostics.total_candidates).toBeLessThanOrEqual(2)
      expect(payload.wholesale_feed_version ?? "none").not.toBe(foreign.cursor)
    }),
    { numRuns: 250, seed: 4 },
  )
})

test("whatever the arguments of list_creative_formats are, the answer is valid", () => {
  fc.assert(
    fc.property(anyOf(ListCreativeFormatsInput), (args) => {
      payloadOf("list_creative_formats", listCreativeFormats(formats, args))
    }),
    { numRuns: 150, seed: 4 },
  )
})

test.skipIf(!officialIsHere)("a request that the official schema allows is never refused for its shape", () => {
  fc.assert(
    fc.property(anyOf(GetProductsInput), (args) => {
      const asked = { ...args, buying_mode: "wholesale" } as Args
      for (const name of ["brief", "refine", "adcp_version", "adcp_major_version", "pagination"]) delete asked[name]
      if (officialComplaints("media-buy/get-products-request.json", asked).length > 0) return
      expect(getProducts(view, asked).payload["adcp_error"]).toBeUndefined()
    }),
    { numRuns: 250, seed: 4 },
  )
})
