import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { writeQueue } from "../../src/storage/sqlite/write-queue.ts"
import { temporaryFolder } from "../harness.ts"

/** A database with one table of notes, a queue that writes to it, and a count of its commits. */
function given() {
  const folder = temporaryFolder()
  const path = join(folder.path, "queue.db")
  const database = new Database(path, { create: true, strict: true })
  database.run("PRAGMA journal_mode = WAL")
  database.run("PRAGMA busy_timeout = 0")
  database.run("CREATE TABLE note (text TEXT NOT NULL UNIQUE) STRICT")
  const queue = writeQueue(database)
  const insert = database.query("INSERT INTO note (text) VALUES (?1)")
  const watcher = new Database(path)
  return {
    path,
    queue,
    add: (text: string) => queue.run(() => insert.run(text).changes),
    notes: () =>
      watcher
        .query<{ text: string }, []>("SELECT text FROM note ORDER BY rowid")
        .all()
        .map(({ text }) => text),
    [Symbol.dispose]() {
      database.close()
      watcher.close()
      folder[Symbol.dispose]()
    },
  }
}

describe("the write queue", () => {
  test("answers each job with its own result, after the commit", async () => {
    using at = given()
    expect(await Promise.all([at.queue.run(() => "one"), at.queue.run(() => "two")])).toEqual(["one", "two"])
    await at.add("here")
    expect(at.notes()).toEqual(["here"])
  })

  test("jobs that arrive together share one commit", async () => {
    using at = given()
    const transactions: boolean[] = []
    at.queue.alongside({ waiting: () => false, write: () => void transactions.push(true), written: () => undefined })
    await Promise.all(["a", "b", "c", "d"].map(at.add))
    expect(transactions).toHaveLength(1)
    expect(at.notes()).toEqual(["a", "b", "c", "d"])
  })

  test("one caller's trouble is never another's", async () => {
    using at = given()
    const outcomes = await Promise.allSettled([at.add("a"), at.add("a"), at.add("b")])
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
    expect(at.notes()).toEqual(["a", "b"])
  })

  test("a job that throws writes nothing of its own", async () => {
    using at = given()
    const broken = at.queue.run(() => {
      at.add("later")
      throw new Error("broken")
    })
    expect(broken).rejects.toThrow("broken")
    await at.queue.drained()
    expect(at.notes()).toEqual(["later"])
  })

  test("notes ride along, and are forgotten only once they are on disk", async () => {
    using at = given()
    const waiting = ["note"]
    const done: string[] = []
    at.queue.alongside({
      waiting: () => waiting.length > 0,
      write: () => undefined,
      written: () => void done.push(...waiting.splice(0)),
    })
    await Promise.allSettled([at.queue.run(() => Promise.reject), at.queue.flushNotes()])
    expect(done).toEqual(["note"])
  })

  test("a lock of another process is waited for without blocking, and the write happens when it goes away", async () => {
    using at = given()
    const other = new Database(at.path)
    other.run("BEGIN IMMEDIATE")
    let turns = 0
    const ticking = setInterval(() => {
      turns += 1
      if (turns === 5) other.run("ROLLBACK")
    }, 5)
    await at.add("after the lock")
    clearInterval(ticking)
    other.close()
    expect(turns).toBeGreaterThanOrEqual(5)
    expect(at.notes()).toEqual(["after the lock"])
  })
})
