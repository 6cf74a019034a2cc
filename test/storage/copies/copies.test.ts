import { Database as Connection } from "bun:sqlite"
import { expect, test } from "bun:test"
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { eq } from "drizzle-orm"
import {
  backupPath,
  checkBackupNamed,
  receiveBackup,
  restoreBackup,
  restoreFromFolder,
} from "../../../src/actions/operations/backups.ts"
import { catalogueRevision } from "../../../src/storage/catalogue/catalogue.ts"
import { checkBackup, createBackup } from "../../../src/storage/copies/backup.ts"
import {
  COPIED_TABLES,
  type CopiedTable,
  copiedTables,
  csvLines,
  exportedTables,
  exportLines,
  rowsOf,
} from "../../../src/storage/copies/copy.ts"
import type { ReadTx } from "../../../src/storage/database.ts"
import { saveSetting } from "../../../src/storage/operations/settings.ts"
import { eachEngine, openStore, type TestStore } from "../../harness/store.ts"
import { fillWithRandomContent, MANY, SECRET } from "./random-content.ts"

type Content = Partial<Record<CopiedTable, unknown[]>>

/** All rows of these tables. */
async function contentOf(read: ReadTx, tables: readonly CopiedTable[] = copiedTables): Promise<Content> {
  const content: Content = {}
  for (const table of tables) {
    const rows = (await Array.fromAsync(rowsOf(read, table))).flat()
    content[table] = rows
  }
  return content
}

// A restore changes the stamps of organizations, and adds to the audit log.
const kept = copiedTables.filter(
  (table) => COPIED_TABLES[table].isEmptied !== true && !["organization", "auditEntry"].includes(table),
)

async function filledStore(engine: "SQLite" | "PostgreSQL", seed: number, reports?: number): Promise<TestStore> {
  const store = await openStore(engine)
  await store.database.transactAlone((tx) => fillWithRandomContent(tx, seed, reports))
  return store
}

const addOrganization = ({ database }: TestStore, slug: string) =>
  database.transact((tx) =>
    tx.db.insert(tx.organization).values({ slug, name: slug, timeZone: "UTC" }).returning({ id: tx.organization.id }),
  )

eachEngine((engine) => {
  test("a backup holds everything, and a restore replaces everything with it", async () => {
    await using store = await filledStore(engine, 1, MANY)
    const { read } = store.database
    const before = await contentOf(read)
    const file = join(store.folder, "backup.db")
    const backup = await createBackup(store.database, file)
    expect(backup.rows).toBe(Object.values(before).flat().length)
    expect(await checkBackup(file)).toMatchObject({ rows: backup.rows })

    await addOrganization(store, "added-later")
    await store.database.transact((tx) => tx.db.delete(tx.deliveryReport))
    await restoreBackup(store, null, file)
    expect(await contentOf(read, kept)).toEqual(Object.fromEntries(kept.map((table) => [table, before[table]])))
    const names = ({ organization }: Content) => organization?.map((row) => (row as { slug: string }).slug)
    expect(names(await contentOf(read, ["organization"]))).toEqual(names(before))
  })

  test("a restore is in the audit log of what was restored, and what it replaced is kept", async () => {
    await using store = await filledStore(engine, 7)
    const { database, services } = store
    mkdirSync(services.backups.folder, { recursive: true })
    await createBackup(database, join(services.backups.folder, "adbooth-20260301T000000Z.db"))
    const restored = await restoreFromFolder(store, "ada@example.com", "adbooth-20260301T000000Z.db")
    expect(restored).toMatchObject({ problem: null, replaced: "adbooth-20260302T120000Z.db" })
    expect(await services.backups.list()).toMatchObject([{ name: "adbooth-20260302T120000Z.db" }])
    const entries = (await contentOf(database.read, ["auditEntry"])).auditEntry
    expect(entries?.at(-1)).toMatchObject({
      actor: "ada@example.com",
      text: "restored the backup adbooth-20260301T000000Z.db",
    })
    const failed = await restoreFromFolder(store, "ada@example.com", "adbooth-20260101T000000Z.db")
    expect(failed).toMatchObject({ replaced: "adbooth-20260302T120000Z.db" })
    expect(failed.problem).toContain("There is no file")
  })

  test("an uploaded backup is checked before it's kept", async () => {
    await using store = await filledStore(engine, 8)
    const file = join(store.folder, "sound.db")
    await createBackup(store.database, file)
    const name = await receiveBackup(store, "user:1", {
      name: "adbooth-20260101T000000Z.db",
      chunks: Bun.file(file).stream(),
    })
    expect(await checkBackupNamed(store, name)).toMatchObject({ schema: 1 })
    expect(() => backupPath(store, "../adbooth.db")).toThrow("isn't the name of a backup")
    const text = new Blob(["hello ".repeat(999)]).stream()
    await expect(receiveBackup(store, "user:1", { name: "mine.db", chunks: text })).rejects.toThrow(
      "The uploaded file is damaged",
    )
    expect(readdirSync(store.services.backups.folder).filter((one) => one.includes(".db"))).toEqual([name])
  })

  test("a restore signs everybody out, and what was revoked since stays revoked", async () => {
    await using store = await filledStore(engine, 2)
    const { database } = store
    const { apiKey, buyerKey, shareLink } = database.read
    await database.transact(async (tx) => {
      for (const table of [apiKey, buyerKey, shareLink]) await tx.db.update(table).set({ revokedAt: null })
    })
    const file = join(store.folder, "backup.db")
    await createBackup(database, file)
    await database.transact(async (tx) => {
      for (const table of [apiKey, buyerKey, shareLink]) await tx.db.update(table).set({ revokedAt: 5 })
    })
    await restoreBackup(store, null, file)
    for (const table of [apiKey, buyerKey, shareLink])
      for (const row of await database.read.db.select().from(table)) expect(row.revokedAt).toBe(5)
    const emptied = await contentOf(database.read, ["session", "oneTimeLink", "invitation"])
    expect(emptied).toEqual({ session: [], oneTimeLink: [], invitation: [] })
  })

  test("running servers notice a restore", async () => {
    await using store = await filledStore(engine, 3)
    const other = await store.openAnother()
    const file = join(store.folder, "backup.db")
    await createBackup(store.database, file)
    const before = await catalogueRevision(other.database.read)
    const { organization } = other.database.read
    const stamps = () => other.database.read.db.select({ stamp: organization.stamp }).from(organization)
    const stampsBefore = await stamps()
    await restoreBackup(store, null, file)
    expect(await catalogueRevision(other.database.read)).toBeGreaterThan(before)
    expect(await stamps()).not.toContainEqual(stampsBefore[0])
    // New rows are numbered after the restored ones.
    const [added] = await addOrganization(other, "new")
    expect(added?.id).toBeGreaterThan(6 * 3 + 5)
  })

  test("a compressed backup is restored as well", async () => {
    await using store = await filledStore(engine, 4)
    const file = join(store.folder, "backup.db.gz")
    const { bytes } = await createBackup(store.database, file, { isPacked: true })
    expect(gunzipSync(await Bun.file(file).bytes()).length).toBeGreaterThan(bytes)
    await addOrganization(store, "added-later")
    await restoreBackup(store, null, file)
    const { organization, db } = store.database.read
    expect(await db.select().from(organization).where(eq(organization.slug, "added-later"))).toEqual([])
  })

  test("a backup that is damaged, newer or something else is refused, and nothing changes", async () => {
    await using store = await filledStore(engine, 5)
    const sound = join(store.folder, "sound.db")
    await createBackup(store.database, sound)
    const before = await contentOf(store.database.read)
    const attempt = (name: string, change: (file: string) => void) => {
      const file = join(store.folder, name)
      copyFileSync(sound, file)
      change(file)
      return expect(restoreBackup(store, null, file)).rejects
    }
    const sql = (statement: string) => (file: string) => {
      using connection = new Connection(file)
      connection.run(statement)
    }
    await attempt("damaged.db", (file) => {
      const bytes = new Uint8Array(new Uint8Array(Bun.mmap(file)))
      bytes.fill(255, bytes.length / 2, bytes.length / 2 + 9_000)
      writeFileSync(file, bytes)
    }).toThrow("damaged")
    await attempt("text.db", (file) => writeFileSync(file, "hello ".repeat(999))).toThrow("isn't a database")
    await attempt("newer.db", sql("PRAGMA user_version = 99")).toThrow("newer version")
    await attempt("foreign.db", sql("PRAGMA application_id = 7")).toThrow("isn't a database of Adbooth")
    await attempt("missing.db", (file) => rmSync(file)).toThrow("There is no file")
    // It's found to be wrong in the middle of the transaction.
    await attempt("incomplete.db", sql("DROP TABLE upload_memory")).toThrow("upload_memory")
    expect(await contentOf(store.database.read)).toEqual(before)
    expect(readdirSync(store.folder).filter((name) => name.includes("partial"))).toEqual([])
  })

  test("an export has every row, and no secret", async () => {
    await using store = await filledStore(engine, 6, MANY)
    await store.database.transact((tx) => saveSetting(tx, "secret.mail", "smtp://user:password@host"))
    const [lines, tables] = await store.database.snapshot(async (read) => {
      const lines = (await Array.fromAsync(exportLines(read))).join("").trimEnd().split("\n")
      const tables = await Promise.all(exportedTables(read).map((table) => Array.fromAsync(csvLines(table))))
      return [lines, tables]
    })
    expect(lines.length).toBeGreaterThan(12_000)
    const exported = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line))))
    expect(exported.size).toBe(tables.length)
    expect(exported).toContain("delivery_report")
    for (const text of [lines.join(""), tables.flat().join("")]) {
      expect(text).toContain("Jürgen")
      expect(text).not.toContain(SECRET)
      expect(text).not.toContain("password@host")
    }
  })
})
