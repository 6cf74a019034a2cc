import { expect, test } from "bun:test"
import { givenBuyer, givenProduct, post, show } from "../harness/agent/agent.ts"
import { anyFilters, type MarkedProduct, markedProducts, marksIn } from "../harness/agent/marked-products.ts"
import type { Json, Tool } from "../harness/agent/official.ts"
import { startApp, type TestApp } from "../harness/app.ts"

// Two keys and an anonymous caller ask for everything that exists. No answer to one names anything that is shown only to
// another, and a server where the other's products never existed answers alike, byte by byte.

const OWNERS = { a: markedProducts("a", 1), b: markedProducts("b", 1_000) }
const TERRITORIES = { a: ["DE", "AT"], b: ["FR"] }
type Owner = keyof typeof OWNERS

const marksOf = (owner: Owner) => OWNERS[owner].flatMap(({ marks }) => marks)

type Question = readonly [Tool, Json]
const wholesale = (filters: object): Question => ["get_products", { buying_mode: "wholesale", filters }]

/** What somebody would ask who knows this product and wants to know whether it exists. */
function questionsAbout({ id, product, marks }: MarkedProduct): Question[] {
  const [{ publisher_domain, property_ids: [property_id] = ["site"] }] = product.publisher_properties
  const [{ currency, fixed_price: price = 1 }] = product.pricing_options
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
    wholesale({ format_ids: product.format_ids }),
    ["list_creative_formats", { publisher_domain }],
    ["list_creative_formats", { property_id }],
    ["list_creative_formats", { publisher_domain, property_id, pagination: { max_results: 2 } }],
    ["list_creative_formats", { format_ids: product.format_ids }],
    ["list_creative_formats", { output_format_ids: product.format_ids }],
  ]
}

const QUESTIONS: readonly Question[] = [
  ["get_adcp_capabilities", {}],
  ["get_adcp_capabilities", { protocols: ["media_buy"] }],
  ["list_creative_formats", {}],
  ["get_products", {}],
  ["get_products", { buying_mode: "wholesale", pagination: { max_results: 100 } }],
  ["get_products", { fields: ["channels", "expires_at", "enforced_policies"] }],
  ["get_products", { buying_mode: "refine", refine: [{ scope: "proposal", proposal_id: "zqb1" }] }],
  ["get_products", { preferred_delivery_types: ["guaranteed"], pagination: { max_results: 3 } }],
  ["get_products", { brief: 5, filters: { channels: ["nothing"] }, refine: [] }],
  ...["cinema", "print", "podcast"].map((channel) => wholesale({ channels: [channel] })),
  ...["FR", "DE", "US"].map((country) => wholesale({ countries: [country] })),
  ...anyFilters().map(wholesale),
  ...[...OWNERS.b, ...OWNERS.a.slice(0, 5)].flatMap(questionsAbout),
]

interface Answered {
  readonly question: string
  readonly answer: string
}

/** The answers to everything, with all pages. */
async function answersTo(app: TestApp, key?: string): Promise<Answered[]> {
  const answers: Answered[] = []
  for (const [name, asked] of QUESTIONS) {
    let cursor: string | undefined
    do {
      const args = cursor === undefined ? asked : { ...asked, pagination: { ...asked.pagination, cursor } }
      const params = { name, arguments: args }
      const response = await post(app, { jsonrpc: "2.0", id: 1, method: "tools/call", params }, { key })
      const text = await response.text()
      answers.push({ question: JSON.stringify(asked), answer: `${response.status} ${text}` })
      cursor = JSON.parse(text).result?.structuredContent?.pagination?.cursor
    } while (cursor !== undefined)
  }
  for (const method of ["tools/list", "initialize", "zqb1"]) {
    const response = await post(app, { jsonrpc: "2.0", id: 1, method, params: {} }, { key })
    answers.push({ question: method, answer: await response.text() })
  }
  return answers
}

// One address for all servers, because format IDs have it.
const OPTIONS = { publicUrl: "https://ads.example.com", limitAgentAnonymous: 100_000, limitAgentKeyed: 100_000 }

/** Without cursors and order links, which depend on the key. */
const stable = (answers: readonly Answered[]) =>
  answers.map(({ answer }) => answer.replace(/cursor\\?": ?\\?"[\w-]+|\/order\/[\w-]+/g, ""))

/** The marks of an owner in answers whose questions didn't name them. */
function named(answers: readonly Answered[], owner: Owner): string[] {
  const marks = new Set(marksOf(owner))
  return answers.flatMap(({ question, answer }) => {
    const asked = marksIn(question)
    return marksIn(answer).filter((mark) => marks.has(mark) && !asked.includes(mark))
  })
}

async function givenKeyOf(app: TestApp, owner: Owner): Promise<string> {
  const buyer = await givenBuyer(app)
  for (const { id, product } of OWNERS[owner]) {
    await givenProduct(app, product)
    await show(app, buyer, id, TERRITORIES[owner])
  }
  return buyer.key
}

test("no answer to one caller names, counts or depends on what is shown only to another", async () => {
  await using app = await startApp({ options: OPTIONS })
  const keys = { a: await givenKeyOf(app, "a"), b: await givenKeyOf(app, "b") }
  const answers = { a: await answersTo(app, keys.a), b: await answersTo(app, keys.b), nobody: await answersTo(app) }
  expect(named(answers.a, "b")).toEqual([])
  expect(named(answers.b, "a")).toEqual([])
  expect([...named(answers.nobody, "a"), ...named(answers.nobody, "b")]).toEqual([])
  // The marks are really in the answers: each owner finds its own.
  for (const owner of ["a", "b"] as const) {
    const found = new Set(named(answers[owner], owner))
    expect(marksOf(owner).filter((mark) => !found.has(mark))).toEqual([])
    expect(found.size).toBeGreaterThan(80)
  }

  await using alone = await startApp({ options: OPTIONS })
  expect(stable(answers.a)).toEqual(stable(await answersTo(alone, await givenKeyOf(alone, "a"))))
  await using empty = await startApp({ options: OPTIONS })
  expect(stable(answers.nobody)).toEqual(stable(await answersTo(empty)))
}, 300_000)
