import { expect, setDefaultTimeout, test } from "bun:test"
import fc from "fast-check"
import type { Product } from "../../../src/domain/adcp/schema/product/product.ts"
import { ProductFilters } from "../../../src/domain/adcp/tools/get-products-input.ts"
import type { Json, Tool } from "../../domain/adcp/schema/answers.ts"
import { arbitraryOf } from "../../domain/adcp/schema/arbitrary.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenBuyers, post } from "./buyer.ts"
import { type MarkedProduct, markedProducts, marksIn } from "./marked-product.ts"

// Thousands of calls: patience where the machine is busy.
setDefaultTimeout(600_000)

// Two keys and an anonymous caller ask for everything that exists. No answer to one names anything that is opened only to another,
// and an installation where the other's products never existed answers alike, byte by byte: names, prices, dates and counts.

const OWNERS = { a: markedProducts("a", 1), b: markedProducts("b", 1_000) }
const TERRITORIES = { a: ["DE", "AT"], b: ["FR"] }
type Owner = keyof typeof OWNERS

const productsOf = (owner: Owner) => OWNERS[owner].map(({ product }) => product)
const marksOf = (owner: Owner) => OWNERS[owner].flatMap(({ marks }) => marks)

type Question = [Tool, Record<string, unknown>]
const wholesale = (filters: object): Question => ["get_products", { buying_mode: "wholesale", filters }]

/** What somebody would ask who knows this product, and wants to know whether it exists. */
function questionsAbout({ id, product, marks }: MarkedProduct): Question[] {
  const [{ publisher_domain, ...property } = { publisher_domain: "" }] = product.publisher_properties
  const [property_id = "site"] = "property_ids" in property ? property.property_ids : []
  const [{ currency = "EUR", fixed_price: price = 1 } = {}] = product.pricing_options
  return [
    ["get_products", { brief: `${product.name} ${product.description} ${marks.join(" ")}` }],
    ["get_products", { brief: `cinema or podcast in France and Germany for ${price} ${currency}` }],
    ["get_products", { buying_mode: "refine", refine: [{ scope: "request", ask: marks.join(" ") }] }],
    ...["include", "omit", "more_like_this"].map((action): Question => {
      return ["get_products", { buying_mode: "refine", refine: [{ scope: "product", product_id: id, action }] }]
    }),
    ["get_products", { required_policies: product.enforced_policies ?? ["policy"] }],
    wholesale({ budget_range: { currency, max: price } }),
    wholesale({ start_date: product.expires_at?.slice(0, 10) ?? "2026-12-01" }),
    ["list_creative_formats", { publisher_domain }],
    ["list_creative_formats", { property_id }],
    ["list_creative_formats", { publisher_domain, property_id, pagination: { max_results: 2 } }],
    ["list_creative_formats", { format_ids: formatsOf(product) }],
    ["list_creative_formats", { output_format_ids: formatsOf(product) }],
    wholesale({ format_ids: formatsOf(product) }),
  ]
}

const formatsOf = ({ format_ids = [] }: Product) => (format_ids.length > 0 ? format_ids : [{ id: "nothing" }])

/** Every filter, with values that fit it and with all of its words. */
function filterQuestions(): Question[] {
  return Object.entries(ProductFilters.properties).flatMap(([name, schema]) =>
    fc
      .sample(arbitraryOf(schema), { numRuns: 3, seed: 5 })
      .map((value) => wholesale({ [name]: JSON.parse(JSON.stringify(value)) })),
  )
}

const QUESTIONS: Question[] = [
  ["get_adcp_capabilities", {}],
  ["get_adcp_capabilities", { protocols: ["media_buy"] }],
  ["list_creative_formats", {}],
  ["get_products", {}],
  ["get_products", { buying_mode: "wholesale", pagination: { max_results: 100 } }],
  ["get_products", { fields: ["channels", "expires_at", "enforced_policies", "brief_relevance"] }],
  ["get_products", { buying_mode: "refine", refine: [{ scope: "proposal", proposal_id: "zqb1" }] }],
  ["get_products", { preferred_delivery_types: ["guaranteed"], pagination: { max_results: 3 } }],
  ["get_products", { brief: 5, filters: { channels: ["nothing"] }, refine: [] }],
  ...["cinema", "print", "podcast"].map((channel) => wholesale({ channels: [channel] })),
  ...["FR", "DE", "US"].map((country) => wholesale({ countries: [country] })),
  wholesale({ start_date: "2026-12-01", end_date: "2026-11-01", unheard_of: 1 }),
  ...filterQuestions(),
  ...[...OWNERS.b, ...OWNERS.a.slice(0, 5)].flatMap(questionsAbout),
]

interface Answered {
  readonly question: string
  readonly answer: string
}

const PAGES_MAX = 60

/** Everything, and the further pages of it. */
async function answersTo(app: TestApp, key: string | undefined): Promise<Answered[]> {
  const answers: Answered[] = []
  for (const [name, asked] of QUESTIONS) {
    let cursor: string | undefined
    for (let page = 0; page < PAGES_MAX; page++) {
      const args = cursor === undefined ? asked : { ...asked, pagination: { ...(asked["pagination"] ?? {}), cursor } }
      const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
      const response = await post(app, call, { key })
      const text = await response.text()
      answers.push({ question: JSON.stringify(asked), answer: `${response.status} ${text}` })
      cursor = (JSON.parse(text) as Json).result?.structuredContent?.pagination?.cursor
      if (cursor === undefined) break
    }
  }
  for (const method of ["tools/list", "initialize", "zqb1"]) {
    const response = await post(app, { jsonrpc: "2.0", id: 1, method, params: {} }, { key })
    answers.push({ question: method, answer: await response.text() })
  }
  return answers
}

// One address for all installations, because format ids carry it.
const options = {
  publicUrl: "https://ads.example.com",
  limitAgentAnonymous: "1000000",
  limitAgentKeyed: "1000000",
}

/** Without cursors and order links, which are bound to the key's id. */
const stable = (answers: Answered[]) =>
  answers.map(({ answer }) => answer.replace(/cursor\\?": ?\\?"[\w-]+|\/order\/[\w-]+/g, ""))

/** The marks of an owner that are named although the question did not name them. */
function named(answers: readonly Answered[], owner: Owner): Set<string> {
  const marks = new Set(marksOf(owner))
  return new Set(
    answers.flatMap(({ question, answer }) => {
      const asked = new Set(marksIn(question))
      return marksIn(answer).filter((mark) => marks.has(mark) && !asked.has(mark))
    }),
  )
}

const open = (owner: Owner) => Object.fromEntries(OWNERS[owner].map(({ id }) => [id, TERRITORIES[owner]]))

test("no answer to one caller names, counts or depends on what is opened only to another", async () => {
  await using app = await startApp({ options })
  const { A, B } = await givenBuyers(app, [...productsOf("a"), ...productsOf("b")], { A: open("a"), B: open("b") })
  const answers = { a: await answersTo(app, A), b: await answersTo(app, B), nobody: await answersTo(app, undefined) }
  expect([...named(answers.a, "b")]).toEqual([])
  expect([...named(answers.b, "a")]).toEqual([])
  expect([...named(answers.nobody, "a"), ...named(answers.nobody, "b")]).toEqual([])
  // The marks are those of the answers: each owner finds all of its own.
  for (const owner of ["a", "b"] as const) {
    const found = named(answers[owner], owner)
    expect(marksOf(owner).filter((mark) => !found.has(mark))).toEqual([])
    expect(found.size).toBeGreaterThan(200)
  }
  await using alone = await startApp({ options })
  const { A: aloneKey } = await givenBuyers(alone, productsOf("a"), { A: open("a") })
  expect(stable(answers.a)).toEqual(stable(await answersTo(alone, aloneKey)))
  await using empty = await startApp({ options })
  expect(stable(answers.nobody)).toEqual(stable(await answersTo(empty, undefined)))
})
