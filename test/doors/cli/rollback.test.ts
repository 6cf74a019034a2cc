import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { migrations } from "../../../migrations/sqlite/index.ts"
import { version } from "../../../package.json"
import { hasBinary, serveBinary } from "../../binary.ts"
import { temporaryFolder } from "../../harness.ts"
import { adbooth } from "./in-process.ts"

const FIXTURE = "test/fixtures/0.1.0.sql"
const FIXTURE_SCHEMA = 2

/** A data directory of a released version, which this one has not opened yet. */
async function givenOlderData() {
  const folder = temporaryFolder()
  const data = join(folder.path, "data")
  mkdirSync(data, { mode: 0o700 })
  using database = new Database(join(data, "adbooth.db"), { create: true })
  database.run(await Bun.file(FIXTURE).text())
  const runs = JSON.stringify([{ version: "0.0.9", since: "2026-01-01T00:00:00Z" }])
  database.query("INSERT INTO setting (name, value) VALUES ('versions_run', ?)").run(runs)
  return { data, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

function inDatabase<Row>(data: string, sql: string): Row[] {
  using database = new Database(join(data, "adbooth.db"), { readwrite: true })
  return database.query<Row, []>(sql).all()
}

const schemaOf = (data: string) => inDatabase<{ user_version: number }>(data, "PRAGMA user_version")[0]?.user_version

describe.if(hasBinary)("an upgraded database", () => {
  test("tells what changed, what going back would lose, and goes back to the copy", async () => {
    using at = await givenOlderData()
    const run = (...args: string[]) => adbooth([...args, "--data", at.data])
    const keys = "SELECT prefix FROM ingest_key WHERE revoked_at IS NULL"
    {
      await using server = await serveBinary(["--data", at.data])
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
      const doctor = await run("doctor")
      expect(doctor.out).toContain(`${version} since `)
      expect(doctor.out).toContain("0.0.9 before")
      expect(doctor.out).toContain(`Changed in ${version}, since 0.0.9:`)
      const [{ prefix } = { prefix: "" }] = inDatabase<{ prefix: string }>(at.data, keys)
      expect((await run("key", "revoke", prefix, "--yes")).code).toBe(0)
      expect((await run("key", "create", "--org", "acme-audio", "--label", "New")).code).toBe(0)
      const shown = await run("backup", "rollback")
      expect(shown).toMatchObject({ code: 2, err: expect.stringContaining("Add --yes.") })
      expect(shown.out).toContain(`(schema ${FIXTURE_SCHEMA}, now ${migrations.length})`)
      expect(shown.out).toMatch(/ingest_key +1 more/)
      expect(shown.out).toContain("Stop the server before you go back")
      expect(await run("backup", "rollback", "--yes")).toMatchObject({ code: 1, out: "" })
      expect(schemaOf(at.data)).toBe(migrations.length)
      expect(await server.stop()).toBe(0)
      expect(server.errors()).toContain('"event":"first start of this version"')
    }
    const back = await run("backup", "rollback", "--yes", "--json")
    expect(back.code).toBe(0)
    const { done, schema, aside } = JSON.parse(back.out)
    expect([done, schema, schemaOf(at.data)]).toEqual([
      true,
      { from: migrations.length, to: FIXTURE_SCHEMA },
      FIXTURE_SCHEMA,
    ])
    expect(await Bun.file(aside).exists()).toBe(true)
    // The new key is gone, and the one that was revoked since stays revoked.
    expect(inDatabase(at.data, keys)).toEqual([])
    expect(inDatabase(at.data, "SELECT 1 FROM session")).toEqual([])
    // The copy is still there; and another upgrade is as good as the first.
    expect(readdirSync(at.data).filter((name) => name.includes("before-upgrade"))).toHaveLength(1)
    // A command does not upgrade it, not even one that makes a new database: it says who does.
    const catalogue = join(at.data, "catalogue.json")
    await Bun.write(catalogue, "{}")
    for (const command of [
      ["line", "list"],
      ["import", catalogue],
    ])
      expect(await run(...command)).toMatchObject({
        code: 1,
        err: expect.stringContaining("Start the server of this version once"),
      })
    expect(schemaOf(at.data)).toBe(FIXTURE_SCHEMA)
    expect((await run("backup", "restore", aside, "--yes")).code).toBe(0)
  })

  test("without a copy there is nothing to go back to, and it says so", async () => {
    using at = await givenOlderData()
    expect(await adbooth(["backup", "rollback", "--data", at.data])).toMatchObject({
      code: 1,
      err: expect.stringContaining("no copy from before an upgrade"),
    })
    expect(schemaOf(at.data)).toBe(FIXTURE_SCHEMA)
    expect((await adbooth(["backup", "rollback", "--data", join(at.data, "nothing")])).code).toBe(1)
    const url = { ADBOOTH_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }
    expect((await adbooth(["backup", "rollback"], { env: url })).err).toContain(
      "into an empty database: adbooth backup restore FILE --database-url URL",
    )
  })
})
