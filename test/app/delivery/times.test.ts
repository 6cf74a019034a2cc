import { expect, test } from "bun:test"
import { startApp } from "../../harness/app.ts"
import { browse, signIn } from "../../harness/browser/browse.ts"
import { changeTimeZone } from "../../harness/inside.ts"
import { fileOf, givenLine, givenSeller, reportDays, rowsOf, startSite } from "../given.ts"

const HISTORY = "Every report of this line, the last measured first"

test("times are in the time zone of the reader's organization, which the page names once", async () => {
  await using site = await startSite()
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-14": 100 })
  await changeTimeZone(site.app, site.seller.buyerId, "America/New_York")
  const buyer = await signIn(site.app, { organization: { id: site.seller.buyerId } })
  const bought = await buyer(`/app/o/acme-buyer/campaigns/acme-spring/lines/${site.packageId}`)
  expect(rowsOf(bought, HISTORY)[0]).toStartWith("100 – 14 Nov, 17:59 15 Nov, 07:00")
  expect(bought.text).toContain("Days end in Europe/Berlin")
  const sold = await site.open(site.line)
  expect(rowsOf(sold, HISTORY)[0]).toStartWith("100 – 14 Nov, 23:59 15 Nov, 13:00")
  for (const [page, zone] of [
    [bought, "America/New_York"],
    [sold, "Europe/Berlin"],
  ] as const)
    expect(page.text.split(`Times are in ${zone}.`)).toHaveLength(2)
})

test("a shared report always uses its seller's time zone", async () => {
  await using site = await startSite()
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-14": 100 })
  const shown = await (await site.open(`${site.seller.campaign}/share`)).send()
  const [, path = ""] = /(\/app\/share\/[\w-]{43})/.exec(shown.text) ?? []
  const other = await givenSeller(site.app, "other", "Asia/Tokyo")
  const visitor = await signIn(site.app, { organization: other })
  for (const open of [browse(site.app), visitor]) {
    const { text } = await open(path)
    expect(text).toContain("As of 14 Nov 2026, 23:59.")
    expect(text).toContain("Times are in Europe/Berlin.")
  }
})

test("files have times in UTC", async () => {
  await using site = await startSite()
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-14": 100 })
  const [row = []] = await fileOf(site.open, `${site.line}/days.csv`)
  expect(row).toContain("2026-11-14T22:59:59.999999Z")
  expect((await fileOf(site.open, `${site.seller.campaign}/lines.csv`)).flat()).toContain("2026-11-14T22:59:59.999999Z")
})

test("a typed time is meant in the seller's time zone, also on the day that clocks go back", async () => {
  await using app = await startApp({ now: "2026-10-25T12:00:00Z" })
  const seller = await givenSeller(app)
  const packageId = await givenLine(app, seller, { flightStart: "2026-10-01" })
  const open = await signIn(app, { organization: seller })
  const line = `${seller.campaign}/lines/${packageId}`
  for (const [time, total] of [
    ["01:30", "10"],
    ["12:30", "20"],
  ] as const)
    await (await open(`${seller.home}/totals`)).send({ [`total.${packageId}`]: total, time })
  expect(rowsOf(await open(line), HISTORY).map((row) => row.slice(0, 24))).toEqual([
    "20 +10 25 Oct, 12:30 25 ",
    "10 – 25 Oct, 01:30 25 Oc",
  ])
  // 12:30 in Berlin is 11:30 UTC by then.
  expect((await fileOf(open, `${line}/days.csv`)).flat()).toContain("2026-10-25T11:30:00Z")
})

test("a day without a time is the end of that day, and today's is now", async () => {
  await using site = await startSite()
  const report = async (day: string, total: string) =>
    (await site.open(`${site.seller.home}/totals`)).send({ [`total.${site.packageId}`]: total, day, time: "" })
  await report("2026-11-14", "100")
  await report("2026-11-15", "110")
  expect(rowsOf(await site.open(site.line), HISTORY).map((row) => row.slice(0, 24))).toEqual([
    "110 +10 15 Nov, 13:00 15",
    "100 – 14 Nov, 23:59 15 N",
  ])
})

test("a date of another year has its year", async () => {
  await using site = await startSite({ flightStart: "2025-12-01", flightEnd: "2027-01-31" })
  const { text } = await site.open(site.line)
  expect(text).toContain("1 Dec 2025 – 31 Jan 2027")
})

test("a page with a time names its zone, and one without doesn't", async () => {
  await using site = await startSite()
  const { seller, open } = site
  const pages = ["", "/campaigns", "/campaigns/acme-spring", "/totals", "/keys", "/people", "/feed-activity", "/orders"]
  for (const hasTotal of [false, true]) {
    if (hasTotal) await reportDays(site.app, seller.id, site.packageId, { "2026-11-14": 100 })
    for (const path of [...pages, site.line.slice(seller.home.length)]) {
      const { html } = await open(seller.home + path)
      if (html.includes("<time "))
        expect([path, html]).toEqual([path, expect.stringContaining("Times are in Europe/Berlin.")])
    }
  }
})

test("the last 14 days are 14 dates, on the days that clocks change as well", async () => {
  for (const [now, from, to] of [
    ["2026-11-08T22:30:00Z", "26 Oct 2026", "8 Nov 2026"],
    ["2026-11-07T23:30:00Z", "26 Oct 2026", "8 Nov 2026"],
    ["2026-10-25T23:30:00Z", "13 Oct 2026", "26 Oct 2026"],
    ["2026-10-25T22:30:00Z", "12 Oct 2026", "25 Oct 2026"],
    ["2027-03-28T22:30:00Z", "16 Mar 2027", "29 Mar 2027"],
    ["2027-04-10T21:30:00Z", "28 Mar 2027", "10 Apr 2027"],
    ["2027-04-09T22:30:00Z", "28 Mar 2027", "10 Apr 2027"],
  ] as const) {
    const terms = { flightStart: "2026-10-01", flightEnd: "", rate: "1", currency: "EUR" }
    await using site = await startSite(terms, { now })
    await (await site.open(`${site.seller.home}/totals`)).send({ [`total.${site.packageId}`]: "500" })
    const days = rowsOf(await site.open(site.seller.home), "Per day").map((row) => row.split(" ").slice(0, 3).join(" "))
    expect([now, days[0], days[13]]).toEqual([now, from, to])
  }
})
