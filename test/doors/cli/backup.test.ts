import { describe, expect, test } from "bun:test"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { adbooth as executable, hasBinary, serveBinary } from "../../binary.ts"
import { temporaryFolder } from "../../harness.ts"
import { EXAMPLE_FILE } from "./example-file.ts"
import { adbooth } from "./in-process.ts"

async function given() {
  const folder = temporaryFolder()
  const data = join(folder.path, "data")
  await adbooth(["import", "-", "--data", data], { input: JSON.stringify(EXAMPLE_FILE) })
  return { data, file: join(folder.path, "copy"), path: folder.path, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

describe.if(hasBinary)("adbooth backup and restore", () => {
  test("under a running server: the copy is counted, restores elsewhere, and exports the same catalogue", async () => {
    using at = await given()
    await using server = await serveBinary(["--data", at.data])
    const made = await adbooth(["backup", "create", at.file, "--compress", "--data", at.data, "--json"])
    expect(made.code).toBe(0)
    expect(JSON.parse(made.out)).toMatchObject({ file: at.file, rows: { package_line: 1, product: 1 } })
    const elsewhere = join(at.path, "new")
    expect(await adbooth(["backup", "restore", at.file, "--data", elsewhere])).toMatchObject({ code: 0 })
    const exported = async (data: string) => (await adbooth(["export", "--data", data])).out
    expect(await exported(elsewhere)).toBe(await exported(at.data))
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  test("restore asks before it replaces data, tells where it keeps it, and works under a running server", async () => {
    using at = await given()
    await using server = await serveBinary(["--data", at.data])
    await adbooth(["backup", "create", at.file, "--data", at.data])
    const refused = await adbooth(["backup", "restore", at.file, "--data", at.data])
    expect(refused).toMatchObject({ code: 2, out: "" })
    expect(refused.err).toContain("Add --yes.")
    const forced = await adbooth(["backup", "restore", at.file, "--yes", "--data", at.data, "--json"])
    expect(forced.code).toBe(0)
    expect(await Bun.file(JSON.parse(forced.out).aside).exists()).toBe(true)
    expect(await adbooth(["doctor", "--data", at.data])).toMatchObject({ code: 0 })
    expect(await server.stop()).toBe(0)
  })

  test("needs no /tmp: what is written for a while stands beside the data", async () => {
    using at = await given()
    const env = { TMPDIR: "/nowhere/at/all", SQLITE_TMPDIR: "/nowhere/at/all", ADBOOTH_DATA: at.data }
    expect(await executable(["backup", "create", at.file, "--compress"], { env })).toMatchObject({ code: 0 })
    expect(await executable(["backup", "check", at.file], { env })).toMatchObject({ code: 0 })
    expect(await executable(["backup", "restore", at.file, "--yes"], { env })).toMatchObject({ code: 0 })
    expect(await executable(["export", "--all", "-"], { env })).toMatchObject({ code: 0 })
    const demo = await executable(["serve", "--demo", "--port", "0"], { env })
    expect(demo).toMatchObject({ code: 1, err: expect.stringContaining("The folder /nowhere/at/all does not exist.") })
  })

  test.each([
    ["two files named", ["backup", "create", "--compress", "x", "y"], 2],
    ["no file named", ["backup"], 2],
    ["a folder that is not there", ["backup", "create", "/nowhere/at/all/copy"], 1],
    ["a backup that is not there", ["backup", "restore", "/nowhere/at/all/copy"], 1],
  ])("%s is told in words", async (_, args, code) => {
    using at = await given()
    const done = await adbooth([...args, "--data", at.data])
    expect(done.code).toBe(code)
    expect(done.out).toBe("")
    expect(done.err).not.toContain("should not")
  })

  test("a data directory without a database has nothing to back up, and gets none by it", async () => {
    using folder = temporaryFolder()
    const data = join(folder.path, "empty")
    mkdirSync(data)
    expect(await adbooth(["backup", "create", join(folder.path, "copy"), "--data", data])).toMatchObject({ code: 1 })
    expect(await Bun.file(join(data, "adbooth.db")).exists()).toBe(false)
  })
})

describe.if(hasBinary)("adbooth doctor", () => {
  test("judges the settings that the server was started with, whatever shell it is asked from", async () => {
    using at = await given()
    await using _ = await serveBinary(["--data", at.data, "--public-url", "https://ads.example.com"])
    const asked = await adbooth(["doctor", "--data", at.data, "--json"])
    expect(asked).toMatchObject({ code: 1, err: "1 problem found.\n" })
    const { findings } = JSON.parse(asked.out) as { findings: { check: string; ok: boolean; advice?: string }[] }
    expect(findings.filter(({ ok }) => !ok)).toMatchObject([
      { check: "proxy", advice: expect.stringContaining("--trust-proxy") },
    ])
  })
})

describe.if(hasBinary)("a second signal", () => {
  test("while it stops changes nothing: what is in flight is finished, and the exit code is 0", async () => {
    using at = await given()
    await using server = await serveBinary(["--data", at.data])
    const stopped = server.stop("SIGTERM")
    process.kill(server.pid, "SIGINT")
    expect(await stopped).toBe(0)
  })
})
