import { describe, expect, test } from "bun:test"
import { recordAffiliateCodes, recordAffiliateMetrics } from "../../../../src/actions/delivery/record-affiliates.ts"
import { reportDelivery } from "../../../../src/actions/delivery/report-delivery.ts"
import { admitAgent, admitIngest } from "../../../../src/actions/keys/admit.ts"
import { createAgentKey } from "../../../../src/actions/keys/keys.ts"
import { fingerprintOf } from "../../../../src/domain/keys/api-key.ts"
import { openDatabase } from "../../../../src/storage/sqlite/engine/open.ts"
import { sqliteStore } from "../../../../src/storage/sqlite/index.ts"
import { AFFILIATE_SQL, DELIVERY_SQL, KEY_SQL, SELLER_SQL } from "../../../../src/storage/sqlite/tables/hot-sql.ts"
import { type GivenLine, givenIngestKey, givenOrganization, givenPackageLine } from "../../../given.ts"
import { movableClock, startApp, temporaryFolder } from "../../../harness.ts"
import { watchStatements } from "../watched-statements.ts"

describe("statements that requests run through", () => {
  const HOT = { ...KEY_SQL, ...SELLER_SQL, ...DELIVERY_SQL, ...AFFILIATE_SQL }
  const SOURCE = { kind: "key", reference: "k", detail: "" } as const

  /** Reports, rows and calls of every kind, on a store that is watched. */
  async function busyRequests(folder: string): Promise<ReadonlySet<string>> {
    const watched = watchStatements()
    using _ = watched
    await using store = sqliteStore(folder, "test").store
    const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
    const context = { store, clock: movableClock("2026-11-15T12:00:00Z"), random, log: { error: console.error } }
    const seller = await givenOrganization(context)
    const lines: GivenLine[] = []
    for (let i = 0; i < 73; i++) lines.push(await givenPackageLine(context, { seller }))
    const ingestKey = await givenIngestKey(context, seller)
    const agentKey = await createAgentKey(context, "Buyer", "test")
    watched.forget()

    const reporter = { organizationId: seller.id, source: SOURCE }
    const report = (impressions: number, as_of: string, dryRun = false) => {
      const items = lines.map(({ packageId }) => ({ package_id: packageId, impressions, as_of }))
      return reportDelivery(context, reporter, items, { dryRun })
    }
    await admitIngest(context, ingestKey, { name: "delivery", limit: 60 })
    await admitAgent(context, fingerprintOf(agentKey?.secret ?? ""), { name: "calls", limit: 300 })
    // Newer than all, older than the current one, as late as it; and without writing.
    for (const [total, day] of [
      [1, 13],
      [3, 12],
      [2, 13],
    ] as const) {
      expect((await report(total, `2026-11-${day}T10:00:00Z`)).accepted).toBe(73)
    }
    await report(4, "2026-11-14", true)
    const rows = lines.map(({ packageId }, i) => ({ packageId, code: `C${i}` }))
    expect((await recordAffiliateCodes(context, reporter, rows, { dryRun: false })).ok).toBe(true)
    const days = rows.map(({ code }) => ({ code, date: "2026-11-14", clicks: 1 }))
    expect((await recordAffiliateMetrics(context, reporter, days, { dryRun: false })).ok).toBe(true)
    await store.catalogue.revision()
    const call = { at: 1, agentKeyId: null, address: "192.0.2.1", method: "ping", tool: null, arguments: null }
    store.agentCallLog.note({ ...call, outcome: "ok", durationMicros: 1 })
    await store.flushWriteBuffer()
    return watched.ran
  }

  test("are all known, and find their rows by an index however many there are", async () => {
    using folder = temporaryFolder()
    const ran = await busyRequests(folder.path)
    const known = Object.entries(HOT).filter(([, sql]) => !ran.has(sql))
    expect(known.map(([name]) => name)).toEqual([])
    const rowsAtATime = [...ran].flatMap((sql) => (/^INSERT INTO delivery_/.test(sql) ? sql.split("), (").length : []))
    expect(new Set(rowsAtATime)).toEqual(new Set([64, 8, 1]))

    using database = openDatabase(folder.path)
    const plans = [...ran]
      .filter((sql) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)/i.test(sql))
      // In the order of the table itself, and no more than the limit: a plan calls that a scan, too.
      .filter((sql) => !/FROM agent_call ORDER BY id(?: DESC)? LIMIT [^\s)]+(?:$|\) AS added)/.test(sql))
      .map((sql) => database.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all())
    expect(plans.length).toBeGreaterThan(Object.keys(HOT).length)
    const scans = plans
      .flat()
      .filter(({ detail }) => /^SCAN (?!\d+-ROW VALUES CLAUSE$|CONSTANT ROW$|\(subquery-\d+\)$)/.test(detail))
    expect(scans.map(({ detail }) => detail)).toEqual([])
  })
})

describe("commits", () => {
  async function given() {
    const folder = temporaryFolder()
    let commits = 0
    const { store } = sqliteStore(folder.path, "test", { onCommit: () => void commits++ })
    const clock = movableClock("2026-11-15T12:00:00Z")
    const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
    const context = { store, clock, random, log: { error: () => undefined } }
    const seller = await givenOrganization(context)
    const lines = []
    for (let i = 0; i < 50; i++) lines.push(await givenPackageLine(context, { seller }))
    commits = 0
    const source = { kind: "key", reference: "k", detail: "" } as const
    const report = (items: readonly unknown[]) =>
      reportDelivery(context, { organizationId: seller.id, source }, items, { dryRun: false })
    return {
      report,
      lines,
      commits: () => commits,
      async [Symbol.asyncDispose]() {
        await store[Symbol.asyncDispose]()
        folder[Symbol.dispose]()
      },
    }
  }

  test("a request costs one commit at most, however many items it has, and none when nothing is accepted", async () => {
    await using g = await given()
    const answer = await g.report(g.lines.map(({ packageId }) => ({ package_id: packageId, impressions: 1 })))
    expect([answer.accepted, g.commits()]).toEqual([50, 1])
    await g.report([{ package_id: crypto.randomUUID(), impressions: 1 }, 7])
    expect(g.commits()).toBe(1)
  })

  test("requests that arrive together share a commit", async () => {
    await using g = await given()
    const answers = await Promise.all(
      g.lines.map(({ packageId }) => g.report([{ package_id: packageId, impressions: 1 }])),
    )
    expect(answers.map(({ accepted }) => accepted)).toEqual(new Array(50).fill(1))
    expect(g.commits()).toBeLessThan(5)
  })
})

describe("waiting", () => {
  /** How many turns of the promise queue pass until it is settled. */
  async function turnsUntil(settled: Promise<unknown>): Promise<number> {
    let isSettled = false
    settled.then(() => {
      isSettled = true
    })
    let turns = 0
    for (; !isSettled && turns < 10_000; turns++) await undefined
    return turns
  }

  test("a request of 500 items waits as often as one of a single item: nothing is waited for item by item", async () => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const source = { kind: "key", reference: "k", detail: "" } as const
    const context = { ...app, log: { error: () => undefined } }
    const dryRun = (count: number) => {
      const items = Array.from({ length: count }, (_, i) => ({
        package_id: i === 0 ? packageId : crypto.randomUUID(),
        impressions: i,
      }))
      return reportDelivery(context, { organizationId: seller.id, source }, items, { dryRun: true })
    }
    const turnsOfOne = await turnsUntil(dryRun(1))
    expect(turnsOfOne).toBeLessThan(100)
    expect(await turnsUntil(dryRun(500))).toBe(turnsOfOne)
  })
})
