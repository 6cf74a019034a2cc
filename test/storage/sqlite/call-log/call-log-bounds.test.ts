import { describe, expect, test } from "bun:test"
import { statSync } from "node:fs"
import { join } from "node:path"
import { pruneCallLog } from "../../../../src/actions/operations/call-log.ts"
import { openDatabase } from "../../../../src/storage/sqlite/engine/open.ts"
import { startApp, type TestApp } from "../../../harness.ts"
import { until } from "../../../until.ts"
import { planOf, recordSql } from "../recorded-sql.ts"

const MEBIBYTE = 1_048_576
const PAGE_BYTES = 4_096

/** Calls with arguments of so many characters, written as a busy server writes them. */
async function log(app: TestApp, count: number, characters: number, at = app.clock()): Promise<void> {
  for (let i = 0; i < count; i++) {
    const call = {
      agentKeyId: null,
      address: "203.0.113.7",
      method: "tools/call",
      tool: "get_products",
      durationMicros: 1,
    }
    app.store.agentCallLog.note({
      ...call,
      at,
      arguments: "x".repeat(characters),
      outcome: "completed",
    })
    if (i % 100 === 99) await app.store.flushWriteBuffer()
  }
  await app.store.flushWriteBuffer()
}

const atsOf = async (app: TestApp) =>
  (await app.store.agentCallLog.search({}, { before: null, limit: 1_000 })).calls.map(({ at }) => at)

/** The size as SQLite counts it row by row, beside the size that is kept. */
async function sizes(app: TestApp) {
  using database = openDatabase(app.config.data)
  const counted = database.query("SELECT count(*) AS rows, coalesce(sum(bytes), 0) AS bytes FROM agent_call").get()
  return { counted, kept: await app.store.agentCallLog.size() }
}

describe("the call log", () => {
  test("keeps no more calls than it may: the oldest make room, and the newest are all there", async () => {
    await using app = await startApp()
    for (let at = 0; at < 10; at++) await log(app, 1, 5, app.clock() + at)
    app.store.agentCallLog.keepWithin((await app.store.agentCallLog.size()).bytes)
    for (let at = 10; at < 25; at++) await log(app, 1, 5, app.clock() + at)
    expect(await atsOf(app)).toEqual(Array.from({ length: 10 }, (_, i) => app.clock() + 24 - i))
    const { counted, kept } = await sizes(app)
    expect(kept).toEqual(counted as typeof kept)
    expect(kept.rows).toBe(10)
  })

  test.each([
    ["small", 150],
    ["of half a page", 2_300],
    ["as large as they get", 8_192],
  ])("never takes more bytes than it may, nor does its file, with calls that are %s", async (_, characters) => {
    await using app = await startApp({ options: { callLogMb: "2" } })
    const file = join(app.config.data, "adbooth.db")
    const before = statSync(file).size
    await log(app, Math.ceil((10 * MEBIBYTE) / characters), characters)
    const { counted, kept } = await sizes(app)
    expect(kept).toEqual(counted as typeof kept)
    expect(kept.bytes).toBeWithin(MEBIBYTE, 2 * MEBIBYTE + 1)
    // What one commit adds before it removes, and the index, come on top.
    expect(statSync(file).size - before).toBeLessThan(3.5 * MEBIBYTE)
    // Copied at 4 MiB, and begun anew with a later write.
    using database = openDatabase(app.config.data)
    const pages = database.query<{ log: number }, []>("PRAGMA wal_checkpoint(NOOP)")
    await until(async () => {
      await log(app, 1, characters)
      return (pages.get()?.log ?? 0) * PAGE_BYTES < 8 * MEBIBYTE
    })
  })

  test("large calls after many small ones stay within the bytes as well", async () => {
    await using app = await startApp({ options: { callLogMb: "2" } })
    await log(app, 20_000, 10)
    await log(app, 500, 8_000)
    expect((await app.store.agentCallLog.size()).bytes).toBeLessThan(2 * MEBIBYTE + 1)
  })

  test("a log that is too large when the server starts is brought within its bounds, step by step", async () => {
    await using app = await startApp()
    await log(app, 9_000, 100)
    const { bytes } = await app.store.agentCallLog.size()
    app.store.agentCallLog.keepWithin(bytes / 18)
    expect(await app.store.agentCallLog.prune(0)).toBeWithin(1, 1_001)
    await pruneCallLog(app, 30)
    expect((await app.store.agentCallLog.size()).rows).toBe(500)
  })

  test("calls that grow old are counted out too", async () => {
    await using app = await startApp()
    await log(app, 30, 100)
    app.clock.advance({ days: 31 })
    await log(app, 3, 3_000)
    expect(await pruneCallLog(app, 30)).toBe(30)
    const { counted, kept } = await sizes(app)
    expect(kept).toEqual(counted as typeof kept)
    expect(kept).toEqual({ rows: 3, bytes: 3 * 4_096 })
  })

  test("what waits for a disk that cannot be written takes a few megabytes at most", async () => {
    await using app = await startApp()
    const call = {
      at: app.clock(),
      agentKeyId: null,
      address: "203.0.113.7",
      method: "tools/call",
      tool: null,
      durationMicros: 1,
    }
    for (let i = 0; i < 10_000; i++) {
      app.store.agentCallLog.note({ ...call, arguments: "x".repeat(8_000), outcome: "completed" })
    }
    await app.store.flushWriteBuffer()
    expect((await app.store.agentCallLog.size()).rows).toBeWithin(400, 600)
  })
})

describe("statements of the call log and the audit trail", () => {
  test("find their rows in the order of a tree and sort none of them", async () => {
    await using app = await startApp()
    await log(app, 3, 10)
    await app.store.audit.note("import file", "a.csv", { actor: "user:1", at: app.clock() })
    using recorded = recordSql()
    const time = { from: 1, until: app.clock() + 1 }
    const page = { before: null, limit: 10 }
    const { agentCallLog, audit } = app.store
    for (const span of [{}, time]) {
      await agentCallLog.search({ ...span, tool: "a", outcome: "b", caller: "c", result: "found", text: "x" }, page)
      await audit.list({ ...span, actor: "user:1", action: "a", organizationId: 1, text: "x" }, page)
    }
    await agentCallLog.after(0, 10)
    await agentCallLog.demand({ at: 0, id: 0 }, 10)
    await log(app, 3, 10)
    agentCallLog.keepWithin(0)
    await agentCallLog.prune(2)
    await agentCallLog.prune(app.clock() + 1)
    using database = openDatabase(app.config.data)
    const statements = [...recorded.statements].filter((sql) =>
      /\b(?:FROM|UPDATE) (?:agent_call|audit_entry)/.test(sql),
    )
    expect(statements.length).toBeGreaterThan(12)
    for (const sql of statements) {
      const details = planOf(database, sql).map(({ detail }) => detail)
      // There is one share for each key. "known" is the few rows that a statement makes itself, and one constant row is no table. Those that begin at an end of the tree
      // stop at their LIMIT; the choices of a filter are then sorted, and callers of the calls that one step adds or removes, and no more than that.
      const scans = details.filter((detail) =>
        /^SCAN (?!known\b|CONSTANT ROW|added\b|newest\b|gone\b|agent_call_share\b)/.test(detail),
      )
      if (scans.length > 0) expect(sql).toMatch(/FROM agent_call ORDER BY id(?: DESC)? LIMIT \?/)
      expect(
        details.filter(
          (detail) => /TEMP B-TREE/.test(detail) && !/DISTINCT|GROUP BY caller|FROM agent_call_share/.test(sql),
        ),
      ).toEqual([])
    }
  })
})
