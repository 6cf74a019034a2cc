import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { startProgram, tryProgram } from "../harness/program.ts"
import { exampleData } from "./given.ts"

/** Makes it look as if a newer version had upgraded the database: a copy from before, and one more migration. */
function upgrade(data: string): void {
  const file = join(data, "adbooth.db")
  using database = new Database(file)
  database.query("VACUUM INTO ?").run(`${file}.before-upgrade-from-1-20260101T000000Z`)
}

function markAsUpgraded(data: string): void {
  using database = new Database(join(data, "adbooth.db"))
  // A server that runs writes as well.
  database.run("PRAGMA busy_timeout = 5000")
  database.run("PRAGMA user_version = 2")
}

test("backup rollback shows since when everything would be lost, asks, and goes back. What was revoked stays revoked", async () => {
  using given = await exampleData()
  const create = (label: string) => given.json("key", "create", "--org", "acme-audio", "--label", label)
  const { prefix } = await create("Before")
  upgrade(given.data)
  await create("Since then")
  await given.run("key", "revoke", prefix, "--yes")
  markAsUpgraded(given.data)

  const asked = await given.run("backup", "rollback")
  expect(asked).toMatchObject({ code: 2, output: "" })
  expect(asked.errors).toContain("The copy from before the upgrade (schema 1, now 2) is ")
  expect(asked.errors).toContain("Going back loses everything that was stored since 2026-01-01 00:00 UTC.\n")
  expect(asked.errors).toContain("Nothing was changed. Add --yes to continue.")

  const { aside, from, to } = await given.json("backup", "rollback", "--yes")
  expect([from, to, existsSync(aside)]).toEqual([2, 1, true])
  const keys = await given.json("key", "list")
  expect(keys).toEqual([expect.objectContaining({ label: "Before", revoked: expect.stringMatching(/Z$/) })])
})

test("backup rollback refuses while a server runs, and without a copy", async () => {
  using given = await exampleData()
  const missing = await given.run("backup", "rollback", "--yes")
  expect(missing.errors).toContain("No copy from before an upgrade was found")
  upgrade(given.data)
  await using server = await startProgram({ data: given.data })
  markAsUpgraded(given.data)
  const refused = await given.run("backup", "rollback", "--yes")
  expect(refused).toMatchObject({ code: 1, output: "" })
  expect(refused.errors).toContain("is in use by a server")
  expect(await server.stop()).toBe(0)
})

test("backup rollback of PostgreSQL says what to do instead", async () => {
  const { code, errors } = await tryProgram([
    "backup",
    "rollback",
    "--database-url",
    "postgres://nobody@127.0.0.1:1/none",
  ])
  expect(code).toBe(1)
  expect(errors).toContain("Restore a backup with the version that made it.")
})
