import { expect, test } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { keepTotals } from "../../given.ts"
import type { TestApp } from "../../harness.ts"
import { everyPage } from "./crawl.ts"
import { givenPerson, startMarket } from "./given.ts"
import { signedIn } from "./visitor.ts"

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

/** How many reports a page asks the store for. */
function countReports(app: TestApp): () => number {
  const history = app.store.deliveryHistory
  const { points, page } = history
  let asked = 0
  Object.assign(history, {
    points(ids: number[], perLine: number) {
      asked += ids.length * perLine
      return points(ids, perLine)
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
}, 180_000)

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
}, 180_000)

test("no page is larger than 100 KB without the data of its charts", async () => {
  for (const { path, html } of await everyPage()) {
    const size = new Blob([withoutCharts(html)]).size
    expect([path, size <= PAGE_BYTES_MAX ? "small" : size]).toEqual([path, "small"])
  }
}, 180_000)
