import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import {
  type Buyer,
  givenShown,
  MODERN,
  modernHeaders,
  modernMeta,
  post,
  productOf,
} from "../../harness/agent/agent.ts"
import {
  hasOfficial,
  type Json,
  officialExamples,
  problemsOfAnswer,
  TOOLS,
  type Tool,
} from "../../harness/agent/official.ts"
import { startApp, type TestApp } from "../../harness/app.ts"

const PRODUCTS = [
  productOf("banner", { format_ids: [{ id: "display_image", width: 300, height: 250 }, { id: "display_tag" }] }),
  productOf("podcast", { channels: ["podcast"], format_ids: [{ id: "podcast_midroll_60s_hosted" }] }),
  productOf("host", { channels: ["podcast"], format_ids: [{ id: "podcast_host_read_midroll" }] }),
  productOf("video", { channels: ["olv"], format_ids: [{ id: "video_vast" }, { id: "video_30s_hosted" }] }),
  productOf("letter", { channels: ["email"], format_ids: [{ id: "newsletter_sponsorship" }] }),
  productOf("screen", { channels: ["dooh"], format_ids: [{ id: "dooh_landscape_1920x1080_video" }] }),
  productOf("foreign", { format_ids: [{ id: "odd", agent_url: "https://creative.example.com/" }] }),
]

const BRIEFS = [
  "Podcast host-read for a running shoe, Germany and Austria",
  "Kein Radio, bitte: nur Newsletter in Österreich, 5.000 Euro",
  "sauf la télé, plutôt des podcasts",
  "nada de radio; vídeo en España",
  "",
  "\u0000\uD800 <b>'; DROP TABLE",
  "cinema",
]

const COUNTRIES = ["DE", "AT", "GB", "ZZ"]
const CHANNELS = ["podcast", "display", "olv", "radio", "cinema"]

/** Arguments as buyers, their programs and fuzzers send them. */
const anyArguments: Readonly<Record<Tool, fc.Arbitrary<object>>> = {
  get_adcp_capabilities: fc.record({ protocols: someOf(["media_buy", "creative", "signals", 5]) }, OPTIONAL()),
  get_products: fc.record(
    {
      buying_mode: fc.constantFrom("brief", "wholesale", "wholesale", null, null, "refine", "other"),
      brief: fc.oneof(fc.constantFrom(...BRIEFS), fc.string(), rarely(fc.integer())),
      refine: rarely(
        fc.constantFrom([{ scope: "request", ask: "x" }], [{ scope: "product", product_id: "banner" }], []),
      ),
      filters: fc.record(
        {
          countries: someOf(COUNTRIES),
          channels: someOf(CHANNELS),
          is_fixed_price: fc.boolean(),
          delivery_type: fc.constantFrom("guaranteed", "non_guaranteed"),
          min_exposures: fc.integer({ min: 0, max: 10_000 }),
          start_date: rarely(fc.constantFrom("2026-12-01", "2026-02-30", "soon")),
          end_date: fc.constantFrom("2026-12-31", "2026-01-01"),
          budget_range: fc.constant({ currency: "EUR", max: 500 }),
          metros: fc.constant([{ system: "custom", code: "x" }]),
          unheard_of: fc.jsonValue(),
        },
        OPTIONAL(),
      ),
      fields: someOf(["name", "channels", "placements", "ext", "nonsense"]),
      pagination: fc.record({ max_results: fc.integer({ min: 0, max: 101 }), cursor: rarely(fc.string()) }, OPTIONAL()),
      preferred_delivery_types: someOf(["guaranteed", "non_guaranteed"]),
      if_wholesale_feed_version: rarely(fc.string()),
      adcp_version: rarely(fc.constantFrom("3.1", "3.2", "3.0", "v3", 3.1)),
      context: fc.dictionary(fc.string(), fc.jsonValue()),
      account: fc.constantFrom(null, { account_id: "x" }, { brand: { domain: "a.example" }, operator: "b.example" }),
    },
    OPTIONAL(),
  ),
  list_creative_formats: fc.record(
    {
      format_ids: fc.constantFrom(
        [{ id: "video_vast" }],
        [{ id: "odd", agent_url: "https://creative.example.com/" }],
        [{ id: "no" }],
      ),
      asset_types: someOf(["image", "video", "text", "zip"]),
      max_width: fc.integer({ min: -10, max: 2_000 }),
      min_height: fc.integer({ min: -10, max: 2_000 }),
      name_search: fc.constantFrom("banner", "", "zzz"),
      is_responsive: fc.boolean(),
      publisher_domain: fc.constantFrom("news.example.com", "other.example", null, "NOT A DOMAIN"),
      wcag_level: rarely(fc.constantFrom("A", "AAA", "B")),
      pagination: fc.record({ max_results: fc.integer({ min: 0, max: 101 }), cursor: rarely(fc.string()) }, OPTIONAL()),
      adcp_major_version: rarely(fc.constantFrom(3, 2, "3")),
      context: fc.object(),
    },
    OPTIONAL(),
  ),
  get_media_buy_delivery: fc.constant({}),
}

function OPTIONAL() {
  return { requiredKeys: [], noNullPrototype: true } as { requiredKeys: [] }
}

/** Undefined isn't sent. */
function rarely<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ arbitrary: values, weight: 1 }, { arbitrary: fc.constant(undefined), weight: 6 })
}

function someOf(values: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(fc.subarray([...values], { minLength: 1 }), fc.constant(null), rarely(fc.constantFrom(...values)))
}

async function send(app: TestApp, tool: Tool, args: object, isModern: boolean, key: string | undefined): Promise<Json> {
  const params = { name: tool, arguments: args, ...(isModern && { _meta: modernMeta() }) }
  const headers = isModern ? modernHeaders("tools/call", tool) : {}
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params }
  const response = await post(app, body, { headers, ...(key !== undefined && { key }) })
  expect(response.status).toBe(200)
  return response.json()
}

async function givenCatalogue(app: TestApp): Promise<Buyer> {
  return givenShown(app, PRODUCTS, { podcast: ["DE", "AT"], host: ["DE"] })
}

describe.skipIf(!hasOfficial)("with AdCP's official schemas [needs schemas]", () => {
  test("600 varied calls of both eras, with and without a key, get valid answers", async () => {
    await using app = await startApp({ options: { limitAgentAnonymous: 100_000, limitAgentKeyed: 100_000 } })
    const { key } = await givenCatalogue(app)
    const outcomes = new Map<string, number>()
    for (const tool of TOOLS) {
      const calls = fc.tuple(anyArguments[tool], fc.boolean(), fc.boolean())
      for (const [args, isModern, isKeyed] of fc.sample(calls, { numRuns: 200, seed: 7 })) {
        const { result } = await send(app, tool, args, isModern, isKeyed ? key : undefined)
        const payload = result.structuredContent
        expect({ args, problems: problemsOfAnswer(tool, payload) }).toEqual({ args, problems: [] })
        const outcome = payload.adcp_error?.code ?? payload.status
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    }
    // A generator whose calls are all refused would prove nothing.
    expect(outcomes.get("completed")).toBeGreaterThan(120)
    expect(outcomes.get("SERVICE_UNAVAILABLE")).toBeUndefined()
  })

  test("every official request is answered", async () => {
    await using app = await startApp({ options: { limitAgentKeyed: 1_000 } })
    const { key } = await givenCatalogue(app)
    for (const [file, example] of officialExamples()) {
      if (!file.includes(".request")) continue
      const tool = file.split(".")[0] as Tool
      const args = example.params?.arguments ?? example.arguments ?? example
      const { result } = await send(app, tool, args, false, key)
      expect({ file, status: result.structuredContent.status }).toEqual({ file, status: "completed" })
      expect(problemsOfAnswer(tool, result.structuredContent)).toEqual([])
    }
  })

  test("each product has as many format options as formats, and they are the same ones", async () => {
    await using app = await startApp()
    const { key } = await givenCatalogue(app)
    const { result } = await send(app, "get_products", { buying_mode: "wholesale" }, true, key)
    for (const { format_ids, format_options } of result.structuredContent.products) {
      expect(format_options.map(({ v1_format_ref }: Json) => v1_format_ref[0])).toEqual(format_ids)
      const ids = format_options.map(({ format_option_id }: Json) => format_option_id)
      expect(new Set(ids).size).toBe(ids.length)
    }
    expect(MODERN).toBe("2026-07-28")
  })
})
