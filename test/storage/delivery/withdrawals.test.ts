import { expect, test } from "bun:test"
import { reportTotals } from "../../../src/actions/delivery/report-totals.ts"
import { withdrawReport, withdrawTogether } from "../../../src/actions/delivery/withdraw-report.ts"
import { auditEntries } from "../../../src/storage/audit.ts"
import { lineById, type StoredLine } from "../../../src/storage/campaigns/lines.ts"
import { totalsThrough } from "../../../src/storage/delivery/days.ts"
import { historyOf, NEWEST } from "../../../src/storage/delivery/history.ts"
import { receiptOf, reportsBetween } from "../../../src/storage/delivery/reports.ts"
import { givenLine, givenSeller, reportOne, type Seller } from "../../harness/data/given.ts"
import { eachEngine, openStore, type TestStore } from "../../harness/store.ts"

const ADMIN = { actor: "user:1", isAdmin: true }
const MEMBER = { actor: "user:2", isAdmin: false }

async function lineOf({ database }: TestStore, seller: Seller, packageId: string): Promise<StoredLine> {
  const line = await lineById(database.read, seller.id, packageId)
  if (line === null) throw new Error("The line is missing.")
  return line
}

const quantityOf = async (store: TestStore, seller: Seller, packageId: string) =>
  (await lineOf(store, seller, packageId)).total?.quantity ?? null

/** Withdraws the report with this quantity. */
async function withdraw(store: TestStore, seller: Seller, packageId: string, quantity: number, by = ADMIN) {
  const reports = await reportsOf(store, packageId)
  const { asOf = 0, receivedAt = 0 } = reports.find((report) => report.quantity === quantity) ?? {}
  return withdrawReport(store, by, { sellerId: seller.id, packageId, asOf, receivedAt, reason: "wrong file" })
}

async function reportsOf({ database: { read } }: TestStore, packageId: string) {
  const [line] = await read.rows("SELECT id FROM line WHERE package_id = $1", [packageId], { id: Number })
  return reportsBetween(read, [line?.id ?? 0], 0, Number.MAX_SAFE_INTEGER)
}

/** Totals of several lines from one form. Returns its receipt. */
async function type(store: TestStore, seller: Seller, actor: string, totals: Readonly<Record<string, number>>) {
  const typed = Object.entries(totals).map(([packageId, quantity]) => {
    return { packageId, quantity, unit: "impressions", confirmed: "" } as const
  })
  const reported = await reportTotals(store, actor, { sellerId: seller.id, asOf: "2026-03-01", totals: typed })
  if (!reported.isSaved || reported.receipt === null) throw new Error("The totals were not saved.")
  return reported.receipt
}

eachEngine((engine) => {
  test("withdrawing a report brings back the one that it replaced", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const package_id = await givenLine(store, seller)
    await reportOne(store, seller, { package_id, impressions: 5_000, as_of: "2026-03-01" })
    await reportOne(store, seller, { package_id, impressions: 6_200, as_of: "2026-03-01" })
    expect(await withdraw(store, seller, package_id, 6_200)).toBe("withdrawn")
    expect(await quantityOf(store, seller, package_id)).toBe(5_000)
    expect(await withdraw(store, seller, package_id, 5_000)).toBe("withdrawn")
    expect(await quantityOf(store, seller, package_id)).toBeNull()
    expect(await reportOne(store, seller, { package_id, impressions: 5_000, as_of: "2026-03-01" })).toBe("applied")
  })

  test("the line goes back to its newest remaining day", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const package_id = await givenLine(store, seller)
    await reportOne(store, seller, { package_id, impressions: 100, as_of: "2026-01-20" })
    await reportOne(store, seller, { package_id, impressions: 200, as_of: "2026-02-27" })
    await withdraw(store, seller, package_id, 200)
    expect(await quantityOf(store, seller, package_id)).toBe(100)
    expect(await reportOne(store, seller, { package_id, impressions: 150, as_of: "2026-02-25" })).toBe("applied")
  })

  test("a seller can't withdraw another seller's report, and each withdrawal is in the audit log", async () => {
    await using store = await openStore(engine)
    const [seller, other] = [await givenSeller(store), await givenSeller(store)]
    const package_id = await givenLine(store, seller)
    await reportOne(store, seller, { package_id, impressions: 100, as_of: "2026-02-20" })
    expect(await withdraw(store, other, package_id, 100)).toBe("not found")
    expect(await quantityOf(store, seller, package_id)).toBe(100)
    await withdraw(store, seller, package_id, 100)
    const [entry] = await auditEntries(store.database.read, {
      before: Number.MAX_SAFE_INTEGER,
      actor: "user:1",
      text: "",
      count: 1,
    })
    expect(entry).toMatchObject({
      actor: "user:1",
      text: "withdrew the report of Pre-roll for 2026-02-20T23:59:59.999999Z",
    })
  })

  test("members withdraw what they reported themselves, and admins everything", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const package_id = await givenLine(store, seller)
    await reportOne(store, seller, { package_id, impressions: 100, as_of: "2026-02-20" })
    await type(store, seller, MEMBER.actor, { [package_id]: 200 })
    expect(await withdraw(store, seller, package_id, 100, MEMBER)).toBe("not allowed")
    expect(await withdraw(store, seller, package_id, 200, { actor: "user:3", isAdmin: false })).toBe("not allowed")
    expect(await withdraw(store, seller, package_id, 200, MEMBER)).toBe("withdrawn")
    expect(await withdraw(store, seller, package_id, 100, ADMIN)).toBe("withdrawn")
  })

  test("everything from one form is withdrawn together, and reports from other sources stay", async () => {
    await using store = await openStore(engine)
    const [seller, other] = [await givenSeller(store), await givenSeller(store)]
    const lines = [await givenLine(store, seller), await givenLine(store, seller)] as const
    await reportOne(store, seller, { package_id: lines[0], impressions: 100, as_of: "2026-02-20" })
    const reference = await type(store, seller, MEMBER.actor, { [lines[0]]: 200, [lines[1]]: 300 })
    const reason = "wrong column"
    const { read } = store.database

    expect((await receiptOf(read, seller.id, reference))?.reports).toHaveLength(2)
    expect(await receiptOf(read, other.id, reference)).toBeNull()
    expect(await withdrawTogether(store, ADMIN, { sellerId: other.id, reference, reason })).toBe("not found")
    const withdrawn = await withdrawTogether(store, MEMBER, { sellerId: seller.id, reference, reason })
    expect(withdrawn).toEqual({ reports: 2, lines: 2 })
    expect(await withdrawTogether(store, MEMBER, { sellerId: seller.id, reference, reason })).toBe("not found")

    expect(await quantityOf(store, seller, lines[0])).toBe(100)
    expect(await quantityOf(store, seller, lines[1])).toBeNull()
    const reports = (await receiptOf(read, seller.id, reference))?.reports ?? []
    expect(reports.map(({ withdrawnAt }) => withdrawnAt !== null)).toEqual([true, true])
  })

  test("the history keeps withdrawn reports, and shows a buyer no sources and reasons", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const package_id = await givenLine(store, seller)
    await reportOne(store, seller, { package_id, impressions: 100, as_of: "2026-01-20" })
    await reportOne(store, seller, { package_id, impressions: 120, as_of: "2026-01-20" })
    await type(store, seller, MEMBER.actor, { [package_id]: 200 })
    await withdraw(store, seller, package_id, 200)
    const line = await lineOf(store, seller, package_id)
    const { read } = store.database
    const page = { before: NEWEST, limit: 2 }
    const [typed, corrected, ...more] = await historyOf(read, line, { ...page, isSeller: true })
    expect(more).toEqual([])
    expect(typed).toMatchObject({ quantity: 200, reason: "wrong file", source: { kind: "form", actor: "user:2" } })
    expect(typed?.withdrawnAt).not.toBeNull()
    expect(corrected).toMatchObject({ quantity: 120, withdrawnAt: null, source: { kind: "key", reference: "1" } })
    const [oldest, ...none] = await historyOf(read, line, { limit: 2, before: corrected ?? NEWEST, isSeller: true })
    expect([oldest?.quantity, none.length]).toEqual([100, 0])
    const [shown] = await historyOf(read, line, { ...page, isSeller: false })
    expect(shown).toMatchObject({ quantity: 200, source: null, reason: null })
  })

  test("a statement's total through a day follows a withdrawal", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const package_id = await givenLine(store, seller)
    await reportOne(store, seller, { package_id, impressions: 500, as_of: "2026-01-10" })
    await reportOne(store, seller, { package_id, impressions: 400, as_of: "2026-02-20" })
    const { id } = await lineOf(store, seller, package_id)
    const through = async (day: string) => (await totalsThrough(store.database.read, [id], day)).get(id)?.quantity
    expect([await through("2026-01-09"), await through("2026-01-31"), await through("2026-02-28")]).toEqual([
      undefined,
      400,
      400,
    ])
    await withdraw(store, seller, package_id, 400)
    expect([await through("2026-01-31"), await through("2026-02-28")]).toEqual([500, 500])
  })
})
