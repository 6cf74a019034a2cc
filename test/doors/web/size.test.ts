import { expect, test } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { seedDemo } from "../../../src/demo/seed.ts"
import { createLog } from "../../../src/log/log.ts"
import { keepTotals } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { crawl, everyPage, fewOfEachKind } from "./crawl.ts"
import { givenPerson, startMarket } from "./given.ts"
import { sessionCookieOf, signedIn, visitor } from "./visitor.ts"

const LINES = 100
const REPORTS_PER_LINE = 1_000
const PAGE_BYTES_MAX = 100_000

async function givenLines(app: TestApp, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, i) => ({
    seller: "acme-audio",
    name: `Line ${i + 1} with a name of a usual length`,
    pricing_basis: "impressions",
    flight_start: "2026-10-01",
    flight_end: "2026-12-31",
    booked: 900_000,
  }))
  const campaigns = [{ slug: "large", name: "Large", buyer: "brand-co", lines }]
  const outcome = await importCatalogue(app, { campaigns }, "import")
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
}

/** A campaign of 100 lines with 100,000 reports. */
async function givenLargeCampaign(app: TestApp): Promise<void> {
  await givenLines(app, LINES)
  const { id = 0 } = (await app.store.organizations.findBySlug("acme-audio")) ?? {}
  const large = await app.store.campaigns.find(id, "large", { offset: 0, limit: LINES })
  const ids = large?.lines.map(({ lineId }) => lineId) ?? []
  const source = { kind: "command", reference: "", detail: "" } as const
  const first = app.clock() - REPORTS_PER_LINE * 3_600_000_000
  for (let i = 1; i <= REPORTS_PER_LINE; i++) {
    const asOf = first + i * 3_600_000_000
    const totals = ids.map((lineId) => ({ lineId, asOf, quantity: i * 500 }))
    await keepTotals(app.store, totals, { receivedAt: asOf, source })
  }
}

/** How many reports, and days of lines, a page asks the store for. */
function countReports(app: TestApp): () => number {
  const history = app.store.deliveryHistory
  const { days, page } = history
  let asked = 0
  Object.assign(history, {
    async days(...sent: Parameters<typeof days>) {
      const found = await days(...sent)
      asked += found.values().reduce((sum, { length }) => sum + length, 0)
      return found
    },
    page(...sent: Parameters<typeof page>) {
      asked += sent[3]
      return page(...sent)
    },
  })
  return () => asked
}

const withoutCharts = (html: string) =>
  html.replaceAll(/<svg class="spark".*?<\/svg><circle[^>]*><\/circle><\/svg>|<figure class="chart".*?<\/figure>/gs, "")

test("a campaign of 100 lines and 100,000 reports is one small page that reads a bounded part of them", async () => {
  await using app = await startMarket()
  await givenLargeCampaign(app)
  const person = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  const asked = countReports(app)
  const html = await person.read("/app/o/acme-audio/campaigns/large")
  expect(html.match(/class="spark"/g)).toHaveLength(50)
  expect(asked()).toBeLessThanOrEqual(4_000)
  expect(new Blob([withoutCharts(html)]).size).toBeLessThanOrEqual(PAGE_BYTES_MAX)
  const line = /large\/lines\/[\w-]+/.exec(html)?.[0] ?? ""
  expect(await person.read(`/app/o/acme-audio/campaigns/${line}`)).toContain("data-tips")
  expect(asked()).toBeLessThanOrEqual(4_000 + 2_025)
  const file = await person.read(`/app/o/acme-audio/campaigns/${line}/history.csv`)
  expect(file.trim().split("\r\n")).toHaveLength(REPORTS_PER_LINE + 1)
})

test("a campaign of very many lines is shown page by page, each line once", async () => {
  await using app = await startMarket()
  await givenLines(app, 250)
  const person = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
  const seen: string[] = []
  let path: string | undefined = "/app/o/brand-co/campaigns/large"
  while (path !== undefined) {
    const html: string = await person.read(path)
    const names = [...html.matchAll(/>(Line \d+) with/g)].map(([, name]) => name ?? "")
    expect(names.length).toBeLessThanOrEqual(100)
    seen.push(...names)
    path = /href="([^"]*)" rel="next"/.exec(html)?.[1]
  }
  expect([seen.length, new Set(seen).size]).toEqual([250, 250])
})

test("no page is larger than 100 KB without the data of its charts", async () => {
  for (const { path, html } of await everyPage()) {
    const size = new Blob([withoutCharts(html)]).size
    expect([path, size <= PAGE_BYTES_MAX ? "small" : size]).toEqual([path, "small"])
  }
})

const COLD_BYTES_MAX = 150_000

/** Everything that a page may load of ours: its style and scripts, and each font that the style names. */
async function assetsOf(app: TestApp, html: string): Promise<Set<string>> {
  const named = (text: string) => [...text.matchAll(/\/app\/assets\/[\w-]+\.(?:css|js|woff2)/g)].map(([path]) => path)
  const own = named(html)
  const styles = own.filter((path) => path.endsWith(".css")).map(async (path) => (await app.fetch(path)).text())
  return new Set([...own, ...(await Promise.all(styles)).flatMap(named)])
}

test("whoever opens any page for the first time gets at most 150 KB", async () => {
  await using app = await startApp()
  await seedDemo({ ...app, log: createLog({ format: "json", clock: app.clock, write: () => undefined }) })
  const sent = async (path: string, cookie = "") => {
    // As many bytes as came, not what they are after.
    const init: BunFetchRequestInit = { headers: { "accept-encoding": "gzip, br", cookie }, decompress: false }
    return (await (await app.fetch(path, init)).arrayBuffer()).byteLength
  }
  const assets = new Map<string, number>()
  const cold = new Map<string, number>()
  for (const email of ["olga@adbooth.example", "ada@lighthouse.example", "flora@fernweh.example", null]) {
    const user = email === null ? null : await app.store.users.findByEmail(email)
    const person = user === null ? visitor(app) : await signedIn(app, user.id)
    const starts = user === null ? ["/", "/app/sign-in", "/docs", "/docs/api", "/docs/operations"] : ["/app"]
    const cookie = `${sessionCookieOf(app)}=${person.cookie(sessionCookieOf(app)) ?? ""}`
    for (const { path, html } of await crawl(person, starts, { isWanted: fewOfEachKind(2) })) {
      let bytes = await sent(path, cookie)
      for (const asset of await assetsOf(app, html)) {
        assets.set(asset, assets.get(asset) ?? (await sent(asset)))
        bytes += assets.get(asset) ?? 0
      }
      cold.set(path, bytes)
    }
  }
  expect(cold.size).toBeGreaterThan(150)
  expect([...cold].filter(([, bytes]) => bytes > COLD_BYTES_MAX)).toEqual([])
})
