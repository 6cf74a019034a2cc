import { describe, expect, test } from "bun:test"
import { openDatabase } from "../../../../src/storage/sqlite/engine/open.ts"
import { startApp, type TestApp } from "../../../harness.ts"
import { planOf, recordSql } from "../recorded-sql.ts"

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

describe("the call log", () => {
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
    expect(await app.store.agentCallLog.size()).toBeWithin(400, 600)
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
    await agentCallLog.after(0, 10, { tool: "a" })
    await agentCallLog.demand({ at: 0, id: 0 }, 10)
    agentCallLog.keepWithin(2)
    await log(app, 3, 10)
    await agentCallLog.prune(2)
    await agentCallLog.prune(app.clock() + 1)
    using database = openDatabase(app.config.data)
    const statements = [...recorded.statements].filter((sql) =>
      /\b(?:FROM|UPDATE) (?:agent_call|audit_entry)/.test(sql),
    )
    expect(statements.length).toBeGreaterThan(12)
    for (const sql of statements) {
      const details = planOf(database, sql).map(({ detail }) => detail)
      // "known" is the few rows that a statement makes itself, and one constant row is no table. Those that begin at an end of the tree stop at
      // their LIMIT; the choices of a filter are then sorted.
      const scans = details.filter((detail) => /^SCAN (?!known\b|CONSTANT ROW|newest\b)/.test(detail))
      // The index of calls without a key has no others in it.
      const others = scans.filter((detail) => !detail.endsWith("INDEX agent_call_stranger"))
      if (others.length > 0) expect(sql).toMatch(/FROM agent_call ORDER BY id(?: DESC)? LIMIT \?/)
      expect(details.filter((detail) => /TEMP B-TREE/.test(detail) && !/DISTINCT/.test(sql))).toEqual([])
    }
  })
})
