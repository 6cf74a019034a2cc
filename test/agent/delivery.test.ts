import { describe, expect, test } from "bun:test"
import { textOf } from "../harness/agent/agent.ts"
import { ANY, FLIGHT, givenBought, ON, PRICED, TOOL } from "../harness/agent/bought.ts"
import type { Json } from "../harness/agent/official.ts"
import { startApp, type TestApp } from "../harness/app.ts"
import { signIn } from "../harness/browser/browse.ts"
import { givenCampaign, givenLine, report, type Seller } from "../harness/data/given.ts"

/** Another campaign of the same buyer, with one line for each of these texts. */
async function givenAnother(app: TestApp, seller: Seller, name: string, lines: readonly object[]): Promise<string[]> {
  const campaignId = await givenCampaign(app, seller, name)
  const packageIds: string[] = []
  for (const line of lines) packageIds.push(await givenLine(app, { ...seller, campaignId }, { ...FLIGHT, ...line }))
  return packageIds
}

test("totals, spend, pace and status come in AdCP's words", async () => {
  await using app = await startApp(ON)
  const { ask, seller, packageId, slug, key } = await givenBought(app)
  await report(app, seller, [{ package_id: packageId, impressions: 25_000, as_of: "2026-11-14" }])
  const answer = await ask({ media_buy_ids: [slug] })
  expect(answer).toMatchObject({
    currency: "EUR",
    reporting_period: { start: "2026-11-01T00:00:00Z", end: "2026-11-15T12:00:00Z" },
    aggregated_totals: { impressions: 25_000, spend: 250, media_buy_count: 1 },
    pagination: { has_more: false, total_count: 1 },
  })
  const [buy] = answer.media_buy_deliveries
  expect(buy).toMatchObject({ media_buy_id: slug, status: "active", totals: { impressions: 25_000, spend: 250 } })
  const [one] = buy.by_package
  expect(one).toMatchObject({ package_id: packageId, impressions: 25_000, spend: 250, rate: 10, pricing_model: "cpm" })
  expect(one).toMatchObject({ currency: "EUR", delivery_status: "delivering", pacing_index: 0.5357 })
  const text = await textOf(app, TOOL, {}, { key })
  expect(text).toContain(`- ${packageId}: Pre-roll; delivering; 25,000 impressions, 250 EUR`)
})

test("media buys are filtered by status, and what isn't supported is named", async () => {
  await using app = await startApp(ON)
  const { ask, seller, slug } = await givenBought(app)
  await givenAnother(app, seller, "later", [{ flightStart: "2026-11-20" }])
  await givenAnother(app, seller, "over", [{ flightEnd: "2026-11-05" }])
  const states = async (args: object) =>
    (await ask(args)).media_buy_deliveries.map(({ media_buy_id, status }: Json) => [media_buy_id, status]).sort()
  expect(await states({ status_filter: "active" })).toEqual([[slug, "active"]])
  expect((await ask()).message).toBe("1 media buy. 2 more aren't active: ask with status_filter.")
  const others = [
    ["later", "pending_start"],
    ["over", "completed"],
  ]
  expect(await states({ status_filter: ["pending_start", "completed"] })).toEqual(others)
  expect(await states({ media_buy_ids: ["over", "later"] })).toEqual(others)
  expect(await states({ status_filter: "paused" })).toEqual([])
  expect((await ask({ time_granularity: "daily" })).adcp_error.code).toBe("UNSUPPORTED_GRANULARITY")
  const ignored = { attribution_window: {}, include_window_breakdown: false, unknown: 1 }
  expect((await ask(ignored)).message).toContain("Not supported, so ignored: attribution_window, unknown.")
})

test("an archived line stays in what its campaign delivered, but doesn't say whether it runs", async () => {
  await using app = await startApp(ON)
  const { ask, seller, packageId, slug } = await givenBought(app)
  const later = await givenLine(app, seller, { ...FLIGHT, ...PRICED, flightStart: "2026-11-20", booked: "100000" })
  await report(app, seller, [{ package_id: packageId, impressions: 25_000, as_of: "2026-11-14" }])
  const open = await signIn(app, { organization: { id: seller.id }, role: "admin" })
  const archive = async (line: string) => {
    const edit = `/app/o/${slug.replace("-spring", "")}/campaigns/${slug}/lines/${line}`
    await (await open(`${edit}/edit`)).form(`${edit}/archive`).send()
  }
  await archive(packageId)
  const [buy] = (await ask({ media_buy_ids: [slug] })).media_buy_deliveries
  expect(buy).toMatchObject({ status: "pending_start", totals: { impressions: 25_000, spend: 250 } })
  const packageOf = (id: string) => buy.by_package.find((one: Json) => one.package_id === id)
  expect(packageOf(packageId)).toMatchObject({ impressions: 25_000, ext: { adbooth: { archived: true } } })
  expect(packageOf(packageId)).not.toHaveProperty("delivery_status")
  expect(packageOf(later).ext.adbooth).not.toHaveProperty("archived")
  await archive(later)
  expect((await ask()).media_buy_deliveries[0]).toMatchObject({ status: "active", totals: { spend: 250 } })
})

test.each([
  [{ start_date: "2026-11-10", end_date: "2026-11-09" }, "end_date"],
  [{ start_date: "2026-11-10", end_date: "2026-11-10" }, "end_date"],
  [{ start_date: "2026-11-10" }, "end_date"],
  [{ end_date: "2026-11-10" }, "start_date"],
  [{ start_date: "2026-02-30" }, "start_date"],
  [{ end_date: "tomorrow" }, "end_date"],
  [{ media_buy_ids: [] }, "media_buy_ids"],
  [{ status_filter: "gone" }, "status_filter"],
  [{ pagination: { cursor: "x" } }, "pagination.cursor"],
])("%j is refused with the field that is wrong", async (args, field) => {
  await using app = await startApp(ON)
  const { ask } = await givenBought(app)
  const { adcp_error } = await ask(args)
  expect([adcp_error.code, adcp_error.field]).toEqual(["INVALID_REQUEST", field])
})

test("unknown days are named instead of guessed, and aren't counted", async () => {
  await using app = await startApp(ON)
  const { ask, seller, packageId } = await givenBought(app)
  for (const [day, impressions] of [
    ["02", 2_000],
    ["03", 3_000],
    ["07", 11_000],
  ])
    await report(app, seller, [{ package_id: packageId, impressions, as_of: `2026-11-${day}` }])
  const period = async (start_date: string, end_date: string) => {
    const answer = await ask({ start_date, end_date, include_package_daily_breakdown: true })
    expect(answer.reporting_period).toEqual({ start: `${start_date}T00:00:00Z`, end: `${end_date}T00:00:00Z` })
    const [{ by_package, totals }] = answer.media_buy_deliveries
    const [{ impressions, spend, daily_breakdown, ext }] = by_package
    expect([totals.impressions, totals.spend]).toEqual([impressions, spend])
    const rows = daily_breakdown.map((day: Json) => [day.date, day.impressions, day.spend])
    const { unknown_days: unknown, undivided_days: together } = ext.adbooth
    return { impressions, spend, rows, unknown, together }
  }
  const third = ["2026-11-03", 1_000, 10]
  expect(await period("2026-11-03", "2026-11-04")).toEqual({
    impressions: 1_000,
    spend: 10,
    rows: [third],
    unknown: undefined,
    together: undefined,
  })
  expect(await period("2026-11-03", "2026-11-06")).toMatchObject({
    impressions: 1_000,
    unknown: [{ start_date: "2026-11-04", end_date: "2026-11-05", delivered_with_other_days: 8_000 }],
  })
  // Days that were reported together and lie in the period count. What came after the last report isn't known.
  expect(await period("2026-11-03", "2026-12-01")).toMatchObject({
    impressions: 9_000,
    rows: [third],
    unknown: [{ start_date: "2026-11-08", end_date: "2026-11-15" }],
    together: [{ start_date: "2026-11-04", end_date: "2026-11-07", impressions: 8_000, spend: 80 }],
  })
  expect(await period("2026-12-01", "2027-01-01")).toMatchObject({ impressions: 0, unknown: undefined })
})

test("days and periods of fractional downloads add up to the total, to the cent", async () => {
  await using app = await startApp(ON)
  const { ask, seller } = await givenBought(app)
  const line = { pricingBasis: "downloads", rate: "1000", currency: "EUR", booked: "100" }
  const [packageId = ""] = await givenAnother(app, seller, "show", [line])
  for (const [as_of, downloads] of [
    ["2026-11-01", 0.005],
    ["2026-11-02", 1.1],
    ["2026-11-03", 1.3],
  ])
    await report(app, seller, [{ package_id: packageId, downloads, as_of }])
  const asked = { media_buy_ids: ["show"], include_package_daily_breakdown: true }
  const answer = await ask({ ...asked, start_date: "2026-11-01", end_date: "2026-11-04" })
  const [{ by_package, totals }] = answer.media_buy_deliveries
  expect(totals).toMatchObject({ downloads: 1.3, spend: 1.3 })
  expect(by_package[0].daily_breakdown).toMatchObject([
    { downloads: 0.005, spend: 0.01 },
    { downloads: 1.095, spend: 1.09 },
    { downloads: 0.2, spend: 0.2 },
  ])
})

test("two periods that meet divide what is known, whatever was reported when", async () => {
  await using app = await startApp(ON)
  const { ask, seller, packageId, slug } = await givenBought(app)
  for (const [day, impressions] of [
    ["02", 2_000],
    ["05", 6_000],
    ["05", 5_000],
    ["09", 12_000],
    ["07", 11_000],
  ])
    await report(app, seller, [{ package_id: packageId, impressions, as_of: `2026-11-${day}` }])
  const deliveredIn = async (dates: object) => {
    const [{ by_package }] = (await ask({ media_buy_ids: [slug], ...dates })).media_buy_deliveries
    const across = by_package[0].ext.adbooth.unknown_days ?? []
    return { known: by_package[0].impressions ?? 0, across: across[0]?.delivered_with_other_days ?? 0 }
  }
  const { known: whole } = await deliveredIn({})
  for (const border of ["2026-11-02", "2026-11-04", "2026-11-06", "2026-11-08"]) {
    const before = await deliveredIn({ start_date: "2026-10-01", end_date: border })
    const after = await deliveredIn({ start_date: border, end_date: "2026-12-01" })
    expect(before.known + after.known + before.across).toBe(whole)
  }
})

describe("money", () => {
  test("in several currencies isn't added up, and a price that isn't known is named", async () => {
    await using app = await startApp(ON)
    const { ask, seller, key } = await givenBought(app)
    const flat = { pricingBasis: "flat_rate", rate: "1500.5", currency: "USD" }
    const ids = await givenAnother(app, seller, "mixed", [
      { ...PRICED, name: "a" },
      { ...flat, name: "b" },
      { name: "c" },
      { pricingBasis: "downloads", rate: "20", currency: "EUR", name: "d" },
      { ...flat, name: "e" },
    ])
    await report(app, seller, [
      { package_id: ids[0], impressions: 1_000 },
      { package_id: ids[1] },
      { package_id: ids[2], impressions: 7 },
      { package_id: ids[3], downloads: 500.5 },
    ])
    const answer = await ask({ media_buy_ids: ["mixed"] })
    expect([answer.currency, answer.aggregated_totals]).toEqual(["XXX", undefined])
    const [buy] = answer.media_buy_deliveries
    const spend = [
      { currency: "EUR", spend: 20.01 },
      { currency: "USD", spend: 1_500.5 },
    ]
    const ext = { adbooth: { spend_is_total: false, spend } }
    expect([buy.currency, buy.totals]).toEqual(["XXX", { impressions: 1_007, downloads: 500.5, spend: 0, ext }])
    expect(buy.ext.adbooth).toMatchObject({ spend, packages_without_price: 1 })
    const shown = buy.by_package.map((one: Json) => [one.pricing_model, one.rate, one.currency, one.spend])
    expect(shown).toEqual([
      ["cpm", 10, "EUR", 10],
      ["flat_rate", 1_500.5, "USD", 1_500.5],
      ["cpm", 0, "XXX", 0],
      ["cpm", 20, "EUR", 10.01],
      ["flat_rate", 1_500.5, "USD", 0],
    ])
    expect(buy.by_package[2].ext.adbooth.price_known).toBe(false)
    const text = await textOf(app, TOOL, { media_buy_ids: ["mixed"] }, { key })
    expect(text).toContain("mixed: mixed; active; 1,007 impressions, 500.50 downloads, 20.01 EUR, 1,500.50 USD")
  })

  test("without any price has no total", async () => {
    await using app = await startApp(ON)
    const { ask, seller } = await givenBought(app)
    const [packageId] = await givenAnother(app, seller, "free", [{}])
    await report(app, seller, [{ package_id: packageId, impressions: 7 }])
    const answer = await ask({ media_buy_ids: ["free"] })
    const ext = { adbooth: { spend_is_total: false, spend: [] } }
    expect([answer.currency, answer.aggregated_totals]).toEqual(["XXX", undefined])
    expect(answer.media_buy_deliveries[0].totals).toEqual({ impressions: 7, spend: 0, ext })
  })
})

test("a cursor belongs to its key and its question, and all pages together have every package once", async () => {
  await using app = await startApp(ON)
  const { ask, seller } = await givenBought(app)
  const other = await givenBought(app)
  await givenAnother(
    app,
    seller,
    "large",
    Array.from({ length: 60 }, (_, n) => ({ name: `Line ${n}` })),
  )
  const args = { ...ANY, include_package_daily_breakdown: true }
  const packages: string[] = []
  let cursor: string | undefined
  do {
    const page = await ask({ ...args, pagination: { max_results: 1, ...(cursor && { cursor }) } })
    for (const { by_package } of page.media_buy_deliveries)
      packages.push(...by_package.map(({ package_id }: Json) => package_id))
    if (cursor === undefined) {
      const { cursor: next } = page.pagination
      expect((await other.ask({ ...args, pagination: { cursor: next } })).adcp_error.field).toBe("pagination.cursor")
      expect((await ask({ pagination: { cursor: next } })).adcp_error.field).toBe("pagination.cursor")
    }
    cursor = page.pagination.cursor
  } while (cursor !== undefined)
  expect(packages).toHaveLength(61)
  expect(new Set(packages).size).toBe(61)
})
