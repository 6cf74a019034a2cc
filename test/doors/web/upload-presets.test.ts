import { afterAll, beforeAll, expect, test } from "bun:test"
import { startApp, type TestApp } from "../../harness.ts"
import { EXPORTS, givenSeller, historyOf, type Seller, totalOf } from "../cli/exports.ts"
import { givenPerson } from "./given.ts"
import { reportFile, reportText, settled, uploadFile } from "./uploaded.ts"
import { signedIn, type Visitor } from "./visitor.ts"

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function given(): Promise<{ seller: Seller; person: Visitor; to: string }> {
  const seller = await givenSeller(app)
  const person = await signedIn(app, await givenPerson(app, { of: seller.slug }))
  return { seller, person, to: `/app/o/${seller.slug}/upload` }
}

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")
const textOf = (preset: string) => EXPORTS.get(preset)?.text ?? ""

test("an export of a known system needs no matching, and the page says as what it was recognized", async () => {
  const { seller, person, to } = await given()
  expect(plain(await person.read(to))).toContain("Google Ad Manager, report as CSV_DUMP (Delivery totals)")
  const address = await uploadFile(person, "delivery", textOf("google-ad-manager"), undefined, to)
  const shown = plain(await person.read(address))
  expect(shown).toContain("Recognized as Google Ad Manager, report as CSV_DUMP: figures of single days, added up.")
  expect(shown).toMatch(/Line 5001 Autumn · exporter-\d+ 3 None yet 2,500 \+2,500/)
  expect(plain(await reportFile(person, address))).toContain("3 rows reported, 1 refused.")
  expect(await historyOf(app, seller, "5001")).toEqual([1500, 2200, 2500])
})

test("every known export is recognized in the app too", async () => {
  const { seller, person, to } = await given()
  for (const [preset, { text }] of EXPORTS) {
    const isDelivery = ["google-ad-manager", "microsoft-monetize", "op3", "ghost", "truelogic"].includes(preset)
    const page = plain(await reportText(person, isDelivery ? "delivery" : "affiliate_metrics", text, preset, to))
    expect([preset, page]).toEqual([preset, expect.stringMatching(/\d rows? reported/)])
    expect([preset, page]).toEqual([preset, expect.stringContaining("Recognized as ")])
  }
  expect((await totalOf(app, seller, "3a9f"))?.quantity).toBe(3)
})

test("who knows better says that the figures are totals to date", async () => {
  const { seller, person, to } = await given()
  const address = await uploadFile(person, "delivery", textOf("microsoft-monetize"), undefined, to)
  const page = await person.read(`${address}/columns`)
  expect(page).toContain("Parts to add up")
  const columns = { column_0: "as_of", column_1: "external_id", column_2: "", column_3: "impressions", column_4: "" }
  await person.post(`${address}/columns`, { ...columns, rows: "totals" })
  await settled(person, address)
  await reportFile(person, address)
  expect(await historyOf(app, seller, "6001")).toEqual([120, 80])
})

test("what an organization has said about a column counts more than the preset", async () => {
  const { seller, person, to } = await given()
  const clicks = new Map(Object.entries({ imps: "", clicks: "impressions" }))
  await app.store.uploads.rememberColumns(seller.organizationId, "delivery", clicks)
  await reportText(person, "delivery", textOf("microsoft-monetize"), undefined, to)
  expect(await historyOf(app, seller, "6001")).toEqual([1, 1])
})

test("an export of another kind of data says which kind to choose", async () => {
  const { person, to } = await given()
  const address = await uploadFile(person, "delivery", textOf("awin"), undefined, to)
  expect(plain(await person.read(address))).toContain(
    "This looks like an export of Awin, transactions report. Upload it as “Affiliate figures”.",
  )
})

test("figures of a day that would go down are shown before they do", async () => {
  const { person, to } = await given()
  await reportText(person, "affiliate_metrics", textOf("converstream-clicks"), undefined, to)
  const half = "Click ID,Affiliate,Campaign,Date\nk1,CLICKS10,Autumn,2026-11-05T10:00:00Z\n"
  const address = await uploadFile(person, "affiliate_metrics", half, "half.csv", to)
  expect(plain(await person.read(address))).toContain("CLICKS10 has 2 clicks on 2026-11-05, and this file has 1.")
})
