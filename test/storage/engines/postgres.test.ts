import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { eq } from "drizzle-orm"
import { keySource } from "../../../src/domain/delivery/delivery.ts"
import type { Database, Tx } from "../../../src/storage/database.ts"
import { openDatabase } from "../../../src/storage/engines.ts"
import { givenSeller } from "../../harness/data/given.ts"
import { machine } from "../../harness/machine.ts"
import { newEmptyPostgresDatabase, newPostgresDatabase } from "../../harness/postgres.ts"
import { openStore } from "../../harness/store.ts"

const errors: unknown[] = []
const LOG = {
  info: () => undefined,
  warn: () => undefined,
  error: (_: string, cause: unknown) => void errors.push(cause),
}

const add = (tx: Tx, slug: string) => tx.db.insert(tx.organization).values({ slug, name: slug, timeZone: "UTC" })

const rename = (tx: Tx, slug: string, name: string) =>
  tx.db.update(tx.organization).set({ name }).where(eq(tx.organization.slug, slug))

async function slugsIn({ read }: Database): Promise<string[]> {
  const rows = await read.rows("SELECT slug FROM organization ORDER BY slug", [], { slug: String })
  return rows.map(({ slug }) => slug)
}

const milliseconds = async (work: Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work.catch(() => undefined)
  return performance.now() - began
}

describe.skipIf(machine.postgres === null)("PostgreSQL [needs postgres]", () => {
  test("limits are exact over several servers, and slide", async () => {
    await using one = await openStore("PostgreSQL")
    await using other = await one.openAnother()
    const admit = ({ database }: typeof one) => database.limits.admit("key 1", { name: "delivery", limit: 60 }, 0)
    const admissions = await Promise.all(Array.from({ length: 200 }, (_, i) => admit(i % 2 === 0 ? one : other)))
    expect(admissions.filter(({ isAllowed }) => isAllowed)).toHaveLength(60)
    for (const store of [one, other]) store.setClock("2026-03-02T12:00:58.5")
    expect(await admit(one)).toMatchObject({ isAllowed: false, retryAfterSeconds: 2 })
    for (const store of [one, other]) store.setClock("2026-03-02T12:01:01")
    expect(await admit(other)).toMatchObject({ isAllowed: true, remaining: 59 })
  })

  test("one server has a lease, until it gives it up by dying", async () => {
    await using one = await openStore("PostgreSQL")
    await using other = await one.openAnother()
    const taken = await Promise.all([one, other].map(({ database }) => database.leases.take("backups", 60)))
    expect(taken.filter(Boolean)).toHaveLength(1)
    const [holder, heir] = taken[0] === true ? [one, other] : [other, one]
    expect(await holder.database.leases.take("backups", 60)).toBe(true)
    expect(await heir.database.leases.take("mail", 60)).toBe(true)
    heir.setClock("2026-03-02T12:02")
    expect(await heir.database.leases.take("backups", 60)).toBe(true)
    expect(await holder.database.leases.take("backups", 60)).toBe(false)
  })

  test("a lock on one seller doesn't hold up the others", async () => {
    await using store = await openStore("PostgreSQL")
    const { database } = store
    await database.transact((tx) =>
      tx.db.insert(tx.organization).values(["a", "b"].map((slug) => ({ slug, name: slug, timeZone: "UTC" }))),
    )
    await using other = new SQL(store.location, { max: 1 })
    const session = await other.reserve()
    await session`BEGIN`
    await session`SELECT 1 FROM organization WHERE slug = 'a' FOR UPDATE`
    const blocked = database.transactReport((tx) => rename(tx, "a", "A"))
    const outcome = blocked.then(
      () => "done",
      (cause: Error) => cause.message,
    )
    expect(await milliseconds(database.transactReport((tx) => rename(tx, "b", "B")))).toBeLessThan(1_000)
    expect(await outcome).toContain("held a lock for too long")
    await session`ROLLBACK`
    session.release()
    await database.transactReport((tx) => rename(tx, "a", "A"))
  })

  test("reports of one seller never take all connections", async () => {
    await using store = await openStore("PostgreSQL")
    const { database } = store
    const blocked = await givenSeller(store)
    const free = await givenSeller(store)
    await using other = new SQL(store.location, { max: 1 })
    const session = await other.reserve()
    await session`BEGIN`
    await session`SELECT 1 FROM organization WHERE id = ${blocked.id} FOR UPDATE`
    const record = ({ id: sellerId }: typeof free) =>
      database.reports.record({ sellerId, items: [], source: keySource(1), receivedAt: 0 })
    const waiting: Promise<unknown>[] = []
    for (let i = 0; i < 20; i++) {
      waiting.push(record(blocked).catch(() => undefined))
      // Each of them would have begun its own transaction by now.
      await slugsIn(database)
    }
    expect(await milliseconds(record(free))).toBeLessThan(1_000)
    await session`ROLLBACK`
    session.release()
    await Promise.all(waiting)
  })

  test("a change waits for reports, and reports hardly wait for a change that waits", async () => {
    await using store = await openStore("PostgreSQL")
    const { database } = store
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const report = database.transactReport(async (tx) => {
      begun.resolve()
      await gate.promise
      await add(tx, "report")
    })
    await begun.promise
    const order: string[] = []
    const change = database.transact((tx) => add(tx, "change")).then(() => order.push("change"))
    expect(await milliseconds(database.transactReport((tx) => add(tx, "beside")))).toBeLessThan(1_000)
    order.push("report")
    gate.resolve()
    await Promise.all([report, change])
    expect(order).toEqual(["report", "change"])
  })

  test("a lost connection is noticed, and the work is done once more", async () => {
    await using store = await openStore("PostgreSQL")
    const { database } = store
    await using other = new SQL(store.location, { max: 1 })
    let attempts = 0
    await database.transact(async (tx) => {
      attempts++
      await add(tx, "once")
      if (attempts > 1) return
      await other`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`
      await tx.rows("SELECT 1 AS one", [], { one: Number })
    })
    expect(attempts).toBe(2)
    expect(await slugsIn(database)).toEqual(["once"])
  })

  test("errors show no values", async () => {
    await using store = await openStore("PostgreSQL")
    await store.database.transact((tx) => add(tx, "s3cret"))
    const failure = await store.database.transact((tx) => add(tx, "s3cret")).catch((cause: Error) => cause)
    expect(failure).toBeInstanceOf(Error)
    expect(`${(failure as Error).message} ${(failure as Error).stack}`).not.toContain("s3cret")
  })

  test("a text with U+0000 does no harm", async () => {
    await using store = await openStore("PostgreSQL")
    const { database } = store
    await database.transact((tx) => add(tx, "zero\0byte"))
    expect(await database.read.rows("SELECT 1 AS one WHERE 'x' = $1", ["x\0"], { one: Number })).toEqual([])
    expect(await slugsIn(database)).toEqual(["zero\u{fffd}byte"])
  })

  test("a server that would break promises is refused in words", async () => {
    const url = await newEmptyPostgresDatabase()
    const refused = (options: string) => expect(openDatabase(`${url}${options}`, LOG)).rejects
    await refused("&nonsense=1").toThrow("after the ? only these are known")
    await refused("&user=nobody").toThrow("refused this user")
    await refused("&dbname=missing").toThrow("doesn't exist")
    await expect(openDatabase("postgres://a@127.0.0.1:1/b", LOG)).rejects.toThrow("Is PostgreSQL running there?")
    const name = new URL(url).pathname.slice(1)
    await using owner = new SQL(url, { max: 1 })
    await owner.unsafe(`ALTER DATABASE ${name} SET synchronous_commit = off`)
    await refused("").toThrow("synchronous_commit = off")
    await owner.unsafe(`ALTER DATABASE ${name} SET synchronous_commit = on`)
    await owner.unsafe("CREATE TABLE other (id int)")
    await refused("").toThrow("tables of another program")
    await expect(openDatabase(url, LOG, { mayCreate: false })).rejects.toThrow("There is no Adbooth data")
  })

  test("servers that start together on an empty database create the tables once", async () => {
    const url = await newEmptyPostgresDatabase()
    const databases = await Promise.all([1, 2, 3].map((n) => openDatabase(url, LOG, { server: String(n) })))
    expect(await Promise.all(databases.map(({ health }) => health.schema()))).toEqual(
      Array(3).fill({ applied: 1, known: 1 }),
    )
    for (const database of databases) await database.close()
  })

  test("a read-only server is reported, and reads still work", async () => {
    const url = await newPostgresDatabase()
    const name = new URL(url).pathname.slice(1)
    await using owner = new SQL(url, { max: 1 })
    await owner.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    const database = await openDatabase(url, LOG)
    await expect(database.transact((tx) => add(tx, "new"))).rejects.toThrow("doesn't accept writes")
    expect(await slugsIn(database)).toEqual([])
    expect(await database.health.problem()).toContain("doesn't accept writes")
    expect(await database.limits.admit("key 1", { name: "delivery", limit: 1 }, 0)).toMatchObject({ isAllowed: true })
    await database.close()
  })

  test("a user that owns a schema and nothing else is enough", async () => {
    const url = await newEmptyPostgresDatabase()
    await using owner = new SQL(url, { max: 1 })
    await owner
      .unsafe(
        "REVOKE ALL ON SCHEMA public FROM PUBLIC; CREATE ROLE plain LOGIN; CREATE SCHEMA plain AUTHORIZATION plain",
      )
      .simple()
    const database = await openDatabase(url.replace("adbooth@", "plain@"), LOG, { server: "1" })
    await database.transact((tx) => add(tx, "new"))
    expect(await database.health.problem()).toBeNull()
    expect(await database.health.integrity()).toEqual([])
    expect(await database.health.sizeBytes()).toBeGreaterThan(1_000_000)
    await database.close()
  })
})
