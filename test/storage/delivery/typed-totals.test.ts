import { expect, test } from "bun:test"
import { previewTotals, reportTotals, type TypedTotal } from "../../../src/actions/delivery/report-totals.ts"
import { lineById } from "../../../src/storage/campaigns/lines.ts"
import { givenLine, givenSeller, reportOne, type Seller } from "../../harness/data/given.ts"
import { eachEngine, openStore, type TestStore } from "../../harness/store.ts"

const typed = (packageId: string, quantity: number, confirmed = ""): TypedTotal => ({
  packageId,
  quantity,
  unit: "impressions",
  confirmed,
})

const report = (store: TestStore, seller: Seller, totals: readonly TypedTotal[], asOf = "2026-03-01") =>
  reportTotals(store, "user:1", { sellerId: seller.id, asOf, totals })

/** The question about a single typed total. */
async function questionAbout(store: TestStore, seller: Seller, packageId: string, quantity: number) {
  const totals = [typed(packageId, quantity)]
  const [verdict] = await previewTotals(store, { sellerId: seller.id, asOf: "2026-03-01", totals })
  return verdict?.question
}

const BOOKED = { flightStart: "2026-02-01", flightEnd: "2026-03-31", booked: "59000" }

eachEngine((engine) => {
  test("a total that goes down is saved once the question is answered, and only that question", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const line = await givenLine(store, seller)
    await reportOne(store, seller, { package_id: line, impressions: 5_000, as_of: "2026-02-28" })
    const question = "The total would go down from 5,000 to 400. A total is everything delivered so far."
    expect(await report(store, seller, [typed(line, 400)])).toMatchObject({ isSaved: false, verdicts: [{ question }] })
    await reportOne(store, seller, { package_id: line, impressions: 6_000, as_of: "2026-02-28" })
    expect(await report(store, seller, [typed(line, 400, question)])).toMatchObject({ isSaved: false })
    const [verdict] = (await report(store, seller, [typed(line, 400)])).verdicts
    const answered = typed(line, 400, verdict?.question ?? "")
    expect(await report(store, seller, [answered])).toMatchObject({ isSaved: true })
  })

  test("all totals of a form are saved, or none", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const lines = [
      await givenLine(store, seller),
      await givenLine(store, seller, { flightStart: "2026-03-02" }),
    ] as const
    const both = await report(store, seller, [typed(lines[0], 100), typed(lines[1], 100)])
    expect(both).toMatchObject({ isSaved: false, verdicts: [{ reason: null }, { reason: "before_flight_start" }] })
    expect((await lineById(store.database.read, seller.id, lines[0]))?.total).toBeNull()
    const [other] = [await givenSeller(store)]
    expect(await report(store, other, [typed(lines[0], 100)])).toMatchObject({ verdicts: [{ reason: "not_seller" }] })
  })

  test("a form that repeats what is known has no receipt", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const line = await givenLine(store, seller)
    const first = await report(store, seller, [typed(line, 100)])
    expect("receipt" in first && first.receipt).toBeString()
    expect(await report(store, seller, [typed(line, 100)])).toMatchObject({ isSaved: true, receipt: null })
  })

  test.each([
    [20_000, null],
    [29_000, null],
    [89_000, "89,000 is far above the 59,000 booked."],
  ])("the first total %d of a line that booked 59,000", async (quantity, question) => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    expect(await questionAbout(store, seller, await givenLine(store, seller, BOOKED), quantity)).toBe(question)
  })

  test("a total far above the pace so far is asked about, and a late one if it's higher than the newer one", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const line = await givenLine(store, seller, { flightStart: "2026-02-01" })
    await reportOne(store, seller, { package_id: line, impressions: 27_000, as_of: "2026-02-27" })
    expect(await questionAbout(store, seller, line, 29_500)).toBeNull()
    expect(await questionAbout(store, seller, line, 270_000)).toBe(
      "270,000 is far above the total expected by now, about 29,000.",
    )
    await reportOne(store, seller, { package_id: line, impressions: 40_000, as_of: "2026-03-02" })
    expect(await questionAbout(store, seller, line, 39_000)).toBeNull()
    expect(await questionAbout(store, seller, line, 270_000)).toBe(
      "The newer total is lower: 40,000. A total is everything delivered so far.",
    )
  })
})
