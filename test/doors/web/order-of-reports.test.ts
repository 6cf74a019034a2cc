import { expect, test } from "bun:test"
import { parse } from "csv-parse/sync"
import fc from "fast-check"
import { shareCampaign } from "../../../src/actions/campaigns/share-links.ts"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import type { Json } from "../../domain/adcp/schema/answers.ts"
import { givenIngestKey } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { call } from "../agent/buyer.ts"
import { report } from "../ingest/feed.ts"
import { givenPerson } from "./given.ts"
import { signedIn, type Visitor, visitor } from "./visitor.ts"

// Of reports with the same as_of the one received last counts, also if its figure was sent before. Whoever shows a line says the same of
// it: a plain model, which works everything out from the list of reports in the order of receipt, and every page, file and answer.

const ZONE = "Europe/Berlin"
const FLIGHT_START = "2026-10-25"

interface Sent {
  readonly as_of: string
  readonly impressions: number
}

const micros = (time: Temporal.ZonedDateTime) => Number(time.epochNanoseconds / 1_000n)
const dateOf = (day: number) => Temporal.PlainDate.from(FLIGHT_START).add({ days: day })

/** When it was measured: a date is the end of that day. */
function momentOf(as_of: string): number {
  if (as_of.length > 10) return Number(Temporal.Instant.from(as_of).epochNanoseconds / 1_000n)
  return micros(Temporal.PlainDate.from(as_of).add({ days: 1 }).toZonedDateTime(ZONE)) - 1
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

/** Everything anew from the reports in the order of their receipt. */
function modelled(reports: readonly Sent[]) {
  const byMoment = new Map<number, number>()
  for (const { as_of, impressions } of reports) byMoment.set(momentOf(as_of), impressions)
  const moments = [...byMoment.keys()].sort((a, b) => a - b)
  const standing = moments.map((moment, i) => ({
    day: dayOf(moment),
    total: Math.min(...moments.slice(i).map((later) => byMoment.get(later) ?? 0)),
  }))
  const closings = standing.filter(({ day }, i) => day !== standing[i + 1]?.day)
  let before = { day: Temporal.PlainDate.from(FLIGHT_START).subtract({ days: 1 }).toString(), total: 0 }
  const days = closings.map((closing): ModelDay => {
    const first = Temporal.PlainDate.from(before.day).add({ days: 1 })
    const covers = first.until(closing.day).days + 1
    const added = closing.total - before.total
    before = closing
    return { ...closing, added, since: first.toString(), covers }
  })
  const last = moments.at(-1) ?? 0
  return { days, asOf: last, total: byMoment.get(last) ?? 0 }
}

/** What an answer says of the last of these reports. */
function effectOf(reports: readonly Sent[]): string {
  const earlier = reports.slice(0, -1)
  const { as_of, impressions } = reports.at(-1) as Sent
  if (earlier.length === 0) return "applied"
  const { asOf, total } = modelled(earlier)
  if (momentOf(as_of) < asOf) return "older_than_current"
  return total === impressions ? "unchanged" : "applied"
}

let count = 0

/** A line of a campaign of its own, whose value is €1 for each impression, and everybody who may look at it. */
async function givenLine(app: TestApp) {
  count += 1
  const slug = `campaign-${count}`
  const packageId = `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`
  const line = { package_id: packageId, seller: "acme", name: "Pre-roll", pricing_basis: "impressions" }
  const terms = { flight_start: FLIGHT_START, flight_end: "2026-11-05", booked: 50_000, rate: 1_000, currency: "EUR" }
  const file = {
    organizations: [
      { slug: "acme", name: "Acme", time_zone: ZONE },
      { slug: "brand", name: "Brand", time_zone: ZONE },
    ],
    campaigns: [{ slug, name: slug, buyer: "brand", lines: [{ ...line, ...terms }] }],
    agent_keys: [{ label: slug, buyer: "brand" }],
  }
  const outcome = await importCatalogue(app, file, "import")
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  const acme = await app.store.organizations.findBySlug("acme")
  const campaign = acme && (await app.store.campaigns.find(acme.id, slug))
  if (acme === null || campaign === null) throw new Error("nothing was imported")
  const { path: share } = await shareCampaign(app, acme, campaign, { label: "Brand", days: "7" }, "test")
  if (share === undefined) throw new Error("it was not shared")
  const seller = await signedIn(app, await givenPerson(app, { of: "acme", role: "admin" }))
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand" }))
  const agentKey = outcome.secrets.get(slug) ?? ""
  return { app, slug, packageId, share, seller, buyer, agentKey, key: await givenIngestKey(app, acme) }
}

type Given = Awaited<ReturnType<typeof givenLine>>

const table = async (person: Visitor, path: string): Promise<Record<string, string>[]> =>
  parse(await person.read(path), { columns: true, bom: true })

/** What a chart says of each day: its total, and what was added. */
async function daysOnPage(person: Visitor, path: string): Promise<string[][]> {
  const [, tips = "[]"] = /data-tips="([^"]*)"/.exec(await person.read(path)) ?? []
  const days: [number, number, number, string, string[][]][] = JSON.parse(tips.replaceAll("&quot;", '"'))
  return days.map(([, , , , [total, added]]) =>
    [total, added].map((row) => row?.[1]?.replace("No change", "0").replaceAll(/[+,]/g, "") ?? ""),
  )
}

/** Each line of a campaign's file, on its seller's, its buyer's and the shared page. */
async function expectTotals({ seller, buyer, share, slug, app, packageId }: Given, total: number, asOf: number) {
  const files = [
    [seller, `/app/o/acme/campaigns/${slug}/lines.csv`],
    [buyer, `/app/o/brand/campaigns/${slug}/lines.csv`],
    [visitor(app), `${share}/lines.csv`],
  ] as const
  for (const [person, path] of files) {
    const [row] = await table(person, path)
    expect([path, row?.["delivered"], row?.["value"]]).toEqual([path, `${total}`, `${total}`])
    expect(momentOf(row?.["as_of"] ?? "")).toBe(asOf)
  }
  const [line] = await app.store.packageLines
    .listWithTotals(null)
    .then((all) => all.filter((one) => one.packageId === packageId))
  expect(line?.total).toMatchObject({ quantity: total, asOf })
}

async function expectDays({ seller, buyer, share, slug, app, packageId }: Given, days: readonly ModelDay[]) {
  const line = (organization: string) => `/app/o/${organization}/campaigns/${slug}/lines/${packageId}`
  const expected = days.map(({ day, total, added, since, covers }) => [day, total, added, since, covers].join())
  for (const [person, organization] of [
    [seller, "acme"],
    [buyer, "brand"],
  ] as const) {
    const rows = await table(person, `${line(organization)}/totals.csv`)
    const names = ["day", "delivered", "added", "added_since", "added_days"]
    expect(rows.map((row) => names.map((name) => row[name]).join())).toEqual(expected)
  }
  const shown = days.map(({ total, added }) => [`${total}`, `${added}`])
  expect(await daysOnPage(seller, line("acme"))).toEqual(shown)
  expect(await daysOnPage(buyer, line("brand"))).toEqual(shown)
  expect(await daysOnPage(visitor(app), share)).toEqual(shown)
}

async function expectDelivery({ app, agentKey, slug }: Given, days: readonly ModelDay[], total: number) {
  const asked = { media_buy_ids: [slug], include_package_daily_breakdown: true }
  const answer: Json = await call(app, "get_media_buy_delivery", asked, { key: agentKey })
  const [buy] = answer.media_buy_deliveries
  expect([buy.totals.impressions, buy.totals.spend]).toEqual([total, total])
  const [one] = buy.by_package
  const alone = one.daily_breakdown.filter((day: Json) => day.ext?.adbooth.delivery_known !== false)
  expect(alone.map((day: Json) => [day.date, day.impressions])).toEqual(
    days.filter(({ covers }) => covers === 1).map(({ day, added }) => [day, added]),
  )
  const together = one.ext.adbooth.undivided_days ?? []
  expect(together.map((some: Json) => [some.start_date, some.end_date, some.impressions])).toEqual(
    days.filter(({ covers }) => covers > 1).map(({ day, since, added }) => [since, day, added]),
  )
}

/** What Month's end says of October and November, with the days that belong to both in a row of their own. */
async function expectMonths({ seller, slug }: Given, days: readonly ModelDay[]) {
  for (const month of ["2026-10", "2026-11"]) {
    const rows = await table(seller, `/app/o/acme/month?month=${month}&csv`)
    const own = rows.filter((row) => row["campaign"] === slug)
    const within = days.filter(({ day, since }) => day.startsWith(month) && since.startsWith(month))
    const delivered = own.filter((row) => row["from"] === `${month}-01`).map((row) => Number(row["delivered"]))
    expect([month, delivered[0] ?? 0]).toEqual([month, within.reduce((sum, { added }) => sum + added, 0)])
    const across = days.filter(({ day, since }) => day.startsWith("2026-11") && since.startsWith("2026-10"))
    expect(
      own
        .filter((row) => row["from"] !== `${month}-01`)
        .map((row) => [row["from"], row["to"], Number(row["delivered"])]),
    ).toEqual(across.filter(({ added }) => added > 0).map(({ day, since, added }) => [since, day, added]))
  }
}

/** Freezes a statement of the campaign, and reads its file. */
async function expectStatement({ seller, slug }: Given, total: number) {
  const path = `/app/o/acme/campaigns/${slug}/statements`
  const sent = { from: "Acme", to: "Brand" }
  const asked = await (await seller.post(`${path}/new`, sent)).text()
  const confirmed = /name="confirmed" value="([^"]*)"/.exec(asked)?.[1] ?? ""
  const frozen = await seller.post(`${path}/new`, { ...sent, confirmed })
  expect(frozen.status).toBe(303)
  const { pathname } = new URL(frozen.headers.get("location") ?? "", "http://x")
  const [row] = await table(seller, `${pathname}?csv`)
  expect([row?.["delivered"], row?.["amount"]]).toEqual([`${total}`, `${total}.00`])
}

async function expectModelled(given: Given, reports: readonly Sent[]) {
  const { days, total, asOf } = modelled(reports)
  await expectTotals(given, total, asOf)
  await expectDays(given, days)
  await expectDelivery(given, days, total)
  await expectMonths(given, days)
}

/** Sends them one after the other, so many minutes apart. */
async function reportAll(given: Given, reports: readonly Sent[], minutes: number) {
  for (const [i, sent] of reports.entries()) {
    const { results } = await report(given.app, given.key, [{ package_id: given.packageId, ...sent }])
    expect(results).toMatchObject([{ status: "accepted", effect: effectOf(reports.slice(0, i + 1)) }])
    given.app.clock.advance({ minutes })
  }
}

const start = () => startApp({ options: { agentDelivery: "on", limitIngest: "100000", limitAgentKeyed: "100000" } })

const on = (as_of: string, impressions: number): Sent => ({ as_of, impressions })

test.each([
  ["before the next day's total", [5_000, 6_200, 5_000], [7_000]],
  ["after it", [5_000, 6_200], [7_000, 5_000]],
  ["after it, once more", [5_000, 6_200, 5_200, 6_200], [7_000, 5_000, 6_200, 5_200]],
] as const)("an earlier figure of a day that is sent again counts, %s", async (_, before, [next, ...late]) => {
  await using app = await start()
  const given = await givenLine(app)
  const day = (impressions: number) => on("2026-10-30", impressions)
  const reports = [...before.map(day), on("2026-10-31", next), ...late.map(day)]
  await reportAll(given, reports, 1)
  await expectModelled(given, reports)
  await expectStatement(given, 7_000)
  const [first] = await table(given.seller, `/app/o/acme/campaigns/${given.slug}/lines/${given.packageId}/totals.csv`)
  expect(first?.["delivered"]).toBe(`${[...before, ...late].at(-1)}`)
})

// Few different days, moments and figures, so that many are late, of the same moment, or sent before.
const sentReport = fc
  .record({
    day: fc.oneof({ weight: 3, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.nat(9) }),
    hour: fc.option(fc.constantFrom(9, 15), { freq: 3 }),
    impressions: fc.constantFrom(4_000, 5_000, 5_200, 6_200, 7_000),
  })
  .map(({ day, hour, impressions }) => {
    const date = dateOf(5 + day)
    const time = hour === null ? null : date.toZonedDateTime({ timeZone: ZONE, plainTime: { hour } }).toInstant()
    return on(time?.toString() ?? date.toString(), impressions)
  })

test("after any reports in any order, every page, file and answer says what a plain model says", async () => {
  await using app = await start()
  const histories = fc.array(sentReport, { minLength: 2, maxLength: 16 })
  await fc.assert(
    fc.asyncProperty(histories, fc.constantFrom(0, 1, 90), async (reports, minutes) => {
      app.clock.set("2026-11-15T12:00:00Z")
      const given = await givenLine(app)
      await reportAll(given, reports, minutes)
      await expectModelled(given, reports)
      await expectStatement(given, modelled(reports).total)
    }),
    { numRuns: 25 },
  )
  expect(await app.store.health.unexplainedTotals()).toEqual({ count: 0, first: [] })
  expect(await app.store.health.unexplainedDays()).toEqual({ count: 0, first: [] })
})
