import { expect, test } from "bun:test"
import { createIngestKey } from "../../../src/actions/keys/keys.ts"
import { givenPerson } from "./given.ts"
import { HARBOUR_LINE, LIGHTHOUSE, SEA_LINE, type Shop, startShop } from "./given-sale.ts"
import { signedIn, textOf, type Visitor } from "./visitor.ts"

const BASE = `/app/o/${LIGHTHOUSE}`

const TOTALS: { package_id: string; impressions?: number; downloads?: number; as_of: string }[] = [
  { package_id: HARBOUR_LINE, impressions: 30_000, as_of: "2026-09-30" },
  { package_id: HARBOUR_LINE, impressions: 60_000, as_of: "2026-10-31" },
  { package_id: HARBOUR_LINE, impressions: 91_284, as_of: "2026-11-08" },
  { package_id: SEA_LINE, downloads: 34_000, as_of: "2026-10-31" },
]

/** Totals of a line that ran from September to November, and of another that is not priced in its last month. */
async function report(shop: Shop, items = TOTALS) {
  const seller = await shop.store.organizations.findBySlug(LIGHTHOUSE)
  const { secret } = await createIngestKey(shop, { id: seller?.id ?? 0, slug: LIGHTHOUSE } as never, "Feed", "test")
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" }
  for (const item of items) {
    const sent = { method: "POST", headers, body: JSON.stringify({ items: [item] }) }
    expect(await (await shop.fetch("/api/ingest/delivery/metrics", sent)).json()).toMatchObject({ accepted: 1 })
  }
}

test("month's end shows what each buyer's campaigns delivered in a month, and what of it is settled", async () => {
  await using shop = await startShop()
  await report(shop)
  const ada = await signedIn(shop, await givenPerson(shop, { of: LIGHTHOUSE, role: "admin" }))
  const read = async (month: string) => textOf(await ada.read(`${BASE}/month?month=${month}`))
  expect(await ada.read(BASE)).toContain(`${BASE}/month`)
  expect(await read("2026-09")).toMatch(/Month’s end, September 2026 .*Delivered €480.00 .*Settled –/)
  // Days of two months that were reported together belong to neither.
  const both = "and €816.00 over 55 days, 7 Sept – 31 Oct"
  expect(await read("2026-10")).toContain(
    `Theatre season Schauspielhaus €480.00 ${both} – €2,256.00 Not settled Settle`,
  )
  expect(await read("2026-09")).toContain(
    `Theatre season Schauspielhaus €480.00 ${both} – €2,256.00 Not settled Settle`,
  )
  expect(await read("2026-11")).toMatch(
    /Autumn escapes Fernweh Travel €0.00 – €0.00 Running .*Theatre season Schauspielhaus €480.00 – €2,256.00/,
  )
  expect(await read("2026-08")).toContain("Nothing ran in this month")
  for (const odd of ["2027-01", "2026-13", "x", ""]) expect(await read(odd)).toContain("Month’s end, November 2026")

  await freeze(ada)
  expect(await read("2026-10")).toMatch(
    /Settled €480.00 .*Theatre season Schauspielhaus €480.00 and €816.00 over 55 days, 7 Sept – 31 Oct €480.00 and €816.00 over 55 days, 7 Sept – 31 Oct €0.00 Settled 2026-001 €2,256.00/,
  )
  const file = await ada.read(`${BASE}/month?month=2026-10&csv`)
  expect(file).toContain("2026-10-01,2026-10-31,Schauspielhaus,Theatre season,EUR,480.00,480.00,0.00,settled,2026-001")
  expect(file).toContain("2026-09-07,2026-10-31,Schauspielhaus,Theatre season,EUR,816.00,816.00,,settled,2026-001")
})

const STATEMENTS = `${BASE}/campaigns/theatre-season/statements`

/** Freezes the next statement of the season; the address of its page. */
async function freeze(ada: Visitor, fields: Readonly<Record<string, string>> = {}) {
  const sent = { from: "Lighthouse", to: "=Haus", ...fields }
  const asked = await (await ada.post(`${STATEMENTS}/new`, sent)).text()
  const confirmed = /name="confirmed" value="([^"]*)"/.exec(asked)?.[1] ?? ""
  const frozen = await ada.post(`${STATEMENTS}/new`, { ...sent, confirmed })
  expect(frozen.status).toBe(303)
  return new URL(frozen.headers.get("location") ?? "", "http://x").pathname
}

test("settled is what frozen statements say: a rate or total that changes later moves only what is not settled yet", async () => {
  await using shop = await startShop()
  await report(shop)
  const ada = await signedIn(shop, await givenPerson(shop, { of: LIGHTHOUSE, role: "admin" }))
  const rowIn = async (month: string) =>
    /Theatre season Schauspielhaus (.*?)(?: Earlier|$)/.exec(
      textOf(await ada.read(`${BASE}/month?month=${month}`)),
    )?.[1]
  const page = await freeze(ada)
  // Harbour Nights: 30,000 in September, 30,000 in October, 30,000 of 31,284 in November, at €16.00 per 1,000.
  expect(await rowIn("2026-11")).toContain("€480.00 €480.00 €0.00 Settled 2026-001 €2,256.00")
  // 1,000 more downloads of Sea Stories, on the first nine days of November.
  const more = [{ package_id: SEA_LINE, downloads: 35_000, as_of: "2026-11-09" }]
  await report(shop, more)
  expect(await rowIn("2026-11")).toContain("€504.00 €480.00 €24.00 Not settled 2026-001 €2,256.00 Settle")
  expect(textOf(await ada.read(page))).toContain("Sea Stories, mid-roll : 1,000 more delivered, now 35,000")

  const line = `${BASE}/campaigns/theatre-season/lines/${HARBOUR_LINE}`
  const form = await ada.read(`${line}/edit`)
  const seen = /name="seen" value="([^"]*)"/.exec(form)?.[1] ?? ""
  const terms = {
    line_name: "Harbour Nights, mid-roll",
    pricing_basis: "impressions",
    currency: "EUR",
    booked: "90000",
  }
  const typed = { ...terms, rate: "18", flight_start: "2026-09-07", flight_end: "2026-11-08", seen }
  const asked = await (await ada.post(`${line}/edit`, typed)).text()
  expect(textOf(asked)).toContain("2026-001 states this line at €16.00 and will not change.")
  const anyway = /name="anyway" value="([^"]*)"/.exec(asked)?.[1] ?? ""
  expect((await ada.post(`${line}/edit`, { ...typed, anyway })).status).toBe(303)
  // 90,000 at €2.00 more per 1,000.
  expect(await rowIn("2026-11")).toContain("€564.00 €480.00 €204.00 Not settled")
  expect(await rowIn("2026-09")).toContain("€540.00 and €816.00 over 55 days, 7 Sept – 31 Oct €480.00")
  expect(textOf(await ada.read(page))).toContain("Harbour Nights, mid-roll : rate €16.00, now €18.00")
  expect(textOf(await ada.read(page))).toContain("Not settled yet: €204.00")

  const second = await freeze(ada)
  expect(await rowIn("2026-11")).toContain("€564.00 €564.00 €0.00 Settled 2026-002 €204.00 2026-001 €2,256.00")
  expect(await rowIn("2026-09")).toContain("7 Sept – 31 Oct €540.00")
  expect((await ada.post(`${page}/paid`, { paid_on: "2026-11-16" })).status).toBe(303)
  expect(await rowIn("2026-11")).toContain("2026-002 €204.00 2026-001 €2,256.00, paid")
  expect((await ada.post(`${second}/cancel`)).status).toBe(303)
  expect(await rowIn("2026-11")).toContain("€564.00 €480.00 €204.00 Not settled 2026-001 €2,256.00, paid Settle")
})

test("days of two months that were reported together are shown in both, and counted in neither", async () => {
  await using shop = await startShop()
  shop.clock.advance({ days: 60 })
  const ada = await signedIn(shop, await givenPerson(shop, { of: LIGHTHOUSE, role: "admin" }))
  await report(shop, [
    { package_id: HARBOUR_LINE, impressions: 80_000, as_of: "2026-11-08" },
    { package_id: HARBOUR_LINE, impressions: 90_000, as_of: "2026-12-01" },
  ])
  const read = async (month: string) => textOf(await ada.read(`${BASE}/month?month=${month}`))
  const first = "and €1,280.00 over 63 days, 7 Sept – 8 Nov"
  const second = "and €160.00 over 23 days, 9 Nov – 1 Dec"
  expect(await read("2026-11")).toContain(`Theatre season Schauspielhaus €0.00 ${first} ${second}`)
  expect(await read("2026-12")).toContain(`Theatre season Schauspielhaus €0.00 ${second}`)
  expect(await read("2027-01")).not.toContain("Theatre season")
})

test("what is archived still counts in its months", async () => {
  await using shop = await startShop()
  await report(shop)
  const ada = await signedIn(shop, await givenPerson(shop, { of: LIGHTHOUSE, role: "admin" }))
  const sums = async () =>
    /Delivered €480.00 .*Theatre season/.test(textOf(await ada.read(`${BASE}/month?month=2026-10`)))
  expect(await sums()).toBe(true)
  expect((await ada.post(`${BASE}/campaigns/theatre-season/archive`)).status).toBe(303)
  expect(await sums()).toBe(true)
})

test("a campaign with a line that runs in a later month is not to be settled yet", async () => {
  await using shop = await startShop()
  const ada = await signedIn(shop, await givenPerson(shop, { of: LIGHTHOUSE, role: "admin" }))
  const read = async () => textOf(await ada.read(`${BASE}/month?month=2026-10`))
  expect(await read()).toContain("Theatre season Schauspielhaus €0.00 – €0.00 Not settled Settle")
  const line = { line_name: "Encore", pricing_basis: "impressions", rate: "16", currency: "EUR", booked: "1000" }
  const flight = { flight_start: "2026-12-01", flight_end: "2026-12-24" }
  expect((await ada.post(`${BASE}/campaigns/theatre-season/lines`, { ...line, ...flight })).status).toBe(303)
  expect(await read()).toContain("Theatre season Schauspielhaus €0.00 – €0.00 Running ")
})

test("month's end is the seller's alone", async () => {
  await using shop = await startShop()
  const buyer = await signedIn(shop, await givenPerson(shop, { of: "schauspielhaus", role: "admin" }))
  expect((await buyer.get("/app/o/schauspielhaus/month")).status).toBe(404)
  expect((await buyer.get(`${BASE}/month`)).status).toBe(404)
})

test("a statement says on which days its lines were measured, and what a rate is for", async () => {
  await using shop = await startShop()
  await report(shop)
  const ada = await signedIn(shop, await givenPerson(shop, { of: LIGHTHOUSE, role: "admin" }))
  const draft = textOf(await ada.read(`${STATEMENTS}/new`)).replaceAll(/\s/g, " ")
  // One line was measured last on 31 October, the other on 8 November.
  expect(draft).toContain("Figures as of 31 Oct 2026 – 8 Nov 2026.")
  expect(draft).toMatch(/Billable .*€16.00 per 1,000/)
  const page = await freeze(ada)
  const sheet = textOf(await ada.read(page)).replaceAll(/\s/g, " ")
  expect(sheet).toContain("Figures as of 31 Oct 2026 – 8 Nov 2026")
  expect(sheet).toMatch(/Sea Stories, mid-roll .* as of 31 Oct 2026/)
  expect(await ada.read(`${page}?csv`)).toMatch(/Sea Stories, mid-roll",.*2026-10-31T/)
  const lines = await ada.read(`${BASE}/campaigns/theatre-season/lines.csv`)
  expect(lines).toMatch(/,rate,value,booked_value,currency,state\r?\n/)
  expect(lines).toMatch(/Harbour Nights, mid-roll.*,16,1440,1440,EUR,/)
})
