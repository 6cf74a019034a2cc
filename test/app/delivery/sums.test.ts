import { expect, test } from "bun:test"
import { type Browse, browse, signIn } from "../../harness/browser/browse.ts"
import { fileOf, givenLine, namesOn, reportDays, rowsOf, startSite } from "../given.ts"
import { type Market, startMarket } from "../market.ts"

/** The amounts in a text: "NOK 1,234.50" and "€2.00". */
const amountsIn = (text: string): string[] =>
  text.replace(/\s+/g, " ").match(/(?:[A-Z]{3} |[€$£]|CA\$)[\d,]+\.\d\d/g) ?? []

const HOMES = { radio: "nordlys", podcasts: "harbor-pine", paper: "kleine-post" } as const

async function openAs(market: Market, seller: keyof typeof HOMES): Promise<{ open: Browse; home: string }> {
  const open = await signIn(market.app, { organization: { id: market.sellers[seller] } })
  return { open, home: `/app/o/${HOMES[seller]}` }
}

/** What a campaign has delivered is worth, as its page says in the sum of its lines. */
const sumOfLines = (html: string) => {
  const foot = html.slice(html.indexOf("<tfoot>"), html.indexOf("</tfoot>")).replace(/<small>.*?<\/small>/g, "")
  return amountsIn(foot.replace(/<[^>]*>/g, " "))
}

/** The sum above the bars of a chart. */
const sumsOfChart = (html: string) =>
  [...html.matchAll(/class="figure mid">(.*?)</g)].flatMap(([, sum = ""]) => amountsIn(sum))

test("a campaign's value is the same in the list, in the sum of its lines and on a shared report", async () => {
  await using market = await startMarket()
  let compared = 0
  for (const seller of ["radio", "podcasts", "paper"] as const) {
    const { open, home } = await openAs(market, seller)
    const list = await open(`${home}/campaigns`)
    const rows = rowsOf(list, "Campaigns")
    for (const [i, row] of rows.entries()) {
      const slug = [...list.html.matchAll(/class="name" href="[^"]*\/campaigns\/([^"]*)"/g)][i]?.[1] ?? ""
      const page = await open(`${home}/campaigns/${slug}`)
      const [lines] = rowsOf(page, "Lines")
      const summed = page.html.includes("<tfoot>") ? sumOfLines(page.html) : amountsIn(lines ?? "").slice(1, 2)
      const delivered = summed.filter((sum) => !sum.endsWith(" 0.00"))
      for (const sum of delivered) expect([slug, row]).toEqual([slug, expect.stringContaining(sum)])

      const shown = await (await open(`${home}/campaigns/${slug}/share`)).send()
      const [, path = ""] = /(\/app\/share\/[\w-]{43})/.exec(shown.text) ?? []
      const shared = await browse(market.app)(path)
      for (const sum of delivered)
        expect([slug, shared.text]).toEqual([slug, expect.stringContaining(`Delivered so far ${sum}`)])
      compared += delivered.length
    }
  }
  expect(compared).toBe(7)
})

test("the value of a line is the same on its page, in its list and in the file", async () => {
  await using market = await startMarket()
  const { open, home } = await openAs(market, "radio")
  const campaign = `${home}/campaigns/campaign-1`
  const list = await open(campaign)
  const rows = rowsOf(list, "Lines")
  const file = await open(`${campaign}/lines.csv`)
  const addresses = [...list.html.matchAll(/class="name" href="([^"]*)"/g)].map(([, address = ""]) => address)
  for (const [i, address] of addresses.entries()) {
    const { text } = await open(address)
    const [value = ""] = amountsIn(/Value so far (\S+ ?\S+)/.exec(text)?.[1] ?? "")
    expect([address, rows[i]]).toEqual([address, expect.stringContaining(value)])
    expect(file.html).toContain(`,${value.replace(/[^\d.]/g, "")},`)
  }
})

test("a total is the same on Today, on the line's page, in the grid, in both files and for the buyer", async () => {
  await using site = await startSite({ booked: "5000" })
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-12": 900, "2026-11-13": 1_234 })
  const buyer = await signIn(site.app, { organization: { id: site.seller.buyerId } })
  const bought = `/app/o/acme-buyer/campaigns/acme-spring`
  for (const [open, path] of [
    [site.open, site.seller.home],
    [site.open, site.line],
    [site.open, site.seller.campaign],
    [site.open, `${site.seller.home}/totals`],
    [buyer, bought],
    [buyer, `${bought}/lines/${site.packageId}`],
  ] as const)
    expect([path, (await open(path)).text]).toEqual([path, expect.stringContaining("1,234")])
  expect((await fileOf(site.open, `${site.seller.campaign}/lines.csv`)).flat()).toContain("1234")
  expect((await fileOf(site.open, `${site.line}/days.csv`)).at(-1)).toContain("1234")
})

test("a sum is over all lines that were found, whatever page they are on", async () => {
  await using site = await startSite({ rate: "1000", currency: "EUR", booked: "1000" })
  const lines = [site.packageId]
  for (let i = 1; i < 30; i++)
    lines.push(await givenLine(site.app, site.seller, { name: `Line ${i}`, rate: "1000", currency: "EUR" }))
  for (const packageId of lines) await reportDays(site.app, site.seller.id, packageId, { "2026-11-14": 100 })
  for (const query of ["", "?from=25"]) {
    const page = await site.open(site.seller.campaign + query)
    expect(sumOfLines(page.html)).toEqual(["€3,000.00"])
  }
  const found = await site.open(`${site.seller.campaign}?q=line+2`)
  expect(found.text).toContain(`Sum of ${namesOn(found).length} lines €1,100.00`)
  expect(sumOfLines(found.html)).toEqual([`€${namesOn(found).length * 100}.00`.replace("€1100", "€1,100")])
})

test("amounts of several currencies are never added up", async () => {
  await using market = await startMarket()
  const { open, home } = await openAs(market, "radio")
  const page = await open(home)
  expect(sumOfLines(page.html).map((amount) => amount.slice(0, 3))).toEqual(["NOK", "DKK", "SEK"])
  const campaigns = await open(`${home}/campaigns.csv`)
  expect(campaigns.html).toMatch(/Nordlys i november,.*,"[\d.]+, [\d.]+","[\d.]+, [\d.]+","NOK, SEK",/)
})

test("a chart's axis writes a currency as the sum above it does", async () => {
  for (const [currency, axis] of Object.entries({
    EUR: "€10",
    CAD: "CA$10",
    BRL: "R$10",
    PLN: "PLN 10",
    CZK: "CZK 10",
  })) {
    await using site = await startSite({ rate: "10", currency })
    await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-13": 0, "2026-11-14": 1_000 })
    const { html } = await site.open(site.seller.home)
    const texts = [...html.matchAll(/<text[^>]*text-anchor="end"[^>]*>(.*?)</g)].map(([, text = ""]) => text)
    expect(texts.map((text) => text.replace(/\s/g, " "))).toContain(axis)
  }
})

test("delivery beyond the booked quantity has no value", async () => {
  await using site = await startSite({ rate: "10", currency: "EUR", booked: "1000" })
  await reportDays(site.app, site.seller.id, site.packageId, {
    "2026-11-04": 0,
    "2026-11-10": 900,
    "2026-11-14": 1_300,
  })
  expect((await site.open(site.seller.campaign)).text).toContain("€10.00 of €10.00")
  expect(sumsOfChart((await site.open(site.seller.home)).html)).toEqual(["€10.00"])
})
