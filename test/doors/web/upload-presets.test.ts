import { afterAll, beforeAll, expect, test } from "bun:test"
import { headingsKey } from "../../../src/domain/upload/recognize-file.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { EXPORTS, givenSeller, historyOf, type Seller, totalOf } from "../cli/exports.ts"
import { givenPerson } from "./given.ts"
import { reportFile, reportText, uploadFile } from "./uploaded.ts"
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
const GAM_SMALL =
  "Dimension.DATE,Dimension.LINE_ITEM_ID,Dimension.LINE_ITEM_NAME,Column.AD_SERVER_IMPRESSIONS,Column.AD_SERVER_CLICKS\n" +
  "2026-11-01,5001,Banner,120,1\n2026-11-02,5001,Banner,80,0\n"
const textOf = (preset: string) => EXPORTS.get(preset)?.text ?? ""

test("an export of a known system needs no matching, and the page says as what it was recognized", async () => {
  const { seller, person, to } = await given()
  const address = await uploadFile(person, "delivery", textOf("google-ad-manager"), undefined, to)
  const shown = plain(await person.read(address))
  expect(shown).toContain("Recognized as Google Ad Manager, report as CSV_DUMP: figures of single days, added up.")
  expect(shown).toMatch(/Line 5001 Autumn · exporter-\d+ 3 None yet 2,500 \+2,500/)
  expect(plain(await reportFile(person, address))).toContain("3 rows reported. 1 row ignored, not yours or sums.")
  expect(await historyOf(app, seller, "5001")).toEqual([1500, 2200, 2500])
})

test("every known export is recognized in the app too", async () => {
  const { seller, person, to } = await given()
  for (const [preset, { text }] of EXPORTS) {
    const isDelivery = ["google-ad-manager", "op3", "ghost"].includes(preset)
    const page = plain(await reportText(person, isDelivery ? "delivery" : "affiliate_metrics", text, preset, to))
    expect([preset, page]).toEqual([preset, expect.stringMatching(/\d rows? reported/)])
    expect([preset, page]).toEqual([preset, expect.stringContaining("Recognized as ")])
  }
  expect((await totalOf(app, seller, "3a9f"))?.quantity).toBe(3)
})

test("who knows better says that the figures are totals to date", async () => {
  const { seller, person, to } = await given()
  const address = await uploadFile(person, "delivery", GAM_SMALL, undefined, to)
  const page = await person.read(`${address}/columns`)
  expect(plain(page)).toContain("Each row is one day Line 5001 becomes 200.")
  const columns = { column_0: "as_of", column_1: "external_id", column_2: "", column_3: "impressions", column_4: "" }
  await person.post(`${address}/columns`, { ...columns, figures: "totals" })
  await reportFile(person, address)
  expect(await historyOf(app, seller, "5001")).toEqual([120, 80])
})

test("what an organization has said about these headings counts more than the preset", async () => {
  const { seller, person, to } = await given()
  const columns = ["as_of", "external_id", "", "", "impressions"]
  const said = { kind: "delivery", columns, figures: "totals", numbers: null, dates: null, at: app.clock() }
  const [header = ""] = GAM_SMALL.split("\n")
  await app.store.uploads.remember(
    seller.organizationId,
    "reading",
    headingsKey(header.split(",")),
    JSON.stringify(said),
  )
  await reportText(person, "delivery", GAM_SMALL, undefined, to)
  expect(await historyOf(app, seller, "5001")).toEqual([1, 0])
})

test("an export of another kind of data is read as what it is, and says so", async () => {
  const { person, to } = await given()
  const address = await uploadFile(person, "delivery", textOf("awin"), undefined, to)
  const shown = plain(await person.read(address))
  expect(shown).toContain("Affiliate figures ·")
  expect(shown).toContain("Recognized as Awin, transactions report")
  expect(plain(await reportFile(person, address))).toContain("2 rows saved")
})

test("figures of a day that would go down are shown before they do", async () => {
  const { person, to } = await given()
  await reportText(person, "affiliate_metrics", textOf("awin"), undefined, to)
  const half = textOf("awin").split("\n").slice(0, 2).join("\n")
  const address = await uploadFile(person, "affiliate_metrics", half, "half.csv", to)
  expect(plain(await person.read(address))).toContain("77001 has 2 conversions on 2026-11-03, and this file has 1.")
})
