import { expect, test } from "bun:test"
import { lineById } from "../../../src/storage/campaigns/lines.ts"
import { openReportQueue } from "../../../src/storage/delivery/report-queue.ts"
import { editLine, givenLine, givenSeller, report, reportOne, type Seller } from "../../harness/data/given.ts"
import { eachEngine, moment, openStore, type TestStore } from "../../harness/store.ts"

const totalOf = async (store: TestStore, seller: Seller, packageId: string) =>
  (await lineById(store.database.read, seller.id, packageId))?.total ?? null

eachEngine((engine) => {
  test("an accepted total is the line's current total", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const package_id = await givenLine(store, seller)
    const answer = await report(store, seller, [{ package_id, impressions: 5_000, as_of: "2026-03-01T12:00:00Z" }])
    expect(answer).toEqual({
      accepted: 1,
      rejected: 0,
      results: [{ index: 0, package_id, status: "accepted", effect: "applied" }],
    })
    expect(await totalOf(store, seller, package_id)).toEqual({ quantity: 5_000, asOf: moment("2026-03-01T12:00") })
  })

  test("each item is judged by itself, and the first of several for one package counts", async () => {
    await using store = await openStore(engine)
    const [seller, other] = [await givenSeller(store), await givenSeller(store)]
    const mine = await givenLine(store, seller)
    const theirs = await givenLine(store, other)
    const flat = await givenLine(store, seller, { pricingBasis: "flat_rate" })
    const { accepted, rejected, results } = await report(store, seller, [
      { package_id: mine, impressions: "100" },
      { package_id: mine, impressions: 100 },
      { package_id: mine.toUpperCase(), impressions: 200 },
      { package_id: theirs, impressions: 100 },
      { package_id: crypto.randomUUID(), impressions: 100 },
      { package_id: flat },
    ])
    expect(results.map((result) => (result.status === "accepted" ? result.effect : result.reason))).toEqual([
      "invalid_item",
      "applied",
      "duplicate_package_id",
      "not_seller",
      "not_seller",
      "applied",
    ])
    expect([accepted, rejected]).toEqual([2, 4])
    expect(await totalOf(store, other, theirs)).toBeNull()
  })

  test("a late, older total never replaces a newer one", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const package_id = await givenLine(store, seller)
    expect(await reportOne(store, seller, { package_id, impressions: 500, as_of: "2026-03-01" })).toBe("applied")
    const late = { package_id, impressions: 400, as_of: "2026-02-27" }
    expect(await reportOne(store, seller, late)).toBe("older_than_current")
    expect(await totalOf(store, seller, package_id)).toMatchObject({ quantity: 500 })
  })

  test("a newer, smaller total is a correction, and the same total moves the moment forward", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const package_id = await givenLine(store, seller)
    await reportOne(store, seller, { package_id, impressions: 500, as_of: "2026-03-01T10:00:00Z" })
    expect(await reportOne(store, seller, { package_id, impressions: 450, as_of: "2026-03-01T11:00:00Z" })).toBe(
      "applied",
    )
    expect(await reportOne(store, seller, { package_id, impressions: 450, as_of: "2026-03-01T12:00:00Z" })).toBe(
      "unchanged",
    )
    expect(await totalOf(store, seller, package_id)).toEqual({ quantity: 450, asOf: moment("2026-03-01T12:00") })
  })

  test("a dry run gives the same answer and stores nothing", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const package_id = await givenLine(store, seller)
    const items = [{ package_id, impressions: 5_000, as_of: "2026-03-01" }, { package_id: "x" }]
    const preview = await report(store, seller, items, { isDryRun: true })
    expect(await totalOf(store, seller, package_id)).toBeNull()
    expect(preview).toEqual({ ...(await report(store, seller, items)), dry_run: true })
  })

  test("a line is judged by its new terms as soon as they are saved, even by another process", async () => {
    await using store = await openStore(engine)
    const other = await store.openAnother()
    const seller = await givenSeller(store)
    const package_id = await givenLine(store, seller)
    const item = { package_id, impressions: 100, as_of: "2026-03-01" }
    expect(await reportOne(store, seller, item)).toBe("applied")
    await editLine(other, seller, package_id, { flightStart: "2026-03-02" })
    expect(await reportOne(store, seller, item)).toBe("before_flight_start")
  })

  test("if the write fails, its items are internal errors and nothing is stored", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const package_id = await givenLine(store, seller)
    const reports = openReportQueue(() => Promise.reject(new Error("disk full")))
    const failing = { ...store, database: { ...store.database, reports } }
    const { results } = await report(failing, seller, [{ package_id, impressions: 1 }, { package_id: "x" }])
    expect(results).toMatchObject([{ reason: "internal_error" }, { reason: "invalid_item" }])
    expect(store.errors).toEqual([new Error("disk full")])
    expect(await totalOf(store, seller, package_id)).toBeNull()
  })

  test("requests that wait together are stored in few transactions, each with its own answer", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const lines = await Promise.all(Array.from({ length: 4 }, () => givenLine(store, seller)))
    const packageIds = lines.flatMap((packageId) => [packageId, crypto.randomUUID()])
    let transactions = 0
    const reports = openReportQueue((work, options) => {
      transactions++
      return store.database.transactReport(work, options)
    })
    const counting = { ...store, database: { ...store.database, reports } }
    const answers = await Promise.all(
      packageIds.map((package_id, i) => reportOne(counting, seller, { package_id, impressions: i })),
    )
    expect(answers).toEqual(lines.flatMap(() => ["applied", "not_seller"]))
    expect(transactions).toBeLessThanOrEqual(2)
  })

  test("a request that was answered while it waited isn't stored", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const [late, inTime] = [await givenLine(store, seller), await givenLine(store, seller)]
    const source = { kind: "key", reference: "1", actor: "key:1" } as const
    const sent = (packageId: string) => {
      const items = [{ packageId, unit: "impressions", quantity: 1, asOf: undefined }] as const
      return { sellerId: seller.id, items, source, receivedAt: store.clock() }
    }
    const recorded = await Promise.allSettled([
      store.database.reports.record({ ...sent(late), isCancelled: () => true }),
      store.database.reports.record(sent(inTime)),
    ])
    expect(recorded.map(({ status }) => status)).toEqual(["rejected", "fulfilled"])
    expect([await totalOf(store, seller, late), await totalOf(store, seller, inTime)]).toMatchObject([
      null,
      { quantity: 1 },
    ])
  })
})
