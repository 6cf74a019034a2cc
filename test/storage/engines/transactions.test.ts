import { expect, test } from "bun:test"
import { lineById } from "../../../src/storage/campaigns/lines.ts"
import type { Tx } from "../../../src/storage/database.ts"
import { openReportQueue } from "../../../src/storage/delivery/report-queue.ts"
import { organizationBySlug } from "../../../src/storage/organizations.ts"
import { createOrganization } from "../../harness/data/created.ts"
import { givenLine, givenSeller, report, reportOne } from "../../harness/data/given.ts"
import { eachEngine, openStore, type TestStore } from "../../harness/store.ts"

const add = (tx: Tx, slug: string) => tx.db.insert(tx.organization).values({ slug, name: slug, timeZone: "UTC" })

async function storedSlugs({ database }: TestStore, slugs: readonly string[]): Promise<string[]> {
  const found = await Promise.all(slugs.map((slug) => organizationBySlug(database.read, slug)))
  return found.flatMap((organization) => organization?.slug ?? [])
}

eachEngine((engine) => {
  test("a job that fails undoes only itself, also in a shared commit", async () => {
    await using store = await openStore(engine)
    const { database } = store
    await database.transact((tx) => add(tx, "taken"))
    const jobs = await Promise.allSettled([
      database.transact((tx) => add(tx, "first")),
      database.transact(async (tx) => {
        await add(tx, "second")
        throw new Error("changed my mind")
      }),
      database.transact((tx) => add(tx, "taken")),
      database.transact((tx) => add(tx, "third")),
    ])
    expect(jobs.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"])
    expect(await storedSlugs(store, ["first", "second", "third"])).toEqual(["first", "third"])
  })

  test("a transaction can't be used after its job ended", async () => {
    await using store = await openStore(engine)
    const { database } = store
    let ended: Tx | undefined
    await database.transact(async (tx) => {
      ended = tx
    })
    const useEnded = async () => ended?.insertMany(ended.organization, [{ slug: "late", name: "", timeZone: "UTC" }])
    await expect(useEnded()).rejects.toThrow("This transaction is over.")
    await database.transact(async () => expect(useEnded()).rejects.toThrow("This transaction is over."))
    expect(await storedSlugs(store, ["late"])).toEqual([])
  })

  test("readers never see what isn't committed", async () => {
    await using store = await openStore(engine)
    const seen = await store.database.transact(async (tx) => {
      await add(tx, "new")
      expect(await organizationBySlug(tx, "new")).not.toBeNull()
      return storedSlugs(store, ["new"])
    })
    expect(seen).toEqual([])
    expect(await storedSlugs(store, ["new"])).toEqual(["new"])
  })

  test("readers can't write", async () => {
    await using store = await openStore(engine)
    const insert = "INSERT INTO organization (slug, name, time_zone) VALUES ('x', 'x', 'UTC') RETURNING id"
    await expect(store.database.read.rows(insert, [], { id: Number })).rejects.toThrow()
  })

  test("a statement may have more than nine parameters", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const numbers = Array.from({ length: 9 }, (_, i) => `id <> -$${i + 1}`).join(" AND ")
    const query = `SELECT id FROM organization WHERE ${numbers} AND id = ANY($10)`
    const rows = await store.database.read.rows(query, [1, 2, 3, 4, 5, 6, 7, 8, 9, [seller.id]], { id: Number })
    expect(rows).toEqual([{ id: seller.id }])
  })

  test("two processes don't lose each other's totals", async () => {
    await using store = await openStore(engine)
    const other = await store.openAnother()
    const seller = await givenSeller(store)
    const package_id = await givenLine(store, seller)
    const rounds = Array.from({ length: 20 }, (_, i) => i)
    const answers = await Promise.all(
      rounds.map((i) => {
        const as_of = `2026-03-01T12:00:${String(i).padStart(2, "0")}Z`
        return report(i % 2 === 0 ? store : other, seller, [{ package_id, impressions: 1_000 + i, as_of }])
      }),
    )
    expect(answers.map(({ accepted }) => accepted)).toEqual(rounds.map(() => 1))
    const line = await lineById(store.database.read, seller.id, package_id)
    expect(line?.total?.quantity).toBe(1_019)
  })

  test("a failed report leaves no trace in the cache", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const package_id = await givenLine(store, seller)
    const item = { package_id, impressions: 500, as_of: "2026-03-01" }
    await reportOne(store, seller, { ...item, impressions: 100 })
    // Fails after the totals of the request have been judged and written.
    const reports = openReportQueue((work) =>
      store.database.transactReport(async (tx) => {
        await work(tx)
        throw new Error("no")
      }),
    )
    const failing = { ...store, database: { ...store.database, reports } }
    expect(await reportOne(failing, seller, item)).toBe("internal_error")
    expect(await reportOne(store, seller, item)).toBe("applied")
  })

  test("organizations can be created by several processes at once", async () => {
    await using store = await openStore(engine)
    const other = await store.openAnother()
    const slugs = Array.from({ length: 10 }, (_, i) => `slug-${i}`)
    await Promise.all(
      slugs.map((slug, i) => createOrganization(i % 2 === 0 ? store : other, { slug, name: slug, timeZone: "UTC" })),
    )
    expect(await storedSlugs(store, slugs)).toEqual(slugs)
  })
})
