import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { createIngestKey, revokeIngestKey } from "../../../src/actions/keys/keys.ts"
import { nextTurn } from "../../clock.ts"
import { plainProduct } from "../../domain/adcp/schema/documents.ts"
import { givenCodeId, keepTotals, saveProduct } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenPerson, LINE, startMarket } from "./given.ts"
import { signedIn, type Visitor } from "./visitor.ts"

const CAMPAIGNS = 330
const ACME = "/app/o/acme-audio"
const OPERATOR = "/app/operator"

/** What the address shows, row by row: the text of the first cell. */
async function names(person: Visitor, path: string): Promise<string[]> {
  const html = await person.read(path)
  return [...html.matchAll(/<th scope="row"[^>]*>(.*?)<\/th>/gs)].map(([, cell = ""]) =>
    cell.replaceAll(/<[^>]+>/g, "").trim(),
  )
}

const upTo = (count: number, name: (place: number) => string) => Array.from({ length: count }, (_, i) => name(i + 1))

/** Campaigns 1, 2, 3, ...: every third has ended, every third has not begun, and the later the number, the more is delivered. */
async function givenCampaigns(app: TestApp): Promise<void> {
  const flights = [
    { flight_start: "2026-11-01", flight_end: "2026-11-30" },
    { flight_start: "2026-12-01", flight_end: "2026-12-31" },
    { flight_start: "2026-10-01", flight_end: "2026-10-31" },
  ]
  const campaigns = upTo(CAMPAIGNS, String).map((n, i) => ({
    slug: `c-${n}`,
    name: `Campaign ${n}`,
    buyer: i % 2 === 0 ? "brand-co" : "acme-audio",
    lines: [
      { seller: "acme-audio", name: "A line", pricing_basis: "impressions", booked: 1_000, ...flights[i % 3] },
      { seller: "other", name: "Of another seller", pricing_basis: "impressions", booked: 10, ...flights[i % 3] },
    ],
  }))
  const organizations = [
    { slug: "acme-audio", name: "Acme Audio" },
    { slug: "brand-co", name: "Brand Co" },
    { slug: "other", name: "Other" },
    ...upTo(60, (n) => `Shop ${n}`).map((name, i) => ({ slug: `shop-${i + 1}`, name })),
  ]
  const users = upTo(60, (n) => `Guest ${n}`).map((name, i) => ({
    email: `p${i + 1}@example.com`,
    name,
    organization: "acme-audio",
    role: "member",
  }))
  const outcome = await importCatalogue(app, { organizations, campaigns, users }, "import")
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  const { id = 0 } = (await app.store.organizations.findBySlug("acme-audio")) ?? {}
  const lines = await app.store.campaigns.listedLines(id)
  const own = lines.filter(({ booked }) => booked === 1_000).sort((one, other) => one.lineId - other.lineId)
  const totals = own.map(({ lineId }, i) => ({ lineId, asOf: app.clock() - 1, quantity: i }))
  await keepTotals(app.store, totals, {
    receivedAt: app.clock(),
    source: { kind: "command", reference: "", detail: "" },
  })
}

describe("lists", () => {
  let app: TestApp
  let person: Visitor
  beforeAll(async () => {
    app = await startApp()
    await givenCampaigns(app)
    person = await signedIn(app, await givenPerson(app, { isOperator: true }))
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test("show 25 rows in the natural order of their names, and every row on one of the pages", async () => {
    expect(await names(person, `${ACME}/campaigns`)).toEqual(upTo(25, (n) => `Campaign ${n}`))
    expect(await names(person, `${OPERATOR}/organizations?q=shop`)).toEqual(upTo(25, (n) => `Shop ${n}`))
    expect(await names(person, `${OPERATOR}/users?q=guest`)).toEqual(upTo(25, (n) => `Guest ${n}`))
    expect(await names(person, `${ACME}/members?sort=-name&q=guest`)).toEqual(upTo(25, (n) => `Guest ${61 - n}`))
    for (const [path, count] of [
      [`${ACME}/campaigns`, CAMPAIGNS],
      [`${OPERATOR}/users?q=guest`, 60],
    ] as const) {
      const pages = Array.from({ length: Math.ceil(count / 25) }, (_, page) => page * 25)
      const join = path.includes("?") ? "&" : "?"
      const shown = await Promise.all(pages.map((at) => names(person, `${path}${join}start=${at}`)))
      expect(new Set(shown.flat()).size).toBe(count)
    }
  })

  test("campaigns are filtered by their state, and sorted by what is delivered, bought and sold ones alike", async () => {
    const running = await person.read(`${ACME}/campaigns?state=running&q=campaign`)
    expect(running).toContain("of 110 campaigns")
    expect(await names(person, `${ACME}/campaigns?state=ended`)).toEqual(upTo(25, (n) => `Campaign ${n * 3}`))
    // What an organization buys it sees with the lines of other sellers, whose small lines weigh next to nothing.
    const most = await names(person, `${ACME}/campaigns?sort=-delivered`)
    expect(most.slice(0, 3)).toEqual(["Campaign 329", "Campaign 327", "Campaign 330"])
    expect(await names(person, `${ACME}/campaigns?sort=delivered`)).toContain("Campaign 1")
    expect(await names(person, `${ACME}/campaigns?sort=end&q=campaign 3`)).toContain("Campaign 3")
    expect(await names(person, "/app/o/other/campaigns?state=upcoming")).toEqual(
      upTo(25, (n) => `Campaign ${n * 3 - 1}`),
    )
    expect(await person.read(`${ACME}/campaigns?state=running&sort=nonsense&start=100000`)).toContain(
      "No campaigns match",
    )
  })

  test("a search finds names whatever their case, and keeps order and state", async () => {
    expect(await names(person, `${ACME}/campaigns?q=CAMPAIGN+33`)).toEqual(["Campaign 33", "Campaign 330"])
    const html = await person.read(`${OPERATOR}/users?q=GUEST&sort=-name&state=invited`)
    expect(html).toContain('name="state" value="invited"')
    expect(html).toContain('<option value="-name" selected')
    const none = await person.read(`${OPERATOR}/organizations?q=nothing+like+this`)
    expect(none).toContain("No organizations match")
    expect(none).toContain(`href="${OPERATOR}/organizations"`)
  })

  test("a download has everything that the list finds, in its order", async () => {
    for (const id of upTo(3, (n) => `walk-${n}`))
      await saveProduct(app, { ...plainProduct, product_id: id, name: id.replace("walk-", "Walk ") }, "test")
    const file = await person.read(`${OPERATOR}/products.csv?q=walk&sort=-name`)
    const rows = file.trim().split("\r\n").slice(1)
    expect(rows.map((row) => row.split(",")[0])).toEqual(["Walk 3", "Walk 2", "Walk 1"])
    // People, keys and organizations are looked at, not taken away.
    for (const list of ["users", "organizations"]) {
      expect(await person.read(`${OPERATOR}/${list}`)).not.toContain(".csv")
      expect((await person.get(`${OPERATOR}/${list}.csv`)).status).toBe(404)
    }
  })

  test("API keys are active or revoked, the newest first", async () => {
    const acme = await app.store.organizations.findBySlug("acme-audio")
    if (acme === null) throw new Error("no organization")
    for (const label of ["Old", "Revoked", "New"]) {
      app.clock.advance({ seconds: 1 })
      const { record } = await createIngestKey(app, acme, label, "command")
      if (label === "Revoked") await revokeIngestKey(app, record.id, acme.id, "command")
    }
    expect(await names(person, `${ACME}/keys`)).toEqual(["New", "Revoked", "Old"])
    expect(await names(person, `${ACME}/keys?state=active&sort=label`)).toEqual(["New", "Old"])
    expect(await names(person, `${ACME}/keys?state=revoked`)).toEqual(["Revoked"])
  })
})

test("one search finds lines, campaigns, codes, products, people and guides, and only what the visitor may see", async () => {
  await using app = await startMarket()
  const acme = (await app.store.organizations.findBySlug("acme-audio"))?.id ?? 0
  await givenCodeId(app.store, acme, LINE, "ROLL10")
  await saveProduct(app, { ...plainProduct, product_id: "rolling", name: "Rolling banner" }, "test")
  const found = async (person: Visitor, organization: string, words: string) => {
    const html = await person.read(`/app/o/${organization}/search?q=${encodeURIComponent(words)}`)
    return [...html.matchAll(/class="hits">|<h2>([^<]+?) ?<|<a href="([^"]+)"><span class="name">/g)].flatMap(
      ([, kind, href]) => kind ?? href ?? [],
    )
  }
  const member = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  const other = await signedIn(app, await givenPerson(app, { of: "other-seller", role: "admin" }))
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const line = `/app/o/acme-audio/campaigns/autumn/lines/${LINE}`
  expect(await found(member, "acme-audio", "PRE roll")).toEqual(expect.arrayContaining(["Lines", line]))
  expect(await found(member, "acme-audio", LINE.slice(0, 8))).toContain(line)
  expect(await found(member, "acme-audio", "roll10")).toContain("Affiliate codes")
  expect((await found(olga, "acme-audio", "rolling banner")).join()).toContain("/product/rolling")
  expect(await found(member, "acme-audio", "rolling banner")).not.toContain("Products")
  expect(await found(admin, "acme-audio", "person")).toContain("People")
  expect(await found(member, "acme-audio", "person")).not.toContain("People")
  expect(await found(other, "other-seller", "pre-roll")).not.toContain("Lines")
  expect((await found(buyer, "brand-co", "pre-roll")).join()).toContain(
    `/app/o/brand-co/campaigns/autumn/lines/${LINE}`,
  )
  for (const words of ["running it", "mail alerts"])
    expect((await found(member, "acme-audio", words)).join()).toContain("/docs/")
  expect(await found(member, "acme-audio", "restore xyzzy")).toEqual(["Nothing found"])
  expect((await member.get("/app/o/brand-co/search?q=autumn")).status).toBe(404)
})

describe("a list of lines is whole and in its order, and the event loop stays free while it is read", () => {
  test.each([0, 1, 200, 10_000, 10_001, 12_500])(
    "%d lines",
    async (count) => {
      await using app = await startApp()
      const flight = (i: number) => ({
        flight_start: `2026-11-0${1 + (i % 3)}`,
        flight_end: i % 7 === 0 ? null : "2026-12-31",
      })
      const lines = Array.from({ length: count }, (_, i) => ({
        seller: "acme-audio",
        name: `Line ${(i * 7_919) % 12_503}`,
        pricing_basis: "impressions",
        ...flight(i),
      }))
      const organizations = ["acme-audio", "brand-co"].map((slug) => ({ slug, name: slug }))
      const campaigns = [{ slug: "long", name: "Long", buyer: "brand-co", lines }]
      expect(await importCatalogue(app, { organizations, ...(count > 0 && { campaigns }) }, "import")).toMatchObject({
        ok: true,
      })
      const { store } = app
      const { id = 0 } = (await store.organizations.findBySlug("acme-audio")) ?? {}
      const head = (await store.campaigns.list(id))[0] ?? {
        id: 0,
        slug: "",
        name: "",
        archived: false,
        buyer: { id: 0, slug: "", name: "" },
      }
      const days = { from: "2026-11-15", to: "2026-11-15" }
      const reads = {
        lines: () => store.campaigns.lines(id, head, {}),
        inFlight: () => store.campaigns.inFlight(id, days),
        listedLines: () => store.campaigns.listedLines(id),
        listedInFlight: () => store.campaigns.listedInFlight(id, days),
        lineNames: () => store.campaigns.lineNames(id, [head]),
      }
      expect(await store.campaigns.count(id, head, {})).toBe(count)
      const expected = lines.map(({ name }) => name).sort()
      const most = { rows: 0 }
      for (const [name, read] of Object.entries(reads)) {
        let [turns, isDone] = [0, false]
        const watch = async () => {
          while (!isDone) {
            await nextTurn()
            turns++
          }
        }
        const [found] = await Promise.all([read().finally(() => (isDone = true)), watch()])
        most.rows = Math.max(most.rows, found.length / turns)
        expect([name, found.map((line) => line.name).sort()]).toEqual([name, expected])
      }
      expect(most.rows).toBeLessThanOrEqual(10_000)
      const ordered = (await reads.lines()).map((line) => [line.flightStart, line.name, line.lineId] as const)
      expect(ordered).toEqual(ordered.toSorted((a, b) => (a[0] + a[1] < b[0] + b[1] ? -1 : 1)))
      const ends = (await reads.inFlight()).map(({ flightEnd }) => flightEnd ?? "~")
      expect(ends).toEqual(ends.toSorted())
    },
    600_000,
  )
})
