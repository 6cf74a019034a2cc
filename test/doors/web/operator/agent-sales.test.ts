import { expect, test } from "bun:test"
import { demandSince } from "../../../../src/actions/operations/call-log.ts"
import { startApp, type TestApp } from "../../../harness.ts"
import { call, givenBuyers, givenProduct } from "../../agent/buyer.ts"
import { givenPerson } from "../given.ts"
import { signedIn, textOf } from "../visitor.ts"

const PAGE = "/app/operator/agent-sales"
const REQUESTS = "/app/operator/requests"
const hrefTo = (html: string, label: string) =>
  new RegExp(`<a[^>]*href="([^"]*)"[^>]*aria-label="${label}[^"]*"`).exec(html)?.[1]?.replaceAll("&amp;", "&") ?? ""

async function givenDemand(app: TestApp, least = 0) {
  const price = { pricing_option_id: "p", pricing_model: "cpm", currency: "EUR", fixed_price: 20 } as const
  const sold = {
    channels: ["podcast"],
    ...(least > 0 && { pricing_options: [{ ...price, min_spend_per_package: least }] }),
  }
  const products = [givenProduct("hiking-podcast", sold), givenProduct("never-opened")]
  const { Buyer: key = "" } = await givenBuyers(app, products, { Buyer: { "hiking-podcast": ["DE"] } })
  const operator = await signedIn(app, await givenPerson(app, { isOperator: true }))
  return { key, operator }
}

test("the operator sees what was asked for, what found nothing and why, and which products are never found", async () => {
  await using app = await startApp()
  const { key, operator } = await givenDemand(app)
  const france = { brief: "zyzzyva readers in France" }
  for (let i = 0; i < 3; i++) await call(app, "get_products", france, { key })
  await call(app, "get_products", { brief: "zyzzyva" })
  await call(app, "get_products", { brief: "hiking podcast, budget 12000 EUR" }, { key })
  await call(app, "get_products", { buying_mode: "refine" }, { key })
  await call(app, "list_creative_formats", {}, { key })
  const text = textOf(await operator.read(PAGE))
  expect(text).toContain("“zyzzyva readers in France”")
  expect(text).toContain("France · asked 3 times")
  expect(text).toContain("might fit, but is hidden from this buyer in France")
  expect(text).toContain("Asked without a key. Products are shown only with a buyer’s key.")
  expect(text).toContain("Found nothing 4 2 different briefs")
  expect(text).toContain("Requests 6 1 answered with an error")
  expect(text).toContain("never found")
  const [, csvHref = ""] = /href="([^"]*\.csv[^"]*)"/.exec(await operator.read(PAGE)) ?? []
  const csv = await operator.read(csvHref.replaceAll("&amp;", "&"))
  expect(csv).toContain(",FR,")
})

test("a brief that found nothing leads to the cure: a product opened to the key, or drafted for it", async () => {
  await using app = await startApp()
  const { key, operator } = await givenDemand(app)
  await call(app, "get_products", { brief: "zyzzyva readers in France" }, { key })
  await call(app, "get_products", { brief: "morning radio spots in Poland, 8000 JPY" }, { key })
  const html = await operator.read(PAGE)
  const opening = await operator.read(hrefTo(html, "Show to this buyer"))
  expect(opening).toContain('value="FR" checked')
  // Without a country it is closed; once it is, nothing would be opened: an error at the field, not a tick.
  await operator.edit(hrefTo(html, "Show to this buyer"), {})
  const nowhere = await operator.edit(hrefTo(html, "Show to this buyer"), {})
  expect([nowhere.status, await nowhere.text()]).toEqual([422, expect.stringContaining("Choose at least one country.")])
  const draft = await operator.read(hrefTo(html, "Draft a product for this: morning"))
  expect(textOf(draft)).toContain("in Poland, for ¥8,000")
  expect(draft).toContain('value="JPY"')
  expect(draft).toContain('value="Morning radio spots in Poland, 8000 JPY"')
  expect(draft).toMatch(/name="channels" value="radio" checked/)
})

test("each key says how often it asked in the last seven days, and how often it found something", async () => {
  await using app = await startApp()
  const { key, operator } = await givenDemand(app)
  for (const brief of ["hiking podcast", "cinema spots"]) await call(app, "get_products", { brief }, { key })
  expect(await operator.read("/app/operator/agent-keys")).toMatch(/2<small>1 found something/)
  app.clock.advance({ days: 8 })
  const later = await signedIn(app, await givenPerson(app, { isOperator: true }))
  expect(await later.read("/app/operator/agent-keys")).not.toContain("found something")
})

test("a budget below the smallest price leads to that price, on the overview and on the request", async () => {
  await using app = await startApp()
  const { key, operator } = await givenDemand(app, 2_000)
  const filters = { budget_range: { max: 600, currency: "EUR" } }
  await call(app, "get_products", { brief: "hiking podcast in Germany", filters }, { key })
  const html = await operator.read(PAGE)
  expect(textOf(html)).toContain("might fit, but costs €2,000.00 or more. The budget is €600.00.")
  expect(hrefTo(html, "Add a smaller price")).toBe("/app/operator/product/hiking-podcast#prices.0.price")
  const [, href = ""] = /href="(\/app\/operator\/request\/\d+)"/.exec(html) ?? []
  const request = await operator.read(href)
  expect(textOf(request)).toContain("Budget €600.00")
  expect(hrefTo(request, "Add a smaller price")).toBe("/app/operator/product/hiking-podcast#prices.0.price")
  expect(hrefTo(request, "Draft a product for this")).toContain("/app/operator/products/new?for=")
  expect(await operator.read("/app/operator/product/hiking-podcast")).toContain('id="prices.0.price"')
})

test("a request shows what was understood, the answer with reasons, and what was missing with the cure", async () => {
  await using app = await startApp()
  const { key, operator } = await givenDemand(app)
  await call(app, "get_products", { brief: "hiking podcast in Germany and Austria, 5000 EUR" }, { key })
  await app.store.flushWriteBuffer()
  const list = await operator.read(REQUESTS)
  const [, href = ""] = /href="(\/app\/operator\/request\/\d+)"/.exec(list) ?? []
  const html = await operator.read(href)
  const text = textOf(html)
  expect(text).toContain("What was understood")
  expect(text).toContain("Budget €5,000.00")
  expect(text).toContain("Flight not given")
  expect(text).toContain("The answer 1 product")
  expect(text).toContain("Shown in Germany, but not in Austria")
  expect(text).toContain("Not in the answer 1 product")
  expect(html).toContain("/app/operator/product/never-opened/open/")
  expect(text).toContain("&quot;brief&quot;: &quot;hiking podcast in Germany and Austria, 5000 EUR&quot;")
  expect(html).not.toContain(key.slice(4))
  expect((await operator.get("/app/operator/request/999999")).status).toBe(404)
})

test("requests are found by result and key; other calls only where they are asked for", async () => {
  await using app = await startApp()
  const { key, operator } = await givenDemand(app)
  await call(app, "get_products", { brief: "hiking podcast" }, { key })
  await call(app, "get_products", { brief: "zyzzyva" })
  await call(app, "get_products", { adcp_major_version: 2, brief: "old" }, { key })
  await call(app, "list_creative_formats", {}, { key })
  await app.store.flushWriteBuffer()
  const found = async (query: string) => {
    const html = await operator.read(`${REQUESTS}${query}`)
    return [...html.matchAll(/href="\/app\/operator\/request\/\d+">([^<]*)</g)].map(([, brief = ""]) => brief)
  }
  expect(await found("")).toEqual(["“old”", "“zyzzyva”", "“hiking podcast”"])
  expect(await found("?result=found")).toEqual(["“hiking podcast”"])
  expect(await found("?result=nothing")).toEqual(["“zyzzyva”"])
  expect(await found("?result=refused")).toEqual(["“old”"])
  expect(await found("?caller=anonymous")).toEqual(["“zyzzyva”"])
  expect((await found("?what=all"))[0]).toBe("Which formats do you take?")
  const counts = async (query: string) => {
    const html = await operator.read(`${REQUESTS}${query}`)
    return /aria-label="Result">(.*?)<\/div>/
      .exec(html)?.[1]
      ?.replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim()
  }
  expect(await counts("")).toBe("All 3 Found 1 Nothing 1 Refused 1")
  expect(await counts("?result=found")).toBe("All 3 Found 1 Nothing 1 Refused 1")
  expect(await counts("?caller=anonymous")).toBe("All 1 Found 0 Nothing 1 Refused 0")
  await call(app, "get_products", { brief: "cinema in Austria and Germany" }, { key })
  await app.store.flushWriteBuffer()
  expect(await found("?country=AT")).toEqual(["“cinema in Austria and Germany”"])
  expect(await found("?country=FR")).toEqual([])
  expect(await counts("?country=AT")).toBe("All 1 Found 0 Nothing 1 Refused 0")
  for (const none of ["%25", "_T", "at", "A%25"]) {
    expect(await found(`?country=${none}`)).toEqual(await found(""))
    expect(await counts(`?country=${none}`)).toBe(await counts(""))
  }
  expect(await operator.read(REQUESTS)).toContain('<option value="AT">Austria</option>')
})

test("a request found nothing where the agent says that nothing fits, and only there", async () => {
  await using app = await startApp()
  const { key, operator } = await givenDemand(app)
  const ask = async (brief: string) => (await call(app, "get_products", { brief }, { key })).message
  const rowOf = async (brief: string) => {
    await app.store.flushWriteBuffer()
    const text = textOf(await operator.read(REQUESTS))
    return text.slice(text.indexOf(brief))
  }
  expect(await ask("cinema in Germany")).toStartWith("The only product is not cinema.")
  expect(await rowOf("cinema in Germany")).toMatch(/^cinema in Germany” Buyer DE No match 1 shown anyway/)
  expect(await ask("zyzzyva in Germany")).toStartWith("The only product has no word of the brief. Understood: DE.")
  expect(await rowOf("zyzzyva in Germany")).toMatch(/^zyzzyva in Germany” Buyer DE No match 1 shown anyway/)
  expect(await ask("a trail in Germany")).toStartWith("1 product.")
  expect(await rowOf("a trail in Germany")).toMatch(/^a trail in Germany” Buyer DE 1 Product hiking-podcast/)
})

test("the same question counts each time it is asked, also when its answer comes from the cache", async () => {
  await using app = await startApp()
  const { key } = await givenDemand(app)
  for (let i = 0; i < 7; i++) await call(app, "get_products", { brief: "hiking podcast", context: { i } }, { key })
  const tally = await demandSince(app, "1970-01-01", "UTC")
  expect(tally.ranked("products")).toEqual([{ value: "hiking-podcast", calls: 7, unmatched: 0 }])
})

test("briefs are only text on the pages, and no key is ever on them", async () => {
  await using app = await startApp()
  const { key, operator } = await givenDemand(app)
  await call(app, "get_products", { brief: "<script>alert(1)</script>" })
  await call(app, "get_products", { brief: `Hiking with ${key}` })
  for (const path of [PAGE, REQUESTS]) {
    const html = await operator.read(path)
    expect(html).not.toContain("<script>alert")
    expect(html).toContain("&lt;script>alert")
    expect(html).not.toContain(key.slice(4))
  }
})

test("nobody but the operator sees it; before the first product it only invites, and before the first request it says so", async () => {
  await using app = await startApp()
  const operator = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const invitation = await operator.read(PAGE)
  expect(invitation).toContain("Describe your first product")
  expect(invitation).not.toContain('class="tabs"')
  await givenBuyers(app, [givenProduct("hiking-podcast")], {})
  const html = await operator.read(PAGE)
  expect(html).toContain("Nobody has asked yet")
  expect(html).toContain('class="tabs"')
  const person = await signedIn(app, await givenPerson(app))
  for (const path of [PAGE, REQUESTS]) expect((await person.get(path)).status).toBe(404)
})

test("what to send a buyer is the address of the agent, wherever it is served", async () => {
  await using app = await startApp({ options: { agentUrl: "https://agent.example.com/" } })
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const html = await olga.read("/app/operator/agent-keys")
  expect(html).toContain("https://agent.example.com/")
  expect(html).toContain(`${app.url}/docs/buyers`)
})
