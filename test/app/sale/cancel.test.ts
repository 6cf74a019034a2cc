import { expect, test } from "bun:test"
import { signIn } from "../../harness/browser/browse.ts"
import { fileOf, reportDays, rowsOf, type Site, startSite } from "../given.ts"

const PRICED = { rate: "10", currency: "EUR", booked: "1000000" }

const draftOf = ({ open, seller }: Site, through = "2026-11-14") =>
  open(`${seller.home}/statements/new?buyer=${seller.buyerId}&through=${through}`)

/** Freezes what a draft comes to. Returns the page of the statement. */
const freeze = async (site: Site, through?: string) => (await draftOf(site, through)).send()

const submitOf = (html: string) => (/Freeze as [^<]*/.exec(html)?.[0] ?? "").replaceAll("\u00a0", " ")

test("cancelling opens its whole amount, even if a later one bills over-delivery", async () => {
  await using site = await startSite({ ...PRICED, booked: "100000" })
  const { app, seller, packageId, open } = site
  await reportDays(app, seller.id, packageId, { "2026-11-05": 80_000, "2026-11-10": 150_000 })
  const { path } = await freeze(site, "2026-11-05")
  const all = await (await draftOf(site)).send({ billsOverDelivery: "yes" })
  expect(submitOf(all.html)).toBe("Freeze as 2026-002: €700.00")
  await all.send()
  await (await open(`${path}/cancel`)).send()
  expect(submitOf((await draftOf(site)).html)).toBe("Freeze as 2026-003: €800.00")
})

test("cancelling opens what its month delivered beyond later statements", async () => {
  await using site = await startSite({ ...PRICED, flightStart: "2026-10-01" })
  const { app, seller, packageId, open } = site
  await reportDays(app, seller.id, packageId, { "2026-10-15": 10_000, "2026-11-10": 15_000 })
  const { path } = await freeze(site, "2026-10-31")
  await freeze(site)
  await (await open(`${path}/cancel`)).send()
  const october = await open(`${seller.home}/statements?month=2026-10`)
  expect(rowsOf(october, "Buyers")[0]).toContain("€100.00 €50.00 €50.00 Make statement")
  const file = await fileOf(open, `${seller.home}/statements.csv?month=2026-10`)
  expect(file).toEqual([["Fernweh Travel", "EUR", "100.00", "50.00", "50.00"]])
  expect((await open(seller.home)).text).toContain("October has 1 buyer to bill")
  expect(submitOf((await draftOf(site, "2026-10-31")).html)).toBe("Freeze as 2026-003: €50.00")
  await freeze(site, "2026-10-31")
  expect(submitOf((await draftOf(site)).html)).toBe("Freeze as 2026-004: €50.00")
})

test("opens nothing in an earlier month if a later statement billed the line in another currency", async () => {
  await using site = await startSite({ ...PRICED, flightStart: "2026-10-01" })
  const { app, seller, packageId, line, open } = site
  await reportDays(app, seller.id, packageId, { "2026-10-15": 10_000, "2026-11-10": 15_000 })
  await freeze(site)
  const asked = await (await open(`${line}/edit`)).send({ currency: "CHF" })
  await asked.send({ "confirm.rate": "A statement covers this line. The next one will include the difference." })
  expect(submitOf((await draftOf(site)).html)).toBe("Freeze as 2026-002: CHF 150.00 and -€150.00")
  expect((await draftOf(site, "2026-10-31")).text).toContain("Earlier statements cover everything")
  // No statement has an amount in the new currency yet.
  const file = await fileOf(open, `${seller.home}/statements.csv?month=2026-10`)
  expect(file).toEqual([["Fernweh Travel", "CHF", "100.00", "0.00", "0.00"]])
})

test("cancelling names the rows added by hand that the next one doesn't have", async () => {
  await using site = await startSite({ ...PRICED, rate: "1000", currency: "JPY" })
  const { app, seller, packageId, open } = site
  await reportDays(app, seller.id, packageId, { "2026-11-10": 75_000 })
  const added = { "text.0": "Production", "amount.0": "+12500", "text.1": "Discount", "amount.1": "-5 %" }
  const { path } = await (await (await draftOf(site)).send(added)).send()
  const asked = await open(`${path}/cancel`)
  expect(asked.text).toContain("These amounts were added by hand, so they don’t:")
  expect(asked.text).toContain("Production (¥12,500) and Discount (-¥3,750)")
  await asked.send()
  expect(submitOf((await draftOf(site)).html)).toBe("Freeze as 2026-002: ¥75,000")
})

test("its buyer sees that it was canceled", async () => {
  await using site = await startSite(PRICED)
  const { app, seller, packageId, open } = site
  await reportDays(app, seller.id, packageId, { "2026-11-10": 100_000 })
  const { path } = await freeze(site)
  await (await open(`${path}/cancel`)).send()
  const buyer = await signIn(app, { organization: { id: seller.buyerId }, role: "member" })
  const list = await buyer("/app/o/acme-buyer/statements")
  expect(rowsOf(list, "Received statements")[0]).toMatch(/^2026-001 .* Canceled$/)
  const theirs = await buyer(path.replace("/o/acme/", "/o/acme-buyer/"))
  expect([theirs.status, theirs.text]).toEqual([200, expect.stringContaining("Canceled. You don’t owe it.")])
})
