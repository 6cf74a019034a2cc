import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import { LogSync, LogSyncFailed } from "../../../../src/storage/sqlite/engine/log-sync.ts"
import { temporaryFolder } from "../../../harness.ts"
import { until } from "../../../until.ts"

type Ended = (cause: Error | null) => void

/** The log of a database, and a disk whose syncs end when the test says so. */
async function given() {
  const folder = temporaryFolder()
  const file = join(folder.path, "some.db")
  await Bun.write(`${file}-wal`, "a log")
  const syncs: Ended[] = []
  let nowMs = 0
  const log = new LogSync(file, { datasync: (_, ended) => void syncs.push(ended), now: () => nowMs })
  const answers: string[] = []
  return {
    log,
    /** All syncs that were begun so far. */
    syncs,
    pass(ms: number) {
      nowMs += ms
    },
    /** What was answered so far. */
    answers,
    commit(name: string) {
      log.committed()
      this.answer(name)
    },
    answer: (name: string) =>
      log.whenSynced((failure) => void answers.push(failure === null ? name : `${name} failed`)),
    [Symbol.dispose]() {
      log.close()
      folder[Symbol.dispose]()
    },
  }
}

describe("an answer is given after the log was synced", () => {
  test("what was committed before a sync began is answered after it, what came later after the next", async () => {
    using at = await given()
    at.commit("a")
    at.commit("b")
    at.commit("c")
    expect(at.syncs).toHaveLength(1)
    expect(at.answers).toEqual([])
    at.syncs[0]?.(null)
    expect(at.answers).toEqual(["a"])
    expect(at.syncs).toHaveLength(2)
    at.syncs[1]?.(null)
    expect(at.answers).toEqual(["a", "b", "c"])
    expect(at.syncs).toHaveLength(2)
  })

  test("on a slow disk a sync waits for as many callers as were answered and are waiting, unless no more come, and at most half of its time", async () => {
    using at = await given()
    at.commit("a")
    at.commit("b")
    at.pass(30)
    at.syncs[0]?.(null)
    expect(at.answers).toEqual(["a"])
    expect(at.syncs).toHaveLength(1)
    at.commit("a again")
    expect(at.syncs).toHaveLength(2)
    at.pass(30)
    at.syncs[1]?.(null)
    expect(at.answers).toEqual(["a", "b", "a again"])
    at.pass(14)
    at.commit("one")
    expect(at.syncs).toHaveLength(2)
    await until(() => at.syncs.length === 3)
    at.pass(30)
    at.syncs[2]?.(null)
    at.pass(15)
    for (const name of ["another", "and another"]) at.commit(name)
    expect(at.syncs).toHaveLength(4)
  })

  test("an answer that wrote nothing waits for the commits that it may rest on, and for no others", async () => {
    using at = await given()
    at.answer("at once")
    expect(at.answers).toEqual(["at once"])
    at.commit("a")
    at.answer("rests on a")
    at.commit("b")
    at.answer("rests on b")
    at.syncs[0]?.(null)
    expect(at.answers).toEqual(["at once", "a", "rests on a"])
    at.syncs[1]?.(null)
    at.answer("at once again")
    expect(at.answers).toEqual(["at once", "a", "rests on a", "b", "rests on b", "at once again"])
  })

  test("after a failed sync nothing is answered as stored any more, and the disk is not asked again", async () => {
    using at = await given()
    at.commit("a")
    at.commit("b")
    at.syncs[0]?.(new Error("EIO: i/o error, fdatasync"))
    expect(at.answers).toEqual(["a failed", "b failed"])
    at.commit("c")
    at.answer("d")
    expect(at.answers).toEqual(["a failed", "b failed", "c failed", "d failed"])
    expect(at.syncs).toHaveLength(1)
    expect(at.log.failure()).toBeInstanceOf(LogSyncFailed)
    expect(at.log.failure()?.message).toContain(
      "EIO: i/o error, fdatasync). Check the disk. The next start stores it again",
    )
  })

  test("a sync that failed elsewhere counts, also when the running one succeeds", async () => {
    using at = await given()
    at.commit("a")
    at.log.fail(new Error("SQLITE_IOERR_FSYNC"))
    at.syncs[0]?.(null)
    expect(at.answers).toEqual(["a failed"])
  })

  test("a log that cannot be opened is a failure", () => {
    using folder = temporaryFolder()
    const log = new LogSync(join(folder.path, "missing.db"))
    log.committed()
    log.whenSynced((failure) => expect(failure?.message).toContain("ENOENT"))
    expect(log.failure()).not.toBeNull()
  })

  test("in any order of commits, answers and ends of syncs: stored means that a sync begun after the commit has succeeded", async () => {
    const steps = fc.array(fc.constantFrom("commit", "answer", "end", "end", "fail"), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(steps, async (todo) => {
        using at = await given()
        let committed = 0
        let stored = 0
        let hasFailed = false
        /** For each sync, the last commit that it covers. */
        const covers: number[] = []
        const seeSyncs = () => {
          while (covers.length < at.syncs.length) covers.push(committed)
        }
        let ended = 0
        for (const step of todo) {
          if (step === "commit" || step === "answer") {
            if (step === "commit") at.log.committed()
            if (step === "commit") committed++
            const needs = committed
            at.log.whenSynced((failure) => {
              if (failure === null) expect([hasFailed, stored >= needs]).toEqual([false, true])
              else expect(hasFailed).toBe(true)
            })
          } else if (ended < at.syncs.length) {
            expect(at.syncs.length - ended).toBe(1)
            const end = at.syncs[ended]
            if (step === "fail") hasFailed = true
            else if (!hasFailed) stored = covers[ended] ?? 0
            ended++
            end?.(step === "fail" ? new Error("EIO") : null)
          }
          seeSyncs()
        }
      }),
    )
  })
})
