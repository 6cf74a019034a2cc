import { expect, test } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { renewDays } from "../../../src/actions/delivery/renew-days.ts"
import { createIngestKey } from "../../../src/actions/keys/keys.ts"
import { editOrganization } from "../../../src/actions/people/organizations.ts"
import { givenCodeId } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenPerson, LINE, startMarket } from "./given.ts"
import { signedIn, type Visitor } from "./visitor.ts"

test("a seller starts at what needs somebody, and everything that runs", async () => {
  await using app = await startMarket({ now: "2026-11-15T12:00:00Z" })
  const seller = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const html = await seller.read("/app/o/acme-audio")
  // Started two weeks ago, and never reported: one thing to do for all of them.
  expect(html).toContain("<strong>3 lines</strong> have no total yet")
  expect(html).toContain("Of those that run, or ended in the last 7 days.")
  expect(html).toContain("1 thing needs you, 4 lines are running")
  expect(html).toContain(`/app/o/acme-audio/campaigns/autumn/lines/${LINE}`)
  expect(html).not.toContain("December")
  expect(html).not.toContain("Banner")
  // The menu counts the same on every page.
  expect(await seller.read("/app/o/acme-audio/campaigns")).toContain('count">1<')
  // What the server needs is said to whoever can do something about it.
  const operator = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const today = await operator.read("/app/o/acme-audio")
  expect(today).toContain("3 things need you")
  for (const need of ["Backups are not scheduled", "No alerts are set up"]) {
    expect(today).toContain(need)
    expect(html).not.toContain(need)
  }
  const csv = await seller.read("/app/o/acme-audio/running-lines.csv")
  expect(csv.trim().split("\n")).toHaveLength(5)
})

/** As many running lines of Acme Audio, each with a total of 900 at the given time. */
async function givenLinesWithTotals(app: TestApp, count: number, asOf = app.clock()): Promise<void> {
  const lines = Array.from({ length: count }, (_, i) => ({
    package_id: `0b8f5a0e-6d1c-4b43-9a55-${String(i).padStart(12, "0")}`,
    seller: "acme-audio",
    name: `Line ${i}`,
    pricing_basis: "impressions",
    flight_start: "2026-11-01",
    flight_end: "2026-11-16",
    booked: 1_000,
    rate: 10,
    currency: "EUR",
  }))
  const organizations = [
    { slug: "acme-audio", name: "Acme Audio" },
    { slug: "brand-co", name: "Brand Co" },
  ]
  const campaigns = [{ slug: "many", name: "Many", buyer: "brand-co", lines }]
  expect(await importCatalogue(app, { organizations, campaigns }, "import")).toMatchObject({ ok: true })
  const { id = 0 } = (await app.store.organizations.findBySlug("acme-audio")) ?? {}
  const ids = lines.map(({ package_id }) => package_id)
  const { items: found, revision, timeZone } = await app.store.deliveries.linesSold(id, ids)
  const totals = found.flatMap((line) => (line ? [{ lineId: line.lineId, quantity: 900, asOf }] : []))
  const source = { kind: "command", reference: "", detail: "" } as const
  await app.store.deliveries.record(totals, { receivedAt: app.clock(), source, timeZone }, revision)
}

test.each([1, 5, 6, 203])(
  "%p lines that need somebody: at most five are shown, and the rest is one click away",
  async (count) => {
    await using app = await startApp({ now: "2026-11-15T12:00:00Z" })
    await givenLinesWithTotals(app, count)
    const seller = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
    const shown = (html: string) => html.match(/ends tomorrow/g)?.length ?? 0
    const today = await seller.read("/app/o/acme-audio")
    expect(shown(today)).toBe(Math.min(count, 5))
    expect(today.includes(`Show all ${count}`)).toBe(count > 5)
    let all = 0
    for (let from = 0; from < count; from += 100)
      all += shown(await seller.read(`/app/o/acme-audio/attention?from=${from}`))
    expect(all).toBe(count)
  },
)

test.each([
  [1, "€9.00"],
  [500, "€4,500.00"],
  [501, "€4,509.00"],
  [2_001, "€18,009.00"],
])("the value of the last days is of all %p running lines", async (count, sum) => {
  await using app = await startApp({ now: "2026-11-15T12:00:00Z" })
  await givenLinesWithTotals(app, count, app.clock() - 86_400_000_000)
  const seller = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const stretch = () => seller.read("/app/o/acme-audio").then((html) => /<b>(€\S+ over \d+ days)<\/b>/.exec(html)?.[1])
  expect(await stretch()).toBe(`${sum} over 14 days`)
  const edited = { name: "Acme Audio", timeZone: "Europe/Berlin", currency: "" }
  await editOrganization(app, { slug: "acme-audio", ...edited }, { actor: "test" })
  // The days are found in the history until they are worked out anew.
  expect(await stretch()).toBe(`${sum} over 14 days`)
  while (await renewDays(app)) {}
  expect(await stretch()).toBe(`${sum} over 14 days`)
})

test.each([
  [500, "500"],
  [1_001, "1,001"],
])("of %p lines that all need somebody, the menu counts %p", async (count, badge) => {
  await using app = await startApp({ now: "2026-11-15T12:00:00Z" })
  await givenLinesWithTotals(app, count)
  const seller = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const [, text] = /class="badge warn word count">([^<]*)</.exec(await seller.read("/app/account")) ?? []
  expect(text).toBe(badge)
})

test("with many lines the menu of a page may say what was so a minute ago, but on Today it says what Today says", async () => {
  await using app = await startApp({ now: "2026-11-15T12:00:00Z" })
  await givenLinesWithTotals(app, 501)
  const seller = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const menuOn = async (page: string) => /count">([\d,]+)</.exec(await seller.read(`/app/o/acme-audio${page}`))?.[1]
  expect(await menuOn("/campaigns")).toBe("501")
  await givenLinesWithTotals(app, 502)
  expect(await menuOn("")).toBe("502")
  expect(await menuOn("/attention")).toBe("502")
  // What was counted last is what every page says.
  expect(await menuOn("/campaigns")).toBe("502")
})

test("a buyer starts at its campaigns", async () => {
  await using app = await startMarket({ now: "2026-11-15T12:00:00Z" })
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
  const response = await buyer.get("/app/o/brand-co")
  expect(response.headers.get("location")).toContain("/app/o/brand-co/campaigns")
  expect(await buyer.read("/app/o/brand-co/campaigns")).not.toContain(">Today")
})

/** The words of the menu of a page, in order. */
async function menuOf(person: Visitor, path = "/app/account"): Promise<string[]> {
  const [, menu = ""] = /<nav aria-label="Main">(.*?)<\/nav>/s.exec(await person.read(path)) ?? []
  return [...menu.matchAll(/class="entry"[^>]*>(?:<svg.*?<\/svg>)?([^<]+)/g)].map(([, word = ""]) => word)
}

const SELLING = ["Today", "Campaigns", "Month’s end", "Orders", "Delivery", "Upload"]
const SETTINGS = ["API keys", "People", "Organization"]
const SWITCHER = "Switch organization"

async function givenOneSeller(app: TestApp): Promise<void> {
  const organizations = [
    { slug: "zebra", name: "Zebra" },
    { slug: "brand-co", name: "Brand Co" },
    { slug: "left-over", name: "Made once, never used" },
  ]
  const line = {
    package_id: LINE,
    seller: "zebra",
    name: "L",
    pricing_basis: "impressions",
    flight_start: "2026-11-01",
  }
  const campaigns = [{ slug: "autumn", name: "Autumn", buyer: "brand-co", lines: [line] }]
  const outcome = await importCatalogue(app, { organizations, campaigns }, "import")
  expect(outcome).toMatchObject({ ok: true })
}

test("while one organization sells there is one menu, by role, and nothing to switch", async () => {
  await using app = await startApp({ now: "2026-11-15T12:00:00Z" })
  await givenOneSeller(app)
  const member = await signedIn(app, await givenPerson(app, { of: "zebra" }))
  const admin = await signedIn(app, await givenPerson(app, { of: "zebra", role: "admin" }))
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  expect(await menuOf(member)).toEqual(SELLING)
  expect(await menuOf(admin)).toEqual([...SELLING, ...SETTINGS])
  // Also on the pages that belong to no organization, and although the buyer comes first in the alphabet.
  for (const path of ["/app/account", "/app/operator/system", "/app/o/zebra/campaigns"]) {
    expect(await menuOf(olga, path)).toEqual([...SELLING, "Agent sales", ...SETTINGS, "System"])
    expect(await olga.read(path)).not.toContain(SWITCHER)
  }
  expect((await olga.get("/app")).headers.get("location")).toBe("/app/o/zebra")
  const zebra = { id: (await app.store.organizations.findBySlug("zebra"))?.id ?? 0 }
  await givenCodeId(app.store, zebra.id, LINE, "A10")
  await createIngestKey(app, zebra, "Ad server", "test")
  expect(await menuOf(member)).toEqual([
    "Today",
    "Campaigns",
    "Month’s end",
    "Orders",
    "Affiliates",
    ...SELLING.slice(4),
    "Feed activity",
  ])
})

test("with a second seller there is a switcher, in which a buyer appears once somebody of it can sign in", async () => {
  await using app = await startMarket({ now: "2026-11-15T12:00:00Z" })
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const page = await olga.read("/app/o/other-seller/campaigns")
  expect(page).toContain(SWITCHER)
  expect(page).not.toContain('href="/app/o/brand-co"')
  const installation = ["Organizations", "All people", "System", "Changes"]
  expect(await menuOf(olga)).toEqual(["All sellers", ...SELLING, "Agent sales", ...SETTINGS, ...installation])
  // The pages of the installation keep the menu of where one was.
  expect(await olga.read("/app/operator/system")).toContain('href="/app/o/other-seller/keys"')
  await givenPerson(app, { of: "brand-co" })
  expect(await olga.read("/app/account")).not.toContain('href="/app/o/brand-co"')
  const flora = await signedIn(app, await givenPerson(app, { of: "brand-co", password: "correct horse battery" }))
  expect(await olga.read("/app/account")).toContain('href="/app/o/brand-co"')
  expect(await menuOf(flora)).toEqual(["Campaigns"])
})

test("no entry of anybody's menu refuses them", async () => {
  await using app = await startMarket({ now: "2026-11-15T12:00:00Z" })
  for (const options of [
    { of: "acme-audio" },
    { of: "acme-audio", role: "admin" },
    { of: "brand-co" },
    { isOperator: true },
  ] as const) {
    const person = await signedIn(app, await givenPerson(app, options))
    const [, menu = ""] = /<nav aria-label="Main">(.*?)<\/nav>/s.exec(await person.read("/app/account")) ?? []
    for (const [, href = ""] of menu.matchAll(/href="([^"]+)"/g))
      expect([href, (await person.get(href)).status]).toEqual([href, 200])
  }
})
