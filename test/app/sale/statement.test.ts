import { describe, expect, test } from "bun:test"
import { browse, signIn } from "../../harness/browser/browse.ts"
import { givenCampaign } from "../../harness/data/given.ts"
import { fileOf, givenLine, givenSeller, reportDays, rowsOf, type Site, startSite } from "../given.ts"

const PRICED = { rate: "10", currency: "EUR", booked: "1000000" }

const draftOf = ({ open, seller }: Site, through = "2026-11-14", more = "") =>
  open(`${seller.home}/statements/new?buyer=${seller.buyerId}&through=${through}${more}`)

/** Freezes what a draft comes to. Returns the page of the statement. */
const freeze = async (site: Site, through?: string) => (await draftOf(site, through)).send()

// A picture of one pixel.
const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
)

const submitOf = (html: string) => (/Freeze as [^<]*/.exec(html)?.[0] ?? "").replaceAll("\u00a0", " ")

describe("a statement through a day", () => {
  test("is the value through that day, and later ones bill the difference", async () => {
    await using site = await startSite(PRICED)
    const { app, seller, packageId } = site
    await reportDays(app, seller.id, packageId, { "2026-11-10": 100_000, "2026-11-12": 150_000 })
    expect(submitOf((await draftOf(site, "2026-11-11")).html)).toBe("Freeze as 2026-001: €1,000.00")
    const first = await freeze(site, "2026-11-11")
    expect(first.title).toBe("Statement 2026-001 · Adbooth")
    expect(submitOf((await draftOf(site)).html)).toBe("Freeze as 2026-002: €500.00")
    await freeze(site)
    expect((await draftOf(site)).text).toContain("Earlier statements cover everything")
  })

  test("takes nothing back if a later one covers the lines already", async () => {
    await using site = await startSite(PRICED)
    const { app, seller, packageId, open } = site
    await reportDays(app, seller.id, packageId, { "2026-11-05": 50_000, "2026-11-12": 150_000 })
    await freeze(site)
    const covered = (await draftOf(site, "2026-11-08")).text
    expect(covered).toContain("Earlier statements cover everything")
    expect(covered).toContain("Nothing to bill. Freeze Cancel")
    expect(rowsOf(await open(`${seller.home}/statements?month=2026-11`), "Buyers")[0]).not.toContain("Make statement")
  })

  test("of 5,000, 6,200 and 5,000 again for one day bills 5,000", async () => {
    await using site = await startSite({ ...PRICED, rate: "1000" })
    const { app, seller, packageId } = site
    for (const total of [5_000, 6_200, 5_000]) await reportDays(app, seller.id, packageId, { "2026-11-10": total })
    await reportDays(app, seller.id, packageId, { "2026-11-11": 7_000 })
    expect(submitOf((await draftOf(site, "2026-11-10")).html)).toBe("Freeze as 2026-001: €5,000.00")
    await reportDays(app, seller.id, packageId, { "2026-11-10": 6_100 })
    await reportDays(app, seller.id, packageId, { "2026-11-10": 5_000 })
    expect(submitOf((await draftOf(site, "2026-11-10")).html)).toBe("Freeze as 2026-001: €5,000.00")
  })

  test("a later correction and a new rate appear on the next one, after a question", async () => {
    await using site = await startSite(PRICED)
    const { app, seller, packageId, line, open } = site
    await reportDays(app, seller.id, packageId, { "2026-11-10": 100_000 })
    await freeze(site)
    await reportDays(app, seller.id, packageId, { "2026-11-12": 80_000 })
    expect(submitOf((await draftOf(site)).html)).toBe("Freeze as 2026-002: -€200.00")
    const asked = await (await open(`${line}/edit`)).send({ rate: "20" })
    expect(asked.text).toContain("A statement covers this line.")
    await asked.send({ "confirm.rate": "A statement covers this line. The next one will include the difference." })
    expect(submitOf((await draftOf(site)).html)).toBe("Freeze as 2026-002: €600.00")
  })

  test("delivery beyond the booked quantity is billed only if the seller says so", async () => {
    await using site = await startSite({ ...PRICED, booked: "50000" })
    await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-10": 100_000 })
    const draft = await draftOf(site)
    expect(submitOf(draft.html)).toBe("Freeze as 2026-001: €500.00")
    const all = await draft.send({ billsOverDelivery: "yes" })
    expect([all.status, submitOf(all.html)]).toEqual([422, "Freeze as 2026-001: €1,000.00"])
    expect((await all.send()).text).toContain("€1,000.00")
  })

  test("names the totals of several currencies as one list", async () => {
    await using site = await startSite(PRICED)
    const { app, seller } = site
    for (const currency of ["CHF", "JPY"]) {
      const line = await givenLine(app, seller, { name: currency, rate: "20", currency })
      await reportDays(app, seller.id, line, { "2026-11-10": 1_000 })
    }
    await reportDays(app, seller.id, site.packageId, { "2026-11-10": 100_000 })
    expect(submitOf((await draftOf(site)).html)).toBe("Freeze as 2026-001: CHF 20.00, €1,000.00 and ¥20")
  })

  test("freezes the sum that the button shows while the seller types", async () => {
    await using site = await startSite(PRICED)
    await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-10": 100_000 })
    const draft = await draftOf(site)
    const added = { "text.0": "Production", "amount.0": "+20" }
    const { html } = await draft.send({ ...added, "~mode": "preview" })
    // The script only takes over the updated parts of the answer.
    const parts = /<span id="sum" data-updated[^>]*>(.*?)<\/span>/.exec(html)?.[1] ?? ""
    const [, seen = ""] = /name="seen" value="([^"]*)"/.exec(parts) ?? []
    expect([submitOf(html), seen]).toEqual(["Freeze as 2026-001: €1,020.00", "1020.00 EUR"])
    expect((await draft.send({ ...added, seen })).title).toContain("Statement 2026-001")
  })

  test("two currencies have two totals, and rows added by hand have a sign", async () => {
    await using site = await startSite(PRICED)
    const { app, seller } = site
    const other = await givenLine(app, seller, { name: "Banner", rate: "20", currency: "CHF" })
    await reportDays(app, seller.id, site.packageId, { "2026-11-10": 100_000 })
    await reportDays(app, seller.id, other, { "2026-11-10": 1_000 })
    const draft = await draftOf(site)
    expect(submitOf(draft.html)).toBe("Freeze as 2026-001: CHF 20.00 and €1,000.00")
    const added = { "text.0": "Discount", "amount.0": "-5 %", "currency.0": "EUR" }
    const unsigned = await draft.send({ ...added, "amount.0": "50" })
    expect(unsigned.text).toContain("Write −50 for less, or +50 for more.")
    const seen = await unsigned.send(added)
    const frozen = await seen.send()
    expect(frozen.text.replaceAll("\u00a0", " ")).toContain("CHF 20.00 and €950.00")
  })

  test("isn't frozen with another sum than the button showed", async () => {
    await using site = await startSite(PRICED)
    const { app, seller, packageId } = site
    await reportDays(app, seller.id, packageId, { "2026-11-10": 100_000 })
    const draft = await draftOf(site)
    await reportDays(app, seller.id, packageId, { "2026-11-11": 120_000 })
    const changed = await draft.send()
    expect([changed.status, submitOf(changed.html)]).toEqual([422, "Freeze as 2026-001: €1,200.00"])
    expect(changed.text).toContain("The amount has changed.")
    expect((await changed.send()).title).toContain("Statement 2026-001")
  })
})

describe("afterwards", () => {
  test("a statement is paid and unpaid again, and cancelling opens its amounts", async () => {
    await using site = await startSite(PRICED)
    const { app, seller, packageId, open } = site
    await reportDays(app, seller.id, packageId, { "2026-11-10": 100_000 })
    const { path } = await freeze(site)
    expect((await (await open(`${path}/paid`)).send({ paidOn: "2027-01-01" })).text).toContain("can’t be in the future")
    const paid = await (await open(`${path}/paid`)).send({ paidOn: "2026-11-15" })
    expect(paid.text).toContain("Paid on 15 Nov 2026")
    expect((await paid.form(`${path}/unpaid`).send()).text).toContain("Not paid yet.")
    await (await open(`${path}/cancel`)).send()
    const canceled = (await open(path)).text
    expect(canceled).toContain("Canceled. What was delivered is open again.")
    // The part that's printed says so as well.
    expect(canceled).toContain("Canceled statement of delivery")
    expect(submitOf((await draftOf(site)).html)).toBe("Freeze as 2026-002: €1,000.00")
  })

  test("its text and amounts never change, and its file holds its rows", async () => {
    await using site = await startSite(PRICED)
    const { app, seller, packageId, open, line } = site
    await reportDays(app, seller.id, packageId, { "2026-11-10": 100_000 })
    const { path } = await freeze(site)
    await reportDays(app, seller.id, packageId, { "2026-11-10": 5 })
    await (await open(`${line}/edit`)).send({ name: "Renamed" })
    expect(rowsOf(await open(path), "Lines").join()).toContain("Pre-roll")
    const file = await fileOf(open, `${path}/lines.csv`)
    expect(file[0]?.slice(0, 1)).toEqual(["Pre-roll"])
    expect(file[0]).toContain("1000.00")
  })

  test("only the buyer sees it", async () => {
    await using site = await startSite(PRICED)
    const { app, seller, packageId } = site
    await reportDays(app, seller.id, packageId, { "2026-11-10": 100_000 })
    const { path } = await freeze(site)
    const buyer = await signIn(app, { organization: { id: seller.buyerId }, role: "member" })
    const theirs = path.replace("/o/acme/", "/o/acme-buyer/")
    expect((await buyer("/app/o/acme-buyer/statements")).text).toContain("2026-001")
    expect((await buyer(theirs)).text).toContain("Acme Audio")
    expect((await buyer(theirs)).html).not.toContain("/cancel")
    expect((await buyer(`${theirs}/cancel`)).status).not.toBe(200)
    expect((await browse(app)(path)).text).not.toContain("2026-001")
  })

  test("its buyer’s people get a mail", async () => {
    await using site = await startSite(PRICED, {
      options: { smtp: "smtp://mail.example.com:587", mailFrom: "a@example.com" },
    })
    const { app, seller, packageId } = site
    await signIn(app, { organization: { id: seller.buyerId }, role: "member", email: "lena@fernweh.example" })
    await reportDays(app, seller.id, packageId, { "2026-11-10": 100_000 })
    const { path } = await freeze(site)
    const [letter, ...others] = app.world.letters
    expect([letter?.to, letter?.subject, others]).toEqual([
      "lena@fernweh.example",
      "Statement 2026-001 from Acme Audio",
      [],
    ])
    expect(letter?.text).toContain(path.replace("/o/acme/", "/o/acme-buyer/"))
  })

  test("shows its buyer the seller’s logo, which nobody else sees", async () => {
    await using site = await startSite(PRICED)
    const { app, seller, packageId, open } = site
    const settings = (await open(`${seller.home}/settings`)).form(`${seller.home}/settings/logo`)
    await settings.send({ logo: new File([PNG], "logo.png") })
    await reportDays(app, seller.id, packageId, { "2026-11-10": 100_000 })
    const { path } = await freeze(site)
    const buyer = await signIn(app, { organization: { id: seller.buyerId }, role: "member" })
    const theirs = await buyer(path.replace("/o/acme/", "/o/acme-buyer/"))
    const [, logo = ""] = /<img class="logo" src="([^"]*)"/.exec(theirs.html) ?? []
    expect((await buyer(logo)).headers.get("content-type")).toBe("image/png")
    const other = await givenSeller(app, "other")
    const stranger = await signIn(app, { organization: other })
    expect((await stranger(logo.replace("/acme-buyer/", "/other/"))).status).toBe(404)
  })

  test("a shared report lists it only if all of its lines belong to that campaign", async () => {
    await using site = await startSite(PRICED)
    const { app, seller, packageId, open } = site
    await reportDays(app, seller.id, packageId, { "2026-11-10": 100_000 })
    const shared = await (await open(`${seller.campaign}/share`)).send({ label: "Buyer" })
    const [, link = ""] = /(\/app\/share\/[\w-]{43})/.exec(shared.text) ?? []
    await (await draftOf(site, "2026-11-10", `&campaign=${seller.campaignId}`)).send()
    expect((await browse(app)(link)).text).toContain("2026-001")
    const campaignId = await givenCampaign(app, { id: seller.id, buyerId: seller.buyerId, campaignId: 0 }, "winter")
    const other = await givenLine(app, { id: seller.id, campaignId }, { ...PRICED, name: "Secret" })
    await reportDays(app, seller.id, packageId, { "2026-11-11": 110_000 })
    await reportDays(app, seller.id, other, { "2026-11-11": 5_000 })
    await freeze(site)
    const { text } = await browse(app)(link)
    expect([text.includes("2026-001"), text.includes("2026-002")]).toEqual([true, false])
  })
})

test("a campaign keeps its buyer while a statement covers it, because another one would get a wrong bill", async () => {
  await using site = await startSite(PRICED)
  const { app, seller, packageId, open } = site
  await reportDays(app, seller.id, packageId, { "2026-11-10": 100_000 })
  const { path } = await freeze(site)
  const refused = await (await open(`${seller.campaign}/edit`)).send({ buyer: "Another Buyer" })
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("Cancel it first")])
  await (await open(`${path}/cancel`)).send()
  const asked = await (await open(`${seller.campaign}/edit`)).send({ buyer: "Another Buyer" })
  expect(asked.text).toContain("Another Buyer will see every total of this campaign")
})

test("two people who freeze at once make one statement", async () => {
  await using site = await startSite(PRICED)
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-10": 100_000 })
  const drafts = [await draftOf(site), await draftOf(site)]
  const sent = await Promise.all(drafts.map((draft) => draft.send()))
  expect(sent.map(({ status }) => status).sort()).toEqual([200, 422])
})

describe("month's end", () => {
  test("lists each buyer with what is delivered, in statements and open", async () => {
    await using site = await startSite({ ...PRICED, flightStart: "2026-10-01" })
    const { app, seller, packageId, open } = site
    await reportDays(app, seller.id, packageId, { "2026-10-15": 40_000, "2026-11-02": 90_000 })
    const october = await open(`${seller.home}/statements?month=2026-10`)
    expect(rowsOf(october, "Buyers")[0]).toContain("Fernweh Travel €400.00 – €400.00")
    await freeze(site, "2026-10-31")
    const after = await open(`${seller.home}/statements?month=2026-10`)
    expect(rowsOf(after, "Buyers")[0]).toContain("€400.00 €400.00 –")
    const file = await fileOf(open, `${seller.home}/statements.csv?month=2026-10`)
    expect(file).toEqual([["Fernweh Travel", "EUR", "400.00", "400.00", "0.00"]])
  })

  test("Today says who to bill once the totals cover the month's last day", async () => {
    await using site = await startSite({ ...PRICED, flightStart: "2026-10-01" })
    const { app, seller, packageId, open } = site
    await reportDays(app, seller.id, packageId, { "2026-10-15": 40_000 })
    expect((await open(seller.home)).text).not.toContain("to bill")
    await reportDays(app, seller.id, packageId, { "2026-11-01": 90_000 })
    expect((await open(seller.home)).text).toContain("October has 1 buyer to bill")
  })

  test("waits for a line that ended in the month, but not for an archived one", async () => {
    await using site = await startSite({ ...PRICED, flightStart: "2026-10-01", flightEnd: "2026-10-20" })
    const { app, seller, packageId, open, line } = site
    const other = await givenLine(app, seller, { ...PRICED, name: "Banner", flightStart: "2026-10-01" })
    await reportDays(app, seller.id, other, { "2026-11-01": 90_000 })
    await reportDays(app, seller.id, packageId, { "2026-10-15": 40_000 })
    expect((await open(seller.home)).text).not.toContain("to bill")
    await (await open(`${line}/edit`)).form(`${line}/archive`).send()
    expect((await open(seller.home)).text).toContain("October has 1 buyer to bill")
  })

  test("has no statement through a day in the future", async () => {
    await using site = await startSite(PRICED)
    const statuses = ["2026-11-15", "2026-11-16"].map(async (day) => (await draftOf(site, day)).status)
    expect(await Promise.all(statuses)).toEqual([200, 404])
  })

  test("a seller learns nothing about a company that it doesn't sell to", async () => {
    await using site = await startSite(PRICED)
    const known = await draftOf(site)
    expect(known.status).toBe(200)
    for (const buyer of [site.seller.id, 999]) {
      const page = await site.open(`${site.seller.home}/statements/new?buyer=${buyer}&through=2026-11-14`)
      expect([buyer, page.status]).toEqual([buyer, 404])
    }
  })
})
