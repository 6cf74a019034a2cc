import { Database as Connection } from "bun:sqlite"
import { expect, test } from "bun:test"
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openDatabase } from "../../../src/storage/engines.ts"
import { previewRollback, rollBack } from "../../../src/storage/sqlite/copy-file.ts"
import { databaseFile, runningServer } from "../../../src/storage/sqlite/directory.ts"
import { migrateSqlite, openFile, SCHEMA, schemaOf } from "../../../src/storage/sqlite/file.ts"
import { quickFolder } from "../../harness/folder.ts"

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined }
const open = (directory: string, server?: string) =>
  openDatabase(directory, QUIET, server === undefined ? {} : { server })

function temporaryDirectory() {
  const path = mkdtempSync(join(quickFolder, "adbooth-server-"))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

async function slugsIn(directory: string): Promise<string[]> {
  const database = await open(directory)
  const rows = await database.read.rows("SELECT slug FROM organization ORDER BY id", [], { slug: String })
  await database.close()
  return rows.map(({ slug }) => slug)
}

test("a second server refuses to start and names the first, and commands work beside it", async () => {
  using directory = temporaryDirectory()
  const server = await open(directory.path, "process 7")
  await expect(open(directory.path, "process 8")).rejects.toThrow("in use by a server: process 7")
  const command = await open(directory.path)
  await command.transact((tx) => tx.db.insert(tx.organization).values({ slug: "acme", name: "Acme", timeZone: "UTC" }))
  await command.close()
  expect(await server.read.db.select().from(server.read.organization)).toHaveLength(1)
  expect(runningServer(directory.path)).toBe("process 7")
  await server.close()
  expect(runningServer(directory.path)).toBeNull()
  await (await open(directory.path, "process 8")).close()
})

test("a server that was killed is no obstacle, and what it committed is there", async () => {
  using directory = temporaryDirectory()
  const script = `
    const { openDatabase } = await import(${JSON.stringify(join(import.meta.dir, "../../../src/storage/engines.ts"))})
    const quiet = { info() {}, warn() {}, error() {} }
    const database = await openDatabase(${JSON.stringify(directory.path)}, quiet, { server: "killed" })
    await database.transact((tx) => tx.db.insert(tx.organization).values({ slug: "acme", name: "Acme", timeZone: "UTC" }))
    console.log("committed")
    await new Promise(() => setInterval(() => undefined, 1_000))`
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" })
  for await (const chunk of child.stdout) if (new TextDecoder().decode(chunk).includes("committed")) break
  await expect(open(directory.path, "process 8")).rejects.toThrow("killed")
  child.kill("SIGKILL")
  await child.exited
  await (await open(directory.path, "process 8")).close()
  expect(await slugsIn(directory.path)).toEqual(["acme"])
})

test("servers that start at once on a new directory: one wins", async () => {
  using directory = temporaryDirectory()
  const started = await Promise.allSettled(["1", "2", "3"].map((name) => open(directory.path, name)))
  const databases = started.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []))
  expect(databases).toHaveLength(1)
  for (const database of databases) await database.close()
})

test("a directory that lost its database is refused", async () => {
  using directory = temporaryDirectory()
  await (await open(directory.path, "process 7")).close()
  rmSync(databaseFile(directory.path))
  await expect(open(directory.path, "process 7")).rejects.toThrow("is missing, although a server has used it")
  writeFileSync(databaseFile(directory.path), "")
  await expect(open(directory.path, "process 7")).rejects.toThrow("is empty")
  expect(statSync(databaseFile(directory.path)).size).toBe(0)
})

test("a damaged database is reported, with a way to restore it", async () => {
  using directory = temporaryDirectory()
  writeFileSync(databaseFile(directory.path), "no database ".repeat(999))
  await expect(open(directory.path)).rejects.toThrow("Move it away, then restore a backup")
})

test("another program's database, a newer one and a missing one are refused", async () => {
  using directory = temporaryDirectory()
  const missing = openDatabase(join(directory.path, "none"), QUIET, { mayCreate: false })
  await expect(missing).rejects.toThrow("There is no Adbooth database")
  const foreign = new Connection(databaseFile(directory.path))
  foreign.run("CREATE TABLE other (id)")
  foreign.close()
  await expect(open(directory.path)).rejects.toThrow("isn't a database of Adbooth")
  rmSync(databaseFile(directory.path))
  await (await open(directory.path)).close()
  const newer = new Connection(databaseFile(directory.path))
  newer.run("PRAGMA user_version = 99")
  newer.close()
  await expect(open(directory.path)).rejects.toThrow("newer version")
})

test("other users of the machine can't read the data", async () => {
  using directory = temporaryDirectory()
  const data = join(directory.path, "data")
  const server = await open(data, "process 7")
  expect(statSync(data).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(data)) expect(statSync(join(data, name)).mode & 0o077).toBe(0)
  await server.close()
})

test("an upgrade keeps a copy, only a server may do it, and a rollback returns to it", async () => {
  using directory = temporaryDirectory()
  const file = databaseFile(directory.path)
  const database = await open(directory.path)
  await database.transact((tx) =>
    tx.db.insert(tx.organization).values(["kept", "old"].map((slug) => ({ slug, name: slug, timeZone: "UTC" }))),
  )
  await database.close()
  const migrations = [
    ...Array<string>(SCHEMA).fill(""),
    "CREATE TABLE newest (id INTEGER); DELETE FROM organization WHERE slug = 'old'",
  ]
  const connection = openFile(file)
  expect(() => migrateSqlite(connection, file, { mayUpgrade: false, migrations })).toThrow(
    "Start the server of this version",
  )
  const failing = [...migrations.slice(0, -1), "CREATE TABLE newest (id INTEGER); NONSENSE"]
  expect(() => migrateSqlite(connection, file, { mayUpgrade: true, migrations: failing })).toThrow("is as before")
  expect(schemaOf(connection)).toBe(SCHEMA)
  expect(readdirSync(directory.path).filter((name) => name.includes("before-upgrade"))).toEqual([])

  const copy = migrateSqlite(connection, file, { mayUpgrade: true, migrations })
  expect(schemaOf(connection)).toBe(SCHEMA + 1)
  connection.close()
  expect(previewRollback(directory.path)).toMatchObject({
    copy,
    from: SCHEMA + 1,
    to: SCHEMA,
  })
  const aside = rollBack(directory.path, "now")
  expect(statSync(aside).size).toBeGreaterThan(0)
  expect(await slugsIn(directory.path)).toEqual(["kept", "old"])
})
