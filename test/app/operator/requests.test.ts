import { expect, test } from "bun:test"
import { ask, call, givenBuyer, givenProduct, givenShown, productOf, revoke, rpc } from "../../harness/agent/agent.ts"
import type { BrowsedPage } from "../../harness/browser/browse.ts"
import { namesOn, rowsOf } from "../given.ts"
import { REQUESTS, startOperator } from "./given.ts"

/** What is said about each brief that no product fits. */
const misses = ({ html }: BrowsedPage): string[] => {
  const list = /<ul class="todo">.*?<\/ul>/s.exec(html)?.[0] ?? ""
  return (list.match(/<small>.*?<\/small>/gs) ?? []).map((text) =>
    text
      .replace(/<[^>]*>/g, "")
      .replace("See the request", "")
      .replace(/&#39;/g, "'")
      .trim(),
  )
}

test("a brief that no product fits is listed first, with its likely cure", async () => {
  await using site = await startOperator()
  const buyer = await givenShown(
    site.app,
    [productOf("pod", { channels: ["podcast"], name: "Podcast spot" }), productOf("ban", { channels: ["display"] })],
    { pod: ["AT"] },
  )
  await givenProduct(site.app, productOf("radio", { channels: ["radio"], name: "Radio spot" }))
  for (const brief of ["cinema", "Cinema", "radio spots", "podcasts in Germany", "podcasts in Austria"])
    await ask(site.app, buyer, { brief })
  const page = await site.open(REQUESTS)
  expect(page.text).toContain("No product in the named channel or country 3")
  expect(page.text).toContain(", asked twice")
  expect(misses(page).sort()).toEqual([
    "Podcast spot is shown to this buyer, but not in Germany.",
    "Radio spot might fit, but is hidden from this buyer.",
    "You have no product for cinema.",
  ])
  expect(page.html).toContain(`/app/operator/products/pod/openings#key.${buyer.id}`)
})

test("a brief is listed for the key that found nothing, whatever it finds for others", async () => {
  await using site = await startOperator()
  const buyer = await givenBuyer(site.app)
  await ask(site.app, buyer, { brief: "podcasts" })
  const other = await givenShown(site.app, [productOf("pod", { channels: ["podcast"], name: "Podcast spot" })])
  await ask(site.app, other, { brief: "Podcasts" })
  await call(site.app, "get_products", { brief: "podcasts" })
  const page = await site.open(REQUESTS)
  expect(page.text).not.toContain("asked twice")
  expect(misses(page).sort()).toEqual([
    "Podcast spot might fit, but is hidden from this buyer.",
    "This request came without a key. Products are shown only to buyer keys.",
  ])
})

test("an answer may have products that don't fit the brief, so the log counts those that do", async () => {
  await using site = await startOperator()
  const buyer = await givenShown(site.app, [productOf("ban", { channels: ["display"] })])
  const answer = await ask(site.app, buyer, { brief: "podcast in Austria" })
  expect([answer.products.length, answer.message]).toEqual([1, expect.stringContaining("the only product isn't")])
  const page = await site.open(REQUESTS)
  expect(page.text).toContain("Products that fit")
  expect(page.text).toMatch(/“podcast in Austria” Buyer \d+ AT None/)
  expect(namesOn(await site.open(`${REQUESTS}?result=nothing`))).toEqual(["“podcast in Austria”"])
  const [titles, row] = (await site.open(`${REQUESTS}.csv`)).html.trim().split("\r\n")
  expect(titles).toContain("Channels,Countries,Products that fit,Outcome")
  expect(row).toContain("Podcast,AT,0,completed")
})

test("a brief without a key, or with one that is revoked since, needs a new key", async () => {
  await using site = await startOperator()
  await call(site.app, "get_products", { brief: "radio from a stranger" })
  const buyer = await givenShown(site.app, [productOf("a")])
  await ask(site.app, buyer, { brief: "cinema" })
  await revoke(site.app, buyer)
  const page = await site.open(REQUESTS)
  expect(page.text).toContain("“radio from a stranger” without a key")
  expect(misses(page)).toContain("The key that asked is revoked.")
})

test("the log is filtered by the database, and goes on before a request", async () => {
  await using site = await startOperator()
  const buyer = await givenShown(site.app, [productOf("a")])
  const other = await givenBuyer(site.app)
  await ask(site.app, other, { brief: "100% radio" })
  await ask(site.app, buyer, { filters: { countries: ["Atlantis"] } })
  for (let i = 0; i < 55; i++) await rpc(site.app, "tools/call", toolCall(`brief ${i}`), { key: buyer.key })
  await rpc(site.app, "tools/list", {}, { key: buyer.key })
  const first = await site.open(REQUESTS)
  expect(namesOn(first).slice(0, 2)).toEqual(["“brief 54”", "“brief 53”"])
  const older = /href="([^"]*before=\d+)"/.exec(first.html)?.[1] ?? ""
  expect(namesOn(await site.open(older.replaceAll("&amp;", "&"))).slice(0, 2)).toEqual(["“brief 4”", "“brief 3”"])
  expect(namesOn(await site.open(`${REQUESTS}?q=100%25`))).toEqual(["“100% radio”"])
  expect(namesOn(await site.open(`${REQUESTS}?key=${other.id}`))).toEqual(["“100% radio”"])
  expect(namesOn(await site.open(`${REQUESTS}?result=refused`))).toEqual(["Products"])
  expect(namesOn(await site.open(`${REQUESTS}?key=none`))).toEqual([])
  expect((await site.open(`${REQUESTS}?what=all`)).text).toContain("Which tools do you have?")
})

const toolCall = (brief: string) => ({ name: "get_products", arguments: { brief } })

test("the file has what the page found, and no cell starts a formula", async () => {
  await using site = await startOperator()
  const buyer = await givenShown(site.app, [productOf("a")])
  await ask(site.app, buyer, { brief: "=HYPERLINK(1) radio in Austria" })
  await ask(site.app, buyer, { brief: "print" })
  const page = await site.open(`${REQUESTS}?q=radio`)
  const [, href = ""] = /href="([^"]*requests\.csv[^"]*)"/.exec(page.html) ?? []
  const file = await site.open(href)
  expect(file.headers.get("content-disposition")).toBe('attachment; filename="requests.csv"')
  const rows = file.html.trim().split("\r\n")
  expect(rows).toHaveLength(2)
  expect(rows[1]).toContain("'=HYPERLINK(1) radio in Austria,Radio,AT,0,completed")
})

test("a request says what it names, why nothing fits, and leads to what it would be answered today", async () => {
  await using site = await startOperator()
  const buyer = await givenShown(site.app, [productOf("a", { channels: ["podcast"] })])
  await ask(site.app, buyer, { brief: "<b>radio</b> in Austria, no TV" })
  const [path = ""] = /\/app\/operator\/requests\/\d+/.exec((await site.open(REQUESTS)).html) ?? []
  const page = await site.open(path)
  expect(page.text).toContain("Channels Radio Countries Austria")
  expect(page.text).toContain("You have no product for radio in Austria.")
  expect(page.html).not.toContain("<b>radio</b>")
  const again = /href="([^"]*brief=[^"]*)"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&") ?? ""
  const today = await site.open(again)
  expect(today.text).toContain("The brief names radio and Austria")
  expect(rowsOf(today, "The answer")).toEqual([expect.stringContaining("1. Product a")])
})

test("a refused request has the agent's error, and a credential in it wasn't kept", async () => {
  await using site = await startOperator()
  const buyer = await givenBuyer(site.app)
  await ask(site.app, buyer, { filters: { countries: ["Atlantis"] } })
  await rpc(
    site.app,
    "tools/call",
    { name: "get_products", arguments: { brief: "x", api_key: "secret-123456" } },
    buyer,
  )
  const [latest, earlier] = (await site.open(REQUESTS)).html.match(/\/app\/operator\/requests\/\d+/g) ?? []
  const credential = await site.open(latest ?? "")
  expect(credential.text).toContain("What it sent wasn’t kept.")
  expect(credential.html).not.toContain("secret-123456")
  expect((await site.open(earlier ?? "")).text).toMatch(/with the error INVALID_REQUEST \. .*countries/)
  expect((await site.open(`${REQUESTS}/999999`)).status).toBe(404)
})

test("the file has every request that the filter finds, from an older page as well", async () => {
  await using site = await startOperator()
  const buyer = await givenShown(site.app, [productOf("a")])
  for (let i = 0; i < 52; i++) await rpc(site.app, "tools/call", toolCall(`brief ${i}`), { key: buyer.key })
  const older = /href="([^"]*before=\d+)"/.exec((await site.open(REQUESTS)).html)?.[1] ?? ""
  const { html } = await site.open(older.replaceAll("&amp;", "&"))
  const [, href = ""] = /href="([^"]*requests\.csv[^"]*)"/.exec(html) ?? []
  expect((await site.open(href)).html.trim().split("\r\n")).toHaveLength(53)
})
