import { expect, test } from "bun:test"
import { createIngestKey } from "../../../src/actions/keys/keys.ts"
import { flushWriteBuffer } from "../../../src/actions/operations/call-log.ts"
import { formatCompact, ticksUpTo } from "../../../src/doors/web/parts/charts/plot.tsx"
import type { TestApp } from "../../harness.ts"
import { crawl, fewOfEachKind } from "./crawl.ts"
import { givenPerson, LINE, startMarket } from "./given.ts"
import { signedIn } from "./visitor.ts"

const LINE_PAGE = `/app/o/acme-audio/campaigns/autumn/lines/${LINE}`

async function send(app: TestApp, path: string, body: object): Promise<void> {
  const acme = await app.store.organizations.findBySlug("acme-audio")
  const { secret } = await createIngestKey(app, { id: acme?.id ?? 0 }, "Feed", "test")
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" }
  const answer = await app.fetch(`/api/ingest/${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  expect(answer.status).toBe(200)
}

const day = (number: number) => `2026-11-${String(number).padStart(2, "0")}`

/** Closing totals of the days of November up to the given one. */
async function givenDays(app: TestApp, last: number): Promise<void> {
  for (let date = 1; date <= last; date++) {
    const items = [{ package_id: LINE, impressions: date * 1_000, as_of: day(date) }]
    await send(app, "delivery/metrics", { items })
  }
}

/** What the tooltip of each day says: its title and its rows. */
type Tip = readonly [number, number, number, string, readonly (readonly [string, string])[]]

const chartsIn = (html: string): Tip[][] =>
  [...html.matchAll(/data-tips="([^"]*)"/g)].map(([, json = ""]) => JSON.parse(json.replaceAll("&quot;", '"')))

/** The rows of the table in the page's first `details`, as texts. */
function tableIn(html: string): string[][] {
  const body = /<details[^>]*>.*?<tbody>(.*?)<\/tbody>/s.exec(html)?.[1] ?? ""
  return [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = ""]) =>
      cell.replaceAll(/<[^>]*>/g, "").replaceAll("\u00a0", " "),
    ),
  )
}

test("a line's chart, its table and its file have the same points, each on the day it belongs to", async () => {
  await using app = await startMarket({ now: "2026-12-20T12:00:00Z" })
  await givenDays(app, 30)
  const person = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const html = await person.read(LINE_PAGE)
  const [tips = []] = chartsIn(html)
  const fromChart = tips.map(([, , , title, rows]) => [title, ...rows.map(([, text]) => text.replace(/ \(.*/, ""))])
  expect(tableIn(html).toReversed()).toEqual(fromChart)
  expect(fromChart).toHaveLength(30)
  expect(fromChart[13]?.slice(0, 3)).toEqual(["14 Nov 2026", "14,000", "+1,000"])

  const file = (await person.read(`${LINE_PAGE}/totals.csv`)).trim().split("\r\n").slice(1)
  expect(
    file.map((row) =>
      row
        .split(",")
        .slice(3, 5)
        .map((text) => Number(text).toLocaleString("en")),
    ),
  ).toEqual(fromChart.map(([, total = "", , plan = ""]) => [total, plan]))
  expect(file[13]).toStartWith(`${LINE},2026-11-14,2026-11-14T22:59:59.999999Z,14000,`)
  const history = await person.read(`${LINE_PAGE}/history.csv`)
  const closing = history.split("\r\n").find((row) => row.startsWith(`${LINE},14000,2026-11-14T22:59:59.999999Z,`))
  expect(closing).toEndWith(",no,2026-11-14,superseded,")
})

test("every chart of the app has a table with as many rows as it has points", async () => {
  await using app = await startMarket({ now: "2026-12-20T12:00:00Z" })
  await givenDays(app, 30)
  await send(app, "affiliate/codes", { codes: [{ packageId: LINE, code: "A10" }] })
  const metrics = Array.from({ length: 70 }, (_, i) => ({
    code: "A10",
    date: new Date(Date.UTC(2026, 9, 1 + i)).toISOString().slice(0, 10),
    clicks: i,
  }))
  await send(app, "affiliate/metrics", { metrics })
  const person = await signedIn(app, await givenPerson(app, { isOperator: true, of: "acme-audio", role: "admin" }))
  const pages = await crawl(person, ["/app", "/app/o/acme-audio/affiliates", LINE_PAGE], { isWanted: fewOfEachKind() })
  const charted = pages.filter(({ html }) => html.includes("data-tips="))
  expect(charted.length).toBeGreaterThanOrEqual(3)
  for (const { path, html } of charted) {
    for (const tips of chartsIn(html)) expect([path, tableIn(html).length]).toEqual([path, tips.length])
  }
})

test.each([1, 2, 3, 7, 10, 12, 25, 5_970])("an axis of counts up to %p has whole numbers only", (max) => {
  for (const wanted of [2, 3, 5]) {
    const ticks = ticksUpTo(max, wanted)
    expect(ticks.every(Number.isInteger)).toBe(true)
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(max)
  }
})

test.each([
  [0.05, "EUR", "€0.05"],
  [2_500, "EUR", "€2.5K"],
  [200e9, "NZD", "$200B"],
  [500_000, "SEK", "500K"],
])("%p %s is %s on an axis: small steps are told apart, and no code takes the room", (value, currency, text) => {
  expect(formatCompact(value, currency)).toBe(text)
})

test("a chart of counts has no half items on its axis", async () => {
  await using app = await startMarket()
  await send(app, "delivery/metrics", { items: [{ package_id: LINE, impressions: 1_000 }] })
  await flushWriteBuffer(app)
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  const html = await admin.read("/app/o/acme-audio/feed-activity?period=24h")
  expect(chartsIn(html)).toHaveLength(1)
  expect(html).not.toContain("0.5</text>")
})
