import { expect, test } from "bun:test"
import { createIngestKey } from "../../../src/actions/keys/keys.ts"
import { givenPerson } from "./given.ts"
import { HARBOUR_LINE, LIGHTHOUSE, SEA_LINE, type Shop, startShop } from "./given-sale.ts"
import { signedIn } from "./visitor.ts"

const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")
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
  expect(await read("2026-09")).toMatch(/Month’s end, September 2026 .*Delivered €480.00 .*Not settled €480.00/)
  // What was measured together counts in the month of its last day: all months are what the lines are worth.
  expect(await read("2026-10")).toMatch(/Theatre season Schauspielhaus €1,296.00 Not settled Settle/)
  expect(await read("2026-11")).toMatch(
    /Autumn escapes Fernweh Travel €0.00 Running .*Theatre season Schauspielhaus €480.00/,
  )
  expect(await read("2026-08")).toContain("Nothing ran in this month")
  for (const odd of ["2027-01", "2026-13", "x", ""]) expect(await read(odd)).toContain("Month’s end, November 2026")

  const statements = `${BASE}/campaigns/theatre-season/statements`
  const asked = await (await ada.post(`${statements}/new`, { from: "Lighthouse", to: "=Haus" })).text()
  const confirmed = /name="confirmed" value="([^"]*)"/.exec(asked)?.[1] ?? ""
  expect((await ada.post(`${statements}/new`, { from: "Lighthouse", to: "=Haus", confirmed })).status).toBe(303)
  expect(await read("2026-10")).toMatch(
    /Settled €1,296.00 .*Theatre season Schauspielhaus €1,296.00 Frozen 2026-001 €2,256.00/,
  )
  const file = await ada.read(`${BASE}/month?month=2026-10&csv`)
  expect(file).toContain("2026-10,Schauspielhaus,Theatre season,1296.00,EUR,frozen,2026-001")
})

test("what is measured after the month in which a flight ended counts in a later month: all months are what the line is worth", async () => {
  await using shop = await startShop()
  shop.clock.advance({ days: 60 })
  const ada = await signedIn(shop, await givenPerson(shop, { of: LIGHTHOUSE, role: "admin" }))
  await report(shop, [
    { package_id: HARBOUR_LINE, impressions: 80_000, as_of: "2026-11-08" },
    { package_id: HARBOUR_LINE, impressions: 90_000, as_of: "2026-12-01" },
  ])
  const read = async (month: string) => textOf(await ada.read(`${BASE}/month?month=${month}`))
  expect(await read("2026-11")).toContain("Theatre season Schauspielhaus €1,280.00")
  expect(await read("2026-12")).toContain("Theatre season Schauspielhaus €160.00")
  expect(await read("2027-01")).not.toContain("Theatre season")
})

test("what is archived still counts in its months", async () => {
  await using shop = await startShop()
  await report(shop)
  const ada = await signedIn(shop, await givenPerson(shop, { of: LIGHTHOUSE, role: "admin" }))
  const sums = async () =>
    /Delivered €1,296.00 .*Theatre season/.test(textOf(await ada.read(`${BASE}/month?month=2026-10`)))
  expect(await sums()).toBe(true)
  expect((await ada.post(`${BASE}/campaigns/theatre-season/archive`)).status).toBe(303)
  expect(await sums()).toBe(true)
})

test("a campaign with a line that runs in a later month is not to be settled yet", async () => {
  await using shop = await startShop()
  const ada = await signedIn(shop, await givenPerson(shop, { of: LIGHTHOUSE, role: "admin" }))
  const read = async () => textOf(await ada.read(`${BASE}/month?month=2026-10`))
  expect(await read()).toContain("Theatre season Schauspielhaus €0.00 Not settled Settle")
  const line = { line_name: "Encore", pricing_basis: "impressions", rate: "16", currency: "EUR", booked: "1000" }
  const flight = { flight_start: "2026-12-01", flight_end: "2026-12-24" }
  expect((await ada.post(`${BASE}/campaigns/theatre-season/lines`, { ...line, ...flight })).status).toBe(303)
  expect(await read()).toContain("Theatre season Schauspielhaus €0.00 Running ")
})

test("month's end is the seller's alone", async () => {
  await using shop = await startShop()
  const buyer = await signedIn(shop, await givenPerson(shop, { of: "schauspielhaus", role: "admin" }))
  expect((await buyer.get("/app/o/schauspielhaus/month")).status).toBe(404)
  expect((await buyer.get(`${BASE}/month`)).status).toBe(404)
})
