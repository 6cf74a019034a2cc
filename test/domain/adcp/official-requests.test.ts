import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { formatsFor, prepareFormats } from "../../../src/domain/adcp/format-view.ts"
import { getCapabilities, prepareCapabilities } from "../../../src/domain/adcp/tools/capabilities.ts"
import { getProducts } from "../../../src/domain/adcp/tools/get-products.ts"
import { listCreativeFormats } from "../../../src/domain/adcp/tools/list-creative-formats.ts"
import type { Arguments } from "../../../src/domain/adcp/tools/version.ts"
import { givenProduct, givenView, own } from "./given.ts"
import { type Json, payloadOf, type Tool } from "./schema/answers.ts"
import { agentUrl } from "./schema/documents.ts"
import { isAllowed, largest, officialArguments } from "./schema/largest.ts"
import { officialExamples, officialIsHere } from "./schema/official.ts"

setDefaultTimeout(120_000)

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

const requests: [Tool, string, Arguments][] = [
  ["get_products", "media-buy/get-products-request.json", { buying_mode: "wholesale" }],
  ["get_products", "media-buy/get-products-request.json", { buying_mode: "brief", brief: "podcast" }],
  ["list_creative_formats", "media-buy/list-creative-formats-request.json", {}],
  ["list_creative_formats", "creative/list-creative-formats-request.json", {}],
  ["get_adcp_capabilities", "protocol/get-adcp-capabilities-request.json", {}],
]

const argumentsOf = (path: string) => [...officialArguments(path)]
const filtersOf = (path: string) => {
  const filters = officialArguments(path).get("filters")
  return filters === undefined ? [] : argumentsOf("core/product-filters.json")
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

  test.each(requests)("%s (%s, %j) takes null for nothing, in every argument and filter", (tool, path, args) => {
    const plain = tools[tool](args)
    for (const [name] of argumentsOf(path)) {
      if (name in args) continue
      expect([name, tools[tool]({ ...args, [name]: null })]).toEqual([name, plain])
    }
    for (const [name] of filtersOf(path)) {
      expect([name, tools[tool]({ ...args, filters: { [name]: null } })]).toEqual([name, plain])
    }
  })

  test.each(requests)("%s (%s, %j) is answered with each argument at its largest", (tool, path, args) => {
    const asked = [
      ...argumentsOf(path).map(([name, schema]) => [name, { ...args, [name]: largest(schema) }] as const),
      ...filtersOf(path).map(
        ([name, schema]) => [`filters.${name}`, { ...args, filters: { [name]: largest(schema) } }] as const,
      ),
    ]
    const allowed = asked.filter(([, each]) => isAllowed(path, each))
    const refused = allowed.flatMap(([name, each]) => {
      const { adcp_error: error } = tools[tool](each)
      const isFine = error === undefined || namingNothing.has(error.code) || byRule.has(`${name} needs ${error.field}`)
      return isFine ? [] : [[name, error.message]]
    })
    expect(refused).toEqual([])
    // So that the generator is noticed when it no longer makes what the schema allows.
    const notMade = asked.filter((each) => !allowed.includes(each)).map(([name]) => name)
    expect(notMade.filter((name) => !cannotBeMade.has(name))).toEqual([])
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

  test.each(requests)("%s (%s, %j) takes something unknown everywhere", (tool, path, args) => {
    const { message: _, ...plain } = tools[tool](args)
    const { message: __, ...extra } = tools[tool]({ ...args, unheard_of: { deep: [1, "x", { y: null }] } })
    expect(extra).toEqual(plain)
    for (const [name, schema] of argumentsOf(path)) {
      const value = largest(schema)
      if (typeof value !== "object" || value === null || Array.isArray(value)) continue
      const payload = tools[tool]({ ...args, [name]: { ...value, unheard_of: 1 } })
      const before = tools[tool]({ ...args, [name]: value })
      expect([name, payload.adcp_error]).toEqual([name, before.adcp_error])
    }
  })
})

// Well formed, and still naming nothing that exists.
const namingNothing = new Set(["REFERENCE_NOT_FOUND", "PRODUCT_NOT_FOUND", "PROPOSAL_NOT_FOUND", "VERSION_UNSUPPORTED"])
// Rules between arguments that the protocol states in prose, and a cursor that nobody gave out.
const byRule = new Set(["pagination needs pagination.cursor", "buying_mode needs refine", "refine needs refine"])
// Rules that one argument alone cannot keep, or that JSON Schema states by exclusion.
const cannotBeMade = new Set([
  "include_pricing",
  "catalog",
  "if_wholesale_feed_version",
  "if_pricing_version",
  "filters",
  "filters.required_geo_targeting",
  "filters.signal_targeting",
  "filters.geo_proximity",
  "filters.required_performance_standards",
  "filters.required_vendor_metrics",
])
