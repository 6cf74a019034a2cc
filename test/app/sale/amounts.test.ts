import { describe, expect, test } from "bun:test"
import { browse, signIn } from "../../harness/browser/browse.ts"
import { givenCampaign } from "../../harness/data/given.ts"
import { fileOf, givenLine, givenSeller, reportDays, rowsOf, type Site, startSite } from "../given.ts"

const PRICED = { rate: "10", currency: "EUR", booked: "1000000", flightStart: "2026-10-01" }

const draftOf = ({ open, seller }: Site, through = "2026-11-14", more = "") =>
  open(`${seller.home}/statements/new?buyer=${seller.buyerId}&through=${through}${more}`)

const submitOf = (html: string) => (/Freeze as [^<]*/.exec(html)?.[0] ?? "").replaceAll("\u00a0", " ")

/** The row of the only buyer at a month's end, and its row in the file. */
async function monthOf({ open, seller }: Site, month: string) {
  const address = `${seller.home}/statements`
  const page = await open(`${address}?month=${month}`)
  const file = await fileOf(open, `${address}.csv?month=${month}`)
  return [...rowsOf(page, "Buyers"), ...file.map((row) => row.join(" "))].map((row) => row.replaceAll("\u00a0", " "))
}

async function changeLine({ open, line }: Site, changes: Record<string, string>) {
  const asked = await (await open(`${line}/edit`)).send(changes)
  const question = "A statement covers this line. The next one will include the difference."
  if (asked.status === 422) await asked.send({ "confirm.rate": question })
}

describe("month's end", () => {
  test("counts what a later statement covers as covered, so delivered is in statements or open", async () => {
    await using site = await startSite(PRICED)
    await reportDays(site.app, site.seller.id, site.packageId, { "2026-10-15": 40_000, "2026-11-10": 90_000 })
    await (await draftOf(site)).send()
    expect(await monthOf(site, "2026-10")).toEqual([
      "Fernweh Travel €400.00 €400.00 –",
      "Fernweh Travel EUR 400.00 400.00 0.00",
    ])
  })

  test("doesn't take back over-delivery that was billed, but more of it isn't billed by itself", async () => {
    await using site = await startSite({ ...PRICED, booked: "100000" })
    const { app, seller, packageId } = site
    await reportDays(app, seller.id, packageId, { "2026-10-15": 150_000 })
    const billed = await (await draftOf(site, "2026-10-31")).send({ billsOverDelivery: "yes" })
    expect(submitOf(billed.html)).toBe("Freeze as 2026-001: €1,500.00")
    await billed.send()
    await reportDays(app, seller.id, packageId, { "2026-11-10": 160_000 })
    expect((await monthOf(site, "2026-11"))[0]).toEndWith("€1,500.00 €1,500.00 –")
    expect((await draftOf(site)).text).toContain("Earlier statements cover everything")
    await reportDays(app, seller.id, packageId, { "2026-11-11": 120_000 })
    expect(submitOf((await draftOf(site)).html)).toBe("Freeze as 2026-002: -€300.00")
    await changeLine(site, { rate: "5" })
    expect(submitOf((await draftOf(site)).html)).toBe("Freeze as 2026-002: -€900.00")
  })

  test("a lower rate is credited, even if more was delivered than billed", async () => {
    await using site = await startSite({ ...PRICED, booked: "100000" })
    await reportDays(site.app, site.seller.id, site.packageId, { "2026-10-15": 150_000 })
    await (await draftOf(site)).send()
    await changeLine(site, { rate: "8" })
    expect(submitOf((await draftOf(site)).html)).toBe("Freeze as 2026-002: -€200.00")
  })

  test("a flat rate, a line without a price and a delivered line need no later total to be billed", async () => {
    await using site = await startSite({ ...PRICED, booked: "1000" })
    const { app, seller, packageId, open } = site
    const flat = { pricingBasis: "flat_rate", booked: "", rate: "50", currency: "EUR", flightStart: "2026-10-01" }
    const sponsor = await givenLine(app, seller, { ...flat, name: "Sponsor" })
    await givenLine(app, seller, { ...flat, name: "Next sponsor" })
    await givenLine(app, seller, { name: "Unpriced", flightStart: "2026-10-01" })
    await reportDays(app, seller.id, packageId, { "2026-10-15": 1_000 })
    await reportDays(app, seller.id, sponsor, { "2026-10-09": 1 }, "flat_rate")
    expect((await monthOf(site, "2026-10"))[0]).toBe("Fernweh Travel €60.00 – €60.00 Make statement")
    expect((await open(seller.home)).text).toContain("October has 1 buyer to bill")
  })

  test("Today's number of buyers to bill is the length of the list that it leads to", async () => {
    await using site = await startSite(PRICED)
    const { app, seller, packageId, open } = site
    await reportDays(app, seller.id, packageId, { "2026-10-15": 40_000, "2026-11-01": 90_000 })
    const other = await givenSeller(app, "other")
    const campaignId = await givenCampaign(app, { id: seller.id, buyerId: other.buyerId, campaignId: 0 }, "winter")
    const late = await givenLine(app, { id: seller.id, campaignId }, { ...PRICED, name: "Late" })
    await reportDays(app, seller.id, late, { "2026-10-05": 5_000 })
    const today = await open(seller.home)
    const [, count, href = ""] = /October<\/b> has (\d) buyers? to bill.*?href="([^"]*)"/s.exec(today.html) ?? []
    const list = await open(href.replaceAll("&amp;", "&"))
    expect([count, rowsOf(list, "Buyers").length]).toEqual(["1", 1])
    expect(rowsOf(await open(`${seller.home}/statements?month=2026-10`), "Buyers")).toHaveLength(2)
  })

  test("the choice of months names the month that is shown, however long ago", async () => {
    await using site = await startSite(PRICED)
    const { html } = await site.open(`${site.seller.home}/statements?month=2024-02`)
    expect(/<option[^>]* selected[^>]*>([^<]*)/.exec(html)?.[1]).toBe("February 2024")
  })
})

describe("the file of a statement", () => {
  test("adds up to the statement: rows added by hand are in it, and credits are numbers", async () => {
    await using site = await startSite(PRICED)
    const { app, seller, packageId, open } = site
    await reportDays(app, seller.id, packageId, { "2026-10-15": 100_000 })
    await (await draftOf(site, "2026-10-31")).send()
    await reportDays(app, seller.id, packageId, { "2026-11-10": 80_000 })
    const seen = await (await draftOf(site)).send({
      "text.0": "Discount",
      "amount.0": "-5 %",
      "text.1": "Production",
      "amount.1": "+2.50",
    })
    const { path, text } = await seen.send()
    expect(text).toContain("-€187.50")
    expect(await fileOf(open, `${path}/lines.csv`)).toEqual([
      ["Pre-roll", "Spring", "1000000", "80000", "800.00", "-1000.00", "-200.00", "EUR"],
      ["Discount", "", "", "", "10.00", "0.00", "10.00", "EUR"],
      ["Production", "", "", "", "2.50", "0.00", "2.50", "EUR"],
    ])
  })
})

describe("a draft", () => {
  test("credits the old currency of a line without naming a price in it", async () => {
    await using site = await startSite(PRICED)
    await reportDays(site.app, site.seller.id, site.packageId, { "2026-10-15": 100_000 })
    await (await draftOf(site, "2026-10-31")).send()
    await changeLine(site, { rate: "20", currency: "CHF" })
    const rows = rowsOf(await draftOf(site, "2026-10-31"), "Lines").map((row) => row.replaceAll("\u00a0", " "))
    expect(rows).toEqual([
      "Pre-roll CHF 20.00 per 1,000 impressions, last measured 15 Oct 2026 Spring 1,000,000 100,000 CHF 2,000.00 – CHF 2,000.00",
      "Pre-roll no longer priced in EUR Spring – – – -€1,000.00 -€1,000.00",
    ])
  })

  test("refuses a percentage of nothing, and an amount that the currency has no coin for", async () => {
    await using site = await startSite(PRICED)
    await reportDays(site.app, site.seller.id, site.packageId, { "2026-10-15": 100_000 })
    const draft = await draftOf(site)
    const added = { "text.0": "Discount", "text.1": "Rounding" }
    const refused = await draft.send({ ...added, "amount.0": "-5 %", "currency.0": "JPY", "amount.1": "-0.005" })
    expect(refused.text).toContain("Nothing in JPY is billed, so a percentage of it is nothing.")
    expect(refused.text).toContain("EUR has no coin for that. The nearest amount is 0.01.")
  })
})

test("a seller that also buys finds the statements that it received", async () => {
  await using site = await startSite(PRICED)
  const { app, seller } = site
  await reportDays(app, seller.id, site.packageId, { "2026-10-15": 100_000 })
  await (await draftOf(site)).send()
  const campaignId = await givenCampaign(app, { id: seller.buyerId, buyerId: seller.id, campaignId: 0 }, "swap")
  await givenLine(app, { id: seller.buyerId, campaignId }, PRICED)
  const buyer = await signIn(app, { organization: { id: seller.buyerId } })
  const page = await buyer("/app/o/acme-buyer/statements")
  expect(rowsOf(page, "Received statements")[0]).toContain("2026-001 Acme Audio 14 Nov 2026")
  expect((await browse(app)("/app/o/acme-buyer/statements")).text).not.toContain("2026-001")
})

describe("an archived line", () => {
  const WHOLE = "€1,400.00 of €2,000.00"

  /** A campaign with a line of €400 and an archived one of €1,000. */
  async function startArchived() {
    const site = await startSite({ ...PRICED, booked: "100000" })
    const { app, seller, packageId, open } = site
    const old = await givenLine(app, seller, { ...PRICED, booked: "100000", name: "Old" })
    await reportDays(app, seller.id, packageId, { "2026-11-01": 0, "2026-11-10": 40_000 })
    await reportDays(app, seller.id, old, { "2026-11-09": 0, "2026-11-10": 100_000 })
    const edit = `${seller.campaign}/lines/${old}`
    await (await open(`${edit}/edit`)).form(`${edit}/archive`).send()
    return site
  }

  test("isn't listed, but stays in the sums of its campaign, as it does in statements", async () => {
    await using site = await startArchived()
    const { app, seller, open } = site
    const plain = (text: string) => text.replaceAll("\u00a0", " ")
    const campaign = await open(seller.campaign)
    expect(rowsOf(campaign, "Lines")).toHaveLength(1)
    expect(plain(campaign.text)).toContain(`All lines, archived ones included ${WHOLE}`)
    expect(rowsOf(await open(`${seller.home}/campaigns`), "Campaigns")[0]).toContain(
      "1 Oct – 30 Nov 70% No recent totals €1,400.00 €2,000.00",
    )
    const [row = []] = await fileOf(open, `${seller.home}/campaigns.csv`)
    expect(row.slice(-4, -1)).toEqual(["1400.00", "2000.00", "EUR"])
    const buyer = await signIn(app, { organization: { id: seller.buyerId } })
    expect(rowsOf(await buyer("/app/o/acme-buyer/campaigns"), "Campaigns")[0]).toContain("€1,400.00 €2,000.00")
    expect(plain((await open(seller.home)).text)).toContain("Value in the last 14 days €1,400.00")
    expect((await monthOf(site, "2026-11"))[0]).toContain("€1,400.00 – €1,400.00")
  })

  test("says how its campaign stands if all others are archived as well", async () => {
    await using site = await startArchived()
    const { seller, packageId, open } = site
    const edit = `${seller.campaign}/lines/${packageId}`
    await (await open(`${edit}/edit`)).form(`${edit}/archive`).send()
    expect(rowsOf(await open(`${seller.home}/campaigns`), "Campaigns")[0]).toContain(
      "1 Oct – 30 Nov 70% No recent totals €1,400.00 €2,000.00",
    )
  })

  test("stays in the sums of a shared report, which doesn't name it", async () => {
    await using site = await startArchived()
    const shown = await (await site.open(`${site.seller.campaign}/share`)).send({ label: "Buyer" })
    const [, link = ""] = /(\/app\/share\/[\w-]{43})/.exec(shown.text) ?? []
    const { text } = await browse(site.app)(link)
    expect(text).toContain("Delivered so far €1,400.00 70% of €2,000.00")
    expect(text).toContain(`All lines, archived ones included ${WHOLE}`)
    expect(text).not.toContain("Old")
  })
})

test("the sum of what a search finds isn't called the sum of all lines", async () => {
  await using site = await startSite(PRICED)
  const { app, seller, open } = site
  const other = await givenLine(app, seller, { ...PRICED, name: "Banner" })
  await givenLine(app, seller, { ...PRICED, name: "Pre-roll 2" })
  await reportDays(app, seller.id, other, { "2026-10-15": 100_000 })
  for (const path of [seller.campaign, seller.home]) {
    const { text } = await open(`${path}?q=pre-roll`)
    expect([path, text]).toEqual([path, expect.stringMatching(/Sum of 2 lines €0.00/)])
  }
})

test("the file of campaigns has the values of every currency", async () => {
  await using site = await startSite(PRICED)
  const { app, seller, open } = site
  const other = await givenLine(app, seller, { ...PRICED, currency: "JPY", booked: "" })
  await reportDays(app, seller.id, site.packageId, { "2026-10-15": 100_000 })
  await reportDays(app, seller.id, other, { "2026-10-15": 12_345 })
  const { html } = await open(`${seller.home}/campaigns.csv`)
  expect(html).toContain(`"1000.00, 123","10000.00, ","EUR, JPY"`)
})

test("a campaign's share is of unrounded values, so many small amounts don't change it", async () => {
  const few = { rate: "5", currency: "CHF", booked: "1001" }
  await using site = await startSite(few)
  const { app, seller, packageId, open } = site
  const others = [
    await givenLine(app, seller, { ...few, name: "B" }),
    await givenLine(app, seller, { ...few, name: "C" }),
  ]
  for (const id of [packageId, ...others]) await reportDays(app, seller.id, id, { "2026-11-10": 1 })
  expect((await open(`${seller.home}/campaigns`)).html).toContain("0.1% delivered")
  const shared = await (await open(`${seller.campaign}/share`)).send({ label: "Buyer" })
  const [, link = ""] = /(\/app\/share\/[\w-]{43})/.exec(shared.text) ?? []
  expect((await browse(app)(link)).text.replaceAll("\u00a0", " ")).toContain("0.1% of CHF 15.03")
})
