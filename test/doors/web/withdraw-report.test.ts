import { expect, test } from "bun:test"
import { reportIdOf } from "../../../src/domain/delivery/withdrawal.ts"
import { givenIngestKey } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { currentTotal, historyOf, report } from "../ingest/feed.ts"
import { givenMarket, givenPerson, LINE } from "./given.ts"
import { reportAnyway } from "./report-anyway.ts"
import { signedIn } from "./visitor.ts"

const PAGE = `/app/o/acme-audio/campaigns/autumn/lines/${LINE}`
const BUYERS_PAGE = `/app/o/brand-co/campaigns/autumn/lines/${LINE}`

async function givenReports(app: TestApp) {
  await givenMarket(app)
  const acme = await app.store.organizations.findBySlug("acme-audio")
  if (acme === null) throw new Error("no Acme")
  const key = await givenIngestKey(app, acme)
  await report(app, key, [{ package_id: LINE, impressions: 100, as_of: "2026-11-13" }])
  app.clock.advance({ minutes: 1 })
  await report(app, key, [{ package_id: LINE, impressions: 900, as_of: "2026-11-14" }])
  const [latest] = await historyOf(app, acme, LINE)
  if (latest === undefined) throw new Error("no report")
  return { acme, key, latest, withdrawal: `${PAGE}/reports/${reportIdOf(latest)}/withdraw` }
}

test("an admin withdraws a wrong report with a reason, and every page tells the total that is left", async () => {
  await using app = await startApp()
  const { withdrawal, key } = await givenReports(app)
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
  expect(await (await admin.get(PAGE)).text()).toContain(withdrawal)
  expect(await (await admin.get(withdrawal)).text()).toContain("900 impressions")
  const refused = await admin.post(withdrawal, { reason: " " })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain("Enter a reason")
  const answer = await admin.post(withdrawal, { reason: "Typed twice" })
  expect([answer.status, answer.headers.get("location")]).toEqual([303, PAGE])
  expect(await currentTotal(app, LINE)).toMatchObject({ quantity: 100 })
  const seen = await (await admin.get(PAGE)).text()
  expect(seen).toContain("Typed twice")
  expect(seen).not.toContain(withdrawal)
  for (const path of [BUYERS_PAGE, `${BUYERS_PAGE}/history.csv`]) {
    const text = await (await buyer.get(path)).text()
    expect(text.toLowerCase()).toContain("withdrawn")
    expect(text).not.toContain("Typed twice")
  }
  expect(await (await buyer.get(`${BUYERS_PAGE}/totals.csv`)).text()).not.toContain("900")
  expect(await (await admin.get(`${PAGE}/history.csv`)).text()).toContain("Typed twice")
  const again = await report(app, key, [{ package_id: LINE, impressions: 900, as_of: "2026-11-14" }])
  expect(again.results[0]?.effect).toBe("applied")
})

test("a member withdraws only what this member typed, and nobody else finds the page", async () => {
  await using app = await startApp()
  const { withdrawal, acme } = await givenReports(app)
  const author = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const colleague = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co", role: "admin" }))
  await reportAnyway(author, PAGE, { impressions: "901" })
  const [typed] = await historyOf(app, acme, LINE)
  if (typed?.quantity !== 901) throw new Error("the form reported nothing")
  const own = `${PAGE}/reports/${reportIdOf(typed)}/withdraw`
  const byBuyer = (path: string) => path.replace("/acme-audio/", "/brand-co/")
  for (const path of [withdrawal, `${PAGE}/reports/1_1_1/withdraw`, `${PAGE}/reports/x/withdraw`])
    for (const visitor of [author, colleague]) {
      expect((await visitor.get(path)).status).toBe(404)
      expect((await visitor.post(path, { reason: "Wrong" })).status).toBe(404)
    }
  expect((await colleague.post(own, { reason: "Wrong" })).status).toBe(404)
  expect((await buyer.post(byBuyer(own), { reason: "Wrong" })).status).toBe(404)
  expect(await currentTotal(app, LINE)).toMatchObject({ quantity: 901 })
  expect((await author.post(own, { reason: "Wrong line" })).status).toBe(303)
  expect(await currentTotal(app, LINE)).toMatchObject({ quantity: 900 })
  const twice = await author.post(own, { reason: "Wrong line" })
  expect([twice.status, twice.headers.get("location")]).toEqual([303, PAGE])
  expect((await author.get(own)).status).toBe(303)
})
