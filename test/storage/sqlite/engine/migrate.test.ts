import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { copyFileSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { DeliveryTotal } from "../../../../src/domain/delivery/delivery.ts"
import { migrate, SCHEMA_VERSION } from "../../../../src/storage/sqlite/engine/migrate.ts"
import { markAsOurs } from "../../../../src/storage/sqlite/engine/open.ts"
import { sqliteStore } from "../../../../src/storage/sqlite/index.ts"
import { temporaryFolder } from "../../../harness.ts"
import { wholeStore } from "../../contract/whole-store.ts"

function pragma(path: string, name: string): unknown {
  using database = new Database(path)
  return Object.values(database.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get() ?? {})[0]
}

const STEPS = [
  { name: "0000_one", sql: "CREATE TABLE one (x TEXT) STRICT" },
  { name: "0001_two", sql: "CREATE TABLE two (x TEXT) STRICT" },
] as const

describe("opening a data directory", () => {
  test("makes a database in WAL mode with foreign keys, for its owner's eyes only", async () => {
    using folder = temporaryFolder()
    const data = join(folder.path, "data")
    const { store, migrated } = sqliteStore(data, "now")
    expect(migrated).toEqual({ from: 0, to: SCHEMA_VERSION, copy: null })
    expect(pragma(join(data, "adbooth.db"), "journal_mode")).toBe("wal")
    expect(statSync(data).mode & 0o777).toBe(0o700)
    for (const file of readdirSync(data)) expect(statSync(join(data, file)).mode & 0o777).toBe(0o600)
    await store[Symbol.asyncDispose]()
  })

  test("after a clean stop the file alone holds everything", async () => {
    using folder = temporaryFolder()
    const { store } = sqliteStore(folder.path, "now")
    await wholeStore(store).settings.set("address", "http://127.0.0.1:1")
    await store[Symbol.asyncDispose]()
    using copy = temporaryFolder()
    copyFileSync(join(folder.path, "adbooth.db"), join(copy.path, "adbooth.db"))
    await using copied = sqliteStore(copy.path, "now").store
    expect(await copied.settings.get("address")).toBe("http://127.0.0.1:1")
  })

  test("a copy of the database as it was is kept before an upgrade", () => {
    using folder = temporaryFolder()
    const path = join(folder.path, "adbooth.db")
    using database = new Database(path, { create: true })
    expect(migrate(database, path, "first", [STEPS[0]]).copy).toBeNull()
    const { from, to, copy } = migrate(database, path, "second", STEPS)
    expect({ from, to }).toEqual({ from: 1, to: 2 })
    expect(pragma(path, "user_version")).toBe(2)
    expect(pragma(copy ?? "", "user_version")).toBe(1)
  })

  test("an upgrade that fails leaves the database as it was, and no copy however often it is tried", () => {
    using folder = temporaryFolder()
    const path = join(folder.path, "adbooth.db")
    using database = new Database(path, { create: true })
    migrate(database, path, "first", [STEPS[0]])
    const broken = { name: "0001_broken", sql: "CREATE TABLE fine (x);--> statement-breakpoint\nCREATE TABLE one (x);" }
    expect(() => migrate(database, path, "second", [STEPS[0], broken])).toThrow(/already exists/)
    expect(pragma(path, "user_version")).toBe(1)
    expect(database.query("SELECT name FROM sqlite_schema WHERE name = 'fine'").all()).toEqual([])
    expect(readdirSync(folder.path)).toEqual(["adbooth.db"])
  })

  test("another process that has just created the database and holds it is waited for", async () => {
    using folder = temporaryFolder()
    const path = join(folder.path, "adbooth.db")
    {
      using begun = new Database(path, { create: true })
      markAsOurs(begun)
    }
    const holds = `const database = new (require("bun:sqlite").Database)(process.argv[1]); database.run("BEGIN EXCLUSIVE")
      console.log("held"); Bun.sleepSync(300); database.run("COMMIT")`
    await using other = Bun.spawn([process.execPath, "-e", holds, path], { stdout: "pipe" })
    await other.stdout.getReader().read()
    const { store, migrated } = sqliteStore(folder.path, "now")
    expect(migrated).toEqual({ from: 0, to: SCHEMA_VERSION, copy: null })
    await store[Symbol.asyncDispose]()
  })

  test("another program's database is left alone", () => {
    using folder = temporaryFolder()
    const database = new Database(join(folder.path, "adbooth.db"), { create: true })
    database.run("CREATE TABLE theirs (x)")
    database.close()
    expect(() => sqliteStore(folder.path, "now")).toThrow(/is a database of another program/)
  })
})

test("affiliate figures of an earlier version belong to the line that their code points to", async () => {
  using folder = temporaryFolder()
  using old = new Database(join(folder.path, "adbooth.db"), { create: true })
  old.run(await Bun.file("test/fixtures/0.1.0.sql").text())
  old.close()
  await using store = sqliteStore(folder.path, "now").store
  const codes = (await store.affiliateFigures.figures({ organizationIds: null })).codes
  expect(codes).toMatchObject([{ code: "SAVE10", slug: "save", clicks: 12n, valueMicros: 1_234_567_891n }])
})

test("the days of an earlier version are those of its reports at once, and after every step of working them out that a stop ends", async () => {
  using folder = temporaryFolder()
  using old = new Database(join(folder.path, "adbooth.db"), { create: true })
  old.run(await Bun.file("test/fixtures/0.1.0.sql").text())
  const reports = "SELECT as_of AS asOf, quantity FROM delivery_report WHERE line_id = ? ORDER BY as_of"
  // Of these lines each report is the only one of its day.
  const lineIds = [2, 3]
  const expected = new Map(lineIds.map((lineId) => [lineId, old.query<DeliveryTotal, [number]>(reports).all(lineId)]))
  old.close()
  let steps = 0
  for (let isOutdated = true; isOutdated; steps++) {
    await using opened = sqliteStore(folder.path, "now").store
    const store = wholeStore(opened)
    expect(await store.deliveryHistory.days(lineIds)).toEqual(expected)
    isOutdated = await store.deliveries.renewDays()
  }
  // Three days, one step to see that there are no more, and one that finds nothing to do.
  expect(steps).toBe(5)
})
