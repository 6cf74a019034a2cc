import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { removeCampaign } from "../../../../src/actions/campaigns/campaigns.ts"
import { createIngestKey } from "../../../../src/actions/keys/keys.ts"
import { checkBackup } from "../../../../src/storage/open.ts"
import { backUp } from "../../../../src/storage/sqlite/backup/backup.ts"
import { restore } from "../../../../src/storage/sqlite/backup/restore.ts"
import { sqliteStore } from "../../../../src/storage/sqlite/index.ts"
import { currentTotal, post, report } from "../../../doors/ingest/feed.ts"
import { givenIngestKey, givenPackageLine } from "../../../given.ts"
import { startApp, temporaryFolder } from "../../../harness.ts"

const FORCE = { mayReplace: async () => true, stamp: "then" }
const PLAIN = { mayReplace: async () => false, stamp: "then" }

async function totalsIn(directory: string): Promise<(number | undefined)[]> {
  const { store } = sqliteStore(directory, "test")
  await using _ = store
  return (await store.packageLines.listWithTotals(null)).map(({ total }) => total?.quantity)
}

describe("a backup of a running server", () => {
  test.each([false, true])(
    "holds what was accepted, is counted, and restores elsewhere (packed: %s)",
    async (isPacked) => {
      await using app = await startApp()
      using folder = temporaryFolder()
      const line = await givenPackageLine(app)
      const key = await givenIngestKey(app, line.seller)
      await report(app, key, [{ package_id: line.packageId, impressions: 500 }])
      const file = join(folder.path, "copy")
      const made = await backUp(app.config.data, file, isPacked)
      expect(made.rows).toMatchObject({ delivery_report: 1, delivery_total: 1, package_line: 1 })
      expect(made.bytes).toBe(statSync(file).size)
      expect(readdirSync(folder.path)).toEqual(["copy"])
      const elsewhere = join(folder.path, "new")
      expect(await restore(elsewhere, file, PLAIN)).toMatchObject({ rows: made.rows, aside: null })
      expect(await totalsIn(elsewhere)).toEqual([500])
    },
  )

  test("is readable by its owner only, like the database and what SQLite keeps beside it", async () => {
    await using app = await startApp()
    await givenPackageLine(app)
    const file = join(app.config.data, "copy")
    await backUp(app.config.data, file, true)
    const modes = ["copy", "adbooth.db", "adbooth.db-wal"].map(
      (name) => statSync(join(app.config.data, name)).mode & 0o777,
    )
    expect(modes).toEqual([0o600, 0o600, 0o600])
  })

  test.each(["gzip", "zstd"] as const)(
    "that was made to fill the disk (%s) is refused, and leaves nothing behind",
    async (kind) => {
      using folder = temporaryFolder()
      const file = join(folder.path, "bomb")
      const zeros = new Uint8Array(32 * 1_048_576)
      const packed = kind === "gzip" ? Bun.gzipSync(zeros) : Bun.zstdCompressSync(zeros)
      // Both kinds may be several files one after another.
      writeFileSync(file, Buffer.concat(Array.from({ length: 4 }, () => packed)))
      const target = join(folder.path, "new")
      await expect(restore(target, file, PLAIN)).rejects.toThrow("more than 100 times its size")
      expect(existsSync(target)).toBe(false)
    },
  )

  test("never takes the place of the database itself", async () => {
    await using app = await startApp()
    const before = statSync(join(app.config.data, "adbooth.db")).ino
    await expect(backUp(app.config.data, join(app.config.data, "adbooth.db"), false)).rejects.toThrow(
      "the database itself",
    )
    expect(statSync(join(app.config.data, "adbooth.db")).ino).toBe(before)
  })

  test("leaves an earlier copy alone when a new one cannot be made", async () => {
    await using app = await startApp()
    using folder = temporaryFolder()
    const file = join(folder.path, "copy")
    writeFileSync(file, "earlier")
    writeFileSync(join(app.config.data, "other"), "no directory")
    await expect(backUp(join(app.config.data, "other"), file, false)).rejects.toThrow("no Adbooth database")
    expect(await Bun.file(file).text()).toBe("earlier")
  })
})

describe("restoring under a running server", () => {
  test("goes back to the backup, keeps what was there aside, and the server serves on", async () => {
    await using app = await startApp()
    const line = await givenPackageLine(app)
    const key = await givenIngestKey(app, line.seller)
    const item = (impressions: number) => ({ package_id: line.packageId, impressions })
    await report(app, key, [item(500)])
    const file = join(app.config.data, "copy")
    await backUp(app.config.data, file, true)
    app.clock.advance({ minutes: 5 })
    await report(app, key, [item(900)])

    const { aside } = await restore(app.config.data, file, FORCE)
    expect(await currentTotal(app, line.packageId)).toMatchObject({ quantity: 500 })
    // What was judged by the rows of before is judged again.
    app.clock.advance({ minutes: 5 })
    expect((await report(app, key, [item(901)])).results[0]).toMatchObject({ status: "accepted" })
    using kept = new Database(aside ?? "", { readonly: true })
    expect(kept.query("SELECT quantity FROM delivery_total").all()).toEqual([{ quantity: 900 }])
  })

  test("refuses to replace data unasked, and changes nothing", async () => {
    await using app = await startApp()
    await givenPackageLine(app)
    const file = join(app.config.data, "copy")
    await backUp(app.config.data, file, false)
    const line = await givenPackageLine(app)
    await expect(restore(app.config.data, file, PLAIN)).rejects.toThrow("Nothing was changed")
    expect((await app.store.deliveries.linesSold(line.seller.id, [line.packageId])).items[0]).toBeDefined()
  })

  test("a key that was revoked after the backup stays revoked", async () => {
    await using app = await startApp()
    const line = await givenPackageLine(app)
    const { record, secret } = await createIngestKey(app, line.seller, "feed", "test")
    const file = join(app.config.data, "copy")
    await backUp(app.config.data, file, false)
    await app.store.ingestKeys.revoke(record.id, null, { actor: "test", at: app.clock() })
    await restore(app.config.data, file, FORCE)
    expect((await post(app, "/api/ingest/delivery/metrics", secret, {})).status).toBe(401)
  })

  test("a link, to share or to order, that was ended after the backup stays ended", async () => {
    await using app = await startApp()
    await givenPackageLine(app)
    using database = new Database(join(app.config.data, "adbooth.db"))
    database.run(`INSERT INTO share_link (token_hash, campaign_id, organization_id, label, created_at, expires_at)
      SELECT 'hash', id, buyer_id, 'For the buyer', 1, 2 FROM campaign`)
    database.run(`INSERT INTO order_link (token_hash, product_id, label, territories, created_at, expires_at)
      VALUES ('hash', 'audio', 'For the buyer', '[]', 1, 2)`)
    const file = join(app.config.data, "copy")
    await backUp(app.config.data, file, false)
    database.run("UPDATE share_link SET revoked_at = 7")
    database.run("UPDATE order_link SET ended_at = 8")
    await restore(app.config.data, file, FORCE)
    expect(database.query("SELECT revoked_at FROM share_link").all()).toEqual([{ revoked_at: 7 }])
    expect(database.query("SELECT ended_at FROM order_link").all()).toEqual([{ ended_at: 8 }])
  })

  test("links to share a campaign that was deleted after the backup do not work again", async () => {
    await using app = await startApp()
    const line = await givenPackageLine(app)
    using database = new Database(join(app.config.data, "adbooth.db"))
    database.run(`INSERT INTO share_link (token_hash, campaign_id, organization_id, label, created_at, expires_at)
      SELECT 'hash', id, buyer_id, 'For the buyer', 1, 2 FROM campaign`)
    const file = join(app.config.data, "copy")
    await backUp(app.config.data, file, false)
    const [stored] = await app.store.packageLines.listWithTotals(line.seller.id)
    expect(await removeCampaign(app, line.seller, stored?.campaign ?? "", "test")).toBe("done")
    await restore(app.config.data, file, FORCE)
    expect(database.query("SELECT revoked_at FROM share_link").all()).toEqual([{ revoked_at: app.clock() }])
  })

  test("an invitation that was used or withdrawn after the backup does not work again: all end", async () => {
    await using app = await startApp()
    await givenPackageLine(app)
    using database = new Database(join(app.config.data, "adbooth.db"))
    database.run(`INSERT INTO invitation (organization_id, email, name, role, token_hash, created_at, expires_at)
      SELECT id, 'ben@example.com', 'Ben', 'admin', slug, 1, 2 FROM organization`)
    const file = join(app.config.data, "copy")
    await backUp(app.config.data, file, false)
    await restore(app.config.data, file, FORCE)
    expect(database.query("SELECT * FROM invitation").all()).toEqual([])
  })

  test("a cached catalogue is of the past: its revision moves on", async () => {
    await using app = await startApp()
    const file = join(app.config.data, "copy")
    await givenPackageLine(app)
    await backUp(app.config.data, file, false)
    const before = await app.store.catalogue.revision()
    await restore(app.config.data, file, FORCE)
    expect(await app.store.catalogue.revision()).toBeGreaterThan(before)
  })
})

describe("what is no sound backup is refused before anything changes", () => {
  test.each([
    ["a text", "hello", "not a valid database"],
    [
      "half a gzip file",
      Bun.gzipSync(crypto.getRandomValues(new Uint8Array(10_000))).slice(0, 5_000),
      "cannot be read",
    ],
    ["an empty file", "", "is not an Adbooth backup."],
  ])("%s", async (_, content, sentence) => {
    using folder = temporaryFolder()
    const file = join(folder.path, "copy")
    writeFileSync(file, content)
    const data = join(folder.path, "data")
    await expect(restore(data, file, FORCE)).rejects.toThrow(sentence)
    expect(existsSync(join(data, "adbooth.db"))).toBe(false)
  })

  test("a copy that lost its end", async () => {
    await using app = await startApp()
    const file = join(app.config.data, "copy")
    const { bytes } = await backUp(app.config.data, file, false)
    truncateSync(file, bytes - 8_192)
    await expect(restore(app.config.data, file, FORCE)).rejects.toThrow(/damaged|not a valid database/)
  })

  test.each([
    [
      "a trigger",
      'trigger "evil"',
      "CREATE TRIGGER evil AFTER INSERT ON user BEGIN UPDATE user SET is_operator = 1; END",
    ],
    ["a view", 'view "seen"', "CREATE VIEW seen AS SELECT * FROM user"],
    ["an index", 'index "mine"', "CREATE INDEX mine ON user (name)"],
    ["a table", 'table "mine"', "CREATE TABLE mine (a)"],
    ["a column", 'table "user" was changed', "ALTER TABLE user ADD COLUMN mine TEXT"],
    ["a table too few", 'table "session" is missing', "DROP TABLE session"],
  ])("a copy with %s that is not ours", async (_, what, sql) => {
    await using app = await startApp()
    const file = join(app.config.data, "copy")
    await backUp(app.config.data, file, false)
    const database = new Database(file)
    database.run(sql)
    database.close()
    await expect(restore(app.config.data, file, FORCE)).rejects.toThrow(`the ${what}`)
    await expect(checkBackup(file, "test")).rejects.toThrow(`the ${what}`)
  })

  test("a copy of a newer version", async () => {
    await using app = await startApp()
    const file = join(app.config.data, "copy")
    await backUp(app.config.data, file, false)
    using database = new Database(file)
    database.run("PRAGMA user_version = 1000")
    await expect(restore(app.config.data, file, FORCE)).rejects.toThrow("newer version")
  })
})

describe("a database that is damaged", () => {
  async function damaged() {
    const folder = temporaryFolder()
    const { store } = sqliteStore(folder.path, "test")
    await store[Symbol.asyncDispose]()
    const file = join(folder.path, "copy")
    await backUp(folder.path, file, false)
    writeFileSync(join(folder.path, "adbooth.db"), "rubbish")
    return { file, path: folder.path, [Symbol.dispose]: () => folder[Symbol.dispose]() }
  }

  test("is moved aside as it is, and the backup takes its place", async () => {
    using folder = await damaged()
    const { aside } = await restore(folder.path, folder.file, FORCE)
    expect(await Bun.file(aside ?? "").text()).toBe("rubbish")
    expect(await totalsIn(folder.path)).toEqual([])
  })

  test("is not replaced while a server has it open: its writes would go nowhere", async () => {
    await using app = await startApp()
    using folder = await damaged()
    const { data } = app.config
    await backUp(data, join(folder.path, "copy"), false)
    using database = new Database(join(data, "adbooth.db"))
    // Another program's mark makes the file unusable for us while the server still holds it.
    database.run("PRAGMA application_id = 7")
    await expect(restore(data, join(folder.path, "copy"), FORCE)).rejects.toThrow("Stop it")
  })
})
