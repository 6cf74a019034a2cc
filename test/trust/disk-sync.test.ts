import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { adbooth, hasBinary, type RunningBinary, serveBinary } from "../binary.ts"
import { temporaryFolder } from "../harness.ts"

const LINES = 500
const MEBIBYTE = 1_048_576
const packageIds = Array.from({ length: LINES }, (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`)

/** The library that watches syncs, or null where none can be built. */
function watcherIn(folder: string): string | null {
  const compiler = process.platform === "linux" ? Bun.which("cc") : null
  if (compiler === null) return null
  const path = join(folder, "disk-watch.so")
  const built = Bun.spawnSync([compiler, "-shared", "-fPIC", "-o", path, resolve("test/trust/disk-watch.c"), "-ldl"])
  return built.success ? path : null
}

using probe = temporaryFolder()
const canWatch = hasBinary && watcherIn(probe.path) !== null
if (!canWatch) console.error("SKIPPED: watching the syncs of the executable needs Linux and a C compiler.")

/** A data directory with lines and a key, on a disk that is watched and can be made to fail. */
async function given() {
  const folder = temporaryFolder()
  const data = join(folder.path, "data")
  const [trace, fail] = [join(folder.path, "syncs"), join(folder.path, "fail")]
  const lines = packageIds.map((package_id, i) => ({
    package_id,
    seller: "seller",
    name: `Line ${i}`,
    pricing_basis: "impressions",
    flight_start: "2026-01-01",
  }))
  const organizations = [
    { slug: "seller", name: "Seller" },
    { slug: "buyer", name: "Buyer" },
  ]
  const file = join(folder.path, "import.json")
  writeFileSync(file, JSON.stringify({ organizations, campaigns: [{ slug: "c", name: "C", buyer: "buyer", lines }] }))
  expect((await adbooth(["import", file, "--data", data])).code).toBe(0)
  const { out } = await adbooth(["key", "create", "--org", "seller", "--label", "feed", "--data", data, "--json"])
  const { key } = JSON.parse(out) as { key: string }
  const env = { LD_PRELOAD: watcherIn(folder.path) ?? "", SYNC_TRACE: trace, FAIL_SYNCS: fail }
  return {
    data,
    env,
    log: join(data, "adbooth.db-wal"),
    failSyncs: () => writeFileSync(fail, ""),
    failNextSync: () => writeFileSync(fail, "", { mode: 0o700 }),
    stopFailing: () => rmSync(fail),
    serve: () => serveBinary(["--data", data, "--limit-ingest", "1000000"], { env }),
    /** Which files were synced since the last call. */
    syncs() {
      const seen = existsSync(trace) ? readFileSync(trace, "utf8").trim().split("\n") : []
      rmSync(trace, { force: true })
      return seen
    },
    async report(server: RunningBinary, total: number, ids = packageIds) {
      const items = ids.map((package_id) => ({ package_id, impressions: total }))
      const answer = await fetch(`${server.url}/api/ingest/delivery/metrics`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify({ items }),
      })
      return (await answer.json()) as { accepted: number; results: { status: string; reason?: string }[] }
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

describe.skipIf(!canWatch)("the disk", () => {
  test("is synced before each report is answered, and the log is copied and begun anew meanwhile", async () => {
    using at = await given()
    await using server = await at.serve()
    at.syncs()
    let logMax = 0
    let copies = 0
    for (let total = 1; total < 200; total++) {
      expect((await at.report(server, total)).accepted).toBe(LINES)
      const syncs = at.syncs()
      expect(syncs.filter((path) => path.endsWith("-wal")).length).toBeGreaterThanOrEqual(1)
      copies += syncs.filter((path) => path.endsWith("adbooth.db")).length
      logMax = Math.max(logMax, statSync(at.log).size)
    }
    expect(copies).toBeGreaterThanOrEqual(1)
    expect(logMax).toBeLessThan(32 * MEBIBYTE)
    expect(await server.stop()).toBe(0)
    expect(statSync(at.log, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  })

  test("fails to sync once: the server says so and ends, and the next start finds everything that was accepted", async () => {
    using at = await given()
    const ready = async (server: RunningBinary) => (await fetch(`${server.url}/readyz`)).status
    const total = async () => {
      const { out } = await adbooth(["line", "list", "--data", at.data, "--json"])
      return (JSON.parse(out) as { delivered: number }[]).map(({ delivered }) => delivered)[0]
    }
    {
      await using server = await at.serve()
      expect((await at.report(server, 1)).accepted).toBe(LINES)
      at.failSyncs()
      const refused = await at.report(server, 2)
      expect(refused.accepted).toBe(0)
      expect(new Set(refused.results.map(({ reason }) => reason))).toEqual(new Set(["internal_error"]))
      expect(await server.ended).toBe(1)
      expect(server.errors()).toContain("Stopped: the disk failed to store the write-ahead log (")
      // Whoever starts it again while the disk fails is told.
      const { code, err } = await adbooth(["serve", "--port", "0", "--data", at.data], { env: at.env })
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("cannot be stored") })
      at.stopFailing()
    }
    await using again = await at.serve()
    expect(await ready(again)).toBe(200)
    expect([1, 2]).toContain((await total()) ?? 0)
    expect((await at.report(again, 4)).accepted).toBe(LINES)
    expect(await total()).toBe(4)
    expect((await adbooth(["doctor", "--data", at.data])).code).toBe(0)
  })

  test("fails to sync once and is well at once: what it may not have stored is not copied when the server ends", async () => {
    using at = await given()
    await using server = await at.serve()
    expect((await at.report(server, 1)).accepted).toBe(LINES)
    at.syncs()
    const before = readFileSync(join(at.data, "adbooth.db"))
    at.failNextSync()
    expect((await at.report(server, 2)).accepted).toBe(0)
    expect(await server.ended).toBe(1)
    // The power may fail while it is copied: then neither the log nor the database is whole.
    expect(at.syncs().filter((path) => path.endsWith("adbooth.db"))).toEqual([])
    expect(readFileSync(join(at.data, "adbooth.db")).equals(before)).toBe(true)
    expect(statSync(at.log).size).toBeGreaterThan(0)
    await using again = await at.serve()
    expect((await at.report(again, 4)).accepted).toBe(LINES)
  })
})
