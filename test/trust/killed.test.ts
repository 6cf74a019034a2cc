import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { backUp } from "../../src/storage/sqlite/backup/backup.ts"
import { verifyBackup } from "../../src/storage/sqlite/backup/backup-file.ts"
import { restore } from "../../src/storage/sqlite/backup/restore.ts"
import { sqliteStore } from "../../src/storage/sqlite/index.ts"
import { BINARY, hasBinary } from "../binary.ts"
import { temporaryFolder } from "../harness.ts"

const strace = worksHere(["strace", "-f", "-qq", "-o", "/dev/null", "true"])
if (!strace) console.error("SKIPPED: killing at exact moments needs strace; only random moments are tried.")

function worksHere(command: string[]): boolean {
  return Bun.which(command[0] ?? "") !== null && Bun.spawnSync(command).exitCode === 0
}

/** The program is killed as it makes a call to the system for the nth time. */
interface Moment {
  readonly call: string
  readonly nth: number
}

const CALLS_MAX = 12
const CHANGES = ["mkdir", "rename", "unlink", "unlinkat", "ftruncate", "fsync"]
const WRITES = [1, 2, 3, 5, 8, 16, 32, 64, 128]
const RANDOM_MOMENTS = 6

/** Runs `round` for each moment at which the program can be killed, until it gets through. */
async function atEveryMoment(
  args: readonly string[],
  round: (kill: () => Promise<boolean>) => Promise<void>,
): Promise<void> {
  const wholeMs = await runWhole(args)
  for (let i = 0; i < RANDOM_MOMENTS; i++) await round(() => killedAfter(args, 1 + (wholeMs * i) / RANDOM_MOMENTS))
  // However busy the machine is meanwhile, one gets through.
  await round(() => runWhole(args).then(() => false))
  if (!strace) return
  for (const call of CHANGES) {
    let isKilled = true
    const until = async (moment: Moment) => {
      isKilled = await killedAt(args, moment)
      return isKilled
    }
    for (let nth = 1; isKilled && nth <= CALLS_MAX; nth++) await round(() => until({ call, nth }))
  }
  for (const nth of WRITES) await round(() => killedAt(args, { call: "pwrite64", nth }))
}

const QUIET = { stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const

async function runWhole(args: readonly string[]): Promise<number> {
  const start = performance.now()
  expect(await Bun.spawn([BINARY, ...args], QUIET).exited).toBe(0)
  return performance.now() - start
}

async function killedAfter(args: readonly string[], milliseconds: number): Promise<boolean> {
  const child = Bun.spawn([BINARY, ...args], { ...QUIET, timeout: Math.ceil(milliseconds), killSignal: "SIGKILL" })
  return (await child.exited) !== 0
}

async function killedAt(args: readonly string[], { call, nth }: Moment): Promise<boolean> {
  const how = ["-e", `trace=${call}`, "-e", `inject=${call}:signal=KILL:when=${nth}`]
  return (await Bun.spawn(["strace", "-f", "-qq", "-o", "/dev/null", ...how, BINARY, ...args], QUIET).exited) !== 0
}

/** A database that says who it is. */
async function database(directory: string, name: string): Promise<void> {
  const { store } = sqliteStore(directory, "test")
  await using _ = store
  using raw = new Database(join(directory, "adbooth.db"))
  raw.run("PRAGMA busy_timeout = 5000")
  raw.run(`INSERT INTO organization (slug, name, time_zone, created_at) VALUES ('who', '${name}', 'UTC', 1)`)
}

/** Who the database is, after everything that a start of the server does. Fails unless it is sound. */
async function whoIs(directory: string): Promise<string> {
  const { store } = sqliteStore(directory, "test")
  await using _ = store
  expect(await store.health.integrity()).toEqual([])
  return (await store.organizations.list())[0]?.name ?? "nobody"
}

const KNOWN = /^(adbooth\.db(-wal|-shm)?|in-use\.lock|adbooth\.db\.before-restore-.*)$/
const DAMAGED_BYTES = 4_096

describe.if(hasBinary)("killed at any moment", () => {
  for (const state of ["sound", "damaged"]) {
    test(`restore over a ${state} database leaves the old one or the new one`, async () => {
      using folder = temporaryFolder()
      const at = (name: string) => join(folder.path, name)
      await database(at("from"), "new")
      await database(at("template"), "old")
      await backUp(at("from"), at("backup"), true)
      if (state === "damaged") truncateSync(join(at("template"), "adbooth.db"), DAMAGED_BYTES)
      const old = readFileSync(join(at("template"), "adbooth.db"))
      const data = at("data")
      const fresh = () => {
        rmSync(data, { recursive: true, force: true })
        cpSync(at("template"), data, { recursive: true })
      }
      fresh()
      const seen = new Set<string>()
      await atEveryMoment(["backup", "restore", at("backup"), "--yes", "--data", data], async (kill) => {
        fresh()
        await kill()
        // Nothing can be opened of a damaged one: it is still as it was, or it is the new one.
        const begun = readdirSync(data).some((name) => name.includes(".restored-") || name.includes(".before-"))
        if (state === "damaged" && !begun) expect(readFileSync(join(data, "adbooth.db")).equals(old)).toBe(true)
        seen.add(state === "damaged" && !begun ? "old" : await whoIs(data))
        for (const name of readdirSync(data).filter((one) => state === "sound" && one.includes(".before-")))
          expect(verifyBackup(join(data, name), name).rows).toMatchObject({ organization: 1 })
        await restore(data, at("backup"), { mayReplace: async () => true, stamp: "again" })
        expect(await whoIs(data)).toBe("new")
        expect(readdirSync(data).filter((name) => !KNOWN.test(name))).toEqual([])
      })
      expect([...seen].sort()).toEqual(["new", "old"])
    }, 600_000)
  }

  test("backup leaves the earlier copy or the new one, and the database alone", async () => {
    using folder = temporaryFolder()
    const at = (name: string) => join(folder.path, name)
    await database(at("earlier"), "old")
    await database(at("data"), "new")
    mkdirSync(at("target"))
    const file = join(at("target"), "copy.db")
    await atEveryMoment(["backup", "create", file, "--compress", "--data", at("data")], async (kill) => {
      cpSync(join(at("earlier"), "adbooth.db"), file)
      await kill()
      await restore(at("elsewhere"), file, { mayReplace: async () => true, stamp: "then" })
      expect(["old", "new"]).toContain(await whoIs(at("elsewhere")))
      expect(await whoIs(at("data"))).toBe("new")
      await backUp(at("data"), file, false)
      expect(readdirSync(at("target"))).toEqual(["copy.db"])
    })
  }, 600_000)
})

test("what an earlier restore left half done does not make a good backup look damaged", async () => {
  using folder = temporaryFolder()
  const at = (name: string) => join(folder.path, name)
  await database(at("from"), "new")
  await backUp(at("from"), at("backup"), false)
  // The journal of a transaction that was under way, as it lies beside the copy of another backup whose restore was killed.
  await database(at("other"), "old")
  await backUp(at("other"), at("copy"), false)
  using copy = new Database(at("copy"))
  copy.run("PRAGMA cache_size = 1")
  copy.run("BEGIN")
  copy.run("UPDATE organization SET name = 'changed'")
  copy.run("CREATE TABLE filler AS SELECT hex(randomblob(100000)) AS text")
  copy.run("UPDATE organization SET name = 'again'")
  mkdirSync(at("data"))
  cpSync(at("copy-journal"), join(at("data"), "adbooth.db.restoring-journal"))
  await restore(at("data"), at("backup"), { mayReplace: async () => true, stamp: "then" })
  expect(await whoIs(at("data"))).toBe("new")
})
