import { expect, test } from "bun:test"
import { signIn } from "../../harness/browser/browse.ts"
import { report } from "../../harness/data/given.ts"
import { lineById, saveLine, versionOf } from "../../harness/inside.ts"
import { fileOf, givenLine, namesOn, reportDays, rowsOf, type Site, startSite } from "../given.ts"

const PRICED = { rate: "12.50", currency: "EUR", booked: "1000" }

const edit = async ({ open, line }: Site) => (await open(`${line}/edit`)).form(`${line}/edit`)

test("a line's page says what is delivered, how it's paced, and what to expect", async () => {
  await using site = await startSite({ ...PRICED, booked: "3000" })
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-07": 500, "2026-11-14": 1_200 })
  const { text, title } = await site.open(site.line)
  expect(title).toBe("Pre-roll · Adbooth")
  for (const words of [
    "Bought by Fernweh Travel · 1 Nov – 30 Nov · €12.50 per 1,000 impressions",
    "1,200 of 3,000 impressions booked · 40%",
    // 14 of 30 days have passed, and 1,400 were planned.
    "Pace −14% 200 fewer than planned",
    "Forecast for 30 Nov 2,800 93% of booked",
    "Needed from now on 113 a day 100 a day in the last 7 days",
    "Value so far €15.00 of €37.50",
    "Measured 13 hours ago 14 Nov, 23:59",
  ])
    expect(text).toContain(words)
})

test("the average names the days between its totals, if one was measured at the beginning of its day", async () => {
  await using site = await startSite({ ...PRICED, booked: "3000" })
  const { app, seller, packageId: package_id } = site
  await report(app, seller, [{ package_id, impressions: 500, as_of: "2026-11-07T00:00:00+01:00" }])
  await report(app, seller, [{ package_id, impressions: 1_300, as_of: "2026-11-14" }])
  expect((await site.open(site.line)).text).toContain("100 a day in the last 8 days")
})

test("what is needed a day is no more than that, if the total was measured at midnight", async () => {
  await using site = await startSite({ ...PRICED, booked: "3000" })
  const { app, seller, packageId: package_id } = site
  await report(app, seller, [{ package_id, impressions: 1_400, as_of: "2026-11-15T00:00:00+01:00" }])
  expect((await site.open(site.line)).text).toContain("Needed from now on 100 a day")
})

test("one impression isn't one impressions, wherever it's counted", async () => {
  await using site = await startSite({ booked: "1", flightEnd: "2026-11-17" })
  const { app, seller, packageId, open, line } = site
  const single = await givenLine(app, seller, { name: "Unbooked", booked: "", flightEnd: "2026-11-17" })
  for (const id of [packageId, single]) await reportDays(app, seller.id, id, { "2026-11-14": 1 })
  const linePage = await open(line)
  expect(linePage.text).toContain("1 of 1 impression booked")
  const withdraw = /href="([^"]*withdraw)"/.exec(linePage.html)?.[1] ?? ""
  const pages = [linePage]
  for (const path of [withdraw, seller.home, seller.campaign, `${seller.home}/totals`]) pages.push(await open(path))
  const unbooked = await open(`${seller.campaign}/lines/${single}`)
  expect(unbooked.text).toContain("1 impression ")
  for (const { text } of [...pages, unbooked]) expect(text).not.toMatch(/\b1 impressions/)
  expect((await open(seller.home)).text).toContain("1 impression so far")
})

test("unmeasured days are one gap, on the page and in the file", async () => {
  await using site = await startSite()
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-01": 10, "2026-11-02": 30, "2026-11-05": 90 })
  const rows = rowsOf(await site.open(site.line), "Totals of each day")
  expect(rows).toEqual(["3 Nov – 5 Nov 2026 90 60 over 3 days 167", "2 Nov 2026 30 +20 67", "1 Nov 2026 10 +10 33"])
  const file = await fileOf(site.open, `${site.line}/days.csv`)
  expect(file.map(([, day, , total, added, since, days]) => [day, total, added, since, days])).toEqual([
    ["2026-11-01", "10", "10", "2026-11-01", "1"],
    ["2026-11-02", "30", "20", "2026-11-02", "1"],
    ["2026-11-05", "90", "60", "2026-11-03", "3"],
  ])
})

test("some hours of the first day say nothing about the pace, but the whole day does", async () => {
  const flight = { flightEnd: "2026-12-31", booked: "47000" }
  await using site = await startSite({ ...flight, flightStart: "2026-11-15" })
  const { app, seller, open } = site
  const earlier = await givenLine(app, seller, { ...flight, flightStart: "2026-11-14", name: "Earlier" })
  await reportDays(app, seller.id, site.packageId, { "2026-11-15": 0 })
  await reportDays(app, seller.id, earlier, { "2026-11-14": 0 })
  const [first, second] = rowsOf(await open(seller.home), "Running lines")
  expect(first).toContain("Earlier Spring · Fernweh Travel Behind")
  expect(second).toContain("Pre-roll Spring · Fernweh Travel Running")
  const today = (await open(seller.home)).text
  expect(today).toContain("Earlier is 100% behind plan")
  expect(today).not.toContain("Pre-roll is 100% behind plan")
  expect((await open(site.line)).text).not.toContain("Forecast for")
})

test("what a day added has no digits that nobody reported", async () => {
  await using site = await startSite({ pricingBasis: "downloads", booked: "100" })
  const days = { "2026-11-01": 0.1, "2026-11-02": 0.3, "2026-11-03": 4.3, "2026-11-04": 4.300001 }
  await reportDays(site.app, site.seller.id, site.packageId, days, "downloads")
  const file = await fileOf(site.open, `${site.line}/days.csv`)
  expect(file.map(([, , , total, added]) => [total, added])).toEqual([
    ["0.1", "0.1"],
    ["0.3", "0.2"],
    ["4.3", "4"],
    ["4.300001", "0.000001"],
  ])
})

test("the history names every report with its source, newest first, ten a page", async () => {
  await using site = await startSite()
  const days = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`2026-11-${String(i + 1).padStart(2, "0")}`, 10 * (i + 1)]),
  )
  await reportDays(site.app, site.seller.id, site.packageId, days)
  const page = await site.open(site.line)
  const caption = "Every report of this line, the last measured first"
  const rows = rowsOf(page, caption)
  expect(rows).toHaveLength(10)
  expect(rows[0]).toStartWith("120 +10 12 Nov, 23:59 15 Nov, 13:00 Form Current")
  const older = /href="([^"]*\?before=[^"]*)"/.exec(page.html)?.[1] ?? ""
  expect(rowsOf(await site.open(older.replace(/#.*/, "")), caption)).toHaveLength(2)
})

test("a line is added with the terms of the line before it", async () => {
  await using site = await startSite(PRICED)
  const form = await site.open(`${site.seller.campaign}/new-line`)
  expect(form.fields).toMatchObject({ name: "", booked: "", rate: "12.50", currency: "EUR", flightEnd: "2026-11-30" })
  const added = await form.send({ name: "Mid-roll", booked: "2 000" })
  expect(added.text).toContain("Mid-roll is added.")
  expect(namesOn(added)).toEqual(["Mid-roll", "Pre-roll"])
})

test("a number with two readings, a wrong currency and an unknown day are each refused at their field", async () => {
  await using site = await startSite()
  const form = await edit(site)
  const cases = [
    [{ rate: "1,234", currency: "EUR" }, "rate", "1,234 can mean 1234 or 1.234."],
    [{ rate: "5", currency: "XYZ" }, "currency", "such as EUR."],
    [{ rate: "5", currency: "" }, "currency", "Choose the currency of the rate, such as EUR."],
    [{ flightStart: "2026-02-30" }, "flightStart", "Enter the first day of the flight"],
    [{ booked: "many" }, "booked", "many isn’t a number."],
  ] as const
  for (const [changes, field, words] of cases) {
    const refused = await form.send(changes)
    expect([field, refused.status]).toEqual([field, 422])
    expect(refused.html).toContain(`<a href="#${field}">`)
    expect(refused.text).toContain(words)
    expect(refused.title).toStartWith("Error:")
  }
})

test("an edit that contradicts what is delivered must be confirmed", async () => {
  await using site = await startSite(PRICED)
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-03": 600 })
  const asked = await (await edit(site)).send({ booked: "500" })
  expect(asked.status).toBe(422)
  expect(asked.text).toContain("600 are already delivered.")
  const form = asked.form(`${site.line}/edit`)
  const saved = await form.send({ "confirm.booked": form.control("confirm.booked")["value"] })
  expect(saved.text).toContain("600 of 500 impressions booked")
})

test("what a line is priced on stays once totals are reported", async () => {
  await using site = await startSite()
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-03": 600 })
  const form = await edit(site)
  expect((await site.open(`${site.line}/edit`)).text).toContain(
    "Priced on impressions. This can’t change once totals are reported.",
  )
  const refused = await form.send({ pricingBasis: "downloads" })
  expect(refused.text).toContain("This can’t change once totals are reported.")
})

test("two people who edit a line see both versions, and a field that only one changed needs no question", async () => {
  await using site = await startSite(PRICED)
  const form = await edit(site)
  const stored = await lineById(site.app.database.read, site.seller.id, site.packageId)
  if (stored === null) throw new Error("The line is missing.")
  const place = { sellerId: site.seller.id, packageId: site.packageId }
  const texts = { name: "Theirs", booked: "9000" }
  await saveLine(site.app, "test", place, { texts, version: versionOf(stored) })

  const conflict = await form.send({ name: "Mine", rate: "13.75" })
  expect(conflict.text).toContain("Someone else saved “Theirs”. You typed “Mine”.")
  const now = conflict.form(`${site.line}/edit`)
  expect(now.fields).toMatchObject({ name: "Mine", rate: "13.75", booked: "9000" })
  expect((await now.send()).title).toBe("Mine · Adbooth")
})

test("a member reads and reports a line but doesn't edit it", async () => {
  await using site = await startSite()
  const member = await signIn(site.app, { organization: site.seller, role: "member" })
  const { html } = await member(site.line)
  expect(html).toContain("/totals?line=")
  expect(html).not.toContain("/edit")
  expect((await member(`${site.line}/edit`)).status).toBe(403)
})

test("a flat rate is delivered or not, and takes no quantity", async () => {
  await using site = await startSite({ pricingBasis: "flat_rate", booked: "", rate: "4800", currency: "EUR" })
  expect((await site.open(site.line)).text).toContain("Not delivered yet")
  const grid = await site.open(`${site.seller.home}/totals?line=${site.packageId}`)
  const asked = await grid.send({ [`total.${site.packageId}`]: "delivered" })
  expect(asked.text).toContain("The flight runs until 2026-11-30.")
  const box = `confirm.total.${site.packageId}`
  const done = await asked.send({ [box]: asked.control(box)["value"] })
  expect(done.text).toContain("1 line marked as delivered")
  const { text } = await site.open(site.line)
  expect(text).toContain("Value so far €4,800.00 of €4,800.00")
  expect(text).not.toContain("Mark as delivered")
})

const HISTORY = "Every report of this line, the last measured first"

test("on each page of the history, only the current total is current, and changes skip what was withdrawn", async () => {
  await using site = await startSite()
  const dates = Array.from({ length: 13 }, (_, i) => `2026-11-${String(i + 1).padStart(2, "0")}`)
  await reportDays(site.app, site.seller.id, site.packageId, Object.fromEntries(dates.map((date, i) => [date, 10 * i])))
  const olderOf = (html: string) => /href="([^"#]*\?before=[^"#]*)/.exec(html)?.[1] ?? ""
  const older = await site.open(olderOf((await site.open(site.line)).html))
  expect(rowsOf(older, HISTORY).join()).not.toContain("Current")
  // The report before the last one on the first page.
  const third = /href="([^"]*withdraw)"/.exec(older.html)?.[1] ?? ""
  await (await site.open(third)).send({ reason: "wrong" })
  expect(rowsOf(await site.open(site.line), HISTORY)[9]).toStartWith("30 +20 4 Nov")
})

test("each report of a day says what it changed, and one that was corrected says so on the next page as well", async () => {
  await using site = await startSite()
  const report = (time: string, impressions: number) => {
    site.app.clock.advance({ seconds: 1 })
    const asOf = `2026-11-14T${time}:00Z`
    return reportDays(site.app, site.seller.id, site.packageId, { [asOf]: impressions })
  }
  for (const [time, total] of [
    ["08:00", 10],
    ["09:00", 30],
    ["09:00", 40],
    ["10:00", 90],
    ["11:00", 130],
  ] as const)
    await report(time, total)
  const changes = async (path: string) =>
    rowsOf(await site.open(path), HISTORY).map((row) => row.replace(/ 14 Nov.* Form| Withdraw$/g, ""))
  expect(await changes(site.line)).toEqual(["130 +40 Current", "90 +50", "40 +30", "30 +20 Corrected", "10 –"])
  // With seven more, the page ends between the correction and what it corrected.
  for (let minute = 10; minute < 17; minute++) await report(`11:${minute}`, 200 + minute)
  const [, older = ""] = /href="([^"#]*\?before=[^"#]*)/.exec((await site.open(site.line)).html) ?? []
  expect(await changes(older)).toEqual(["30 +20 Corrected", "10 –"])
})

test("a total of nearly everything isn't 100%, and one of nearly nothing isn't 0%", async () => {
  await using site = await startSite({ booked: "1000" })
  for (const [total, share] of [
    [996, "99%"],
    [1_000, "100%"],
    [3, "0.3%"],
  ] as const) {
    await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-14": total })
    expect((await site.open(site.line)).text).toContain(`of 1,000 impressions booked · ${share}`)
  }
})
