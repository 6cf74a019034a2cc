import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { openStore } from "../../../../src/storage/open.ts"
import { postgresTarget } from "../../../../src/storage/postgres/copy.ts"
import { SCHEMA_VERSION } from "../../../../src/storage/postgres/engine/migrate.ts"
import { postgresStore } from "../../../../src/storage/postgres/index.ts"
import { wholeStore } from "../../contract/whole-store.ts"
import { emptyDatabase, freshDatabase, noPostgres, testServer } from "../server.ts"

const TOO_OLD = /has schema \d+; this program needs \d+\. Nothing was changed\. Start "adbooth serve" of this version/

async function run(url: string, ...statements: readonly string[]): Promise<unknown[]> {
  await using client = new SQL(url, { max: 1 })
  let rows: unknown[] = []
  for (const statement of statements) rows = Array.from(await client.unsafe<unknown[]>(statement))
  return rows
}

describe.skipIf(noPostgres !== null)("opening a PostgreSQL database", () => {
  test("eight stores that are opened at once on an empty database: one migrates, all work", async () => {
    await using database = await emptyDatabase()
    const opened = await Promise.all(Array.from({ length: 8 }, () => postgresStore(`${database.url}&pool_size=2`)))
    expect(opened.filter(({ migrated }) => migrated.from < migrated.to)).toHaveLength(1)
    expect(new Set(opened.map(({ migrated }) => migrated.to))).toEqual(new Set([SCHEMA_VERSION]))
    await Promise.all(opened.map(({ store }, i) => wholeStore(store).settings.set("address", `http://${i}.example`)))
    for (const { store } of opened) await store[Symbol.asyncDispose]()
    expect(await run(database.url, "SELECT version FROM schema_version")).toMatchObject([{ version: SCHEMA_VERSION }])
    const { store, migrated } = await postgresStore(database.url)
    expect(migrated).toEqual({ from: SCHEMA_VERSION, to: SCHEMA_VERSION })
    expect(await store.settings.get("address")).toStartWith("http://")
    await store[Symbol.asyncDispose]()
  })

  test("a newer schema is refused, and nothing is changed", async () => {
    await using database = await freshDatabase()
    await run(database.url, `UPDATE schema_version SET version = ${SCHEMA_VERSION + 1}`)
    await expect(postgresStore(database.url)).rejects.toThrow(/was written by a newer version of adbooth \(schema \d+/)
    expect(await run(database.url, "SELECT version FROM schema_version")).toMatchObject([
      { version: SCHEMA_VERSION + 1 },
    ])
  })

  test("an upgrade that fails changes nothing, and says how to go back", async () => {
    await using database = await freshDatabase()
    // The last step is there already, so it cannot be taken again.
    await run(database.url, `UPDATE schema_version SET version = ${SCHEMA_VERSION - 1}`)
    await expect(postgresStore(database.url)).rejects.toThrow(
      /was not upgraded from schema \d+ to \d+\. .+\. The database is as it was before: start the version/,
    )
    expect(await run(database.url, "SELECT version FROM schema_version")).toMatchObject([
      { version: SCHEMA_VERSION - 1 },
    ])
  })

  test("a command upgrades nothing: only a server does", async () => {
    await using database = await freshDatabase()
    await run(database.url, `UPDATE schema_version SET version = ${SCHEMA_VERSION - 1}`)
    const place = { data: "", databaseUrl: database.url, backupDir: null }
    for (const create of [true, false])
      await expect(openStore(place, { create, stamp: "test" })).rejects.toThrow(TOO_OLD)
    await expect(postgresTarget(database.url, { tables: [], onData: async () => undefined }).begin()).rejects.toThrow(
      TOO_OLD,
    )
  })

  test("a replica that runs goes on while a newer version expands the schema; one that starts is refused", async () => {
    await using database = await freshDatabase()
    await using running = wholeStore((await postgresStore(database.url)).store)
    const by = { actor: "command", at: 1 } as const
    const seller = await running.organizations.create({ slug: "acme", name: "Acme", timeZone: "UTC" }, by)
    const everything = () =>
      Promise.all([
        running.organizations.list(),
        running.sessions.find("unknown", 1),
        running.shareLinks.findByToken("unknown", 1),
        running.admissions.ingest("unknown", { name: "delivery", limit: 60 }, 1),
        running.catalogue.contents(),
        running.deliveries.linesSold(seller?.id ?? 0, ["unknown"]),
        running.deliveries.preview([{ lineId: 1, asOf: 1, quantity: 1 }]),
        running.agentCallLog.search({}, { before: null, limit: 10 }),
        running.audit.list({}, { before: null, limit: 10 }),
      ])
    const before = await everything()
    const tables = await run(
      database.url,
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace",
    )
    const expand = (tables as { name: string }[])
      .filter(({ name }) => name !== "schema_version")
      .map(({ name }) => `ALTER TABLE "${name}" ADD COLUMN added_later text DEFAULT 'x'`)
    expect(expand.length).toBeGreaterThan(20)
    await run(database.url, ...expand, `UPDATE schema_version SET version = ${SCHEMA_VERSION + 1}`)
    expect(await everything()).toEqual(before)
    await expect(postgresStore(database.url)).rejects.toThrow(/newer version of adbooth/)
  })

  test("another program's tables are left alone", async () => {
    await using database = await emptyDatabase()
    await run(database.url, "CREATE TABLE theirs (x integer)")
    await expect(postgresStore(database.url)).rejects.toThrow(/holds tables of another program/)
  })

  test.each(["off", "local", "remote_write"])("synchronous_commit = %s is refused", async (word) => {
    await using database = await freshDatabase()
    await run(database.url, `ALTER DATABASE ${database.name} SET synchronous_commit = ${word}`)
    await expect(postgresStore(database.url)).rejects.toThrow(`synchronous_commit = ${word}`)
  })

  test("a role without rights, an unknown role, an unknown database and a server that is not there are told in a sentence", async () => {
    await using database = await emptyDatabase()
    const { owner, urlOf } = await testServer()
    const role = `${database.name}_guest`
    await owner.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'guest'`)
    try {
      await run(database.url, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
      const asGuest = database.url.replace(/:\/\/[^@]*@/, `://${role}:guest@`)
      await expect(postgresStore(asGuest)).rejects.toThrow(/does not give this user the rights/)
      await expect(postgresStore(asGuest.replace(role, "nobody_here"))).rejects.toThrow(/does not let this user in/)
    } finally {
      await owner.unsafe(`DROP ROLE ${role}`)
    }
    await expect(postgresStore(urlOf("nothing_here"))).rejects.toThrow(/does not exist/)
    await expect(postgresStore("postgres://u:hidden@127.0.0.1:1/d")).rejects.toThrow(
      /^The database d at 127.0.0.1:1 cannot be reached/,
    )
  })

  test("the tables may lie in a schema of their own", async () => {
    await using database = await emptyDatabase()
    await run(database.url, "CREATE SCHEMA own", `ALTER DATABASE ${database.name} SET search_path = own`)
    const { store } = await postgresStore(database.url)
    await wholeStore(store).settings.set("address", "http://one.example")
    await store[Symbol.asyncDispose]()
    expect(await run(database.url, "SELECT value FROM own.setting")).toMatchObject([{ value: "http://one.example" }])
  })
})
