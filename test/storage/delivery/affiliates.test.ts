import { expect, test } from "bun:test"
import { recordAffiliateCodes, recordAffiliateMetrics, removeCode } from "../../../src/actions/affiliates.ts"
import { codeDays, codeFigures, codesByName } from "../../../src/storage/campaigns/affiliates.ts"
import { lineById } from "../../../src/storage/campaigns/lines.ts"
import { givenLine, givenSeller, type Seller } from "../../harness/data/given.ts"
import { randomNumbers } from "../../harness/data/random.ts"
import { eachEngine, openStore, type TestStore } from "../../harness/store.ts"

const WRITE = { isDryRun: false }

const reporterOf = ({ id }: Seller) => {
  const source = { kind: "key", reference: "1", actor: "key:1" } as const
  return { sellerId: id, source }
}

const sendCodes = (store: TestStore, seller: Seller, codes: readonly unknown[]) =>
  recordAffiliateCodes(store, reporterOf(seller), codes, WRITE)

const sendMetrics = (store: TestStore, seller: Seller, metrics: readonly unknown[]) =>
  recordAffiliateMetrics(store, reporterOf(seller), metrics, WRITE)

const idOf = async ({ database }: TestStore, seller: Seller, packageId: string) =>
  (await lineById(database.read, seller.id, packageId))?.id ?? 0

const reasonsIn = ({ errors }: { readonly errors: readonly { readonly reason: string }[] }) =>
  errors.map(({ reason }) => reason)

eachEngine((engine) => {
  test("a code is sent again to change its line and slug, and an absent slug stays", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const [first, second] = [await givenLine(store, seller), await givenLine(store, seller)]
    const stored = async () => (await codesByName(store.database.read, seller.id, ["A"])).get("A")
    expect(await sendCodes(store, seller, [{ packageId: first, code: "A", slug: "autumn" }])).toEqual({
      ok: true,
      upserted: 1,
      errors: [],
    })
    await sendCodes(store, seller, [{ packageId: second, code: "A" }])
    expect(await stored()).toMatchObject({ slug: "autumn", lineId: await idOf(store, seller, second) })
    const rows = [
      { packageId: second, code: "A", slug: "winter" },
      { packageId: first, code: "A" },
    ]
    expect(await sendCodes(store, seller, rows)).toMatchObject({ upserted: 2 })
    expect(await stored()).toMatchObject({ slug: "winter", lineId: await idOf(store, seller, first) })
  })

  test("rows are rejected one by one, and another seller's line or code is like one that doesn't exist", async () => {
    await using store = await openStore(engine)
    const [seller, other] = [await givenSeller(store), await givenSeller(store)]
    const [mine, theirs] = [await givenLine(store, seller), await givenLine(store, other)]
    await sendCodes(store, other, [{ packageId: theirs, code: "THEIRS" }])
    const codes = [{ packageId: theirs, code: "B" }, { packageId: crypto.randomUUID(), code: "B" }, 7]
    const answer = await sendCodes(store, seller, [...codes, { packageId: mine, code: "MINE" }])
    expect([answer.ok, answer.upserted, reasonsIn(answer)]).toEqual([
      false,
      1,
      ["not_seller", "not_seller", "invalid_row"],
    ])
    expect(answer.errors[0]?.message).toBe(answer.errors[1]?.message ?? "")
    const metrics = [
      { code: "THEIRS", date: "2026-03-01", clicks: 1 },
      { code: "NONE", date: "2099-01-01", clicks: 1 },
      { code: "MINE", date: "2026-03-03", clicks: 1 },
      { code: "MINE", date: "2026-03-02", clicks: 1 },
    ]
    expect(reasonsIn(await sendMetrics(store, seller, metrics))).toEqual(["not_seller", "not_seller", "date_in_future"])
  })

  test("two sellers may use the same code", async () => {
    await using store = await openStore(engine)
    const [seller, other] = [await givenSeller(store), await givenSeller(store)]
    const lines = [await givenLine(store, seller), await givenLine(store, other)] as const
    await sendCodes(store, seller, [{ packageId: lines[0], code: "SAME" }])
    await sendCodes(store, other, [{ packageId: lines[1], code: "SAME" }])
    await sendMetrics(store, seller, [{ code: "SAME", date: "2026-03-01", clicks: 5 }])
    await sendMetrics(store, other, [{ code: "SAME", date: "2026-03-01", clicks: 7 }])
    const sums = async (of: Seller, line: string) => codeFigures(store.database.read, [await idOf(store, of, line)])
    expect(await sums(seller, lines[0])).toMatchObject([{ clicks: 5n }])
    expect(await sums(other, lines[1])).toMatchObject([{ clicks: 7n }])
  })

  test("a day keeps the figures that a later row leaves out", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const line = await givenLine(store, seller)
    await sendCodes(store, seller, [{ packageId: line, code: "A" }])
    const day = { code: "A", date: "2026-03-01" }
    await sendMetrics(store, seller, [{ ...day, clicks: 120 }])
    const later = [
      { ...day, conversions: 4 },
      { ...day, clicks: 121, conversionValue: 1.5 },
    ]
    expect(await sendMetrics(store, seller, later)).toMatchObject({ upserted: 2 })
    const [figures] = await codeDays(store.database.read, [await idOf(store, seller, line)])
    expect(figures).toMatchObject({ date: "2026-03-01", clicks: 121n, conversions: 4n, valueMicros: 1_500_000n })
  })

  test("a moved code takes later days along, and leaves what one buyer has seen with its line", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const [first, second] = [await givenLine(store, seller), await givenLine(store, seller)]
    const ids = [await idOf(store, seller, first), await idOf(store, seller, second)] as const
    await sendCodes(store, seller, [{ packageId: first, code: "A", slug: "secret" }])
    await sendMetrics(store, seller, [{ code: "A", date: "2026-02-28", clicks: 10 }])
    await sendCodes(store, seller, [{ packageId: second, code: "A" }])
    await sendMetrics(store, seller, [
      { code: "A", date: "2026-02-28", clicks: 11 },
      { code: "A", date: "2026-03-01", clicks: 20 },
    ])
    const { read } = store.database
    expect(await codeFigures(read, [ids[0]])).toMatchObject([{ clicks: 11n, slug: null, isCurrent: false }])
    expect(await codeFigures(read, [ids[1]])).toMatchObject([{ clicks: 20n, slug: "secret", isCurrent: true }])
    const march = { from: "2026-03-01", to: "2026-03-31" }
    expect(await codeFigures(read, ids, march)).toMatchObject([{ clicks: null }, { clicks: 20n }])
  })

  test("sums are exact beyond what a number can hold", async () => {
    await using store = await openStore(engine)
    const random = randomNumbers(1)
    const seller = await givenSeller(store)
    const line = await givenLine(store, seller)
    const codes = Array.from({ length: 5 }, (_, i) => `CODE-${i}`)
    await sendCodes(
      store,
      seller,
      codes.map((code) => ({ packageId: line, code })),
    )
    let [clicks, micros] = [0n, 0n]
    const metrics = codes.flatMap((code) =>
      Array.from({ length: 20 }, (_, day) => {
        const large = Number.MAX_SAFE_INTEGER - random.below(1_000)
        const cents = random.below(900_000_000_000)
        clicks += BigInt(large)
        micros += BigInt(cents) * 10_000n
        return {
          code,
          date: `2026-02-${String(day + 1).padStart(2, "0")}`,
          clicks: large,
          conversionValue: cents / 100,
        }
      }),
    )
    expect(await sendMetrics(store, seller, metrics)).toMatchObject({ ok: true, upserted: 100 })
    const figures = await codeFigures(store.database.read, [await idOf(store, seller, line)])
    expect(figures.reduce((sum, each) => sum + (each.clicks ?? 0n), 0n)).toBe(clicks)
    expect(figures.reduce((sum, each) => sum + (each.valueMicros ?? 0n), 0n)).toBe(micros)
  })

  test("a dry run writes nothing, and a failed write is an internal error for each row", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const rows = [{ packageId: await givenLine(store, seller), code: "A" }, 7]
    const dry = await recordAffiliateCodes(store, reporterOf(seller), rows, { isDryRun: true })
    expect(dry).toMatchObject({ ok: false, upserted: 1, dry_run: true })
    expect((await codesByName(store.database.read, seller.id, ["A"])).size).toBe(0)
    const transactReport = () => Promise.reject(new Error("disk full"))
    const failing = { ...store, database: { ...store.database, transactReport } }
    const failed = await sendCodes(failing, seller, rows)
    expect(failed.errors).toMatchObject([
      { index: 0, status: 500, reason: "internal_error" },
      { index: 1, status: 400, reason: "invalid_row" },
    ])
  })

  test("a code is deleted by its own seller, unless it has figures", async () => {
    await using store = await openStore(engine)
    const [seller, other] = [await givenSeller(store), await givenSeller(store)]
    const packageId = await givenLine(store, seller)
    const codes = ["A", "B"].map((code) => ({ packageId, code }))
    await sendCodes(store, seller, codes)
    await sendMetrics(store, seller, [{ code: "A", date: "2026-03-01", clicks: 1 }])
    const stored = await codesByName(store.database.read, seller.id, ["A", "B"])
    const remove = (by: Seller, code: string) =>
      removeCode(store, "user:1", { organizationId: by.id, id: stored.get(code)?.id ?? 0, code })
    expect([await remove(other, "B"), await remove(seller, "A"), await remove(seller, "B")]).toEqual([
      false,
      false,
      true,
    ])
  })
})
