import { expect, test } from "bun:test"
import { signIn } from "../../harness/browser/browse.ts"
import { givenApiKey } from "../../harness/data/given.ts"
import { post } from "../../harness/data/ingest.ts"
import { eachEngine } from "../../harness/store.ts"
import { givenLine, reportDays, rowsOf, type Site, startSite } from "../given.ts"

const HISTORY = "Every report of this line, the last measured first"
const historyOf = async ({ open, line }: Site) => rowsOf(await open(line), HISTORY)
const grid = ({ open, seller }: Site) => open(`${seller.home}/totals`)
const fieldOf = ({ packageId }: Pick<Site, "packageId">) => `total.${packageId}`
const report = async (site: Site, total: string, time: string) =>
  (await grid(site)).send({ [fieldOf(site)]: total, time })

/** Reports a total as an API key does, measured now. */
async function reportByKey({ app, seller, packageId }: Site, impressions: number) {
  const { key } = await givenApiKey(app, seller.id, "Ad server")
  await post(app, { items: [{ package_id: packageId, impressions }] }, { key })
}

eachEngine((engine) => {
  test("a typed total is saved with the time that was typed, and a receipt says what changed", async () => {
    await using site = await startSite({ rate: "10", currency: "EUR" }, { engine })
    expect((await grid(site)).fields).toMatchObject({ day: "2026-11-15", time: "13:00" })
    const receipt = await report(site, "1 200", "09:30")
    expect(receipt.text).toContain("1 total reported")
    expect(receipt.text).toContain("Measured 15 Nov, 09:30")
    expect(receipt.text).toContain("Fernweh Travel sees it now.")
    expect(rowsOf(receipt, "The lines with a new total")).toEqual([
      "Pre-roll Spring · Fernweh Travel Over-delivered None yet 1,200 impressions +1,200 €10.00",
    ])
    expect(await historyOf(site)).toEqual(["1,200 – 15 Nov, 09:30 15 Nov, 13:00 Form, Ada Brandt Current Withdraw"])
  })

  test("a lower total must be confirmed. The typed time and everything else is kept", async () => {
    await using site = await startSite({}, { engine })
    await report(site, "500", "09:00")
    const asked = await report(site, "50", "10:45")
    expect([asked.status, asked.title]).toEqual([422, "Report totals · Adbooth"])
    expect(asked.text).toContain("Nothing is reported yet. 1 total looks unusual.")
    expect(asked.text).toContain("The total would go down from 500 to 50.")
    expect(asked.fields).toMatchObject({ [fieldOf(site)]: "50", time: "10:45" })
    const box = `confirm.${fieldOf(site)}`
    expect(asked.control(box)).toHaveProperty("autofocus")

    const again = await asked.send()
    expect(again.status).toBe(422)
    const saved = await again.send({ [box]: again.control(box)["value"] })
    expect(rowsOf(saved, "The lines with a new total")[0]).toContain("500 50 impressions −450")
    expect((await historyOf(site))[0]).toContain("50 −450 15 Nov, 10:45")
  })

  test("all totals of a form are saved, or none", async () => {
    await using site = await startSite({}, { engine })
    const other = `total.${await givenLine(site.app, site.seller, { name: "Mid-roll" })}`
    const refused = await (await grid(site)).send({ [fieldOf(site)]: "100", [other]: "99999" })
    expect(refused.text).toContain("99,999 is far above the 1,000 booked.")
    expect(await historyOf(site)).toEqual([])
    const box = `confirm.${other}`
    const saved = await refused.send({ [box]: refused.control(box)["value"] })
    expect(saved.text).toContain("2 totals reported")
  })

  test("everything from one form is withdrawn together, with a reason", async () => {
    await using site = await startSite({}, { engine })
    const other = await givenLine(site.app, site.seller, { name: "Mid-roll" })
    await report(site, "300", "09:00")
    const receipt = await (await grid(site)).send({ [fieldOf(site)]: "400", [`total.${other}`]: "70", time: "10:00" })
    const question = await site.open(`${receipt.path}/withdraw`)
    expect(question.text).toContain("Withdraw 2 totals?")
    expect((await question.send()).html).toContain('<a href="#reason">Enter a reason.</a>')
    const done = await question.send({ reason: "Typed <twice>" })
    expect(done.text).toContain("2 totals are withdrawn.")
    expect(await historyOf(site)).toEqual([
      "400 +100 15 Nov, 10:00 15 Nov, 13:00 Form, Ada Brandt Withdrawn 15 Nov, 13:00 : Typed &lt;twice>",
      "300 – 15 Nov, 09:00 15 Nov, 13:00 Form, Ada Brandt Current Withdraw",
    ])
    expect((await site.open(receipt.path)).text).toContain("These totals were withdrawn")
  })

  test("one report is withdrawn, and the line goes back to the one before", async () => {
    await using site = await startSite({}, { engine })
    await report(site, "300", "09:00")
    await report(site, "400", "10:00")
    const address = /href="([^"]*\/withdraw)"/.exec((await site.open(site.line)).html)?.[1] ?? ""
    const done = await (await site.open(address)).send({ reason: "Wrong line" })
    expect(done.text).toContain("The report is withdrawn.")
    expect(done.text).toContain("300 of 1,000 impressions booked")
    expect((await site.open(address)).status).toBe(404)
  })
})

test("a receipt leads back to the grid with the time that was typed", async () => {
  await using site = await startSite()
  const receipt = await report(site, "300", "01:15")
  const more = /href="([^"]*\/totals\?day=[^"]*)"/.exec(receipt.html)?.[1]?.replaceAll("&amp;", "&") ?? ""
  expect((await site.open(more)).fields).toMatchObject({ day: "2026-11-15", time: "01:15" })
})

test("a receipt says that a total was corrected, and no longer shows it as the line's", async () => {
  await using site = await startSite({ rate: "10", currency: "EUR" })
  const receipt = await report(site, "500", "09:00")
  await report(site, "600", "09:00")
  const later = await site.open(receipt.path)
  expect(rowsOf(later, "The lines with a new total")[0]).toContain(
    "– 600 500 is kept in the history. A newer total applies.",
  )
  expect(later.text).not.toContain("sees it now")
})

test("totals are measured when they are sent, unless another time was typed", async () => {
  await using site = await startSite({ booked: "500000" })
  const opened = await grid(site)
  site.app.clock.advance({ seconds: 600 })
  await reportByKey(site, 200_000)
  site.app.clock.advance({ seconds: 60 })
  const asked = await opened.send({ [fieldOf(site)]: "9999999" })
  expect(asked.text).toContain("9,999,999 is far above the 500,000 booked.")
  const saved = await opened.send({ [fieldOf(site)]: "210000" })
  expect(saved.text).toContain("Measured 15 Nov, 13:11")
  expect(rowsOf(saved, "The lines with a new total")[0]).toContain("200,000 210,000 impressions +10,000")
})

test("a receipt of totals that were measured when they were sent leads to a grid where they can be corrected", async () => {
  await using site = await startSite()
  const opened = await grid(site)
  site.app.clock.advance({ seconds: 90 })
  const receipt = await opened.send({ [fieldOf(site)]: "300" })
  const [, more = ""] = /href="([^"]*)">Report more totals/.exec(receipt.html) ?? []
  expect(more).toBe(`${site.seller.home}/totals`)
  const asked = await (await site.open(more)).send({ [fieldOf(site)]: "290" })
  expect(asked.text).toContain("The total would go down from 300 to 290.")
})

test("an odd total is asked about even if a newer one applies", async () => {
  await using site = await startSite({ booked: "500000" })
  await reportByKey(site, 200_000)
  const far = await report(site, "9999999", "12:00")
  expect(far.text).toContain("9,999,999 is far above the 500,000 booked.")
  const higher = await report(site, "250000", "12:00")
  expect(higher.text).toContain("The newer total is lower: 200,000. A total is everything delivered so far.")
  expect((await report(site, "190000", "12:00")).text).toContain("A newer total applies.")
})

test("a receipt counts the totals that apply, and names the ones that don't", async () => {
  await using site = await startSite({ booked: "500000" })
  const other = `total.${await givenLine(site.app, site.seller, { name: "Mid-roll", booked: "500000" })}`
  await reportByKey(site, 200_000)
  const saved = await (await grid(site)).send({ [fieldOf(site)]: "190000", [other]: "180000", time: "12:00" })
  expect(saved.text).toContain(
    "1 total reported Fernweh Travel sees it now. 1 total kept in the history. A newer total applies.",
  )
  expect(rowsOf(saved, "The lines with a new total")[1]).toContain(
    "– 200,000 190,000 is kept in the history. A newer total applies.",
  )
})

test("a yes counts only for the question that was asked", async () => {
  await using site = await startSite()
  await report(site, "500", "09:00")
  const asked = await report(site, "50", "12:00")
  await report(site, "520", "10:00")
  const box = `confirm.${fieldOf(site)}`
  const stale = await asked.send({ [box]: asked.control(box)["value"] })
  expect(stale.status).toBe(422)
  expect(stale.text).toContain("The total would go down from 520 to 50.")
  expect(stale.control(box)).not.toHaveProperty("checked")
})

test("a number with two readings is refused with both", async () => {
  await using site = await startSite({ pricingBasis: "downloads", booked: "" })
  const refused = await report(site, "1,234", "12:00")
  expect(refused.title).toStartWith("Error:")
  expect(refused.html).toContain(`<a href="#${fieldOf(site)}">1,234 can mean 1234 or 1.234.`)
  expect(refused.control(fieldOf(site))).toMatchObject({ value: "1,234", "aria-invalid": "true" })
})

test("a total that can't be read doesn't silence the others", async () => {
  await using site = await startSite()
  const other = `total.${await givenLine(site.app, site.seller, { name: "Mid-roll" })}`
  const refused = await (await grid(site)).send({ [fieldOf(site)]: "many", [other]: "99999" })
  expect(refused.html).toContain(`<a href="#${fieldOf(site)}">many isn’t a number.`)
  expect(refused.text).toContain("99,999 is far above the 1,000 booked.")
  expect(await historyOf(site)).toEqual([])
})

test("a time in the future is refused at its field, and names both times", async () => {
  await using site = await startSite()
  const refused = await report(site, "5", "13:30")
  expect(refused.html).toContain('<a href="#day">15 Nov, 13:30 is in the future. It’s now 15 Nov, 13:00.</a>')
  expect(refused.fields).toMatchObject({ [fieldOf(site)]: "5", time: "13:30" })
})

test("while a person types, the page says what saving would do, and saves nothing", async () => {
  await using site = await startSite()
  await report(site, "300", "09:00")
  const preview = await (await grid(site)).send({ [fieldOf(site)]: "320", "~mode": "preview" })
  expect(preview.status).toBe(200)
  expect(preview.text).toContain("+20 since earlier today, 34% behind plan")
  expect(preview.text).toContain("Report 1 total")
  expect(await historyOf(site)).toHaveLength(1)
})

test("a search shows some lines, and never loses what was typed for the others", async () => {
  await using site = await startSite()
  const other = await givenLine(site.app, site.seller, { name: "Mid-roll" })
  const found = await site.open(`${site.seller.home}/totals?q=mid`)
  expect(Object.keys(found.fields)).toContain(`total.${other}`)
  expect(Object.keys(found.fields)).not.toContain(fieldOf(site))
  const refused = await found.send({ [fieldOf(site)]: "many", [`total.${other}`]: "5" })
  expect(refused.fields).toMatchObject({ [fieldOf(site)]: "many", [`total.${other}`]: "5" })
})

test("the grid has up to 200 lines, and says how many there are", async () => {
  await using site = await startSite()
  for (let i = 0; i < 210; i++) await givenLine(site.app, site.seller, { name: `Line ${i}` })
  const page = await grid(site)
  expect(page.text).toContain("Lines 211")
  expect(page.text).toContain("The first 200 are shown.")
  expect(Object.keys(page.fields).filter((name) => name.startsWith("total."))).toHaveLength(200)
  expect(page.html.length).toBeLessThan(300_000)
})

test("an ended line takes its last total for a week", async () => {
  await using site = await startSite({ flightEnd: "2026-11-10" })
  await givenLine(site.app, site.seller, { name: "Long ended", flightEnd: "2026-11-07" })
  const { text } = await grid(site)
  expect(text).toContain("ended 10 Nov")
  expect(text).not.toContain("Long ended")
})

test("members withdraw what they reported themselves, and nothing else", async () => {
  await using site = await startSite()
  await report(site, "300", "09:00")
  const member = await signIn(site.app, { organization: site.seller, role: "member", name: "Mo Lind" })
  expect((await member(site.line)).html).not.toContain("/withdraw")
  const receipt = await (await member(`${site.seller.home}/totals`)).send({ [fieldOf(site)]: "400", time: "10:00" })
  expect(receipt.html).toContain("/withdraw")
  expect((await member(site.line)).html.match(/\/withdraw"/g)).toHaveLength(1)
})

test("another seller's receipt looks like a missing one", async () => {
  await using site = await startSite()
  const { path } = await report(site, "300", "09:00")
  const other = await startSite()
  await using _ = other
  const address = path.replace(/.*\/totals\//, `${other.seller.home}/totals/`)
  expect((await other.open(address)).status).toBe(404)
})

test("the grid names the API key that reports a line", async () => {
  await using site = await startSite()
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-13": 100 })
  expect((await grid(site)).text).not.toContain("Reported by")
  const { key } = await givenApiKey(site.app, site.seller.id, "Ad server")
  await post(site.app, { items: [{ package_id: site.packageId, impressions: 120 }] }, { key })
  expect((await grid(site)).text).toContain("Reported by Ad server , last report just now")
})
