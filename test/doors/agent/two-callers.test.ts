import { describe, expect, test } from "bun:test"
import { formatMoment } from "../../../src/domain/time/moment.ts"
import type { Tool } from "../../domain/adcp/schema/answers.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenBuyers, givenProduct, post } from "./buyer.ts"

// Two keys and an anonymous caller ask for everything. No answer to one names anything that is opened only to another, and an
// installation where the other's products never existed answers alike, byte by byte.

const mine = (app: TestApp) =>
  givenProducts(app, "mine", { channel: "podcast", price: 31, model: "cpm", territory: "DE" })
const theirs = (app: TestApp) =>
  givenProducts(app, "theirs", { channel: "cinema", price: 7_777, model: "vcpm", territory: "FR" })

interface Owner {
  readonly channel: string
  readonly price: number
  readonly model: string
  readonly territory: string
}

function givenProducts(app: TestApp, owner: string, { channel, price, model, territory }: Owner): object[] {
  return [0, 1, 2].map((n) =>
    givenProduct(`${owner}-${n}`, {
      name: `Zebra ${owner} ${n}`,
      description: `Sold by ${owner} in ${territory}`,
      channels: [channel],
      publisher_properties: [
        { publisher_domain: `${owner}.example`, selection_type: "by_id", property_ids: [`site_${owner}`] },
      ],
      format_ids: [{ id: "display_300x250_image" }, { agent_url: `https://studio-${owner}.example/`, id: "jingle" }],
      pricing_options: [{ pricing_option_id: owner, pricing_model: model, currency: "EUR", fixed_price: price }],
      expires_at: formatMoment(app.clock() + (owner === "mine" ? 3 : 5) * 86_400_000_000),
      enforced_policies: [`policy_${owner}`],
    }),
  )
}

const opened = (owner: string, territory: string) =>
  Object.fromEntries([0, 1, 2].map((n) => [`${owner}-${n}`, [territory]]))

/** Everything that can be asked, with words of both owners. */
const questions: [Tool, object][] = [
  ...[{}, { protocols: ["media_buy"] }].map((args): [Tool, object] => ["get_adcp_capabilities", args]),
  ...["mine", "theirs", "nobody"].flatMap((owner): [Tool, object][] => [
    ["list_creative_formats", { publisher_domain: `${owner}.example` }],
    ["list_creative_formats", { publisher_domain: `${owner}.example`, property_id: `site_${owner}` }],
    ["list_creative_formats", { property_id: `site_${owner}` }],
    ["list_creative_formats", { format_ids: [{ agent_url: `https://studio-${owner}.example/`, id: "jingle" }] }],
    ["get_products", { brief: `zebra ${owner} cinema podcast under 8,000 EUR in France and Germany` }],
    ["get_products", { buying_mode: "wholesale", required_policies: [`policy_${owner}`] }],
    ...["include", "omit", "more_like_this"].map((action): [Tool, object] => [
      "get_products",
      { buying_mode: "refine", refine: [{ scope: "product", product_id: `${owner}-1`, action }] },
    ]),
  ]),
  ["list_creative_formats", {}],
  ["list_creative_formats", { pagination: { max_results: 3 } }],
  ["get_products", {}],
  ["get_products", { buying_mode: "wholesale" }],
  ["get_products", { buying_mode: "wholesale", pagination: { max_results: 1 } }],
  [
    "get_products",
    { preferred_delivery_types: ["guaranteed"], fields: ["channels", "expires_at", "enforced_policies"] },
  ],
  ["get_products", { buying_mode: "refine", refine: [{ scope: "request", ask: "zebra cinema" }] }],
  ...[
    { channels: ["cinema"] },
    { channels: ["podcast"] },
    { countries: ["FR"] },
    { countries: ["DE"] },
    { budget_range: { currency: "EUR", max: 8_000 } },
    { start_date: "2026-12-01", end_date: "2026-11-01", unheard_of: 1 },
    { format_ids: [{ agent_url: "https://studio-theirs.example/", id: "jingle" }] },
  ].map((filters): [Tool, object] => ["get_products", { buying_mode: "wholesale", filters }]),
]

async function answersTo(app: TestApp, key: string | undefined): Promise<string[]> {
  const answers: string[] = []
  for (const [name, args] of questions) {
    const response = await post(
      app,
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
      { key },
    )
    answers.push(`${response.status} ${await response.text()}`)
  }
  const listed = await post(app, { jsonrpc: "2.0", id: 1, method: "tools/list" }, { key })
  return [...answers, await listed.text()]
}

// One address for all installations, because format ids carry it.
const options = {
  publicUrl: "https://ads.example.com",
  limitAgentAnonymous: "100000",
  limitAgentKeyed: "100000",
}

/** Without cursors, which are bound to the key's id. */
const stable = (answers: string[]) => answers.map((answer) => answer.replace(/cursor\\?": ?\\?"[\w-]+/g, ""))

describe("two keys and an anonymous caller", () => {
  test("no answer differs by what is opened to another", async () => {
    await using both = await startApp({ options })
    const keys = await givenBuyers(both, [...mine(both), ...theirs(both)], {
      Mine: opened("mine", "DE"),
      Theirs: opened("theirs", "FR"),
    })
    await using alone = await startApp({ options })
    const { Mine: aloneKey } = await givenBuyers(alone, mine(alone), { Mine: opened("mine", "DE") })
    await using empty = await startApp({ options })
    expect(stable(await answersTo(both, keys["Mine"]))).toEqual(stable(await answersTo(alone, aloneKey)))
    expect(stable(await answersTo(both, undefined))).toEqual(stable(await answersTo(empty, undefined)))
  })

  test("no answer names what is opened only to another", async () => {
    await using app = await startApp({ options })
    const keys = await givenBuyers(app, [...mine(app), ...theirs(app)], {
      Mine: opened("mine", "DE"),
      Theirs: opened("theirs", "FR"),
    })
    const day = (days: number) => formatMoment(app.clock() + days * 86_400_000_000)
    const secrets = {
      mine: ["Zebra mine", "Sold by mine", "mine-0", day(3), '"policy_mine"', '"fixed_price":31'],
      theirs: ["Zebra theirs", "Sold by theirs", "theirs-0", day(5), '"policy_theirs"', "7,777", "7777", "vcpm"],
    }
    const named = async (key: string | undefined, words: readonly string[]) => {
      const all = (await answersTo(app, key)).join("\n")
      return words.filter((word) => all.includes(word))
    }
    expect(await named(keys["Mine"], secrets.theirs)).toEqual([])
    expect(await named(keys["Theirs"], secrets.mine)).toEqual([])
    expect(await named(undefined, [...secrets.mine, ...secrets.theirs])).toEqual([])
    // The words are those of the answers: each owner finds its own.
    expect(await named(keys["Mine"], secrets.mine)).toEqual(secrets.mine)
    expect(await named(keys["Theirs"], secrets.theirs)).toEqual(secrets.theirs)
  })
})
