import { expect, test } from "bun:test"
import { signIn } from "../../harness/browser/browse.ts"
import { createCampaign, createOrganization, recordAffiliateMetrics } from "../../harness/inside.ts"
import { fileOf, givenLine, rowsOf, type Site, startSite } from "../given.ts"

const home = ({ seller }: Site) => `${seller.home}/affiliates`

const addCode = async (site: Site, code: string, line = site.packageId) =>
  (await site.open(`${home(site)}/new`)).send({ line, code })

const addDays = ({ app, seller }: Site, rows: readonly object[]) => {
  const source = { kind: "key", reference: "1", actor: "key:1" } as const
  return recordAffiliateMetrics(app, { sellerId: seller.id, source }, rows, { isDryRun: false })
}

const day = (date: string, clicks: number, conversions: number, conversionValue: number, code = "AUTUMN10") => ({
  ...{ code, date, clicks, conversions, conversionValue },
})

test("a code's clicks, conversions and value add up, in the list, on its page and in the file", async () => {
  await using site = await startSite({ rate: "1", currency: "EUR" })
  await addCode(site, "AUTUMN10")
  await addDays(site, [day("2026-11-10", 100, 3, 59.9), day("2026-11-11", 50, 1, 0.05)])
  const list = await site.open(home(site))
  expect(rowsOf(list, "Codes")).toEqual(["AUTUMN10 Pre-roll Spring 150 4 2.7% €59.95 11 Nov 2026"])
  const page = await site.open(`${home(site)}/1`)
  expect(page.text).toContain("Clicks 150 Conversions 4 Rate 2.7% Value €59.95")
  for (const query of ["", "?code=1"]) {
    expect(await fileOf(site.open, `${home(site)}/days.csv${query}`)).toEqual([
      ["2026-11-10", "100", "3", "59.9", "EUR"],
      ["2026-11-11", "50", "1", "0.05", "EUR"],
    ])
  }
})

test("the period of the list is the one of the file", async () => {
  await using site = await startSite()
  await addCode(site, "AUTUMN10")
  await addDays(site, [day("2026-10-01", 7, 0, 0), day("2026-11-10", 100, 3, 0)])
  const query = "?first=2026-10-01&last=2026-10-31"
  expect(rowsOf(await site.open(home(site) + query), "Codes")[0]).toContain(" 7 0 0% ")
  expect(await fileOf(site.open, `${home(site)}/days.csv${query}`)).toEqual([["2026-10-01", "7", "0", "0", ""]])
  expect((await site.open(home(site) + query)).html).toContain(`days.csv${query.replaceAll("&", "&amp;")}`)
})

test("a day's figures are typed, replace what was stored, and leave out what is empty", async () => {
  await using site = await startSite({ rate: "1", currency: "EUR" })
  await addCode(site, "AUTUMN10")
  await addDays(site, [day("2026-11-10", 100, 3, 59.9)])
  const page = await site.open(`${home(site)}/1`)
  expect(page.fields).toMatchObject({ day: "2026-11-14" })
  const saved = await page.send({ day: "2026-11-10", clicks: "1 250" })
  expect(saved.text).toContain("The figures of 10 Nov 2026 are saved.")
  expect(saved.text).toContain("Clicks 1,250 Conversions 3")
  for (const [changes, field] of [
    [{ day: "2026-11-16", clicks: "1" }, "day"],
    [{ day: "2026-02-30", clicks: "1" }, "day"],
    [{ clicks: "1.5" }, "clicks"],
    [{}, "clicks"],
  ] as const) {
    const refused = await (await site.open(`${home(site)}/1`)).send(changes)
    expect([changes, refused.status]).toEqual([changes, 422])
    expect(refused.html).toContain(`<a href="#${field}">`)
  }
})

test("a code moves to another line only after a question, and past days stay where they were", async () => {
  await using site = await startSite()
  const other = await givenLine(site.app, site.seller, { name: "Mid-roll" })
  await addCode(site, "AUTUMN10")
  await addDays(site, [day("2026-11-10", 100, 3, 0)])
  const asked = await addCode(site, "AUTUMN10", other)
  expect(asked.status).toBe(422)
  expect(asked.text).toContain("AUTUMN10 belongs to Pre-roll (Spring).")
  await asked.send({ "confirm.code": asked.control("confirm.code")["value"] })
  await addDays(site, [day("2026-11-12", 5, 0, 0)])
  expect(rowsOf(await site.open(`${home(site)}?sort=line`), "Codes")).toEqual([
    expect.stringContaining("Mid-roll Spring 5 0"),
    expect.stringContaining("Pre-roll Spring, until the code was moved 100 3"),
  ])
})

test("a code without figures is deleted, and one with figures stays", async () => {
  await using site = await startSite()
  await addCode(site, "AUTUMN10")
  await addCode(site, "SPRING")
  await addDays(site, [day("2025-11-10", 1, 0, 0)])
  expect((await site.open(`${home(site)}/1`)).text).not.toContain("Delete code")
  expect((await site.open(`${home(site)}/1/delete`)).status).toBe(404)
  const question = await site.open(`${home(site)}/2/delete`)
  expect((await question.send()).text).toContain("SPRING is deleted.")
})

test("a buyer sees the figures of its lines, and changes none", async () => {
  await using site = await startSite()
  await addCode(site, "AUTUMN10")
  await addDays(site, [day("2026-11-10", 100, 3, 0)])
  const buyer = await signIn(site.app, { organization: { id: site.seller.buyerId } })
  const list = await buyer("/app/o/acme-buyer/affiliates")
  expect(rowsOf(list, "Codes")[0]).toContain("AUTUMN10 Pre-roll Spring 100 3")
  expect(list.text).not.toContain("New code")
  const page = await buyer("/app/o/acme-buyer/affiliates/1")
  expect(page.text).not.toContain("Report a day")
  expect((await buyer("/app/o/acme-buyer/affiliates/1/delete")).status).toBe(404)
})

test("another company's code looks like a missing one", async () => {
  await using site = await startSite()
  await addCode(site, "AUTUMN10")
  const other = await signIn(site.app, { organization: { id: site.seller.buyerId } })
  const missing = await other("/app/o/acme-buyer/affiliates/99")
  expect(missing.status).toBe(404)
  expect((await site.open(`${home(site)}/99`)).status).toBe(404)
})

/** Two lines in two currencies, each with a code. */
async function startTwoCurrencies(): Promise<Site & { readonly second: string }> {
  const site = await startSite({ rate: "1", currency: "EUR" })
  const second = await givenLine(site.app, site.seller, { name: "Mid-roll", rate: "1", currency: "USD" })
  await addCode(site, "AUTUMN10")
  await addCode(site, "SPRING", second)
  await addDays(site, [day("2026-11-10", 100, 3, 59.9), day("2026-11-10", 7, 1, 20.25, "SPRING")])
  return { ...site, second }
}

test("a line with affiliate value gets another currency only after a question", async () => {
  await using site = await startSite({ rate: "1", currency: "EUR" })
  await addCode(site, "AUTUMN10")
  await addDays(site, [day("2026-11-10", 100, 0, 0)])
  const edit = async (texts: Record<string, string>) => (await site.open(`${site.line}/edit`)).send(texts)
  expect((await edit({ currency: "GBP" })).text).toContain("Saved.")
  expect((await edit({ currency: "EUR" })).text).toContain("Saved.")
  await addDays(site, [day("2026-11-11", 50, 1, 345.675)])
  expect((await edit({ rate: "2" })).text).toContain("Saved.")
  const asked = await edit({ currency: "USD" })
  expect(asked.status).toBe(422)
  expect(asked.text).toContain(
    "The line’s affiliate value is in EUR. It isn’t converted: the same numbers will be USD.",
  )
  expect((await site.open(`${home(site)}/1`)).text).toContain("€345.675")
  const without = await edit({ rate: "", currency: "" })
  expect(without.text).toContain("It isn’t converted: the same numbers will have no currency.")
  const box = "confirm.currency"
  await asked.send({ [box]: asked.control(box)["value"] })
  expect((await site.open(`${home(site)}/1`)).text).toContain("$345.675")
})

test("values in several currencies aren't added up, in the file or on a code's page", async () => {
  await using site = await startTwoCurrencies()
  expect(await fileOf(site.open, `${home(site)}/days.csv`)).toEqual([
    ["2026-11-10", "100", "3", "59.9", "EUR"],
    ["2026-11-10", "7", "1", "20.25", "USD"],
  ])
  const asked = await addCode(site, "AUTUMN10", site.second)
  await asked.send({ "confirm.code": asked.control("confirm.code")["value"] })
  await addDays(site, [day("2026-11-12", 5, 0, 3)])
  expect((await site.open(`${home(site)}/1`)).text).toContain(
    "Clicks 105 Conversions 3 Rate 2.9% Value €59.90 and $3.00",
  )
  expect((await fileOf(site.open, `${home(site)}/days.csv?code=1`)).map((row) => row.slice(3))).toEqual([
    ["59.9", "EUR"],
    ["3", "USD"],
  ])
})

test("the chart and the file hold the days of the codes that the list found", async () => {
  await using site = await startTwoCurrencies()
  const found = `${home(site)}?q=mid&state=reported`
  const page = await site.open(found)
  expect(rowsOf(page, "Codes")).toHaveLength(1)
  expect(rowsOf(page, "Clicks per day")).toEqual(["10 Nov 2026 7"])
  expect(await fileOf(site.open, found.replace("?", "/days.csv?"))).toEqual([["2026-11-10", "7", "1", "20.25", "USD"]])
})

test("a day without figures has its place in the chart", async () => {
  await using site = await startSite()
  await addCode(site, "AUTUMN10")
  await addDays(site, [day("2026-11-08", 5, 0, 0), day("2026-11-11", 7, 0, 0)])
  for (const path of [home(site), `${home(site)}/1`])
    expect(rowsOf(await site.open(path), "Clicks per day")).toEqual([
      "8 Nov 2026 5",
      "9 Nov 2026 –",
      "10 Nov 2026 –",
      "11 Nov 2026 7",
    ])
})

test("the period stays on every page of the list, and while it's searched and sorted", async () => {
  await using site = await startSite()
  const codes = Array.from({ length: 26 }, (_, i) => `CODE${i + 10}`)
  for (const code of codes) await addCode(site, code)
  await addDays(
    site,
    codes.map((code) => day("2026-09-10", 1, 0, 0, code)),
  )
  const first = await site.open(`${home(site)}?first=2026-09-01&last=2026-09-30`)
  const [, next = ""] = /href="([^"]*)" rel="next"/.exec(first.html) ?? []
  const second = await site.open(next.replaceAll("&amp;", "&"))
  expect(rowsOf(second, "Codes")).toEqual([expect.stringContaining("CODE35 Pre-roll Spring 1 0")])
  expect(second.html).toContain('name="first" aria-label="First day" value="2026-09-01"')
  expect(first.html.match(/href="[^"]*(sort|state)=[^"]*"/g)?.every((link) => link.includes("first=2026-09-01"))).toBe(
    true,
  )
})

test("without a choice, the period is the last 30 days of the seller, for a buyer elsewhere as well", async () => {
  await using site = await startSite({}, { now: "2026-11-15T23:30:00Z" })
  await addCode(site, "AUTUMN10")
  await addDays(site, [day("2026-11-16", 5, 0, 0), day("2026-10-18", 7, 0, 0), day("2026-10-17", 9, 0, 0)])
  const buyer = await signIn(site.app, { organization: { id: site.seller.buyerId } })
  for (const [open, address] of [
    [site.open, home(site)],
    [buyer, "/app/o/acme-buyer/affiliates"],
  ] as const)
    expect(rowsOf(await open(address), "Codes")).toEqual([expect.stringContaining("AUTUMN10 Pre-roll Spring 12 0")])
})

test("a buyer finds a code that was moved away, in the menu and by its name", async () => {
  await using site = await startSite()
  const other = await createOrganization(site.app, { slug: "other", name: "Other", timeZone: "UTC" })
  const campaign = { slug: "winter", name: "Winter", buyerId: other, ownerId: site.seller.id }
  const campaignId = await createCampaign(site.app, campaign)
  await addCode(site, "AUTUMN10")
  await addDays(site, [day("2026-11-10", 100, 3, 0)])
  const asked = await addCode(site, "AUTUMN10", await givenLine(site.app, { ...site.seller, campaignId }))
  await asked.send({ "confirm.code": asked.control("confirm.code")["value"] })
  for (const id of [site.seller.buyerId, other]) {
    const buyer = await signIn(site.app, { organization: { id } })
    const slug = id === other ? "other" : "acme-buyer"
    const { html, text } = await buyer(`/app/o/${slug}/search?q=autumn`)
    expect([slug, text]).toEqual([slug, expect.stringContaining("Affiliate codes 1 AUTUMN10 Pre-roll")])
    expect(html).toContain(`href="/app/o/${slug}/affiliates"`)
  }
})
