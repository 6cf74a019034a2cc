import { describe, expect, test } from "bun:test"
import { formatsFor, prepareFormats } from "../../../src/domain/adcp/format-view.ts"
import type { Arguments } from "../../../src/domain/adcp/tools/answer.ts"
import { withoutNulls } from "../../../src/domain/adcp/tools/arguments.ts"
import { getCapabilities, prepareCapabilities } from "../../../src/domain/adcp/tools/capabilities.ts"
import { getProducts } from "../../../src/domain/adcp/tools/get-products.ts"
import { listCreativeFormats } from "../../../src/domain/adcp/tools/list-creative-formats.ts"
import { givenProduct, givenView, own } from "./given.ts"
import { type Json, payloadOf, type PlainTool as Tool } from "./schema/answers.ts"
import { agentUrl } from "./schema/documents.ts"
import { isAllowed, largest, resolve, type Schema } from "./schema/largest.ts"
import { officialExamples, officialIsHere, officialSchema } from "./schema/official.ts"
import { type Place, placesIn } from "./schema/places.ts"

// Every request example of the protocol, and what programs make of it: null, the largest value, something unknown.

const view = givenView([givenProduct("a"), givenProduct("b", { channels: ["podcast"] })])
const surface = { products: view.products, publishedDomains: [] }
const formats = formatsFor(prepareFormats(own, agentUrl), surface)
const capabilities = prepareCapabilities(surface)

const tools: Record<Tool, (args: Arguments) => Json> = {
  get_products: (args) => payloadOf("get_products", getProducts(view, args)),
  list_creative_formats: (args) => payloadOf("list_creative_formats", listCreativeFormats(formats, args)),
  get_adcp_capabilities: (args) => payloadOf("get_adcp_capabilities", getCapabilities(capabilities, args)),
}

const refining = { buying_mode: "refine", refine: [{ scope: "request", ask: "podcast" }] }
const requests: [Tool, string, Arguments][] = [
  ["get_products", "media-buy/get-products-request.json", { buying_mode: "wholesale" }],
  ["get_products", "media-buy/get-products-request.json", { buying_mode: "brief", brief: "podcast" }],
  ["get_products", "media-buy/get-products-request.json", refining],
  ["list_creative_formats", "media-buy/list-creative-formats-request.json", {}],
  ["list_creative_formats", "creative/list-creative-formats-request.json", {}],
  ["get_adcp_capabilities", "protocol/get-adcp-capabilities-request.json", {}],
]

/** Every place of a request as the official schema knows it, in the mode of these arguments and beside them. */
function placesOf(path: string, { buying_mode, ...args }: Arguments): Place[] {
  const mode = buying_mode === undefined ? {} : { buying_mode }
  const places = placesIn(officialSchema(path) as Schema, (value) => ({ ...args, ...(value as object), ...mode }))
  return [...places].filter(({ where }) => where !== "buying_mode")
}

describe.skipIf(!officialIsHere)("the official requests", () => {
  const examples = officialIsHere
    ? [...officialExamples()].filter(([file]) => file.includes(".request") && file.endsWith(".json"))
    : []

  test.each(examples)("%s is answered, and the same with each argument null", (file, example) => {
    const tool = tools[file.split(".")[0] as Tool]
    const args = ((example as Json).params?.arguments ?? (example as Json).arguments ?? example) as Arguments
    expect(tool(args).status).toBe("completed")
    for (const name of Object.keys(args)) {
      if (name === "brief" || name === "buying_mode") continue
      const { [name]: _, ...rest } = args
      expect([name, tool({ ...args, [name]: null })]).toEqual([name, tool(rest)])
    }
  })

  test.each(requests)("%s (%s, %j) takes null for nothing, however deep", (tool, path, args) => {
    for (const { where, put, without } of placesOf(path, args)) {
      const payload = tools[tool](put(null) as Arguments)
      // What a thing must have cannot be nothing, but its answer is as valid as any.
      if (without === undefined) continue
      // An object of nothing but null is nothing itself.
      const emptied = withoutNulls(put(null) as Arguments)
      expect([where, payload]).toEqual([where, tools[tool](emptied)])
      if (isAllowed(path, emptied)) expect([where, refusalOf(payload, where)]).toEqual([where, undefined])
    }
  })

  test.each(requests)("%s (%s, %j) is answered with each place at its largest", (tool, path, args) => {
    const asked = placesOf(path, args).map(
      ({ where, schema, put }) => [where, put(largest(schema)) as Arguments] as const,
    )
    const allowed = asked.filter(([, each]) => isAllowed(path, each))
    const refused = allowed.flatMap(([where, each]) => {
      const message = refusalOf(tools[tool](each), where)
      return message === undefined ? [] : [[where, message]]
    })
    expect(refused).toEqual([])
    // So that the generator is noticed when it no longer makes what the schema allows.
    const made = new Set(allowed.map(([where]) => where))
    const notMade = new Set(asked.map(([where]) => where).filter((where) => !made.has(where)))
    expect([...notMade].filter((where) => !cannotBeMade.test(where))).toEqual([])
  })

  test.each(requests)("%s (%s, %j) is answered with each example and word of the schemas", (tool, path, args) => {
    for (const { where, schema, put } of placesOf(path, args)) {
      const { examples: shown = [], enum: words = [] } = resolve(schema)
      for (const value of [...(shown as unknown[]), ...words]) {
        const asked = put(value) as Arguments
        const payload = tools[tool](asked)
        if (isAllowed(path, asked)) expect([where, value, refusalOf(payload, where)]).toEqual([where, value, undefined])
      }
    }
  })

  test.each(requests)("%s (%s, %j) takes something unknown, however deep", (tool, path, args) => {
    const unknown = { deep: [1, "x", { y: null }] }
    const { message: _, ...plain } = tools[tool](args)
    const { message: __, ...extra } = tools[tool]({ ...args, unheard_of: unknown })
    expect(extra).toEqual(plain)
    for (const { where, schema, put } of placesOf(path, args)) {
      const value = largest(schema)
      if (typeof value !== "object" || value === null || Array.isArray(value)) continue
      // Where every name is allowed, the schema says what it may hold, and nothing is unknown.
      if (typeof resolve(schema)["additionalProperties"] === "object") continue
      const payload = tools[tool](put({ ...value, unheard_of: unknown }) as Arguments)
      expect([where, payload.adcp_error]).toEqual([where, tools[tool](put(value) as Arguments).adcp_error])
    }
  })

  test.each<[string, Arguments]>([
    ["a catalog beside its brand", { brand: { domain: "a.example" }, catalog: { type: "product" } }],
    ["both versions", { if_wholesale_feed_version: "x".repeat(20_000), if_pricing_version: "x".repeat(20_000) }],
    ["500 countries to target", { filters: { required_geo_targeting: Array(500).fill({ level: "country" }) } }],
    [
      "500 signals",
      {
        filters: {
          signal_targeting: Array(500).fill({
            signal_ref: { scope: "product", signal_id: "a" },
            value_type: "binary",
            value: true,
          }),
        },
      },
    ],
    [
      "500 places",
      { filters: { geo_proximity: Array(500).fill({ lat: 90, lng: 180, radius: { value: 1e9, unit: "km" } }) } },
    ],
    [
      "500 promises and metrics",
      {
        filters: {
          required_performance_standards: Array(500).fill({
            metric: "viewability",
            threshold: 1,
            vendor: { domain: "a.example" },
            standard: "mrc",
          }),
          required_vendor_metrics: Array(500).fill({ vendor: { domain: "a.example" }, metric_id: "a" }),
        },
      },
    ],
  ])("%s, which one argument alone cannot say", (_, args) => {
    const asked = { buying_mode: "wholesale", ...args }
    expect(isAllowed("media-buy/get-products-request.json", asked)).toBe(true)
    expect(tools.get_products(asked).status).toBe("completed")
  })
})

/** Why a request was refused, unless that is right: it names nothing that exists, or breaks a rule between arguments. */
function refusalOf({ adcp_error: error }: Json, where: string): string | undefined {
  const [argument] = where.split(/[.[]/)
  const isRight = error === undefined || namingNothing.has(error.code) || byRule.has(`${argument} needs ${error.field}`)
  return isRight ? undefined : error.message
}

// Well formed, and still naming nothing that exists.
const namingNothing = new Set([
  "REFERENCE_NOT_FOUND",
  "PRODUCT_NOT_FOUND",
  "PROPOSAL_NOT_FOUND",
  "ACCOUNT_NOT_FOUND",
  "VERSION_UNSUPPORTED",
])
// Rules between arguments that the protocol states in prose, and a cursor that nobody gave out.
const byRule = new Set(["pagination needs pagination.cursor", "refine needs refine", "brief needs brief"])
// Rules that JSON Schema states by exclusion, so that nobody can make every field at once.
const cannotBeMade =
  /^(?:catalog|filters|include_pricing|if_\w+_version|catalog\.(?:gtins|feed_field_mappings)|.*\.provenance\.disclosure|filters\.(?:required_geo_targeting|signal_targeting|postal_areas|geo_proximity|required_performance_standards|required_vendor_metrics).*)$/
