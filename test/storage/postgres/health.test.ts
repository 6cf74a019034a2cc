import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { pingDatabase, tryWriting } from "../../../src/actions/operations/readiness.ts"
import { postgresStore } from "../../../src/storage/postgres/index.ts"
import { until } from "../../until.ts"
import { wholeStore } from "../contract/whole-store.ts"
import { crashingServer } from "./crashing-server.ts"
import { freshDatabase, noPostgres } from "./server.ts"

async function givenStore() {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await freshDatabase())
  const owner = new SQL(database.url, { max: 1 })
  opened.defer(() => owner.close())
  const { store } = await postgresStore(`${database.url}&pool_size=2`)
  opened.use(store)
  const close = opened.move()
  return { store, owner, url: database.url, [Symbol.asyncDispose]: () => close.disposeAsync() }
}

describe.skipIf(noPostgres !== null)("health of a store in PostgreSQL", () => {
  test("is bad after a write failed, until the server takes writes again", async () => {
    await using at = await givenStore()
    const ping = () => pingDatabase(at)
    await ping()
    await at.owner.unsafe("ALTER TABLE setting RENAME TO hidden")
    await expect(tryWriting(at)).rejects.toThrow()
    // A mistake in one write says nothing about the next.
    await ping()
    await at.owner.unsafe("ALTER TABLE hidden RENAME TO setting")
    await at.owner.unsafe(FULL_DISK)
    await expect(tryWriting(at)).rejects.toThrow("no space")
    await expect(ping()).rejects.toThrow("no space")
    await at.owner.unsafe("DROP TRIGGER full_disk ON setting")
    await ping()
  })

  test("is bad where no write is acknowledged, though nobody has tried one; reading does not make it good", async () => {
    await using at = await givenStore()
    await at.owner.unsafe(FULL_DISK)
    await expect(pingDatabase(at)).rejects.toThrow("no space")
    await at.store.settings.get("address")
    await wholeStore(at.store).transact(function* () {})
    await expect(pingDatabase(at)).rejects.toThrow("no space")
  })

  test("is bad while commits wait for a standby that is away", async () => {
    using server = await crashingServer()
    const { store } = await postgresStore(server.url)
    await using _ = store
    await using owner = new SQL(server.url, { max: 1 })
    await owner.unsafe("ALTER SYSTEM SET synchronous_standby_names = 'away'")
    await owner.unsafe("SELECT pg_reload_conf()")
    // The server's processes learn of it one after the other.
    await until(() => pingDatabase({ store }).then(() => false, isWaiting))
    expect(await store.organizations.list()).toEqual([])
    expect(await pingDatabase({ store }).then(() => false, isWaiting)).toBe(true)
    await owner.unsafe("ALTER SYSTEM RESET synchronous_standby_names")
    await owner.unsafe("SELECT pg_reload_conf()")
    await pingDatabase({ store })
  })

  test("tells what the tables themselves do not exclude", async () => {
    await using at = await givenStore()
    expect(await at.store.health.integrity()).toEqual([])
    await at.owner.unsafe("INSERT INTO delivery_report VALUES (1, 77, 1, 1, 88), (2, 77, 1, 1, 88)")
    await at.owner.unsafe("DELETE FROM agent_call_size")
    expect(await at.store.health.integrity()).toEqual([
      "1 lines have reports but are not there",
      "1 sources have reports but are not there",
      "the table agent_call_size has 0 rows instead of one",
    ])
    expect(await at.store.health.unexplainedTotals()).toMatchObject({ count: 1 })
  })

  test("knows the server, its connections and its standbys", async () => {
    await using at = await givenStore()
    expect(at.store.health.engine).toMatch(/^PostgreSQL \d+\.\d+/)
    const facts = await at.store.health.facts()
    expect(facts.map(({ label }) => label)).toEqual(["connections", "commits", "standbys"])
    const [connections, , standbys] = facts
    expect(connections?.figures?.["connections_used"]).toBeGreaterThan(0)
    expect(standbys).toEqual({ label: "standbys", value: "none", figures: { standbys: 0 } })
  })
})

const isWaiting = (cause: Error) => cause.message.includes("commits wait for a standby that is away")

const FULL_DISK = `
  CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$;
  CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON setting FOR EACH ROW EXECUTE FUNCTION full_disk()`
