import { expect, test } from "bun:test"
import { startApp } from "../../harness.ts"
import { givenMarket, givenPerson, LINE } from "./given.ts"
import { signedIn } from "./visitor.ts"

test("a seller starts at what needs somebody, and everything that runs", async () => {
  await using app = await startApp({ now: "2026-11-15T12:00:00Z" })
  await givenMarket(app)
  const seller = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const html = await seller.read("/app/o/acme-audio")
  // Started two weeks ago, and never reported.
  expect(html).toContain("has started, and nothing has been reported")
  expect(html).toContain("3 things need you, 4 lines are running")
  expect(html).toContain(`/app/o/acme-audio/campaigns/autumn/lines/${LINE}`)
  expect(html).not.toContain("December")
  expect(html).not.toContain("Banner")
  // The menu counts the same on every page.
  expect(await seller.read("/app/o/acme-audio/campaigns")).toContain('count">3<')
  const csv = await seller.read("/app/o/acme-audio/running-lines.csv")
  expect(csv.trim().split("\n")).toHaveLength(5)
})

test("a buyer starts at its campaigns", async () => {
  await using app = await startApp({ now: "2026-11-15T12:00:00Z" })
  await givenMarket(app)
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
  const response = await buyer.get("/app/o/brand-co")
  expect(response.headers.get("location")).toContain("/app/o/brand-co/campaigns")
  expect(await buyer.read("/app/o/brand-co/campaigns")).not.toContain(">Today")
})
