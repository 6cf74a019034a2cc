import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { SQL } from "bun"
import type { Context } from "../../../src/actions/context.ts"
import { checkReadiness } from "../../../src/actions/operations/readiness.ts"
import { postgresStore } from "../../../src/storage/postgres/index.ts"
import { report } from "../../doors/ingest/feed.ts"
import { givenIngestKey, givenPackageLine } from "../../given.ts"
import { startApp } from "../../harness.ts"
import { until } from "../../until.ts"
import { type CrashingServer, crashingServer } from "./crashing-server.ts"
import { freshDatabase, noPostgres } from "./server.ts"
import { follow } from "./standby.ts"

// What a report waits for in the database, and what is said meanwhile.

setDefaultTimeout(600_000)

/** An application with lines of one seller, and another session of its database. */
async function givenLines(url: string, count: number) {
  await using opened = new AsyncDisposableStack()
  const app = opened.use(await startApp({ options: { databaseUrl: url } }))
  const owner = new SQL(url.replace(/&pool_size=\d+/, ""), { max: 1 })
  opened.defer(() => owner.close())
  const first = await givenPackageLine(app)
  const lines = [first.packageId]
  while (lines.length < count) lines.push((await givenPackageLine(app, { seller: first.seller })).packageId)
  const key = await givenIngestKey(app, first.seller)
  const send = async (packageId: string, impressions: number) => {
    const { results } = await report(app, key, [{ package_id: packageId, impressions }])
    return results[0]?.reason ?? results[0]?.status
  }
  const close = opened.move()
  return { app, owner, lines, send, [Symbol.asyncDispose]: () => close.disposeAsync() }
}

const database = async (app: Pick<Context, "store" | "clock">) => {
  const surroundings = { diskFreeBytes: async () => 1e12, backupEvery: null }
  return (await checkReadiness(app, surroundings)).find(({ name }) => name === "database")
}

/** A primary, and a standby that its commits wait for. */
async function givenStandby() {
  await using opening = new AsyncDisposableStack()
  const primary = opening.use(await crashingServer())
  const standby = opening.use(await crashingServer())
  await standby.crash()
  const opened = opening.move()
  return { primary, standby, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const TOTALS = "SELECT quantity FROM delivery_total"

async function rowsAt(server: CrashingServer, statement: string): Promise<Record<string, unknown>[]> {
  await using client = new SQL(server.url, { max: 1 })
  return Array.from(await client.unsafe<Record<string, unknown>[]>(statement))
}

describe.skipIf(noPostgres !== null)("a report to PostgreSQL", () => {
  test("of a line that another session has locked fails alone: reports of other lines are accepted meanwhile", async () => {
    await using fresh = await freshDatabase()
    await using at = await givenLines(fresh.url, 6)
    const [locked = "", ...others] = at.lines
    for (const line of at.lines) expect(await at.send(line, 1)).toBe("accepted")
    const lineId = `SELECT id FROM package_line WHERE package_id = '${locked}'`
    await at.owner.unsafe(`BEGIN; SELECT 1 FROM delivery_total WHERE line_id = (${lineId}) FOR UPDATE`).simple()
    at.app.clock.advance({ seconds: 1 })
    const waiting = at.send(locked, 2)
    const together = others.map((line) => at.send(line, 2))
    expect(await Promise.all(together)).toEqual(others.map(() => "accepted"))
    expect(await waiting).toBe("internal_error")
    // Others' reports work.
    expect(await database(at.app)).toMatchObject({ ok: true })
    await at.owner.unsafe("ROLLBACK")
    expect(await at.send(locked, 2)).toBe("accepted")
  })

  test("while another session has locked the table of totals, the server is not ready, and says that a lock is held", async () => {
    await using fresh = await freshDatabase()
    await using at = await givenLines(fresh.url, 1)
    const [line = ""] = at.lines
    expect(await at.send(line, 1)).toBe("accepted")
    await at.owner.unsafe("BEGIN; LOCK TABLE delivery_total").simple()
    expect(await at.send(line, 2)).toBe("internal_error")
    // What is written to other tables meanwhile says nothing about reports.
    await at.app.store.flushWriteBuffer()
    expect(await database(at.app)).toMatchObject({ ok: false, detail: expect.stringContaining("held a lock") })
    await at.owner.unsafe("ROLLBACK")
    expect(await at.send(line, 2)).toBe("accepted")
    expect(await database(at.app)).toMatchObject({ ok: true })
  })

  test("that was committed on the primary alone is not accepted, however often it is sent, before a standby has it", async () => {
    await using servers = await givenStandby()
    const { primary, standby } = servers
    await using at = await givenLines(primary.url, 1)
    const [line = ""] = at.lines
    const { store: another } = await postgresStore(primary.url)
    await using _ = another
    expect(await at.send(line, 1)).toBe("accepted")
    await follow(standby, primary)
    at.app.clock.advance({ seconds: 1 })
    expect(await at.send(line, 2)).toBe("accepted")
    await standby.crash()
    at.app.clock.advance({ seconds: 1 })
    expect(await at.send(line, 3)).toBe("internal_error")
    // Its connection was closed, which ends the wait: the commit stays, on this server only.
    await until(async () => (await rowsAt(primary, TOTALS))[0]?.["quantity"] === 3)
    for (let again = 0; again < 2; again++) expect(await at.send(line, 3)).toBe("internal_error")
    const away = { ok: false, detail: expect.stringContaining("commits wait for a standby that is away") }
    // The second waits for the lock of the first one's attempt.
    const asked = [database(at.app), database({ ...at.app, store: another }), at.send(line, 4)] as const
    expect(await asked[0]).toMatchObject(away)
    expect(await asked[1]).toMatchObject(away)
    expect(await asked[2]).toBe("internal_error")
    await standby.start()
    await until(async () => (await at.send(line, 4)) === "accepted")
    expect(await rowsAt(standby, TOTALS)).toEqual([{ quantity: 4 }])
    expect(await database(at.app)).toMatchObject({ ok: true })
  })
})
