import { expect, test } from "bun:test"
import { productOf } from "../../harness/agent/agent.ts"
import { signIn } from "../../harness/browser/browse.ts"
import { changeProduct } from "../../harness/inside.ts"
import { givenLine, givenSeller, reportDays, rowsOf } from "../given.ts"
import { startMarket } from "../market.ts"
import { startOperator } from "./given.ts"

const SELLERS = "/app/operator/sellers"

test("each seller has a row with what needs attention, and those with something to do come first", async () => {
  await using site = await startOperator()
  const behind = await givenLine(site.app, site.seller, { name: "Behind", booked: "1000000" })
  await reportDays(site.app, site.seller.id, behind, { "2026-11-14": 10 })
  await givenLine(site.app, site.seller, { name: "Never reported" })
  const quiet = await givenSeller(site.app, "abacus")
  const done = await givenLine(site.app, quiet, { booked: "", flightStart: "2026-11-10" })
  await reportDays(site.app, quiet.id, done, { "2026-11-14": 10 })
  const page = await site.open(SELLERS)
  expect(page.text).toContain("Sunday, 15 November 2026. 1 of 2 sellers has something to do.")
  const rows = rowsOf(page, "Sellers")
  expect(rows[0]).toMatch(/^Acme Audio \d to do – 1 \d – – 2$/)
  expect(rows[1]).toBe("Acme Audio Nothing to do – – – – – 1")
})

test("a seller's number of things to do is the length of its Today, and links lead to lists as long", async () => {
  await using market = await startMarket()
  const open = await signIn(market.app, { isOperator: true })
  const page = await open(SELLERS)
  for (const [slug, row] of [
    ["nordlys", "Nordlys Radio"],
    ["harbor-pine", "Harbor"],
    ["kleine-post", "Kleine"],
  ] as const) {
    const text = rowsOf(page, "Sellers").find((each) => each.includes(row)) ?? ""
    const count = /(\d+) to do/.exec(text)?.[1] ?? "0"
    const today = await open(`/app/o/${slug}`)
    expect(today.text).toContain(count === "0" ? "Nothing to do" : `${count} to do`)
    const [, due] = new RegExp(`/app/o/${slug}/totals\\?only=due"[^>]*>(\\d+)<`).exec(page.html) ?? []
    if (due === undefined) continue
    const grid = await open(`/app/o/${slug}/totals?only=due`)
    expect(Object.keys(grid.fields).filter((name) => name.startsWith("total."))).toHaveLength(Number(due))
  }
})

test("what the server itself needs is said above the sellers", async () => {
  await using site = await startOperator()
  expect((await site.open(SELLERS)).text).not.toContain("The System page says what to do.")
  Object.assign(site.app.database.health, { problem: async () => "It's locked." })
  expect((await site.open(SELLERS)).text).toContain("This server has 1 problem The System page says what to do.")
})

test("organizations are sellers by the same rule as on All sellers, and archived lines and campaigns aren't counted", async () => {
  await using site = await startOperator()
  const { app, seller, open } = site
  const saved = await changeProduct(app, "test", { product: productOf("spot"), sellerId: seller.buyerId }, null)
  expect(saved).not.toHaveProperty("errors")
  await givenLine(app, seller)
  const organizations = () => open("/app/operator/organizations?state=sellers")
  expect((await open(SELLERS)).text).toContain("Sellers 2")
  expect(rowsOf(await organizations(), "Organizations")).toEqual([
    "Acme Audio acme Europe/Berlin 0 0 1 0",
    "Fernweh Travel acme-buyer UTC 0 0 0 1",
  ])
  // It takes orders for its product.
  expect((await open("/app/o/acme-buyer")).title).toStartWith("Today")
  await (await open(`${seller.campaign}/edit`)).form(`${seller.campaign}/archive`).send()
  expect(rowsOf(await organizations(), "Organizations")).toEqual([
    "Acme Audio acme Europe/Berlin 0 0 0 0",
    "Fernweh Travel acme-buyer UTC 0 0 0 0",
  ])
  expect((await open("/app/operator/organizations?state=buyers")).text).toContain("Buyers 1")
})
