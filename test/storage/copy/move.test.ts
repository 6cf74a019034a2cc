import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { SQL } from "bun"
import fc from "fast-check"
import { move, openStore } from "../../../src/storage/open.ts"
import type { MoveOptions } from "../../../src/storage/port/copies.ts"
import { databasePath } from "../../../src/storage/sqlite/engine/open.ts"
import { temporaryFolder } from "../../harness.ts"
import { wholeStore } from "../contract/whole-store.ts"
import { emptyDatabase, noPostgres } from "../postgres/server.ts"
import { contentOf, fill, randomContent } from "./random-content.ts"

const inUse = async (whoUsesIt: string) => {
  throw new Error(`not free: ${whoUsesIt}`)
}
const quietly = { waitUntilFree: inUse, begins: () => undefined }

async function given(rows: number) {
  const folder = temporaryFolder()
  const [from, back] = [join(folder.path, "from"), join(folder.path, "back")]
  await fill(from, {})
  using database = new Database(databasePath(from))
  database.run("INSERT INTO organization (slug, name, created_at) VALUES ('seller', 'Seller', 1)")
  database
    .query(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO delivery_report SELECT 1700000000000000 + i, i % 7, i * 1.5, 1700000000000001, 1 FROM n`,
    )
    .run(rows)
  return { from, back, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

describe.if(noPostgres === null)("a move", () => {
  test("of anything at all to PostgreSQL and back leaves every row of every table as it was", async () => {
    await fc.assert(
      fc.asyncProperty(randomContent, async (content) => {
        using folder = temporaryFolder()
        await using database = await emptyDatabase()
        const [from, back] = [join(folder.path, "from"), join(folder.path, "back")]
        await fill(from, content)
        const there = await move(from, database.url, quietly)
        const home = await move(database.url, back, quietly)
        expect(await contentOf(back)).toEqual(await contentOf(from))
        expect(home.delivered).toBe(there.delivered)
        const { setting: _, ...others } = there.tables
        expect(home.tables).toMatchObject(others)
      }),
      { numRuns: 15 },
    )
  })

  test("brings along what a running server wrote until it stopped", async () => {
    using at = await given(30_000)
    await using database = await emptyDatabase()
    const { store } = await openStore(place(at.from), { create: false, stamp: "test" })
    let steps = ""
    await move(at.from, database.url, {
      async waitUntilFree(whoUsesIt) {
        expect(whoUsesIt).toContain(at.from)
        steps += "waited, "
        using file = new Database(databasePath(at.from))
        file.run("DELETE FROM delivery_report WHERE as_of = 1700000000000002")
        file.run("UPDATE delivery_report SET received_at = 5 WHERE as_of = 1700000000015000")
        file.run("INSERT INTO delivery_report VALUES (3, 1, 2, 4, 5), (1800000000000000, 1, 2, 4, 5)")
        file.run("INSERT INTO agent_call (at, method, outcome, duration_micros) VALUES (1, 'm', 'o', 1)")
        file.run("UPDATE organization SET name = 'Renamed'")
        await store[Symbol.asyncDispose]()
      },
      begins: () => {
        steps += "last step"
      },
    })
    expect(steps).toBe("waited, last step")
    await move(database.url, at.back, quietly)
    expect(await contentOf(at.back)).toEqual(await contentOf(at.from))
  })

  test("waits for the servers of a database to end too", async () => {
    using at = await given(10)
    await using database = await emptyDatabase()
    await move(at.from, database.url, quietly)
    const target = { ...place(at.from), databaseUrl: database.url }
    const store = wholeStore((await openStore(target, { create: false, stamp: "test" })).store)
    await store.organizations.findBySlug("seller")
    const seen: string[] = []
    await move(database.url, at.back, {
      async waitUntilFree(whoUsesIt) {
        // Asked again while the server has not yet noticed that we left.
        if (seen.push(whoUsesIt) > 1) return
        await store.organizations.create({ slug: "late", name: "Late", timeZone: "UTC" }, { actor: "command", at: 1 })
        await store[Symbol.asyncDispose]()
      },
      begins: () => undefined,
    })
    expect(seen[0]).toMatch(/connected to adbooth_test/)
    expect((await contentOf(at.back))["organization"]).toContain("late")
  })

  test("needs an empty target, says so before it copies, and leaves a target that it could not fill empty", async () => {
    using at = await given(20_000)
    await using database = await emptyDatabase()
    const stopped: MoveOptions["progress"] = (step, table) => {
      if (step === "check" && table === "organization") throw new Error("stopped")
    }
    await expect(move(at.from, database.url, { ...quietly, progress: stopped })).rejects.toThrow("stopped")
    await move(at.from, database.url, quietly)
    await expect(move(at.from, database.url, quietly)).rejects.toThrow("There is data in")
    await expect(move(database.url, at.back, { ...quietly, progress: stopped })).rejects.toThrow("stopped")
    await move(database.url, at.back, quietly)
    await expect(move(database.url, at.back, quietly)).rejects.toThrow("There is a database in")
    expect(readdirSync(at.back).filter((name) => name.startsWith("."))).toEqual([])
  })

  test("of a text that PostgreSQL cannot store names table and row before anything is written", async () => {
    using at = await given(1)
    await using database = await emptyDatabase()
    using file = new Database(databasePath(at.from))
    file.query("INSERT INTO product (product_id, body, created_at, updated_at) VALUES ('odd', ?1, 1, 1)").run("a\0b")
    await expect(move(at.from, database.url, quietly)).rejects.toThrow(/table product \(row "odd"\).*U\+0000/)
    // Nobody is asked to stop a server for it.
    const { store } = await openStore(place(at.from), { create: false, stamp: "test" })
    await expect(move(at.from, database.url, quietly)).rejects.toThrow(/table product \(row "odd"\).*U\+0000/)
    await store[Symbol.asyncDispose]()
  })

  test("from nowhere, or to where it comes from, is refused and leaves no trace", async () => {
    using at = await given(1)
    await using database = await emptyDatabase()
    await expect(move(at.back, database.url, quietly)).rejects.toThrow("There is no Adbooth database")
    await expect(move(database.url, at.back, quietly)).rejects.toThrow("There is no Adbooth data in")
    await expect(move(database.url, database.url, quietly)).rejects.toThrow("the same place")
    expect(existsSync(at.back)).toBe(false)
    const client = new SQL(database.url, { max: 1 })
    const tables = await client`SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace`
    expect([...tables]).toEqual([])
    await client.close()
  })

  test("numbers new rows after the copied ones", async () => {
    using at = await given(1)
    await using database = await emptyDatabase()
    await move(at.from, database.url, quietly)
    const client = new SQL(database.url, { max: 1 })
    const [made] =
      await client`INSERT INTO organization (slug, name, created_at) VALUES ('next', 'Next', 1) RETURNING id`
    expect(Number(made.id)).toBe(2)
    await client.close()
  })
})

function place(data: string) {
  return { data, databaseUrl: null, backupDir: null }
}
