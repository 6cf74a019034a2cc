import { expect, test } from "bun:test"
import { createIngestKey } from "../../../src/actions/keys/keys.ts"
import { BODY_BYTES_MAX } from "../../../src/domain/limits.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { CODES, DELIVERY, METRICS, post, report } from "../ingest/feed.ts"
import { DOWNLOADS_LINE, givenMarket, givenPerson, LINE, OTHER_SELLERS_LINE } from "./given.ts"
import { signedIn, textOf } from "./visitor.ts"

const PAGE = "/app/o/acme-audio/feed-activity"
const UNKNOWN = "9e107d9d-372b-4b68-8f6b-2f1c3a4d5e03"

async function givenFeed(app: TestApp) {
  await givenMarket(app)
  const acme = await app.store.organizations.findBySlug("acme-audio")
  if (acme === null) throw new Error("acme-audio is not there")
  const { secret, record } = await createIngestKey(app, acme, "Ad server", "test")
  const member = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "member" }))
  return { key: secret, id: record.id, member }
}

/** The text of a page without its tags. */

test("an admin of a buyer is not told to create a key", async () => {
  await using app = await startApp()
  await givenMarket(app)
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
  const html = await buyer.read("/app/o/brand-co/feed-activity")
  expect(html).not.toContain("Create an API key")
  expect(html).toContain("See your campaigns")
})

test("a member sees what was sent, and why each rejected item is not there", async () => {
  await using app = await startApp()
  const { key, member } = await givenFeed(app)
  await report(app, key, [
    { package_id: LINE, impressions: 1000 },
    { package_id: LINE, impressions: 1001 },
    { package_id: DOWNLOADS_LINE, impressions: 5 },
    { package_id: UNKNOWN, impressions: 6 },
    { package_id: OTHER_SELLERS_LINE, impressions: 7 },
    { package_id: LINE, impressions: "61.204" },
  ])
  const html = await member.read(PAGE)
  const text = textOf(html)
  expect(text).toContain("Ad server")
  expect(text).toContain("Items accepted 1")
  expect(text).toContain("Items rejected 5")
  expect(text).toContain("Last request just now 1 accepted, 5 rejected")
  expect(text).toContain("Podcast")
  expect(text).not.toContain("Banner")
  expect(text).toContain("&quot;impressions&quot;: &quot;61.204&quot;")
  expect(html).toContain('href="/docs/reasons#not_seller"')
  expect(html).toContain(`/app/o/acme-audio/campaigns/autumn/lines/${DOWNLOADS_LINE}`)
  expect(html).not.toContain(key)
  const filtered = textOf(await member.read(`${PAGE}?reason=not_seller`))
  expect(filtered).toContain("Rejected items 2")
  expect(filtered).not.toContain("61.204")
  expect(await member.read("/docs/reasons")).toContain('id="not_seller"')
})

test("all three feeds count, and so do requests that were refused as a whole", async () => {
  await using app = await startApp({ options: { limitIngest: "5" } })
  const { key, member } = await givenFeed(app)
  await post(app, CODES, key, {
    codes: [
      { packageId: LINE, code: "A" },
      { packageId: UNKNOWN, code: "B" },
    ],
  })
  await post(app, METRICS, key, { metrics: [{ code: "A", date: "2027-01-01", clicks: 1 }] })
  await post(app, DELIVERY, key, "not JSON")
  await post(app, DELIVERY, key, { items: [] })
  await post(app, DELIVERY, key, { items: [] }, { "Content-Type": "text/plain" })
  await post(app, DELIVERY, key, { items: ["x".repeat(BODY_BYTES_MAX)] })
  await report(app, key, [{ package_id: LINE, impressions: 1 }], "?dry_run=true")
  expect((await post(app, DELIVERY, key, { items: [] })).status).toBe(429)
  const text = textOf(await member.read(`${PAGE}?period=24h`))
  expect(text).toContain("Requests 8")
  for (const refused of ["not JSON", "malformed", "wrong content type", "too large", "over the rate limit"]) {
    expect(text).toContain(`1 ${refused}`)
  }
  expect(text).toContain("1 dry run")
  expect(text).toContain("Items accepted 1")
  expect(text).toContain("Items rejected 2")
  expect(text).toContain("Pre-roll")
})

test("a request of 500 rejected items shows a few of them and says how many more there were", async () => {
  await using app = await startApp()
  const { key, member } = await givenFeed(app)
  await report(
    app,
    key,
    Array.from({ length: 500 }, (_, i) => ({ package_id: UNKNOWN, impressions: -i - 1 })),
  )
  const text = textOf(await member.read(PAGE))
  expect(text).toContain("Rejected items 500")
  expect(text).toContain("And 494 more like this.")
})

test("a feed that stopped is said to be silent, for how long, and how often it usually reports", async () => {
  await using app = await startApp()
  const { key, member } = await givenFeed(app)
  for (let hour = 0; hour < 6; hour++) {
    await report(app, key, [{ package_id: LINE, impressions: hour }])
    app.clock.advance({ hours: 1 })
  }
  expect(await member.read(PAGE)).toContain("Reporting")
  app.clock.advance({ days: 2 })
  const text = textOf(await member.read(PAGE))
  expect(text).toContain("Silent for 2 days and 1 hour")
  expect(text).toContain("This key usually reports every hour.")
  expect(text).toContain("was accepted in full")
})

test("a key in an item is masked, and markup is only text", async () => {
  await using app = await startApp()
  const { key, member } = await givenFeed(app)
  await report(app, key, [{ package_id: key, note: "<script>alert(1)</script>" }])
  const html = await member.read(PAGE)
  expect(html).toContain("abi_********")
  expect(html).not.toContain(key.slice(4, 20))
  expect(html).not.toContain("<script>alert")
})

test("counts and rejected items can be downloaded as CSV", async () => {
  await using app = await startApp()
  const { key, member } = await givenFeed(app)
  await report(app, key, [
    { package_id: LINE, impressions: 1 },
    { package_id: UNKNOWN, impressions: "=1+1" },
  ])
  expect(await member.read(`${PAGE}.csv`)).toContain("Ad server,2026-11-15T12:00:00Z,delivery,item,accepted,1")
  const rejected = await member.read(`${PAGE}.csv?list=rejected`)
  expect(rejected.split("\r\n")[0]).toContain(
    "received,feed,reason,message,package_id,code,line,as_sent,more_like_this",
  )
  expect(rejected).toContain(`2026-11-15T12:00:00Z,delivery,invalid_item`)
})

test("another organization sees nothing of it", async () => {
  await using app = await startApp()
  const { key, id } = await givenFeed(app)
  await report(app, key, [{ package_id: UNKNOWN, impressions: 1 }])
  const stranger = await signedIn(app, await givenPerson(app, { of: "other-seller", role: "admin" }))
  expect((await stranger.get(PAGE)).status).toBe(404)
  const own = await stranger.read(`/app/o/other-seller/feed-activity?key=${id}`)
  expect(own).toContain("No keys yet")
  expect(own).not.toContain(UNKNOWN)
})
