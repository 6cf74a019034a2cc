import { expect, test } from "bun:test"
import { signIn } from "../../harness/browser/browse.ts"
import { givenApiKey } from "../../harness/data/given.ts"
import { post } from "../../harness/data/ingest.ts"
import { reportDelivery } from "../../harness/inside.ts"
import { givenLine, namesOn, reportDays, rowsOf, type Site, startSite } from "../given.ts"

const today = ({ open, seller }: Site, query = "") => open(seller.home + query)

/** What is to be done, one text each: "Pre-roll is 20% behind plan". */
const todosOn = ({ html }: { readonly html: string }) =>
  [...html.matchAll(/<h3><b>(.*?)<\/b> (.*?)<\/h3>/g)].map(([, subject, what]) => `${subject} ${what}`)

test("what needs attention is one list, the most urgent first", async () => {
  await using site = await startSite({ name: "Behind", booked: "10000", rate: "10", currency: "EUR" })
  const add = (name: string, texts: object) => givenLine(site.app, site.seller, { name, ...texts })
  const over = await add("Over", { booked: "100" })
  await add("Never reported", { booked: "" })
  const soon = await add("Soon", { flightEnd: "2026-11-18", booked: "1000" })
  await add("Later", { flightStart: "2026-12-01", flightEnd: "" })
  for (const [packageId, quantity] of [
    [site.packageId, 1_000],
    [over, 130],
    [soon, 800],
  ] as const)
    await reportDays(site.app, site.seller.id, packageId, { "2026-11-14": quantity })

  const page = await today(site)
  expect(page.text).toContain("Sunday, 15 November 2026. 4 to do, and 4 lines are running.")
  expect(todosOn(page)).toEqual([
    "Behind is 79% behind plan",
    "1 line has no total yet",
    "Over has delivered more than was booked",
    "Soon ends on Wednesday",
  ])
  expect(page.text).toContain("It needs 563 a day but is delivering 71.")
  expect(namesOn(page)).toEqual(["Behind", "Over", "Never reported", "Soon"])
})

test("the number of lines without a total is the number of lines behind its link", async () => {
  await using site = await startSite()
  const names = ["A", "B", "C"]
  for (const name of names) await givenLine(site.app, site.seller, { name })
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-14": 467 })
  const page = await today(site)
  expect(todosOn(page)).toEqual(["3 lines have no total yet"])
  const due = await site.open(`${site.seller.home}/totals?only=due`)
  expect(namesOn(due)).toEqual(names)
  expect(due.text).toContain("No total since yesterday 3")
})

test("a total measured yesterday or today is enough, and a line that ended lately still owes its last day", async () => {
  await using site = await startSite({ flightEnd: "2026-11-12" })
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-11": 400 })
  expect(todosOn(await today(site))).toEqual(["1 line has no total since yesterday"])
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-12": 450 })
  expect(todosOn(await today(site))).toEqual([])
})

test("a line that an API key reports isn't due, and a silent key is named instead of its lines", async () => {
  await using site = await startSite()
  const { key } = await givenApiKey(site.app, site.seller.id, "Ad server")
  for (let hour = 0; hour < 6; hour++) {
    await post(site.app, { items: [{ package_id: site.packageId, impressions: 470 + hour }] }, { key })
    site.app.clock.advance({ hours: 1 })
  }
  site.app.clock.advance({ hours: 20 })
  const page = await today(site)
  expect(todosOn(page)).toEqual(["Ad server has gone silent"])
  expect(page.text).toContain("This API key has sent nothing for 21 hours. It usually reports every hour.")
})

test("a line that its key no longer reports is due after two days", async () => {
  await using site = await startSite()
  const other = await givenLine(site.app, site.seller, { name: "Dropped" })
  const { key } = await givenApiKey(site.app, site.seller.id, "Ad server")
  const send = (items: readonly object[]) => post(site.app, { items }, { key })
  await send([
    { package_id: site.packageId, impressions: 470 },
    { package_id: other, impressions: 470 },
  ])
  for (let day = 0; day < 3; day++) {
    site.app.clock.advance({ hours: 24 })
    await send([{ package_id: site.packageId, impressions: 510 + 35 * day }])
  }
  expect(todosOn(await today(site))).toEqual(["1 line has no total since yesterday"])
  expect(namesOn(await site.open(`${site.seller.home}/totals?only=due`))).toEqual(["Dropped"])
})

test("five things are shown, and all of them behind a link with their number", async () => {
  await using site = await startSite({ flightEnd: "2026-11-18" })
  for (let i = 0; i < 6; i++)
    await givenLine(site.app, site.seller, {
      name: `Flat ${i}`,
      pricingBasis: "flat_rate",
      booked: "",
      flightEnd: "2026-11-16",
    })
  const page = await today(site)
  expect(todosOn(page)).toHaveLength(5)
  expect(page.text).toContain("Show all 7")
  const all = await today(site, "?all")
  expect(todosOn(all)).toHaveLength(7)
  expect(all.text).toContain("7 to do")
})

test("a page without to-dos says so, and shows a new seller where to begin", async () => {
  await using site = await startSite({ flightStart: "2026-12-01", flightEnd: "" })
  const { text } = await today(site)
  expect(text).toContain("Nothing to do.")
  expect(text).toContain("No lines are running")
  const member = await signIn(site.app, { organization: site.seller, role: "member" })
  expect((await member(site.seller.home)).text).not.toContain("New campaign")
})

test("a rejected report changes nothing on Today", async () => {
  await using site = await startSite()
  const source = { kind: "key", reference: "1", actor: "key:1" } as const
  const items = [{ package_id: site.packageId, downloads: 5 }]
  await reportDelivery(site.app, { sellerId: site.seller.id, source }, items, { isDryRun: false })
  expect(todosOn(await today(site))).toEqual(["1 line has no total yet"])
})

test("the value of the last 14 days has what a line brought after its flight", async () => {
  const terms = { flightStart: "2026-10-01", flightEnd: "2026-10-20", rate: "4800", currency: "EUR", booked: "" }
  await using site = await startSite({ ...terms, pricingBasis: "flat_rate" })
  const grid = await site.open(`${site.seller.home}/totals?line=${site.packageId}`)
  await grid.send({ [`total.${site.packageId}`]: "delivered" })
  expect((await today(site)).text).toContain("Value in the last 14 days €4,800.00")
})

test("what is known of the last 14 days isn't lost beside a line that was measured once", async () => {
  await using site = await startSite({ rate: "1000", currency: "EUR", booked: "" })
  const other = await givenLine(site.app, site.seller, { name: "Mid-roll", rate: "1000", currency: "EUR", booked: "" })
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-01": 10, "2026-11-02": 30, "2026-11-05": 90 })
  await reportDays(site.app, site.seller.id, other, { "2026-11-12": 7 })
  const { text } = await today(site)
  expect(text).toContain("Value in the last 14 days €80.00")
  expect(text).toContain("And €7.00 over 12 days , since 1 Nov, not reported day by day.")
})

test("a flat rate that has ended is due until it's marked as delivered, on Today and for the operator", async () => {
  await using site = await startSite({ pricingBasis: "flat_rate", flightEnd: "2026-11-13", booked: "" })
  const operator = await signIn(site.app, { isOperator: true })
  expect(todosOn(await today(site))).toEqual(["1 line has no total yet"])
  expect((await today(site)).text).toContain("Flat-rate lines that have ended are marked as delivered there.")
  expect(rowsOf(await operator("/app/operator/sellers"), "Sellers")[0]).toContain("1 to do – – 1 ")
  const due = await site.open(`${site.seller.home}/totals?only=due`)
  expect(namesOn(due)).toEqual(["Pre-roll"])
  await due.send({ [`total.${site.packageId}`]: "delivered" })
  expect(todosOn(await today(site))).toEqual([])
})

test("a flat rate that has ended is offered in the grid until it's marked as delivered", async () => {
  await using site = await startSite({ pricingBasis: "flat_rate", flightEnd: "2026-11-14", booked: "" })
  const grid = await site.open(`${site.seller.home}/totals`)
  expect(namesOn(grid)).toEqual(["Pre-roll"])
  await grid.send({ [`total.${site.packageId}`]: "delivered" })
  expect(namesOn(await site.open(`${site.seller.home}/totals`))).toEqual([])
})
