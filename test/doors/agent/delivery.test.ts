import { describe, expect, test } from "bun:test"
import { parse } from "csv-parse/sync"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { createAgentKey, setAgentKeyBuyer } from "../../../src/actions/keys/keys.ts"
import type { Json } from "../../domain/adcp/schema/answers.ts"
import { officialComplaints, officialIsHere, officialSchema } from "../../domain/adcp/schema/official.ts"
import { givenIngestKey } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { report, sendCodes, sendMetrics } from "../ingest/feed.ts"
import { givenPerson } from "../web/given.ts"
import { signedIn, type Visitor } from "../web/visitor.ts"
import { call, loggedCalls, post, rpc } from "./buyer.ts"

const TOOL = "get_media_buy_delivery"
const ON = { options: { agentDelivery: "on" } }
/** Whatever their state. */
const ANY = { status_filter: ["pending_start", "active", "completed"] }
const THREE = ["get_adcp_capabilities", "get_products", "list_creative_formats"]

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

/** Random numbers that are the same each time. */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

async function bringIn(app: TestApp, file: object): Promise<Record<string, string>> {
  const outcome = await importCatalogue(app, file, "test")
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  return Object.fromEntries(outcome.secrets)
}

const ORGANIZATIONS = [
  { slug: "east", name: "East", time_zone: "Pacific/Auckland" },
  { slug: "west", name: "West", time_zone: "America/Los_Angeles" },
  { slug: "brand-co", name: "Brand Co" },
  { slug: "rival", name: "Rival" },
]

const KEYS = [{ label: "Ours", buyer: "brand-co" }, { label: "Theirs", buyer: "rival" }, { label: "Nobody's" }]

interface GivenLine {
  readonly package_id: string
  readonly seller: string
  readonly pricing_basis: string
  readonly [more: string]: unknown
}

/** Reports of random days of each line, some of which take back what was reported before. */
async function reportDays(app: TestApp, lines: readonly GivenLine[], roll: (sides: number) => number, most: number) {
  const items = new Map<string, object[][]>()
  for (const { package_id, seller, pricing_basis } of lines) {
    let total = 0
    const days = roll(most + 1)
    for (let day = 1, n = 0; n < days && day <= 14; n++, day += 1 + roll(3)) {
      total = Math.max(total + roll(30_000) - 3_000, 0)
      const as_of = `2026-11-${String(day).padStart(2, "0")}`
      const flat = pricing_basis === "flat_rate"
      const batches = items.get(seller) ?? []
      items.set(seller, batches)
      batches[n] ??= []
      batches[n]?.push({ package_id, as_of, ...(!flat && { [pricing_basis]: total }) })
    }
  }
  for (const [slug, batches] of items) {
    const seller = await app.store.organizations.findBySlug(slug)
    const key = seller && (await givenIngestKey(app, seller))
    for (const batch of batches) {
      for (let i = 0; i < batch.length; i += 500) {
        const { rejected } = await report(app, key ?? "", batch.slice(i, i + 500))
        expect(rejected).toBe(0)
      }
    }
  }
}

const BASES = ["impressions", "downloads", "flat_rate"]

function randomLine(n: number, roll: (sides: number) => number): GivenLine {
  const pricing_basis = BASES[roll(3)] ?? ""
  const currency = roll(8) === 0 ? "USD" : "EUR"
  return {
    package_id: idOf(n),
    seller: roll(2) === 0 ? "east" : "west",
    name: `Line ${roll(20)}`,
    pricing_basis,
    flight_start: "2026-11-01",
    ...(roll(3) > 0 && { flight_end: roll(4) === 0 ? "2026-11-10" : "2026-11-30" }),
    ...(pricing_basis !== "flat_rate" && roll(4) > 0 && { booked: 1_000 * (1 + roll(100)) }),
    ...(roll(6) > 0 && { rate: roll(4_000) / 100 + 0.05, currency }),
  }
}

interface Row {
  readonly [column: string]: string
}

const table = async (person: Visitor, path: string): Promise<Row[]> =>
  parse(await person.read(path), { columns: true, bom: true })

/** All pages of an answer, put together. */
async function readAll(app: TestApp, key: string, args: object = {}) {
  const buys = new Map<string, Json>()
  let cursor: string | undefined
  let pages = 0
  do {
    const page: Json = await call(
      app,
      TOOL,
      { ...args, pagination: { max_results: 2, ...(cursor && { cursor }) } },
      { key },
    )
    expect(page.status).toBe("completed")
    pages++
    for (const buy of page.media_buy_deliveries) {
      const before = buys.get(buy.media_buy_id)
      // However many pages its packages take, a media buy has the sums of all of them.
      if (before !== undefined) expect(buy.totals).toEqual(before.totals)
      buys.set(buy.media_buy_id, { ...buy, by_package: [...(before?.by_package ?? []), ...buy.by_package] })
    }
    cursor = page.pagination.cursor
  } while (cursor !== undefined)
  return { buys: [...buys.values()], pages }
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
const cents = (amount: number) => Math.round(amount * 100) / 100
const numberOf = (text: string | undefined) => (text === undefined || text === "" ? undefined : Number(text))

describe("every figure equals the one on the buyer's pages at that moment", () => {
  test.each([
    [1, [1], 3],
    [2, [0, 3, 7], 9],
    [3, [12, 1, 1], 14],
    [4, [230, 2], 2],
  ])("with seed %d, campaigns of %j lines and up to %d reports a line", async (seed, sizes, most) => {
    await using app = await startApp(ON)
    const roll = dice(seed)
    let n = 0
    const campaigns = sizes.map((size, i) => ({
      slug: `campaign-${i}`,
      name: `Campaign ${i}`,
      buyer: "brand-co",
      lines: Array.from({ length: size }, () => randomLine(++n, roll)),
    }))
    const theirs = { slug: "secret", name: "Secret", buyer: "rival", lines: [randomLine(++n, roll)] }
    const keys = await bringIn(app, {
      organizations: ORGANIZATIONS,
      campaigns: [...campaigns, theirs],
      agent_keys: KEYS,
    })
    const lines = campaigns.flatMap((campaign) => campaign.lines)
    await reportDays(app, [...lines, ...theirs.lines], roll, most)
    await sendAffiliates(app, lines, roll)
    const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
    const { buys, pages } = await readAll(app, keys["Ours"] ?? "", { ...ANY, include_package_daily_breakdown: true })
    expect(buys.map(({ media_buy_id }) => media_buy_id).sort()).toEqual(campaigns.map(({ slug }) => slug).sort())
    expect(pages).toBeGreaterThanOrEqual(Math.ceil(sizes.length / 2))
    for (const buy of buys) await expectAsOnThePages(buyer, buy)
    await expectDaysAddUp(app, keys["Ours"] ?? "", buys)
  })

  async function sendAffiliates(app: TestApp, lines: readonly GivenLine[], roll: (sides: number) => number) {
    for (const slug of ["east", "west"]) {
      const seller = await app.store.organizations.findBySlug(slug)
      const key = seller && (await givenIngestKey(app, seller))
      const own = lines.filter((line) => line.seller === slug).slice(0, 5)
      const codes = own.flatMap(({ package_id }, i) =>
        Array.from({ length: roll(3) }, (_, j) => ({ packageId: package_id, code: `${slug}-${i}-${j}` })),
      )
      await sendCodes(app, key ?? "", codes)
      const metrics = codes.flatMap(({ code }) =>
        ["2026-11-02", "2026-11-05", "2026-11-13"].slice(roll(4)).map((date) => ({
          code,
          date,
          clicks: roll(1_000),
          ...(roll(2) === 0 && { conversions: roll(50), conversionValue: `${roll(900)}.${roll(9)}` }),
        })),
      )
      const { errors } = await sendMetrics(
        app,
        key ?? "",
        metrics.map((row) => ({
          ...row,
          ...(row.conversionValue && { conversionValue: Number(row.conversionValue) }),
        })),
      )
      expect(errors).toEqual([])
    }
  }

  async function expectAsOnThePages(buyer: Visitor, buy: Json) {
    const path = `/app/o/brand-co/campaigns/${buy.media_buy_id}`
    const rows = await table(buyer, `${path}/lines.csv`)
    const packages = new Map<string, Json>(buy.by_package.map((one: Json) => [one.package_id, one]))
    expect([...packages.keys()].sort()).toEqual(rows.map((row) => row["package_id"] ?? "").sort())
    expect(buy.ext.adbooth.packages).toBe(rows.length)
    for (const row of rows) {
      const one = packages.get(row["package_id"] ?? "")
      const isFlat = row["pricing_basis"] === "flat_rate"
      const quantity = isFlat ? undefined : numberOf(row["delivered"])
      expect([one.impressions ?? one.downloads, one.ext.adbooth.state]).toEqual([quantity, row["state"] ?? ""])
      expect(one.ext.adbooth.as_of ?? "").toBe(row["as_of"] ?? "")
    }
    for (const basis of ["impressions", "downloads"]) {
      const reported = rows.filter((row) => row["pricing_basis"] === basis && row["delivered"] !== "")
      expect(buy.totals[basis]).toEqual(
        reported.length === 0 ? undefined : sum(reported.map((row) => Number(row["delivered"]))),
      )
    }
    const [listed] = (await table(buyer, "/app/o/brand-co/campaigns.csv")).filter(
      (row) => Object.values(row)[0] === buy.media_buy_id || Object.values(row).includes(buy.media_buy_id),
    )
    expect(buy.ext.adbooth.state).toBe(listed?.["state"])
    const value = numberOf(listed?.["value"])
    if (value !== undefined) expect([buy.totals.spend, buy.currency]).toEqual([value, listed?.["currency"] ?? ""])
    expect(
      cents(sum(buy.by_package.filter((one: Json) => one.currency === buy.currency).map((one: Json) => one.spend))),
    ).toBe(buy.totals.spend)
    await expectAffiliates(buyer, buy)
    for (const one of buy.by_package.slice(0, 10))
      await expectDays(buyer, `${path}/lines/${one.package_id}/totals.csv`, one)
  }

  async function expectDays(buyer: Visitor, path: string, one: Json) {
    const days = await table(buyer, path)
    const shown = one.daily_breakdown.filter((day: Json) => day.ext?.adbooth.delivery_known !== false)
    if (one.pricing_model === "flat_rate") return
    const quantity = (day: Json) => day.downloads ?? day.impressions
    const together = one.ext.adbooth.undivided_days ?? []
    const alone = days.filter((day) => day["added_days"] === "1")
    expect(shown.map((day: Json) => [day.date, quantity(day)])).toEqual(
      alone.map((day) => [day["day"] ?? "", Number(day["added"])]),
    )
    expect(together.map((some: Json) => [some.start_date, some.end_date, quantity(some)])).toEqual(
      days
        .filter((day) => !alone.includes(day))
        .map((day) => [day["added_since"] ?? "", day["day"] ?? "", Number(day["added"])]),
    )
  }

  async function expectAffiliates(buyer: Visitor, buy: Json) {
    const rows = await table(
      buyer,
      `/app/o/brand-co/affiliates.csv?campaign=${buy.media_buy_id}&from=2026-01-01&to=2026-12-31`,
    )
    const summed = (of: readonly Row[], column: string) => {
      const reported = of.flatMap((row) => numberOf(row[column]) ?? [])
      return reported.length === 0 ? undefined : sum(reported)
    }
    for (const [name, column] of [
      ["clicks", "Clicks"],
      ["conversions", "Conversions"],
    ] as const) {
      expect([name, buy.totals[name]]).toEqual([name, summed(rows, column)])
      for (const one of buy.by_package)
        expect(one[name]).toEqual(
          summed(
            rows.filter((row) => row["Line ID for the API"] === one.package_id),
            column,
          ),
        )
    }
    for (const one of buy.by_package) {
      const own = rows.filter((row) => row["Line ID for the API"] === one.package_id)
      const value = summed(own, "Value")
      expect(one.conversion_value === undefined ? undefined : cents(one.conversion_value)).toEqual(
        value === undefined ? undefined : cents(value),
      )
    }
  }

  /** A period that ends where the next one begins divides what is known; the days on the border are said. */
  async function expectDaysAddUp(app: TestApp, key: string, buys: readonly Json[]) {
    const { buys: first } = await readAll(app, key, { ...ANY, start_date: "0001-01-01", end_date: "2026-11-08" })
    const { buys: second } = await readAll(app, key, { ...ANY, start_date: "2026-11-08", end_date: "9999-12-31" })
    for (const [i, whole] of buys.entries()) {
      for (const [j, one] of whole.by_package.entries()) {
        const [before, after] = [first[i].by_package[j], second[i].by_package[j]]
        expect([before.package_id, after.package_id]).toEqual([one.package_id, one.package_id])
        const figure = one.downloads === undefined ? "impressions" : "downloads"
        if (one[figure] === undefined) continue
        const across = (before.ext.adbooth.unknown_days ?? []).flatMap(
          (days: Json) => days.delivered_with_other_days ?? [],
        )
        const parts = sum([before[figure] ?? 0, after[figure] ?? 0, ...across])
        expect([one.package_id, parts]).toEqual([one.package_id, one[figure]])
      }
    }
  }
})

/** One campaign of ours with one line of each kind, and one of somebody else. */
async function givenCampaigns(app: TestApp) {
  const line = (n: number, more: object) => ({
    package_id: idOf(n),
    seller: "west",
    name: `Line ${n}`,
    pricing_basis: "impressions",
    flight_start: "2026-11-01",
    flight_end: "2026-11-30",
    ...more,
  })
  const priced = { rate: 10, currency: "EUR" }
  const campaigns = [
    { slug: "ours", name: "Ours", buyer: "brand-co", lines: [line(1, { booked: 100_000, ...priced })] },
    { slug: "theirs", name: "Theirs", buyer: "rival", lines: [line(2, priced)] },
    { slug: "later", name: "Later", buyer: "brand-co", lines: [line(3, { flight_start: "2026-11-20", ...priced })] },
    { slug: "over", name: "Over", buyer: "brand-co", lines: [line(4, { flight_end: "2026-11-05", ...priced })] },
  ]
  const secrets = await bringIn(app, { organizations: ORGANIZATIONS, campaigns, agent_keys: KEYS })
  const seller = await app.store.organizations.findBySlug("west")
  const ingest = seller && (await givenIngestKey(app, seller))
  const key = secrets["Ours"] ?? ""
  const ask = (args: Record<string, unknown> = {}, by: string | undefined = key): Promise<Json> =>
    call(app, TOOL, args, { key: by })
  return { ask, key, secrets, ingest: ingest ?? "", line }
}

describe("get_media_buy_delivery", () => {
  test("is not there unless it is switched on, and everything else is as before", async () => {
    await using app = await startApp()
    const names = async () => (await rpc(app, "tools/list")).result.tools.map((tool: Json) => tool.name)
    const capabilities = async () => (await rpc(app, "tools/call", { name: THREE[0], arguments: {} })).result
    const off = [await names(), await capabilities()]
    expect(off[0]).toEqual(THREE)
    expect((await rpc(app, "tools/call", { name: TOOL, arguments: {} })).error.code).toBe(-32602)
    const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
    await olga.follow("/app/operator/agent-keys/switches", { delivery: "on" })
    expect(await names()).toEqual([...THREE, TOOL])
    expect((await rpc(app, "tools/call", { name: TOOL, arguments: {} })).error.data.adcp_error.code).toBe(
      "AUTH_MISSING",
    )
    expect((await capabilities()).structuredContent.message).toContain("four read-only tools")
    await olga.follow("/app/operator/agent-keys/switches", { delivery: "off" })
    const { last_updated: _, ...again } = (await capabilities()).structuredContent
    expect(await names()).toEqual(THREE)
    expect(off[1].structuredContent).toMatchObject(again)
    await using pinned = await startApp({ options: { agentDelivery: "off" } })
    const person = await signedIn(pinned, await givenPerson(pinned, { isOperator: true }))
    await person.follow("/app/operator/agent-keys/switches", { delivery: "on" })
    expect((await rpc(pinned, "tools/list")).result.tools).toHaveLength(3)
    expect(await person.read("/app/operator/agent-keys")).toContain("--agent-delivery")
  })

  test("has every argument of the protocol described, and tools/list stays under 25 KB", async () => {
    await using app = await startApp(ON)
    const { result } = await rpc(app, "tools/list")
    expect(JSON.stringify(result).length).toBeLessThan(25_000)
    const { properties } = result.tools[3].inputSchema
    for (const field of Object.values<Json>(properties)) expect(field.description.length).toBeGreaterThan(5)
    if (!officialIsHere) return
    const official = officialSchema("media-buy/get-media-buy-delivery-request.json")["properties"]
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(official as object)))
  })

  test("says why there is nothing for a caller without a key, and for a key that acts for nobody", async () => {
    await using app = await startApp({ ...ON, chosen: { agent_contact: "sales@example.com" } })
    const { ask, secrets } = await givenCampaigns(app)
    const response = await post(app, {
      jsonrpc: "2.0",
      id: 4,
      method: "tools/call",
      params: { name: TOOL, arguments: { start_date: "never" } },
    })
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="adbooth"'])
    const { id, error } = (await response.json()) as Json
    const { adcp_error: anonymous } = error.data
    expect([id, error.code, anonymous.code, anonymous.suggestion]).toEqual([
      4,
      -32000,
      "AUTH_MISSING",
      expect.stringContaining("sales@example.com"),
    ])
    const { adcp_error: nobody } = await ask({}, secrets["Nobody's"])
    expect([nobody.code, nobody.suggestion]).toEqual([
      "PERMISSION_DENIED",
      expect.stringContaining("sales@example.com"),
    ])
    expect((await loggedCalls(app)).map(({ tool, outcome }) => [tool, outcome])).toEqual([
      [TOOL, "PERMISSION_DENIED"],
      [TOOL, "AUTH_MISSING"],
    ])
  })

  test("answers somebody else's campaign exactly like one that does not exist, however it is written", async () => {
    await using app = await startApp(ON)
    const { ask } = await givenCampaigns(app)
    const unknown = await ask({ media_buy_ids: ["missing"] })
    expect(unknown.adcp_error.code).toBe("MEDIA_BUY_NOT_FOUND")
    const odd = [
      "theirs",
      "THEIRS",
      "%74heirs",
      "theirs ",
      "theirs\0",
      "../theirs",
      "theirs' OR '1'='1",
      "ours\0theirs",
    ]
    for (const id of [...odd, idOf(2), "*", "ＯＵＲＳ", "ours/../theirs", ""])
      expect(await ask({ media_buy_ids: [id] })).toEqual(unknown)
    expect(await ask({ media_buy_ids: ["theirs"], status_filter: "active" })).toEqual(unknown)
    const mixed = await ask({ media_buy_ids: ["theirs", "ours", "ours", "missing"] })
    expect(mixed.media_buy_deliveries.map((buy: Json) => buy.media_buy_id)).toEqual(["ours"])
    expect(mixed.message).toContain("Not found: theirs, missing.")
    expect(mixed.errors).toMatchObject([
      { code: "MEDIA_BUY_NOT_FOUND", details: { media_buy_id: "theirs" } },
      { code: "MEDIA_BUY_NOT_FOUND", details: { media_buy_id: "missing" } },
    ])
    expect(JSON.stringify(mixed)).not.toContain(idOf(2))
  })

  test("follows the buyer of the key at once, and a campaign that changes hands", async () => {
    await using app = await startApp(ON)
    const { ask, secrets } = await givenCampaigns(app)
    const names = async (key?: string) =>
      ((await ask(ANY, key)).media_buy_deliveries ?? []).map((buy: Json) => buy.media_buy_id).sort()
    expect(await names()).toEqual(["later", "ours", "over"])
    expect(await names(secrets["Theirs"])).toEqual(["theirs"])
    const rival = await app.store.organizations.findBySlug("rival")
    const keys = await app.store.agentKeys.list()
    await setAgentKeyBuyer(app, keys.find(({ label }) => label === "Ours")?.id ?? "", rival, "test")
    expect(await names()).toEqual(["theirs"])
    await bringIn(app, { campaigns: [{ slug: "ours", name: "Ours", buyer: "rival" }] })
    expect(await names()).toEqual(["ours", "theirs"])
    // An organization that sells does not read what it sells to others.
    const west = await app.store.organizations.findBySlug("west")
    const made = await createAgentKey(app, "Seller", "test", west)
    expect(await names(made?.secret)).toEqual([])
  })

  test("tells totals, spend, pace and status in the words of the standard", async () => {
    await using app = await startApp(ON)
    const { ask, ingest } = await givenCampaigns(app)
    await report(app, ingest, [{ package_id: idOf(1), impressions: 25_000, as_of: "2026-11-14" }])
    const answer = await ask({ media_buy_ids: ["ours"] })
    expect(answer).toMatchObject({
      currency: "EUR",
      reporting_period: { start: "2026-11-01T00:00:00Z", end: "2026-11-15T12:00:00Z" },
      aggregated_totals: { impressions: 25_000, spend: 250, media_buy_count: 1 },
      pagination: { has_more: false, total_count: 1 },
    })
    const [buy] = answer.media_buy_deliveries
    expect(buy).toMatchObject({ media_buy_id: "ours", status: "active", totals: { impressions: 25_000, spend: 250 } })
    expect(buy.by_package).toMatchObject([
      { package_id: idOf(1), impressions: 25_000, spend: 250, rate: 10, currency: "EUR", pricing_model: "cpm" },
    ])
    expect(buy.by_package[0]).toMatchObject({ delivery_status: "delivering", pacing_index: 0.5349 })
    const { result } = await rpc(
      app,
      "tools/call",
      { name: TOOL, arguments: { media_buy_ids: ["ours"] } },
      await keyed(app),
    )
    expect(result.content[0].text).toContain(`- ${idOf(1)}: Line 1; delivering; 25,000 impressions, 250 EUR`)
    // Where the standard has no word for it, the text says what the structure says.
    const later = await rpc(
      app,
      "tools/call",
      { name: TOOL, arguments: { media_buy_ids: ["later"] } },
      await keyed(app),
    )
    const [{ by_package }] = later.result.structuredContent.media_buy_deliveries
    expect([by_package[0].delivery_status, by_package[0].ext.adbooth.state]).toEqual([undefined, "upcoming"])
    expect(later.result.content[0].text).toContain(`- ${idOf(3)}: Line 3; upcoming;`)
  })

  /** A key of ours that was made for it. */
  async function keyed(app: TestApp) {
    const made = await createAgentKey(
      app,
      crypto.randomUUID(),
      "test",
      await app.store.organizations.findBySlug("brand-co"),
    )
    return { key: made?.secret }
  }

  test("filters by status, and names what it does not offer", async () => {
    await using app = await startApp(ON)
    const { ask } = await givenCampaigns(app)
    const names = async (status_filter: unknown) =>
      (await ask({ status_filter })).media_buy_deliveries.map((buy: Json) => [buy.media_buy_id, buy.status]).sort()
    expect(await names("active")).toEqual([["ours", "active"]])
    expect(await names(undefined)).toEqual([["ours", "active"]])
    expect((await ask()).message).toBe("1 media buy. 2 that are not active: ask with status_filter.")
    expect((await ask({ media_buy_ids: ["over", "later"] })).media_buy_deliveries).toHaveLength(2)
    expect(await names(["pending_start", "completed"])).toEqual([
      ["later", "pending_start"],
      ["over", "completed"],
    ])
    expect(await names("paused")).toEqual([])
    expect((await ask({ status_filter: "gone" })).adcp_error.code).toBe("INVALID_REQUEST")
    expect((await ask({ time_granularity: "daily" })).adcp_error.code).toBe("UNSUPPORTED_GRANULARITY")
    for (const adcp_version of ["3.0", "4.0"])
      expect((await ask({ adcp_version })).adcp_error.code).toBe("VERSION_UNSUPPORTED")
    expect((await ask({ adcp_version: "3.2", context: { a: 1 }, media_buy_ids: null, unknown: 1 })).status).toBe(
      "completed",
    )
    const ignored = {
      attribution_window: {},
      reporting_dimensions: { geo: {} },
      include_window_breakdown: false,
      unknown: 1,
    }
    expect((await ask(ignored)).message).toContain(
      "Not supported, and ignored: attribution_window, reporting_dimensions, unknown.",
    )
  })

  test("an account is named by brand and operator, and none has an id", async () => {
    await using app = await startApp(ON)
    const { ask, key } = await givenCampaigns(app)
    const unknown = { account: { account_id: "a" } }
    for (const tool of ["get_products", "list_creative_formats", TOOL] as const) {
      const { adcp_error } = await call(app, tool, unknown, { key })
      expect(adcp_error).toMatchObject({ code: "ACCOUNT_NOT_FOUND", recovery: "terminal", field: "account.account_id" })
    }
    expect((await ask({ account: { brand: { domain: "brand.example" }, operator: "agency.example" } })).status).toBe(
      "completed",
    )
  })

  test.each([
    [{ start_date: "2026-11-10", end_date: "2026-11-09" }, "end_date"],
    [{ start_date: "2026-11-10", end_date: "2026-11-10" }, "end_date"],
    [{ start_date: "2026-11-10" }, "end_date"],
    [{ end_date: "2026-11-10" }, "start_date"],
    [{ start_date: "2026-02-30" }, "start_date"],
    [{ end_date: "tomorrow" }, "end_date"],
    [{ media_buy_ids: [] }, "media_buy_ids"],
    [{ media_buy_ids: Array.from({ length: 10_000 }, (_, i) => `id-${i}`) }, "media_buy_ids"],
    [{ pagination: { cursor: "x" } }, "pagination.cursor"],
    [{ pagination: { cursor: Buffer.from('["a",1,"[]"]').toString("base64url") } }, "pagination.cursor"],
  ])("%# is refused with the field that is wrong", async (args, field) => {
    await using app = await startApp(ON)
    const { ask } = await givenCampaigns(app)
    const { adcp_error: error } = await ask(args)
    expect([error.code, error.field]).toEqual(["INVALID_REQUEST", field])
  })

  test("says which days are not known instead of guessing, and counts none of them", async () => {
    await using app = await startApp(ON)
    const { ask, ingest } = await givenCampaigns(app)
    const total = (as_of: string, impressions: number) =>
      report(app, ingest, [{ package_id: idOf(1), impressions, as_of }])
    await total("2026-11-02", 2_000)
    await total("2026-11-03", 3_000)
    await total("2026-11-07", 11_000)
    const period = async (start_date: string, end_date: string) => {
      const asked = { media_buy_ids: ["ours"], start_date, end_date, include_package_daily_breakdown: true }
      const answer = await ask(asked)
      expect(answer.reporting_period).toEqual({ start: `${start_date}T00:00:00Z`, end: `${end_date}T00:00:00Z` })
      const [{ by_package, totals, ext }] = answer.media_buy_deliveries
      const [{ impressions, spend, daily_breakdown, ext: about }] = by_package
      expect([totals.impressions, totals.spend]).toEqual([impressions, spend])
      const rows = daily_breakdown.map((day: Json) => [day.date, day.impressions, day.spend])
      return {
        impressions,
        spend,
        rows,
        unknown: about.adbooth.unknown_days,
        together: about.adbooth.undivided_days,
        count: ext.adbooth.packages_with_unknown_days,
      }
    }
    expect(await period("2026-11-03", "2026-11-04")).toEqual({
      impressions: 1_000,
      spend: 10,
      rows: [["2026-11-03", 1_000, 10]],
      unknown: undefined,
      together: undefined,
      count: undefined,
    })
    expect(await period("2026-11-03", "2026-11-06")).toMatchObject({
      impressions: 1_000,
      unknown: [{ start_date: "2026-11-04", end_date: "2026-11-05", delivered_with_other_days: 8_000 }],
      count: 1,
    })
    // Days that were reported together and lie in the period count, and what came after the last report is not known.
    const last = await period("2026-11-03", "2026-12-01")
    expect(last).toMatchObject({ impressions: 9_000, unknown: [{ start_date: "2026-11-08", end_date: "2026-11-15" }] })
    expect(last.rows).toEqual([["2026-11-03", 1_000, 10]])
    expect(last.together).toEqual([{ start_date: "2026-11-04", end_date: "2026-11-07", impressions: 8_000, spend: 80 }])
    expect(await period("2026-12-01", "2027-01-01")).toMatchObject({ impressions: 0, unknown: undefined })
  })

  test("adds up no currencies, and says that a price is not known", async () => {
    await using app = await startApp(ON)
    const { ask, ingest, line } = await givenCampaigns(app)
    const flat = { pricing_basis: "flat_rate", rate: 1_500.5, currency: "USD" }
    const lines = [
      line(11, { rate: 10, currency: "EUR" }),
      line(12, flat),
      line(13, {}),
      line(14, { pricing_basis: "downloads", rate: 20, currency: "EUR" }),
      line(15, flat),
    ]
    await bringIn(app, { campaigns: [{ slug: "mixed", name: "Mixed", buyer: "brand-co", lines }] })
    await report(app, ingest, [
      { package_id: idOf(11), impressions: 1_000 },
      { package_id: idOf(12) },
      { package_id: idOf(13), impressions: 7 },
      { package_id: idOf(14), downloads: 500.5 },
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
    expect(answer.message).toContain(`a spend of 0 in ${answer.currency} is no total`)
    expect(buy.ext.adbooth).toMatchObject({ spend, packages_without_price: 1 })
    const { result } = await rpc(
      app,
      "tools/call",
      { name: TOOL, arguments: { media_buy_ids: ["mixed"] } },
      await keyed(app),
    )
    expect(result.content[0].text).toContain(
      "mixed: Mixed; active; 1,007 impressions, 500.5 downloads, 20.01 EUR, 1,500.50 USD",
    )
    expect(result.content[0].text).toMatch(/^- .*; completed; 1,500\.50 USD$/m)
    const shown = buy.by_package.map((one: Json) => [
      one.pricing_model,
      one.rate,
      one.currency,
      one.spend,
      one.delivery_status,
    ])
    expect(shown).toEqual([
      ["cpm", 10, "EUR", 10, "delivering"],
      ["flat_rate", 1_500.5, "USD", 1_500.5, "completed"],
      ["cpm", 0, "XXX", 0, "delivering"],
      ["cpm", 20, "EUR", 10.01, "delivering"],
      ["flat_rate", 1_500.5, "USD", 0, "delivering"],
    ])
    expect(buy.by_package[2].ext.adbooth.price_known).toBe(false)
  })

  test("without any price there is no total", async () => {
    await using app = await startApp(ON)
    const { ask, ingest, line } = await givenCampaigns(app)
    await bringIn(app, { campaigns: [{ slug: "free", name: "Free", buyer: "brand-co", lines: [line(21, {})] }] })
    await report(app, ingest, [{ package_id: idOf(21), impressions: 7 }])
    const answer = await ask({ media_buy_ids: ["free"] })
    const ext = { adbooth: { spend_is_total: false, spend: [] } }
    expect([answer.currency, answer.aggregated_totals]).toEqual(["XXX", undefined])
    expect(answer.media_buy_deliveries[0].totals).toEqual({ impressions: 7, spend: 0, ext })
  })

  test("a report that was withdrawn, and a line that was archived, count no longer", async () => {
    await using app = await startApp(ON)
    const { ask, ingest } = await givenCampaigns(app)
    await report(app, ingest, [{ package_id: idOf(1), impressions: 1_000, as_of: "2026-11-02" }])
    await report(app, ingest, [{ package_id: idOf(1), impressions: 9_000, as_of: "2026-11-03" }])
    const totals = async (args = {}) => (await ask({ media_buy_ids: ["ours"], ...args })).media_buy_deliveries[0].totals
    expect(await totals()).toEqual({ impressions: 9_000, spend: 90 })
    const admin = await signedIn(app, await givenPerson(app, { of: "west", role: "admin" }))
    const path = `/app/o/west/campaigns/ours/lines/${idOf(1)}`
    const [withdraw = ""] = /\/[^"]*withdraw[^"]*/.exec(await admin.read(path)) ?? []
    await admin.follow(withdraw.replaceAll("&amp;", "&"), { reason: "counted twice" })
    expect(await totals()).toEqual({ impressions: 1_000, spend: 10 })
    expect(await totals({ start_date: "2026-11-03", end_date: "2026-11-30" })).toEqual({ impressions: 0, spend: 0 })
    await admin.post(`${path}/archive`)
    expect((await ask({ media_buy_ids: ["ours"] })).media_buy_deliveries[0]).toMatchObject({
      by_package: [],
      totals: { spend: 0 },
    })
  })

  test("a cursor belongs to its key and its question", async () => {
    await using app = await startApp(ON)
    const { ask, secrets } = await givenCampaigns(app)
    const { pagination, message } = await ask({ ...ANY, pagination: { max_results: 1 } })
    expect([pagination.has_more, pagination.total_count, message]).toEqual([true, 3, "3 media buys, 1 of them here."])
    const next = { ...ANY, pagination: { max_results: 1, cursor: pagination.cursor } }
    expect((await ask(next)).media_buy_deliveries).toHaveLength(1)
    expect((await ask(next, secrets["Theirs"])).adcp_error.field).toBe("pagination.cursor")
    expect((await ask({ ...next, include_package_daily_breakdown: true })).adcp_error.field).toBe("pagination.cursor")
  })

  test("whatever is asked, the answer fits the official schema", async () => {
    await using app = await startApp({ options: { ...ON.options, limitAgentKeyed: "10000" } })
    const { ask, ingest } = await givenCampaigns(app)
    await report(app, ingest, [
      { package_id: idOf(1), impressions: 5, as_of: "2026-11-03" },
      { package_id: idOf(4), impressions: 7 },
    ])
    const odd = [null, "", 0, -1, true, [], {}, "x".repeat(300), ["ours"], { a: null }]
    const given: Record<string, readonly unknown[]> = {
      media_buy_ids: [["ours"], ["over", "ours", "over"], ["theirs"], ["later", null]],
      status_filter: ["active", ["completed", "active"], ["paused"]],
      start_date: ["2026-11-03", "1999-01-01", "2027-01-01", "2024-02-29"],
      end_date: ["2026-11-03", "2026-11-30", "0001-01-01", "9999-12-31"],
      include_package_daily_breakdown: [true, false],
      include_window_breakdown: [true],
      attribution_window: [{ post_click: { interval: 7, unit: "days" } }],
      reporting_dimensions: [{ device_type: {} }],
      account: [{ account_id: "a" }, { brand: { domain: "a.example" }, operator: "b.example" }],
      pagination: [{ max_results: 1 }, { max_results: 100 }],
      adcp_version: ["3.1", "3.9"],
      context: [{ trace: 1 }],
    }
    const roll = dice(7)
    const pick = (values: readonly unknown[]) => values[roll(values.length)]
    const outcomes = new Map<string, number>()
    for (let n = 0; n < 150; n++) {
      const names = Object.keys(given).filter(() => roll(3) === 0)
      const wrong = roll(5) === 0
      const args = Object.fromEntries(
        names.map((name) => [name, pick(wrong && name !== "context" ? odd : (given[name] ?? []))]),
      )
      if (!("start_date" in args)) delete args["end_date"]
      const answer = await ask(args)
      const outcome = answer.adcp_error?.code ?? answer.status
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    expect([...outcomes.keys()].sort()).toEqual([
      "ACCOUNT_NOT_FOUND",
      "INVALID_REQUEST",
      "MEDIA_BUY_NOT_FOUND",
      "completed",
    ])
    expect(outcomes.get("completed")).toBeGreaterThan(50)
  })

  test("counts as a call of its key, and is refused beyond the limit", async () => {
    await using app = await startApp({ options: { ...ON.options, limitAgentKeyed: "2" } })
    const { ask, key } = await givenCampaigns(app)
    await ask()
    await ask()
    const { error } = await rpc(app, "tools/call", { name: TOOL, arguments: {} }, { key })
    expect(error.code).toBe(-32029)
    if (officialIsHere) expect(officialComplaints("core/error.json", error.data.adcp_error)).toEqual([])
  })
})
