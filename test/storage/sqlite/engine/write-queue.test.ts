import { Database } from "bun:sqlite"
import { describe, expect, spyOn, test } from "bun:test"
import { dirname, join } from "node:path"
import { tableCaches } from "../../../../src/storage/sqlite/cache/caches.ts"
import { RESTORE_COUNT } from "../../../../src/storage/sqlite/engine/counters.ts"
import { workFolder } from "../../../../src/storage/sqlite/engine/work-folder.ts"
import { writeQueue } from "../../../../src/storage/sqlite/engine/write-queue.ts"
import { temporaryFolder } from "../../../harness.ts"

/** A database with one table of notes, a queue that writes to it, and a count of its commits. */
function given() {
  const folder = temporaryFolder()
  const path = join(folder.path, "queue.db")
  const database = new Database(path, { create: true, strict: true })
  database.run("PRAGMA journal_mode = WAL")
  database.run("PRAGMA busy_timeout = 0")
  database.run("CREATE TABLE note (text TEXT NOT NULL UNIQUE) STRICT")
  database.run("CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
  const caches = tableCaches(database)
  const queue = writeQueue(database, { caches })
  const insert = database.query("INSERT INTO note (text) VALUES (?1)")
  const watcher = new Database(path)
  return {
    path,
    queue,
    caches,
    insert: (text: string) => void insert.run(text),
    elsewhere: (sql: string) => void watcher.run(sql),
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
    const rows = at.queue.behind<string>({}, () => void transactions.push(true))
    rows.add("noted")
    await Promise.all(["a", "b", "c", "d"].map(at.add))
    expect(transactions).toHaveLength(1)
    expect(at.notes()).toEqual(["a", "b", "c", "d"])
  })

  test("one caller's failure never affects another", async () => {
    using at = given()
    const outcomes = await Promise.allSettled([at.add("a"), at.add("a"), at.add("b")])
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
    expect(at.notes()).toEqual(["a", "b"])
  })

  test("is failing after a disk error, also of a job in company, until something is written", async () => {
    for (const company of [[], ["first"]]) {
      using at = given()
      const added = company.map(at.add)
      const full = at.queue.run(() => {
        throw Object.assign(new Error("the disk is full"), { code: "SQLITE_FULL" })
      })
      await Promise.allSettled([...added, full])
      expect(at.queue.isFailing()).toBe(true)
      await at.add("again")
      expect(at.queue.isFailing()).toBe(false)
    }
  })

  test("a job that throws writes nothing of its own", async () => {
    using at = given()
    for (const company of [[], ["before", "after"]]) {
      const [before, after] = company
      const jobs = [
        ...(before === undefined ? [] : [at.add(before)]),
        at.queue.run(() => {
          at.insert("its own")
          throw new Error("broken")
        }),
        ...(after === undefined ? [] : [at.add(after)]),
      ]
      const outcomes = await Promise.allSettled(jobs)
      expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(1)
      expect(at.notes()).toEqual(company)
    }
  })

  test("notes ride along, and are forgotten only once they are on disk", async () => {
    using at = given()
    const rows = at.queue.behind<string>({}, (notes) => {
      for (const note of notes) at.insert(note)
    })
    rows.add("a note")
    const broken = at.queue.run(() => {
      throw new Error("broken")
    })
    await expect(broken).rejects.toThrow("broken")
    // It went with a transaction that failed: it is neither stored nor forgotten.
    expect([rows.isDue(), at.notes()]).toEqual([true, []])
    await at.queue.flushBehind()
    expect([rows.isDue(), at.notes()]).toEqual([false, ["a note"]])
    await at.queue.flushBehind()
    expect(at.notes()).toEqual(["a note"])
  })

  test("what was checked before a restore is refused, also after a failed commit; a report is judged again", async () => {
    for (const company of [1, 2, 5]) {
      for (const failures of [0, 1]) {
        using at = given()
        await at.add("before")
        let failed = 0
        const rows = at.queue.behind<string>({}, () => {
          if (failed++ < failures) throw Object.assign(new Error("the disk is full"), { code: "SQLITE_FULL" })
        })
        rows.add("noted")
        const outdated = Array.from({ length: company }, (_, place) => at.add(`outdated ${place}`))
        const judged = at.queue.runJudged(at.caches.revision(), () => at.insert("judged"))
        at.elsewhere(`INSERT INTO setting VALUES ('${RESTORE_COUNT}', '1')`)
        const outcomes = await Promise.allSettled(outdated)
        expect(outcomes.map(({ status }) => status)).toEqual(outdated.map(() => "rejected"))
        expect(await judged).toBeNull()
        await at.add("after")
        expect(at.notes()).toEqual(["before", "after"])
      }
    }
  })

  test("what is cached is dropped by every write but those that say otherwise, at once, and when one fails", async () => {
    using at = given()
    const cache = at.caches.map<string, number>()
    const known = (work: () => void = () => undefined) => {
      cache.set("key", 1)
      return work
    }
    const seen: [number, number][] = []
    const look = () => void seen.push([cache.size, at.caches.revision()])
    await Promise.all([at.queue.runKeepingCaches(known(look)), at.queue.run(look), at.queue.runKeepingCaches(look)])
    expect(seen).toEqual([
      [1, 0],
      [1, 0],
      [0, 1],
    ])
    const broken = at.queue.runKeepingCaches(() => {
      known()
      throw new Error("broken")
    })
    await expect(broken).rejects.toThrow("broken")
    expect([cache.size, at.caches.revision()]).toEqual([0, 1])
    known()
    at.elsewhere("INSERT INTO note (text) VALUES ('from elsewhere')")
    await at.queue.runKeepingCaches(look)
    expect(seen.at(-1)).toEqual([0, 2])
  })

  /** Another process holds the lock, for so many milliseconds by the clock of the process, and gives it back a few turns later. */
  async function behindALock(at: ReturnType<typeof given>, text: string, ms: number) {
    using other = new Database(at.path)
    other.run("BEGIN IMMEDIATE")
    // Whole, so that adding to it is exact.
    const since = Math.ceil(performance.now())
    using clock = spyOn(performance, "now").mockReturnValue(since)
    const written = at.add(text).then(
      () => "written",
      () => "refused",
    )
    clock.mockReturnValue(since + ms)
    let turns = 0
    const ticking = setInterval(() => {
      turns += 1
      if (turns === 5) other.run("ROLLBACK")
    }, 5)
    const outcome = await written
    clearInterval(ticking)
    return { outcome, turns }
  }

  test("a lock of another process is waited for without blocking, and the write happens when it goes away", async () => {
    using at = given()
    const { outcome, turns } = await behindALock(at, "after the lock", 4_900)
    expect(outcome).toBe("written")
    expect(turns).toBeGreaterThanOrEqual(5)
    expect(at.notes()).toEqual(["after the lock"])
  })

  test("a lock is waited for 5 s, and 30 s while a backup is restored", async () => {
    using at = given()
    expect((await behindALock(at, "too long", 5_000)).outcome).toBe("refused")
    {
      using _ = workFolder(dirname(at.path))
      expect((await behindALock(at, "during a restore", 29_900)).outcome).toBe("written")
      expect((await behindALock(at, "a frozen restore", 30_000)).outcome).toBe("refused")
    }
    expect((await behindALock(at, "after the restore", 5_000)).outcome).toBe("refused")
    expect(at.notes()).toEqual(["during a restore"])
  })
})
