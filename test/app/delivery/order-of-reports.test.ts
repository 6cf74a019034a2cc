import { expect, test } from "bun:test"
import { parse } from "csv-parse/sync"
import fc from "fast-check"
import { call, givenBuyer } from "../../harness/agent/agent.ts"
import type { Json } from "../../harness/agent/official.ts"
import { type Browse, browse, signIn } from "../../harness/browser/browse.ts"
import { givenApiKey } from "../../harness/data/given.ts"
import { givenLine, startSite } from "../given.ts"

// If two reports have the same as_of, the one received last counts, even if its figure was sent before. Every page, file and answer
// must say so. A plain model works everything out again from the list of reports in the order of receipt.

const ZONE = "Europe/Berlin"
const FLIGHT_START = "2026-10-25"
const BOOKED = 50_000

interface Sent {
  readonly as_of: string
  readonly impressions: number
}

const micros = (time: Temporal.ZonedDateTime) => Number(time.epochNanoseconds / 1_000n)

/** When it was measured: a date is the end of that day. */
function momentOf(asOf: string): number {
  if (asOf.length > 10) return Number(Temporal.Instant.from(asOf).epochNanoseconds / 1_000n)
  return micros(Temporal.PlainDate.from(asOf).add({ days: 1 }).toZonedDateTime(ZONE)) - 1
}

const dayOf = (moment: number) =>
  new Temporal.Instant(BigInt(moment) * 1_000n).toZonedDateTimeISO(ZONE).toPlainDate().toString()

interface ModelDay {
  readonly day: string
  readonly total: number
  readonly added: number
  readonly since: string
  readonly covers: number
}

function modelled(reports: readonly Sent[]) {
  const byMoment = new Map(reports.map(({ as_of, impressions }) => [momentOf(as_of), impressions]))
  const moments = [...byMoment.keys()].sort((a, b) => a - b)
  const totals = moments.map((moment, i) => ({
    day: dayOf(moment),
    total: Math.min(...moments.slice(i).map((later) => byMoment.get(later) ?? 0)),
  }))
  const closings = totals.filter(({ day }, i) => day !== totals[i + 1]?.day)
  let before = { day: Temporal.PlainDate.from(FLIGHT_START).subtract({ days: 1 }).toString(), total: 0 }
  const days = closings.map((closing): ModelDay => {
    const since = Temporal.PlainDate.from(before.day).add({ days: 1 })
    const covers = since.until(closing.day).days + 1
    const added = closing.total - before.total
    before = closing
    return { ...closing, added, since: since.toString(), covers }
  })
  const last = moments.at(-1) ?? 0
  return { days, asOf: last, total: byMoment.get(last) ?? 0 }
}

/** What the answer to the last of these reports says. */
function effectOf(reports: readonly Sent[]): string {
  const earlier = reports.slice(0, -1)
  const sent = reports.at(-1)
  if (earlier.length === 0 || sent === undefined) return "applied"
  const { asOf, total } = modelled(earlier)
  if (momentOf(sent.as_of) < asOf) return "older_than_current"
  return total === sent.impressions ? "unchanged" : "applied"
}

async function startMarket() {
  const site = await startSite({}, { options: { agentDelivery: true, limitIngest: 100_000, limitAgentKeyed: 100_000 } })
  const { app, seller } = site
  const buyer = await signIn(app, { organization: { id: seller.buyerId }, role: "member" })
  const key = await givenBuyer(app, seller.buyerId)
  const { key: apiKey } = await givenApiKey(app, seller.id)
  const shared = await (await site.open(`${seller.campaign}/share`)).send({ label: "Buyer" })
  const [share = ""] = /\/app\/share\/[\w-]{43}/.exec(shared.text) ?? []
  let lines = 0

  /** A line whose value is €1 for each impression. */
  async function newLine() {
    const name = `Line ${++lines}`
    const terms = { flightStart: FLIGHT_START, flightEnd: "2026-11-05", booked: String(BOOKED) }
    const packageId = await givenLine(app, seller, { ...terms, name, rate: "1000", currency: "EUR" })
    return { name, packageId, path: `${seller.campaign}/lines/${packageId}` }
  }

  async function send(packageId: string, sent: Sent): Promise<Json> {
    const response = await app.fetch("/api/ingest/delivery/metrics", {
      method: "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify({ items: [{ package_id: packageId, ...sent }] }),
    })
    return (await response.json()).results[0]
  }

  return { ...site, buyer, key: key.key, share, guest: browse(app), newLine, send }
}

type Market = Awaited<ReturnType<typeof startMarket>>
type Line = Awaited<ReturnType<Market["newLine"]>>

const table = async (open: Browse, path: string): Promise<Record<string, string>[]> =>
  parse((await open(path)).html, { columns: true, bom: true })

/** The line in the file of its campaign: for its seller, its buyer and whoever has the link. */
async function expectTotals(market: Market, { name }: Line, total: number, asOf: number) {
  const { open, buyer, guest, seller, share } = market
  const bought = seller.campaign.replace("/acme/", "/acme-buyer/")
  for (const [browser, path] of [
    [open, `${seller.campaign}/lines.csv`],
    [buyer, `${bought}/lines.csv`],
    [guest, `${share}/lines.csv`],
  ] as const) {
    const row = (await table(browser, path)).find(({ Line }) => Line === name)
    expect([path, row?.["Delivered"], row?.["Value so far"]]).toEqual([path, `${total}`, `${total}.00`])
    expect(momentOf(row?.["Measured"] ?? "")).toBe(asOf)
  }
}

/** What the chart of a line's page says of each day. */
async function daysOnPage(open: Browse, path: string): Promise<string[][]> {
  const [, tips = "[]"] = /data-tips="([^"]*)"/.exec((await open(path)).html) ?? []
  const shown: [number, number, number, string, string[][]][] = JSON.parse(tips.replaceAll("&quot;", '"'))
  return shown.map(([, , , , [total, added]]) =>
    [total, added].map((row) => row?.[1]?.replace("No change", "0").replaceAll(/[+,]/g, "").replace("−", "-") ?? ""),
  )
}

async function expectDays({ open, buyer }: Market, { path }: Line, days: readonly ModelDay[]) {
  const expected = days.map(({ day, total, added, since, covers }) => [day, total, added, since, covers].join())
  for (const [browser, address] of [
    [open, path],
    [buyer, path.replace("/acme/", "/acme-buyer/")],
  ] as const) {
    const rows = await table(browser, `${address}/days.csv`)
    const columns = ["Day", "Total", "Added", "Added since", "Days"]
    expect(rows.map((row) => columns.map((column) => row[column]).join())).toEqual(expected)
    const shown = days.map(({ total, added }) => [`${total}`, `${added}`])
    expect(await daysOnPage(browser, address)).toEqual(shown)
  }
}

async function expectDelivery({ app, key }: Market, { packageId }: Line, days: readonly ModelDay[], total: number) {
  const asked = { status_filter: ["active", "completed"], include_package_daily_breakdown: true }
  const answer = await call(app, "get_media_buy_delivery" as never, asked, { key })
  const packages: Json[] = answer.media_buy_deliveries.flatMap(({ by_package }: Json) => by_package)
  const one = packages.find((each) => each.package_id === packageId)
  expect([one.impressions, one.spend]).toEqual([total, total])
  const alone = one.daily_breakdown.filter(({ ext }: Json) => ext?.adbooth.delivery_known !== false)
  expect(alone.map(({ date, impressions }: Json) => [date, impressions])).toEqual(
    days.filter(({ covers }) => covers === 1).map(({ day, added }) => [day, added]),
  )
  const together: Json[] = one.ext.adbooth.undivided_days ?? []
  expect(together.map(({ start_date, end_date, impressions }) => [start_date, end_date, impressions])).toEqual(
    days.filter(({ covers }) => covers > 1).map(({ day, since, added }) => [since, day, added]),
  )
}

/** What a statement through each day would bill for the line. */
async function expectStatements({ open, seller }: Market, { name }: Line, days: readonly ModelDay[]) {
  for (const through of ["2026-10-31", "2026-11-02", "2026-11-14"]) {
    const { html } = await open(`${seller.home}/statements/new?buyer=${seller.buyerId}&through=${through}`)
    const billed = days.findLast(({ day }) => day <= through)?.total ?? 0
    const row = html.split("<tr").find((part) => part.includes(`<b>${name}</b>`)) ?? ""
    const amounts = [...row.replace(/<\/tr>[\s\S]*/, "").matchAll(/€([\d,.]+)/g)].map(([, amount = ""]) =>
      amount.replaceAll(",", ""),
    )
    expect([through, billed === 0 ? "0.00" : amounts.at(-1)]).toEqual([through, `${billed}.00`])
  }
}

async function expectModelled(market: Market, line: Line, reports: readonly Sent[]) {
  const { days, total, asOf } = modelled(reports)
  await expectTotals(market, line, total, asOf)
  await expectDays(market, line, days)
  await expectDelivery(market, line, days, total)
  await expectStatements(market, line, days)
}

async function reportAll({ app, send }: Market, { packageId }: Line, reports: readonly Sent[], minutes: number) {
  for (const [i, sent] of reports.entries()) {
    const expected = { status: "accepted", effect: effectOf(reports.slice(0, i + 1)) }
    expect(await send(packageId, sent)).toMatchObject(expected)
    app.clock.advance({ seconds: 60 * minutes })
  }
}

test.each([
  ["before the next day's total", [5_000, 6_200, 5_000], [7_000]],
  ["after it", [5_000, 6_200], [7_000, 5_000]],
  ["after it, once more", [5_000, 6_200, 5_200, 6_200], [7_000, 5_000, 6_200, 5_200]],
] as const)("an earlier figure of a day that is sent again counts, %s", async (_, before, [next, ...late]) => {
  await using market = await startMarket()
  const line = await market.newLine()
  const day = (impressions: number) => ({ as_of: "2026-10-30", impressions })
  const reports = [...before.map(day), { as_of: "2026-10-31", impressions: next }, ...late.map(day)]
  await reportAll(market, line, reports, 1)
  await expectModelled(market, line, reports)
  const [first] = await table(market.open, `${line.path}/days.csv`)
  expect(first?.["Total"]).toBe(`${[...before, ...late].at(-1)}`)
})

// Few different days, moments and figures, so that many are late, of the same moment, or sent before.
const sentReport = fc
  .record({
    day: fc.oneof({ weight: 3, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.nat(9) }),
    hour: fc.option(fc.constantFrom(9, 15), { freq: 3 }),
    impressions: fc.constantFrom(4_000, 5_000, 5_200, 6_200, 7_000),
  })
  .map(({ day, hour, impressions }): Sent => {
    const date = Temporal.PlainDate.from(FLIGHT_START).add({ days: 5 + day })
    const time = hour === null ? null : date.toZonedDateTime({ timeZone: ZONE, plainTime: { hour } }).toInstant()
    return { as_of: time?.toString() ?? date.toString(), impressions }
  })

test("after any reports in any order, every page, file and answer says what a plain model says", async () => {
  await using market = await startMarket()
  const histories = fc.array(sentReport, { minLength: 2, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(histories, fc.constantFrom(0, 1), async (reports, minutes) => {
      const line = await market.newLine()
      await reportAll(market, line, reports, minutes)
      await expectModelled(market, line, reports)
    }),
    { numRuns: 30 },
  )
})
