import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { pingDatabase, tryWriting } from "../../../src/actions/operations/try-writing.ts"
import { postgresTarget } from "../../../src/storage/postgres/copy/places.ts"
import { postgresStore } from "../../../src/storage/postgres/index.ts"
import { tableShapes } from "../../../src/storage/sqlite/copy/shapes.ts"
import { wholeStore } from "../contract/whole-store.ts"
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
    expect(await at.store.health.unexplainedTotals()).toBe(1)
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

test.skipIf(noPostgres !== null)(
  "a restore that freezes holds up writes for some seconds only, and is undone",
  async () => {
    await using at = await givenStore()
    await wholeStore(at.store).settings.set("address", "http://before.example")
    const tables = tableShapes()
    const table = tables.find(({ name }) => name === "setting")
    const target = postgresTarget(at.url, { tables, onData: async () => undefined })
    await using inProgress = await target.begin()
    const never = Promise.withResolvers<string>()
    async function* frozen() {
      yield await never.promise
    }
    if (table === undefined) throw new Error("there is no such table")
    const writing = inProgress.side.write(table, frozen())
    for (;;) {
      const isKept = await wholeStore(at.store)
        .settings.set("address", "http://after.example")
        .then(
          () => true,
          () => false,
        )
      if (isKept) break
    }
    never.resolve("address\thttp://frozen.example\n")
    await expect(writing).rejects.toThrow()
    expect(await at.store.settings.get("address")).toBe("http://after.example")
  },
)

const FULL_DISK = `
  CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$;
  CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON setting FOR EACH ROW EXECUTE FUNCTION full_disk()`
