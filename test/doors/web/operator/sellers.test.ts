import { expect, test } from "bun:test"
import { givenPerson, startMarket } from "../given.ts"
import { startShop } from "../given-sale.ts"
import { signedIn } from "../visitor.ts"

const PAGE = "/app/operator/sellers"

test("the operator of several sellers begins with all of them and what waits there, each with a link to its Today", async () => {
  await using app = await startMarket()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  expect((await olga.get("/app")).headers.get("location")).toBe(PAGE)
  const page = await olga.read(PAGE)
  expect(page).toContain("<h1>All sellers</h1>")
  const sellers = await app.store.organizations.sellers(10)
  expect(sellers.length).toBeGreaterThan(1)
  for (const { slug, name } of sellers) expect(page).toContain(`<a class="name" href="/app/o/${slug}">${name}</a>`)
  const due = /href="\/app\/o\/acme-audio\/totals\?only=due" aria-label="Totals due, Acme Audio: (\d+)"/.exec(page)?.[1]
  expect(await olga.read("/app/o/acme-audio")).toMatch(new RegExp(`<strong>${due} lines?</strong> ha(?:s|ve) no total`))
})

test("with one seller nothing changes: the start page is Today, and Organizations and All people are folded into System", async () => {
  await using shop = await startShop()
  const olga = await signedIn(shop, await givenPerson(shop, { isOperator: true }))
  expect((await olga.get("/app")).headers.get("location")).toStartWith("/app/o/")
  const system = await olga.read("/app/operator/system")
  expect(system).not.toContain(PAGE)
  expect(system).toMatch(/Organizations and people.*\/app\/operator\/organizations.*\/app\/operator\/users/s)
  const tabs = (html: string) => [...html.matchAll(/<nav class="tabs".*?<\/nav>/gs)].join("")
  expect(tabs(system)).not.toContain("All people")
  expect(tabs(await olga.read("/app/operator/users"))).toContain("All people")
})

test("nobody else opens the page of all sellers", async () => {
  await using app = await startMarket()
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  expect((await admin.get(PAGE)).status).toBe(404)
})
