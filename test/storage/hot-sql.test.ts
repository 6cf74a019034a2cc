import { describe, expect, test } from "bun:test"
import { reportDelivery } from "../../src/actions/report-delivery.ts"
import { AFFILIATE_SQL, DELIVERY_SQL } from "../../src/storage/sqlite/hot-sql.ts"
import { sqliteStore } from "../../src/storage/sqlite/index.ts"
import { openDatabase } from "../../src/storage/sqlite/open.ts"
import { givenOrganization, givenPackageLine } from "../given.ts"
import { movableClock, startApp, temporaryFolder } from "../harness.ts"

describe("statements that every item runs through find their rows by an index", () => {
  test.each(Object.entries({ ...DELIVERY_SQL, ...AFFILIATE_SQL }))("%s", async (_, sql) => {
    await using app = await startApp()
    using database = openDatabase(app.config.data)
    const plan = database.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all()
    const scans = plan.map(({ detail }) => detail).filter((detail) => /^SCAN (?!link\b|CONSTANT ROW)/.test(detail))
    expect(scans).toEqual([])
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
