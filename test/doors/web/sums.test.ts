import { describe, expect, test } from "bun:test"
import { shareCampaign } from "../../../src/actions/campaigns/share-links.ts"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { MICROS_PER_DAY } from "../../../src/domain/time/moment.ts"
import { givenIngestKey, keepTotals } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { report } from "../ingest/feed.ts"
import { givenPerson } from "./given.ts"
import { signedIn, type Visitor, visitor } from "./visitor.ts"

const CAMPAIGN = "/app/o/acme-audio/campaigns/big"

const idOf = (line: number) => `00000000-0000-4000-8000-${String(line).padStart(12, "0")}`

/** Every third line is a flat rate of €500; all others are booked for €1,000. */
const bookedOf = (line: number) => (line % 3 === 0 ? 500 : 1_000)

const lineOf = (line: number, more: object = {}) => ({
  package_id: idOf(line),
  seller: "acme-audio",
  name: `Line ${line}`,
  flight_start: "2026-11-01",
  flight_end: "2026-11-30",
  currency: "EUR",
  ...(line % 3 === 0
    ? { pricing_basis: "flat_rate", rate: 500 }
    : { pricing_basis: line % 2 === 0 ? "impressions" : "downloads", booked: 100_000, rate: 10 }),
  ...more,
})

const sumOf = (count: number) => Array.from({ length: count }, (_, i) => bookedOf(i + 1)).reduce((a, b) => a + b, 0)

/** A campaign of so many lines of Acme Audio, beside one of another seller and an archived one; of line 2 a tenth is delivered. */
async function givenLines(app: TestApp, count: number, last: object = {}) {
  const lines = Array.from({ length: count }, (_, i) => lineOf(i + 1, i + 1 === count ? last : {}))
  const others = [lineOf(1_001, { seller: "other" }), lineOf(1_002)]
  const outcome = await importCatalogue(
    app,
    {
      organizations: ["acme-audio", "other", "brand-co"].map((slug) => ({ slug, name: slug })),
      campaigns: [{ slug: "big", name: "Big", buyer: "brand-co", lines: [...lines, ...others] }],
    },
    "import",
  )
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  await admin.post(`${CAMPAIGN}/lines/${idOf(1_002)}/archive`)
  const acme = await app.store.organizations.findBySlug("acme-audio")
  const campaign = acme && (await app.store.campaigns.find(acme.id, "big"))
  if (acme === null || campaign === null) throw new Error("nothing was imported")
  await report(app, await givenIngestKey(app, acme), [{ package_id: idOf(2), impressions: 10_000 }])
  const shared = await shareCampaign(app, acme, campaign, { label: "Buyer", days: "7" }, "test")
  if (shared.path === undefined) throw new Error(JSON.stringify(shared.errors))
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
  return { admin, buyer, share: shared.path }
}

/** The words of a page, tags left out, from where one of them begins. */
async function read(person: Visitor, path: string, from: string): Promise<string> {
  const words = (await person.read(path)).replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ")
  return new RegExp(`${from}.{0,80}`).exec(words)?.[0] ?? ""
}

const euros = (amount: number) => `€${amount.toLocaleString("en", { minimumFractionDigits: 2 })}`

describe.each([1, 50, 51, 204])("of a campaign with %d lines", (count) => {
  test("every page shows the sums of all lines, whichever of them it lists", async () => {
    await using app = await startApp()
    const { admin, buyer, share } = await givenLines(app, count)
    const guest = visitor(app)
    const delivered = count > 1 ? 100 : 0
    const sums = `${euros(delivered)} of ${euros(sumOf(count))}`
    const bought = `${euros(delivered)} of ${euros(sumOf(count) + bookedOf(1_001))}`
    for (const from of [0, 50, 200].filter((first) => first < count)) {
      const page = `${share}?from=${from}`
      const shared = await read(guest, page, "Delivered so far")
      expect(shared.replace(/ \d+%/, "")).toStartWith(`Delivered so far ${sums} Flight`)
      expect(await read(guest, page, "Lines [\\d,]+ ")).toStartWith(`Lines ${count} `)
      expect(await read(buyer, `/app/o/brand-co/campaigns/big?from=${from}`, "All lines")).toStartWith(
        `All lines ${bought}`,
      )
      if (count === 1) continue
      expect(await read(guest, page, "All lines")).toStartWith(`All lines ${sums}`)
      expect(await read(admin, `${CAMPAIGN}?from=${from}`, "All lines")).toStartWith(`All lines ${sums}`)
    }
    const rows = await admin.read("/app/o/acme-audio/campaigns.csv")
    expect(rows).toContain(`,${count},2026-11-01,2026-11-30,${delivered},${sumOf(count)},EUR`)
    expect(await read(admin, "/app/o/acme-audio/campaigns", euros(sumOf(count)))).not.toBe("")
    const running = count === 1 ? "1 line is running" : `${count} lines are running`
    expect(await read(admin, "/app/o/acme-audio", running)).not.toBe("")
    if (count > 1)
      expect(await read(admin, "/app/o/acme-audio", "Value delivered")).toStartWith(
        "Value delivered 2 Nov – 15 Nov €100.00 over 15 days",
      )
    expect((await admin.read(`${CAMPAIGN}/lines.csv`)).trim().split("\n")).toHaveLength(count + 1)
  })
})

test.each([50, 51, 204])("of %d lines, one that only the last page lists can make the sum unknown", async (count) => {
  for (const last of [{ currency: "USD" }, { rate: undefined, currency: undefined }]) {
    await using app = await startApp()
    const { admin, share } = await givenLines(app, count, last)
    expect(await admin.read(CAMPAIGN)).not.toInclude("All lines")
    expect(await visitor(app).read(share)).not.toInclude("Delivered so far")
    // Then the units say how much it is.
    const impressions = Array.from({ length: count }, (_, i) => i + 1).filter((line) => line % 2 === 0 && line % 3 > 0)
    const booked = (impressions.length * 100_000).toLocaleString("en")
    expect(await read(visitor(app), share, "Impressions so far")).toStartWith(
      `Impressions so far 10,000 of ${booked} booked`,
    )
  }
  // Without a booked quantity it is known what was delivered, and not of how much.
  await using app = await startApp()
  const { share } = await givenLines(app, count, { pricing_basis: "impressions", rate: 10, booked: undefined })
  expect(await read(visitor(app), share, "Delivered so far")).toStartWith("Delivered so far €100.00 Flight")
})

test.each([1, 24])("a line with %d reports a day for 106 days has a total for each of them", async (perDay) => {
  await using app = await startApp()
  const { admin, share } = await givenLines(app, 2, { flight_start: "2026-08-01" })
  const [line] = await app.store.packageLines.findSold(
    (await app.store.organizations.findBySlug("acme-audio"))?.id ?? 0,
    [idOf(2)],
  )
  if (line === undefined) throw new Error("no line")
  const first = Date.parse("2026-08-01T00:30:00Z") * 1_000
  const totals = Array.from({ length: 106 * perDay }, (_, i) => ({
    lineId: line.lineId,
    asOf: first + i * (MICROS_PER_DAY / perDay),
    quantity: i + 1,
  }))
  const source = { kind: "command", reference: "", detail: "" } as const
  await keepTotals(app.store, totals, { receivedAt: app.clock(), source })
  const page = `${CAMPAIGN}/lines/${idOf(2)}`
  const days = (await admin.read(`${page}/totals.csv`)).trim().split("\r\n").slice(1)
  const dateOf = (day: number) => new Date(Date.parse("2026-08-01") + day * 86_400_000).toISOString().slice(0, 10)
  // On the last day the report of the campaign came in at noon.
  expect(days.slice(0, -1).map((row) => row.split(",").toSpliced(2, 1).toSpliced(3, 1).slice(1, 4).join())).toEqual(
    Array.from({ length: 106 }, (_, day) => `${dateOf(day)},${(day + 1) * perDay},${perDay}`),
  )
  expect(await admin.read(page)).not.toMatch(/over \d+ days<\/td>/)
  expect(await admin.read(share)).toInclude("Delivery over the flight")
  const history = (await admin.read(`${page}/history.csv`)).trim().split("\r\n")
  expect(history).toHaveLength(106 * perDay + 2)
})
