import { expect, test } from "bun:test"
import { demandSince } from "../../../../src/actions/operations/call-log.ts"
import { startApp, type TestApp } from "../../../harness.ts"
import { call, givenBuyers, givenProduct } from "../../agent/buyer.ts"
import { givenPerson } from "../given.ts"
import { signedIn } from "../visitor.ts"

const PAGE = "/app/operator/agent-sales"
const textOf = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")

async function givenDemand(app: TestApp) {
  const products = [givenProduct("hiking-podcast"), givenProduct("never-opened")]
  const { Buyer: key = "" } = await givenBuyers(app, products, { Buyer: { "hiking-podcast": ["DE"] } })
  const operator = await signedIn(app, await givenPerson(app, { isOperator: true }))
  return { key, operator }
}

test("the operator sees what was asked for, what matched nothing and why, and which products are never shown", async () => {
  await using app = await startApp()
  const { key, operator } = await givenDemand(app)
  const france = { brief: "zyzzyva readers in France" }
  for (let i = 0; i < 3; i++) await call(app, "get_products", france, { key })
  await call(app, "get_products", { brief: "zyzzyva" })
  await call(app, "get_products", { brief: "hiking podcast, budget 12000 EUR" }, { key })
  await call(app, "get_products", { buying_mode: "refine" }, { key })
  await call(app, "list_creative_formats", {}, { key })
  const text = textOf(await operator.read(PAGE))
  expect(text).toContain("zyzzyva readers in France")
  expect(text).toContain("3×")
  expect(text).toContain("Nothing is open to this key in France")
  expect(text).toContain("Asked without a key, which sees no products")
  expect(text).toContain("Matched nothing 4 of 5 calls")
  expect(text).toContain("1 more answered with an error")
  expect(text).toContain("€12,000.00")
  expect(text).toContain("never shown")
  const csv = await operator.read(`${PAGE}.csv`)
  expect(csv).toContain("2026-11-09,")
  expect(csv).toContain(",FR,")
})

test("the same question counts each time it is asked, also when its answer comes from the cache", async () => {
  await using app = await startApp()
  const { key } = await givenDemand(app)
  for (let i = 0; i < 7; i++) await call(app, "get_products", { brief: "hiking podcast", context: { i } }, { key })
  const week = "2026-11-09"
  const briefs = (await demandSince(app, week)).briefs({ fromWeek: week, unmatched: false })
  expect(briefs).toMatchObject([{ brief: "hiking podcast", asked: 7, firstProduct: "hiking-podcast" }])
})

test("briefs are only text on the page, and no key is ever on it", async () => {
  await using app = await startApp()
  const { key, operator } = await givenDemand(app)
  await call(app, "get_products", { brief: `<script>alert(1)</script> ${key}` })
  const html = await operator.read(PAGE)
  expect(html).not.toContain("<script>alert")
  expect(html).toContain("aba_********")
  expect(html).not.toContain(key.slice(4))
})

test("nobody but the operator sees it, and before anybody asked it says so", async () => {
  await using app = await startApp()
  const { operator } = await givenDemand(app)
  expect(await operator.read(PAGE)).toContain("Nobody has asked yet")
  const person = await signedIn(app, await givenPerson(app))
  expect((await person.get(PAGE)).status).toBe(404)
})
