import { startApp, type TestApp } from "../harness/app.ts"
import { givenApiKey } from "../harness/data/given.ts"
import {
  type CalendarDate,
  createCampaign,
  createLine,
  createOrganization,
  datesFrom,
  recordAffiliateCodes,
  recordAffiliateMetrics,
  reportDelivery,
} from "../harness/inside.ts"

// Three sellers in two time zones, with six currencies. It's Sunday, 15 November 2026, 12:00 UTC.

export interface Market extends AsyncDisposable {
  readonly app: TestApp
  readonly sellers: Readonly<Record<"radio" | "podcasts" | "paper", number>>
  readonly buyers: Readonly<Record<"travel" | "furniture" | "sea", number>>
}

interface MarketLine {
  readonly name: string
  readonly basis?: "impressions" | "downloads" | "flat_rate"
  readonly flight: readonly [from: CalendarDate, to: CalendarDate | ""]
  readonly booked?: number
  readonly rate?: number
  readonly currency?: string
  /** The days with a total, and how much came on each of them. */
  readonly reported?: readonly [from: CalendarDate, to: CalendarDate, perDay: number]
  /** Days in between that nobody measured. */
  readonly gap?: readonly [from: CalendarDate, to: CalendarDate]
}

const RADIO: Readonly<Record<string, readonly MarketLine[]>> = {
  "Nordlys i november": [
    {
      name: "Morning show, pre-roll",
      ...{ flight: ["2026-10-12", "2026-12-06"], booked: 560_000, rate: 145, currency: "NOK" },
      reported: ["2026-10-12", "2026-11-14", 6_670],
    },
    {
      name: "Værmelding, mid-roll",
      ...{ flight: ["2026-10-26", "2026-11-22"], booked: 280_000, rate: 160.5, currency: "NOK" },
      reported: ["2026-10-26", "2026-11-14", 10_050],
      gap: ["2026-11-02", "2026-11-06"],
    },
    {
      name: "Evening jazz, host-read",
      ...{ basis: "downloads", flight: ["2026-11-01", "2026-12-31"], booked: 40_000, rate: 420, currency: "SEK" },
      reported: ["2026-11-01", "2026-11-14", 1_120],
    },
    {
      name: "Northern lights week, sponsor",
      basis: "flat_rate",
      flight: ["2026-11-09", "2026-11-15"],
      rate: 24_000,
      currency: "NOK",
    },
  ],
  "Høstsalg i Øresund": [
    {
      name: "Weekend news, pre-roll",
      ...{ flight: ["2026-10-05", "2026-11-08"], booked: 350_000, rate: 98, currency: "DKK" },
      reported: ["2026-10-05", "2026-11-08", 10_400],
    },
    {
      name: "Traffic update, post-roll",
      ...{ flight: ["2026-11-01", "2026-11-30"], booked: 120_000, rate: 75, currency: "DKK" },
      reported: ["2026-11-01", "2026-11-14", 9_900],
    },
  ],
  "Winter 2027": [
    {
      name: "Snow report, mid-roll",
      flight: ["2027-01-04", "2027-02-28"],
      booked: 900_000,
      rate: 130,
      currency: "NOK",
    },
    { name: "Open-ended test", basis: "downloads", flight: ["2026-11-10", ""] },
  ],
}

const PODCASTS: Readonly<Record<string, readonly MarketLine[]>> = {
  "Lighthouse <Fall> & Winter": [
    {
      name: "Tide Tables, mid-roll",
      ...{ basis: "downloads", flight: ["2026-10-01", "2026-11-30"], booked: 90_000, rate: 27.25, currency: "USD" },
      reported: ["2026-10-01", "2026-11-13", 1_480],
    },
    {
      name: "Pine Needles, pre-roll",
      ...{ flight: ["2026-10-20", "2026-12-20"], booked: 1_200_000, rate: 18, currency: "CAD" },
      reported: ["2026-10-20", "2026-11-14", 19_400],
    },
  ],
  "شركة البحر — rebranding": [
    {
      name: "قصص البحر, mid-roll",
      ...{ basis: "downloads", flight: ["2026-09-01", "2026-10-31"], booked: 50_000, rate: 31, currency: "USD" },
      reported: ["2026-09-01", "2026-10-31", 830],
    },
  ],
}

const PAPER: Readonly<Record<string, readonly MarketLine[]>> = {
  Fernweh: [
    {
      name: "Reisebeilage, Newsletter",
      ...{ flight: ["2026-11-01", "2026-11-30"], booked: 60_000, rate: 22.5, currency: "EUR" },
      reported: ["2026-11-01", "2026-11-14", 2_010],
    },
  ],
}

export async function startMarket(): Promise<Market> {
  const app = await startApp()
  const add = (slug: string, name: string, timeZone: string) => createOrganization(app, { slug, name, timeZone })
  const sellers = {
    radio: await add("nordlys", "Nordlys Radio", "Europe/Oslo"),
    podcasts: await add("harbor-pine", "Harbor & Pine Podcasts", "America/New_York"),
    paper: await add("kleine-post", "Kleine Post", "Europe/Oslo"),
  }
  const buyers = {
    travel: await add("fjordreiser", "Fjordreiser AS", "Europe/Oslo"),
    furniture: await add("unlu", "Ünlü Möbel GmbH & Co. KG", "Europe/Oslo"),
    sea: await add("bahr", "شركة البحر", "America/New_York"),
  }
  await addCampaigns(app, sellers.radio, [buyers.travel, buyers.furniture, buyers.travel], RADIO)
  await addCampaigns(app, sellers.podcasts, [buyers.furniture, buyers.sea], PODCASTS)
  await addCampaigns(app, sellers.paper, [buyers.travel], PAPER)
  await addFeeds(app, sellers.radio)
  return { app, sellers, buyers, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

async function addCampaigns(
  app: TestApp,
  sellerId: number,
  buyerIds: readonly number[],
  campaigns: Readonly<Record<string, readonly MarketLine[]>>,
): Promise<void> {
  for (const [i, [name, lines]] of Object.entries(campaigns).entries()) {
    const campaign = { slug: `campaign-${i + 1}`, name, buyerId: buyerIds[i] ?? 0, ownerId: sellerId }
    const campaignId = await createCampaign(app, campaign)
    for (const line of lines) await addLine(app, { sellerId, campaignId }, line)
  }
}

async function addLine(app: TestApp, place: { sellerId: number; campaignId: number }, line: MarketLine): Promise<void> {
  const { name, basis = "impressions", flight, booked, rate, currency, reported, gap } = line
  const texts = {
    ...{ name, pricingBasis: basis, flightStart: flight[0], flightEnd: flight[1], currency: currency ?? "" },
    ...{ booked: booked === undefined ? "" : String(booked), rate: rate === undefined ? "" : String(rate) },
  }
  const added = await createLine(app, "test", place, texts)
  if ("errors" in added) throw new Error(JSON.stringify(added.errors))
  if (reported === undefined) return
  const [from, to, perDay] = reported
  const measured = datesFrom(from, to)
    .entries()
    .filter(([, day]) => gap === undefined || day < gap[0] || day > gap[1])
  for (const [i, day] of measured) {
    // No two days are alike.
    const quantity = Math.round(perDay * (i + 1) + perDay * 0.2 * Math.sin(i))
    const item = { package_id: added.packageId, [basis]: quantity, as_of: day }
    const source = { kind: "form", reference: crypto.randomUUID(), actor: "user:1" } as const
    await reportDelivery(app, { sellerId: place.sellerId, source }, [item], { isDryRun: false })
  }
}

/** An API key that sends delivery with some rejected items, and affiliate codes with a week of figures. */
async function addFeeds(app: TestApp, sellerId: number): Promise<void> {
  const { key } = await givenApiKey(app, sellerId, "Adswizz export")
  await givenApiKey(app, sellerId, "Old server")
  const { line } = app.database.read
  const lines = await app.database.read.db.select({ packageId: line.packageId, name: line.name }).from(line)
  const idOf = (name: string) => lines.find((each) => each.name === name)?.packageId ?? ""
  const items = [
    { package_id: idOf("Traffic update, post-roll"), impressions: 140_500 },
    { package_id: idOf("Snow report, mid-roll"), impressions: 5 },
    { package_id: crypto.randomUUID(), impressions: 12 },
    { package_id: idOf("Evening jazz, host-read"), downloads: "many" },
  ]
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
  const body = JSON.stringify({ items })
  await app.fetch("/api/ingest/delivery/metrics", { method: "POST", headers, body })

  const reporter = { sellerId, source: { kind: "key", reference: "1", actor: "key:1" } } as const
  const codes = [
    { packageId: idOf("Morning show, pre-roll"), code: "NORDLYS10", slug: "nordlys-10" },
    { packageId: idOf("Weekend news, pre-roll"), code: "HØST" },
  ]
  await recordAffiliateCodes(app, reporter, codes, { isDryRun: false })
  const days = datesFrom("2026-11-08", "2026-11-14")
  const metrics = days.map((date, i) => ({
    code: "NORDLYS10",
    date,
    clicks: 200 + 31 * i,
    conversions: i,
    conversionValue: 99.5 * i,
  }))
  await recordAffiliateMetrics(app, reporter, metrics, { isDryRun: false })
}
