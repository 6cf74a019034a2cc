import { expect, test } from "bun:test"
import { signIn } from "../../harness/browser/browse.ts"
import { givenApiKey } from "../../harness/data/given.ts"
import { post } from "../../harness/data/ingest.ts"
import { changeTimeZone } from "../../harness/inside.ts"
import { givenSeller, rowsOf, type Site, startSite } from "../given.ts"

interface FeedSite extends Site {
  readonly key: string
  readonly activity: (query?: string) => ReturnType<Site["open"]>
}

async function startFeed(): Promise<FeedSite> {
  const site = await startSite()
  const { key } = await givenApiKey(site.app, site.seller.id, "Ad server")
  return { ...site, key, activity: (query = "") => site.open(`${site.seller.home}/feed-activity${query}`) }
}

const UNKNOWN = "00000000-0000-4000-8000-000000000000"

test("every request is counted at once, and each rejected item is shown with its reason", async () => {
  await using site = await startFeed()
  const items = [
    { package_id: site.packageId, impressions: 5 },
    { package_id: UNKNOWN, impressions: 5 },
    { package_id: site.packageId, downloads: 5 },
  ]
  await post(site.app, { items }, { key: site.key })
  await post(site.app, { items: items.slice(0, 1) }, { key: site.key, query: "?dry_run=true" })
  await post(site.app, "{", { key: site.key })
  const page = await site.activity()
  expect(page.text).toContain("Requests 3 1 not JSON, 1 dry run")
  expect(page.text).toContain("Items accepted 1 33% of all items")
  expect(page.text).toContain("Items rejected 2 67% of all items, 2 reasons")
  const rows = rowsOf(page, "Rejected items, latest first")
  expect(rows).toHaveLength(2)
  expect(rows.join()).toContain("Not yours to report")
  expect(rows.join()).toContain(UNKNOWN)
  expect(page.text).toContain("Rejected items 2")
})

test("a reason that is chosen is counted and listed alone", async () => {
  await using site = await startFeed()
  const unknown = { package_id: UNKNOWN, impressions: 5 }
  const items = [
    unknown,
    { ...unknown, package_id: UNKNOWN.replace("8", "9") },
    { package_id: site.packageId, impressions: -1 },
  ]
  await post(site.app, { items }, { key: site.key })
  const page = await site.activity("?reason=not_seller")
  expect(page.text).toContain("Rejected items 2")
  expect(rowsOf(page, "Rejected items, latest first")).toHaveLength(2)
  expect(page.text).toContain("Malformed (1)")
})

test("counts are by the day, in the seller's time zone", async () => {
  await using site = await startFeed()
  const items = [{ package_id: site.packageId, impressions: 5 }]
  await post(site.app, { items }, { key: site.key })
  site.app.clock.advance({ hours: 11.5 })
  await post(site.app, { items: [{ package_id: site.packageId, impressions: 6 }] }, { key: site.key })
  const daily = rowsOf(await site.activity(), "Items per day")
  expect(daily).toHaveLength(14)
  expect(daily.slice(-2)).toEqual(["15 Nov 2026 1 0", "16 Nov 2026 1 0"])
  expect(rowsOf(await site.activity("?period=90"), "Items per day")).toHaveLength(90)
})

test("where days begin at half past, rejected items are counted and listed from the same hour", async () => {
  await using site = await startSite({ flightStart: "2026-10-01" }, { now: "2026-11-01T18:40:00Z" })
  await changeTimeZone(site.app, site.seller.id, "Asia/Kolkata")
  const { key } = await givenApiKey(site.app, site.seller.id, "Ad server")
  await post(site.app, { items: [{ package_id: UNKNOWN, impressions: 1 }] }, { key })
  site.app.clock.advance({ hours: 24 * 13 + 12 })
  const open = await signIn(site.app, { organization: site.seller })
  const page = await open(`${site.seller.home}/feed-activity`)
  expect(page.text).toContain("Requests 0 all answered")
  expect(page.text).toContain("Rejected items 0")
  expect(rowsOf(page, "Rejected items, latest first")).toEqual([])
})

test("a silent key comes first, and its page says since when", async () => {
  await using site = await startFeed()
  await givenApiKey(site.app, site.seller.id, "Other server")
  for (let hour = 0; hour < 6; hour++) {
    await post(site.app, { items: [{ package_id: site.packageId, impressions: hour }] }, { key: site.key })
    site.app.clock.advance({ hours: 1 })
  }
  site.app.clock.advance({ hours: 9 })
  const page = await site.activity()
  expect(page.text).toContain("Silent for 10 hours")
  expect(page.text).toContain(
    "This key usually reports every hour. Its last request, on 15 Nov, 18:00 , was accepted in full",
  )
})

test("what was sent is shown as text, without keys", async () => {
  await using site = await startFeed()
  const items = [{ package_id: "<script>alert(1)</script>", note: site.key }]
  await post(site.app, { items }, { key: site.key })
  const { html, text } = await site.activity()
  expect(html).not.toContain("<script>alert")
  expect(html).not.toContain(site.key)
  expect(text).toContain("abi_********")
})

test("a company doesn't see another company's activity", async () => {
  await using site = await startFeed()
  await post(site.app, { items: [{ package_id: UNKNOWN, impressions: 1 }] }, { key: site.key })
  const other = await givenSeller(site.app, "other")
  const theirs = await signIn(site.app, { organization: other })
  const page = await theirs(`${other.home}/feed-activity?key=1`)
  expect(page.text).toContain("No keys yet")
  expect((await theirs(`${site.seller.home}/feed-activity`)).status).toBe(404)
})

test("the list of API keys knows the request that was just answered", async () => {
  await using site = await startFeed()
  const keys = async () => (await site.open(`${site.seller.home}/keys`)).text
  expect(await keys()).toContain("Not used yet")
  await post(site.app, { items: [{ package_id: site.packageId, impressions: 5 }] }, { key: site.key })
  expect(await keys()).toContain("In use")
})
