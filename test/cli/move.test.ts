import { expect, test } from "bun:test"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { testWith } from "../harness/machine.ts"
import { newPostgresDatabase } from "../harness/postgres.ts"
import { startProgram, tryProgram } from "../harness/program.ts"
import { exampleData, PACKAGE_ID } from "./given.ts"

testWith("postgres")("move copies everything to PostgreSQL and back, and says what it has verified", async () => {
  using given = await exampleData()
  const url = await newPostgresDatabase()
  const before = await given.run("export", "--all")
  const there = await tryProgram(["move", "--from", given.data, "--to", "env:PLACE"], { PLACE: url })
  expect(there.code).toBe(0)
  expect(there.output).toMatch(/^Copied [\d,]+ rows in \d+ tables from \S+ to .+\.\nVerified: every table reads back/)
  expect(there.errors).toContain("Nothing else is using --from. Copying; the source stays locked")
  const lines = await tryProgram(["line", "list", "--json"], { ADBOOTH_DATABASE_URL: url })
  expect(JSON.parse(lines.output)).toEqual([expect.objectContaining({ package_id: PACKAGE_ID })])

  const file = join(given.folder, "url")
  writeFileSync(file, `${url}\n`)
  const back = join(given.folder, "back")
  const moved = await tryProgram(["move", "--from", `file:${file}`, "--to", back, "--json"])
  expect(JSON.parse(moved.output)).toMatchObject({ to: back })
  expect((await tryProgram(["export", "--all", "--data", back])).output).toBe(before.output)

  const again = await tryProgram(["move", "--from", back, "--to", `file:${file}`])
  expect(again).toMatchObject({ code: 1, output: "", errors: expect.stringContaining("already contains data") })
})

testWith("postgres")("commands work on PostgreSQL, and a password in an option is a warning", async () => {
  using given = await exampleData()
  const url = await newPostgresDatabase()
  const environment = { ADBOOTH_DATABASE_URL: url, ADBOOTH_DATA: given.folder }
  const file = join(given.folder, "copy.db")
  await given.run("backup", "create", file)
  const restored = await tryProgram(["backup", "restore", file, "--json"], environment)
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('"replaced": null') })
  const streamed = await tryProgram(["backup", "create", "-"], environment)
  expect(streamed.output).toStartWith("SQLite format 3")
  const doctor = await tryProgram(["doctor", "--json"], environment)
  expect(doctor.errors).toBe("")
  const withPassword = url.replace("://", "://somebody:hidden@").replace(/@[^@]*@/, "@")
  const { errors } = await tryProgram(["line", "list", "--database-url", withPassword, "--json"])
  expect(errors).toContain("Every user of this machine can read the password in --database-url.")
  expect(errors).not.toContain("hidden")
})

test("move refuses a source that a server uses, one without a database, and the same place", async () => {
  using given = await exampleData()
  const to = join(given.folder, "to")
  await using server = await startProgram({ data: given.data })
  const inUse = await tryProgram(["move", "--from", given.data, "--to", to])
  expect(inUse).toMatchObject({ code: 1, errors: expect.stringContaining("is in use by a server") })
  expect(await server.stop()).toBe(0)
  const missing = await tryProgram(["move", "--from", to, "--to", given.data])
  expect(missing).toMatchObject({ code: 1, errors: `There is no Adbooth database in ${to}. Check --from.\n` })
  const same = await tryProgram(["move", "--from", given.data, "--to", given.data])
  expect(same).toMatchObject({ code: 1, errors: expect.stringContaining("are the same place") })
  expect(existsSync(to)).toBe(false)
  expect(readdirSync(given.data)).toContain("adbooth.db")
})

test("after a move, no server starts on the old copy by mistake", async () => {
  using given = await exampleData()
  const to = join(given.folder, "to")
  expect((await tryProgram(["move", "--from", given.data, "--to", to])).code).toBe(0)
  const { code, errors } = await given.run("serve", "--port", "0")
  expect(code).toBe(1)
  expect(errors).toContain(`was moved to ${to}. Start the server there.`)
})
