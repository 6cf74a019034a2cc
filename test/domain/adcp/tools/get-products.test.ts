import { heapStats } from "bun:jsc"
import { expect, test } from "bun:test"
import { getProducts } from "../../../../src/domain/adcp/tools/get-products.ts"
import { ask, givenProduct, givenView, idsIn } from "../given.ts"
import type { Json } from "../schema/answers.ts"

const podcast = givenProduct("podcast", {
  name: "Morning podcast, host read",
  description: "The hosts of our running podcast speak about you",
  channels: ["podcast"],
  format_ids: [{ id: "podcast_host_read_midroll" }],
  delivery_type: "non_guaranteed",
})
const banner = givenProduct("banner", { channels: ["display"] })
const poster = givenProduct("poster", {
  name: "City posters",
  description: "Posters in stations!",
  channels: ["ooh"],
  format_ids: [{ id: "ooh_city_light_poster" }],
})
const view = givenView([podcast, banner, poster], { podcast: ["DE", "AT"], banner: ["*"], poster: ["CH"] })

test("an anonymous caller gets an empty list", () => {
  expect(ask(givenView([]), {})).toMatchObject({
    adcp_version: "3.1",
    status: "completed",
    products: [],
    cache_scope: "public",
    pagination: { has_more: false, total_count: 0 },
  })
})

test("the answer shows only the opened territories, for machines and for people", () => {
  const { products } = ask(view, { buying_mode: "wholesale" })
  expect(products.map((product: { ext: unknown }) => product.ext)).toEqual([
    { adbooth: { territories: ["*"] } },
    { adbooth: { territories: ["AT", "DE"] } },
    { adbooth: { territories: ["CH"] } },
  ])
  expect(products.map((product: { description: string }) => product.description)).toEqual([
    "A banner on the homepage. Available everywhere.",
    "The hosts of our running podcast speak about you. Available in Austria and Germany.",
    "Posters in stations! Available in Switzerland.",
  ])
})

test("a forecast of places that are not opened is left out", () => {
  const point = (geo_code: string) => ({
    dimensions: [{ kind: "geo", geo_level: "country", geo_code }],
    metrics: { impressions: { mid: 10 } },
  })
  const forecast = { method: "estimate", currency: "EUR", points: [point("DE"), point("AT")] }
  const product = givenProduct("p", { forecast })
  expect(ask(givenView([product], { p: ["DE"] }), {}).products[0].forecast.points).toEqual([point("DE")])
  expect(ask(givenView([product], { p: ["FR"] }), {}).products[0].forecast).toBeUndefined()
  expect(ask(givenView([product]), {}).products[0].forecast.points).toHaveLength(2)
})

test("formats are named by reference, with this agent's address, and as options", () => {
  const [product] = ask(view, { brief: "posters" }).products
  expect(product.format_ids).toEqual([{ agent_url: "https://agent.example/", id: "ooh_city_light_poster" }])
  expect(product.format_options).toMatchObject([
    { format_kind: "image", format_option_id: "ooh_city_light_poster", v1_format_ref: product.format_ids },
  ])
})

test("a brief ranks the products by relevance and explains each", () => {
  const payload = ask(view, { buying_mode: "brief", brief: "We want a PODCAST for runners" })
  expect(idsIn(payload)[0]).toBe("podcast")
  expect(payload.products[0].brief_relevance).toBe("Podcast.")
  expect(ask(view, { buying_mode: "brief", brief: "We want a PODCAST for runners" })).toEqual(payload)
})

test("a product with several words of the brief comes before one with a single word, and words are no reason", () => {
  const single = givenProduct("a-single", { name: "Cycling", description: "Cycling" })
  const several = givenProduct("b-several", { name: "Magazine", description: "Cycling and hiking in the Pyrenees" })
  const { products } = ask(givenView([single, several]), { brief: "cycling, hiking in the Pyrenees" })
  expect(products.map(({ product_id, brief_relevance }: Json) => [product_id, brief_relevance])).toEqual([
    ["b-several", undefined],
    ["a-single", undefined],
  ])
})

test("a brief finds a product by the name of an opened country", () => {
  expect(idsIn(ask(view, { brief: "something in Switzerland" }))[0]).toBe("poster")
})

test("products of equal relevance come by preferred delivery type, then by product_id", () => {
  expect(idsIn(ask(view, { brief: "xyzzy" }))).toEqual(["banner", "podcast", "poster"])
  const preferred_delivery_types = ["non_guaranteed", "guaranteed"]
  expect(idsIn(ask(view, { brief: "xyzzy", preferred_delivery_types }))).toEqual(["podcast", "banner", "poster"])
})

test.each([
  ["empty", ""],
  ["of white space", " \t\n "],
  ["of stop words", "the and or with for"],
  ["of quotes", "\"'`''\"\""],
  ["of search operators", 'NEAR(podcast, 2) AND NOT "x" OR * ^ : -'],
  ["of emoji", "🎧🎙️👟".repeat(50)],
  ["with NUL and control characters", "pod\u0000cast \u0007 \u001b[31m"],
  ["from right to left", "بودكاست للجري باللغة العربية"],
  ["with broken surrogates", "\ud800 podcast \udc00"],
  ["of one endless word", "a".repeat(1_000_000)],
  ["of a megabyte", "podcast running shoes ".repeat(47_000)],
])("a brief %s never fails", (_, brief) => {
  expect(idsIn(ask(view, { buying_mode: "brief", brief })).sort()).toEqual(["banner", "podcast", "poster"])
})

test("brief_relevance comes only with a brief, also where a stored product has one", () => {
  const stored = givenProduct("p", { brief_relevance: "old" })
  expect(ask(givenView([stored]), {}).products[0].brief_relevance).toBeUndefined()
})

test.each([
  ["buying_mode brief without a brief", { buying_mode: "brief" }, "brief"],
  ["refine mode without refine", { buying_mode: "refine" }, "refine"],
  ["refine in brief mode", { brief: "x", refine: [{ scope: "request", ask: "more" }] }, "refine"],
  ["a feed version in brief mode", { brief: "x", if_wholesale_feed_version: "v" }, "if_wholesale_feed_version"],
  ["a lone pricing version", { buying_mode: "wholesale", if_pricing_version: "v" }, "if_wholesale_feed_version"],
  ["a catalog without a brand", { brief: "x", catalog: { type: "product" } }, "brand"],
  ["an unknown mode", { buying_mode: "auction" }, "buying_mode"],
  ["a wrong type deep inside", { brief: "x", filters: { countries: ["DE", 7] } }, "filters.countries[1]"],
  ["too large a page", { brief: "x", pagination: { max_results: 101 } }, "pagination.max_results"],
  ["a cursor that is none", { brief: "x", pagination: { cursor: "nonsense" } }, "pagination.cursor"],
  ["a context that is no object", { context: "abc" }, "context"],
])("%s is an INVALID_REQUEST that names the field", (_, args, field) => {
  const payload = ask(view, { context: { id: 1 }, ...args })
  expect(payload.adcp_error).toMatchObject({ code: "INVALID_REQUEST", recovery: "correctable", field })
  expect(payload.errors).toEqual([payload.adcp_error])
  expect(payload.products).toBeUndefined()
})

test("unknown arguments and those of the envelope change nothing", () => {
  const odd = {
    idempotency_key: "0123456789abcdef",
    context_id: "c",
    governance_context: "g",
    push_notification_config: {
      url: "https://x.example/",
      authentication: { schemes: ["Bearer"], credentials: "x".repeat(32) },
    },
    nonsense: [1],
  }
  expect(ask(view, { buying_mode: "wholesale", ...odd })).toEqual(ask(view, { buying_mode: "wholesale" }))
})

test("every problem of the arguments is listed, and the error stays small", () => {
  const countries = Array.from({ length: 500 }, () => "germany".repeat(100))
  const { adcp_error: error } = ask(view, { brief: 7, filters: { countries } })
  expect(error.message).toContain("(and 500 more)")
  expect(error.issues.length).toBeGreaterThan(1)
})

test("who names an unknown channel is told all that there are", () => {
  const { adcp_error: error } = ask(view, { brief: "x", filters: { channels: ["influencers"] } })
  expect(error.message).toMatch(/^filters\.channels\[0\] must be one of display, .*, sponsored_intelligence\.$/)
})

test("fields keep what a product always has", () => {
  const full = givenProduct("p", { channels: ["display"], exclusivity: "none", is_custom: true })
  const names = Object.keys(ask(givenView([full]), { fields: ["exclusivity"] }).products[0]).sort()
  expect(names).toEqual([
    "delivery_type",
    "description",
    "exclusivity",
    "format_ids",
    "format_options",
    "name",
    "pricing_options",
    "product_id",
    "publisher_properties",
    "reporting_capabilities",
  ])
  expect(ask(givenView([full]), { brief: "display", fields: ["name"] }).products[0].brief_relevance).toBeUndefined()
  const { products } = ask(givenView([full]), { brief: "display", fields: ["brief_relevance"] })
  expect(products[0].brief_relevance).toBe("Display.")
})

test("a description that nobody asked for says only where the product is shown", () => {
  const shown = givenView([givenProduct("p", { description: "Long and winding." })], { p: ["DE", "AT"] })
  const described = (fields?: string[]) => ask(shown, { ...(fields && { fields }) }).products[0].description
  expect(described()).toBe("Long and winding. Available in Austria and Germany.")
  expect(described(["description"])).toBe(described())
  expect(described(["product_id", "name"])).toBe("Available in Austria and Germany.")
})

test("of what nobody asked for only what is required and true is told", () => {
  const reporting = { ...podcast.reporting_capabilities, supports_creative_breakdown: true }
  const option = { pricing_option_id: "o", pricing_model: "cpm", currency: "EUR", min_spend_per_package: 500 }
  const price_breakdown = { list_price: 12, adjustments: [{ kind: "discount", name: "spring", rate: 0.1 }] }
  const pricing_options = [
    { ...option, fixed_price: 10.8, price_breakdown, eligible_adjustments: ["discount"] },
    { ...option, pricing_option_id: "f", floor_price: 4, price_guidance: { p50: 5 } },
  ]
  const rich = givenView([givenProduct("p", { reporting_capabilities: reporting, pricing_options })])
  const told = (fields: string[]) => ask(rich, { fields }).products[0]
  expect(told(["name"])).toMatchObject({ reporting_capabilities: podcast.reporting_capabilities })
  expect(told(["name"]).reporting_capabilities).not.toHaveProperty("supports_creative_breakdown")
  expect(told(["name"]).pricing_options).toEqual([
    { ...option, fixed_price: 10.8 },
    { ...option, pricing_option_id: "f", floor_price: 4 },
  ])
  expect(told(["reporting_capabilities"]).reporting_capabilities).toEqual(reporting)
  expect(told(["pricing_options"]).pricing_options).toEqual(pricing_options)
})

test("whatever names somebody sends in fields, an answer without fields is whole", () => {
  const whole = ask(view, { buying_mode: "wholesale" })
  for (const odd of ["*", "null", "[]", "name channels", "__proto__"]) {
    ask(view, { fields: ["name"] })
    const named = ask(view, { fields: [odd] })
    expect(named.message).toContain(`Fields that products here do not have were ignored: ${odd}.`)
    expect(named.products[0].channels).toBeUndefined()
    expect(ask(view, { buying_mode: "wholesale" })).toEqual(whole)
  }
  ask(view, { fields: ["name", "channels"] })
  expect(ask(view, { fields: ["name channels"] }).products[0].channels).toBeUndefined()
})

test("fields that come with a brief, under ext or from an earlier version are not called unknown, and come", () => {
  const stored = givenView([givenProduct("p", { channels: ["podcast"], is_custom: true })], { p: ["DE"] })
  const payload = ask(stored, { brief: "podcast", fields: ["brief_relevance", "ext", "is_custom", "channels"] })
  expect(payload.message).toBe("1 product. Understood: podcast.")
  expect(payload.products[0]).toMatchObject({
    brief_relevance: "Podcast.",
    is_custom: true,
    ext: { adbooth: { territories: ["DE"], matches: { channel: true } } },
  })
})

test("formats that only options say are shown, whatever fields are asked for", () => {
  const canonical = { format_kind: "image", params: {}, canonical_formats_only: true }
  const only = givenProduct("only", { format_ids: undefined, format_options: [canonical] })
  expect(ask(givenView([only]), { fields: ["name"] }).products[0].format_options).toEqual([canonical])
})

test("a reason names what fits and what does not", () => {
  const dear = givenProduct("dear", {
    name: "Evening show",
    description: "An evening show",
    channels: ["podcast"],
    pricing_options: [
      { pricing_option_id: "o", pricing_model: "cpm", currency: "USD", fixed_price: 20, min_spend_per_package: 2000 },
    ],
  })
  const payload = ask(givenView([dear], { dear: ["DE"] }), { brief: "Podcast in Germany, up to $1,500" })
  expect(payload.products[0].brief_relevance).toBe("Podcast, shown in DE, minimum 2,000 USD, above the budget.")
})

test("what was understood of a brief stands in the message, and for programs under ext", () => {
  const payload = ask(view, { brief: "A podcast in Austria for 2.000 € at most, March 2027, but not the host" })
  expect(payload.message).toBe(
    "3 products. Understood: podcast, AT, budget up to 2,000 EUR. Not interpreted: “but not the host”.",
  )
  expect(payload.ext).toEqual({
    adbooth: {
      understood: {
        channels: ["podcast"],
        countries: ["AT"],
        budget: { amount: 2000, currency: "EUR" },
      },
      not_interpreted: ["but not the host"],
    },
  })
  expect(ask(view, { brief: "" }).ext).toBeUndefined()
})

test.each([
  ["cinema in Japan", "None of the 2 products is cinema, and none is shown in Japan. Understood: cinema, JP."],
  ["cinema in Germany", "None of the 2 products is cinema. Understood: cinema, DE."],
  ["Zyzzyva", "None of the 2 products has a word of the brief."],
  ["A daring cinema opening", "None of the 2 products is cinema. Not interpreted: “A daring cinema opening”."],
  ["podcasts in Poland", "None of the 2 products is shown in Poland. Understood: podcast, PL."],
  ["podcasts in Switzerland", "None of the 2 products is podcast and shown in Switzerland. Understood: podcast, CH."],
])("%s: that nothing fits is the first sentence, and all products come without a reason", (brief, message) => {
  const german = givenProduct("podcast", {
    channels: ["podcast"],
    name: "The hikers",
    description: "We talk of the trail",
  })
  const swiss = givenProduct("poster", { channels: ["ooh"], name: "The station", description: "At the foot of a hill" })
  const payload = ask(givenView([german, swiss], { podcast: ["DE"], poster: ["CH"] }), { brief })
  expect(idsIn(payload).sort()).toEqual(["podcast", "poster"])
  expect(payload.message).toStartWith(message)
  for (const product of payload.products) expect(product.brief_relevance).toBeUndefined()
})

test("of products that are not wanted it is not said that they don't fit; a price alone is no match", () => {
  const payload = ask(givenView([podcast, poster], { podcast: ["DE"], poster: ["CH"] }), {
    brief: "No podcasts. Japan, budget 90,000 EUR",
  })
  expect(payload.message).toStartWith("The only other product is not shown in Japan.")
  const cheap = ask(givenView([podcast]), { brief: "Zyzzyva, budget 90,000 EUR" })
  expect(cheap.message).toStartWith("The only product has no word of the brief.")
})

test.each([
  ["cinema in Japan", 0],
  ["podcasts in Germany", 1],
  ["Zyzzyva in Germany", 0],
  // What a clause names that may mean anything is no certain miss: what may fit is shown and counted.
  ["A daring cinema opening, no podcasts", 1],
])("%s: the operator is told of %d products that fit, as the buyer is", (brief, matched) => {
  const two = givenView([podcast, poster], { podcast: ["DE"], poster: ["DE", "CH"] })
  const { demand, payload } = getProducts(two, { brief })
  expect(demand?.matched).toBe(matched)
  expect(/has a word|has no word|^None of the 2 products is/.test(String(payload["message"]))).toBe(matched === 0)
})

test("a preferred delivery type moves products up, but not past what the brief asks for", () => {
  const preferred_delivery_types = ["non_guaranteed"]
  const twin = givenProduct("a-banner", { channels: ["display"], delivery_type: "guaranteed" })
  const auction = givenProduct("b-auction", { channels: ["display"], delivery_type: "non_guaranteed" })
  const both = givenView([twin, auction, podcast])
  expect(idsIn(ask(both, { brief: "display banners" }))).toEqual(["a-banner", "b-auction", "podcast"])
  expect(idsIn(ask(both, { brief: "display banners", preferred_delivery_types }))[0]).toBe("b-auction")
  expect(idsIn(ask(both, { brief: "podcast", preferred_delivery_types: ["guaranteed"] }))[0]).toBe("podcast")
})

const PRODUCTS = 50
const priced = (count: number) => {
  const option = (currency: string, price: { fixed_price: number } | { floor_price: number }, least: number) => ({
    ...{ pricing_option_id: currency.toLowerCase(), pricing_model: "cpm", currency, min_spend_per_package: least },
    ...price,
  })
  const options = (index: number) => [
    option("EUR", { fixed_price: 10 + (index % 7) }, 1_000),
    option("USD", { floor_price: 20 }, 9_000),
  ]
  const products = Array.from({ length: count }, (_, i) => givenProduct(`p${i}`, { pricing_options: options(i) }))
  return givenView(products)
}

test.each([
  ["pricing_currencies", ["EUR"]],
  ["is_fixed_price", true],
])("nothing of products that %s left with fewer prices stays in memory, whatever was asked before", (name, value) => {
  const asked = { brief: "Display ads in Germany, budget 5,000 EUR, CPM at most 15 EUR" }
  const view = priced(PRODUCTS)
  const whole = getProducts(view, asked)
  const filtered = (beside: typeof view, count: number) =>
    getProducts(beside, { ...asked, filters: { [name]: value }, pagination: { max_results: 1 + (count % PRODUCTS) } })
  const objectsAfter = (calls: number) => {
    for (let count = 0; count < calls; count++) filtered(view, count)
    Bun.gc(true)
    return heapStats().objectCount
  }
  const calls = 40
  const first = objectsAfter(calls)
  expect(objectsAfter(2 * calls) - first).toBeLessThan(calls * PRODUCTS)
  expect(filtered(view, 20)).toEqual(filtered(priced(PRODUCTS), 20))
  expect(getProducts(view, asked)).toEqual(whole)
})
