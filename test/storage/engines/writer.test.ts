import { Database as Connection } from "bun:sqlite"
import { expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Tx } from "../../../src/storage/database.ts"
import { openDatabase } from "../../../src/storage/engines.ts"
import { databaseFile } from "../../../src/storage/sqlite/directory.ts"
import { openFile } from "../../../src/storage/sqlite/file.ts"
import { openWriter } from "../../../src/storage/sqlite/writer.ts"
import { quickFolder } from "../../harness/folder.ts"
import { until } from "../../harness/until.ts"

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined }

const add = (tx: Tx, slug: string, address = "") =>
  tx.db.insert(tx.organization).values({ slug, name: slug, timeZone: "UTC", address })

/** A writer on a file that a second connection can lock. */
async function openTestWriter(waitMsMax?: number) {
  const directory = mkdtempSync(join(quickFolder, "adbooth-writer-"))
  await (await openDatabase(directory, QUIET)).close()
  const connection = openFile(databaseFile(directory))
  connection.run("PRAGMA busy_timeout = 0")
  const other = new Connection(databaseFile(directory))
  const options = { log: QUIET, onSyncFailure: () => undefined, ...(waitMsMax !== undefined && { waitMsMax }) }
  const writer = openWriter(connection, options)
  return {
    ...writer,
    connection,
    other,
    slugs: () =>
      other
        .query<{ slug: string }, []>("SELECT slug FROM organization ORDER BY id")
        .all()
        .map(({ slug }) => slug),
    async [Symbol.asyncDispose]() {
      await writer.close()
      connection.close()
      other.close()
      rmSync(directory, { recursive: true })
    },
  }
}

test("while the disk is full, writes fail and reads work; afterwards everything works again", async () => {
  await using writer = await openTestWriter()
  const { page_count: pages } = writer.other.query("PRAGMA page_count").get() as { page_count: number }
  writer.connection.run(`PRAGMA max_page_count = ${pages}`)
  const large = "x".repeat(100_000)
  const jobs = await Promise.allSettled([
    writer.transact((tx) => add(tx, "first")),
    writer.transact((tx) => add(tx, "second", large)),
    writer.transact((tx) => add(tx, "third")),
  ])
  expect(jobs.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  expect(writer.slugs()).toEqual(["first", "third"])
  await expect(writer.transact((tx) => add(tx, "fourth", large))).rejects.toThrow("full")
  expect(writer.problem()).toContain("full")

  writer.connection.run("PRAGMA max_page_count = 1000000")
  await writer.transact((tx) => add(tx, "fifth", large))
  expect(writer.problem()).toBeNull()
  expect(writer.slugs()).toEqual(["first", "third", "fifth"])
})

test("a write waits while another process writes", async () => {
  await using writer = await openTestWriter()
  writer.other.run("BEGIN IMMEDIATE")
  let isDone = false
  const written = writer
    .transact((tx) => add(tx, "patient"))
    .finally(() => {
      isDone = true
    })
  const until50 = performance.now() + 50
  await until(() => performance.now() > until50)
  expect(isDone).toBe(false)
  writer.other.run("COMMIT")
  await written
  expect(writer.slugs()).toEqual(["patient"])
})

test("a write fails if another process locks the file for too long", async () => {
  await using writer = await openTestWriter(60)
  writer.other.run("BEGIN IMMEDIATE")
  const jobs = await Promise.allSettled(["a", "b"].map((slug) => writer.transact((tx) => add(tx, slug))))
  expect(jobs.map(({ status }) => status)).toEqual(["rejected", "rejected"])
  writer.other.run("ROLLBACK")
  await writer.transact((tx) => add(tx, "later"))
  expect(writer.slugs()).toEqual(["later"])
})

test("while another process writes, each write waits for its own time", async () => {
  await using writer = await openTestWriter()
  writer.other.run("BEGIN IMMEDIATE")
  const earlier = writer.transact((tx) => add(tx, "earlier"), { since: performance.now() - 60_000 })
  const later = writer.transact((tx) => add(tx, "later"))
  const answer = await earlier.catch((cause: Error) => cause.message)
  writer.other.run("ROLLBACK")
  await later
  expect(answer).toBe("Other writes took too long.")
  expect(writer.slugs()).toEqual(["later"])
})

test("a job whose caller was answered leaves the queue", async () => {
  await using writer = await openTestWriter(60)
  const gate = Promise.withResolvers<void>()
  const slow = writer.transact(async (tx) => {
    await gate.promise
    return add(tx, "slow")
  })
  // It waits behind the slow one, not in its commit.
  await until(() => writer.connection.inTransaction)
  await expect(writer.transact((tx) => add(tx, "late"))).rejects.toThrow("Other writes took too long.")
  gate.resolve()
  await slow
  expect(writer.slugs()).toEqual(["slow"])
})

test("a transaction that hangs fails, and the next one works", async () => {
  await using writer = await openTestWriter()
  const hanging = writer.transact(() => new Promise(() => undefined), { msMax: 20 })
  await expect(hanging).rejects.toThrow("A transaction took too long.")
  await writer.transact((tx) => add(tx, "next"))
  expect(writer.slugs()).toEqual(["next"])
})
