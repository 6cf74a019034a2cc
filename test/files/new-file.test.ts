import { describe, expect, test } from "bun:test"
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { backUp } from "../../src/storage/sqlite/backup/backup.ts"
import { restore } from "../../src/storage/sqlite/backup/restore.ts"
import { workFolder } from "../../src/storage/sqlite/engine/work-folder.ts"
import { sqliteStore } from "../../src/storage/sqlite/index.ts"
import { adbooth, BINARY, hasBinary } from "../binary.ts"
import { EXAMPLE_FILE } from "../doors/cli/example-file.ts"
import { temporaryFolder } from "../harness.ts"
import { wholeStore } from "../storage/contract/whole-store.ts"

async function given() {
  const folder = temporaryFolder()
  const data = join(folder.path, "data")
  const { store } = sqliteStore(data, "test")
  await store[Symbol.asyncDispose]()
  return { data, path: folder.path, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

const FORCE = { mayReplace: async () => true, stamp: "then" }

describe("a backup takes the place of nothing but a file", () => {
  const targets: [string, (folder: string) => string, string][] = [
    ["a device", () => "/dev/full", "a device"],
    ["a folder", (folder) => mkdirSync(join(folder, "x"), { recursive: true }) ?? "", "a folder"],
    ["a named pipe", (folder) => run(["mkfifo", join(folder, "x")], join(folder, "x")), "a named pipe"],
    ["a link to a file", (folder) => linked(join(folder, "data", "adbooth.db"), join(folder, "x")), "a link"],
    ["a link to nothing", (folder) => linked(join(folder, "nothing"), join(folder, "x")), "a link"],
  ]
  test.each(targets)("%s", async (_, make, kind) => {
    using at = await given()
    const target = make(at.path)
    const before = lstatSync(target)
    for (const isPacked of [false, true])
      await expect(backUp(at.data, target, isPacked)).rejects.toThrow(`is ${kind}, not a file`)
    expect(lstatSync(target).ino).toBe(before.ino)
    expect(readdirSync(at.path).filter((name) => name !== "data" && name !== "x")).toEqual([])
  })

  test("nor of the lock of the data directory", async () => {
    using at = await given()
    await expect(backUp(at.data, join(at.data, "in-use.lock"), false)).rejects.toThrow("the database itself")
  })

  function run(command: string[], result: string): string {
    Bun.spawnSync(command)
    return result
  }

  function linked(target: string, link: string): string {
    symlinkSync(target, link)
    return link
  }
})

test("links planted under the names of unfinished files are not followed", async () => {
  using at = await given()
  const victim = join(at.path, "victim")
  writeFileSync(victim, "precious")
  const file = join(at.path, "copy")
  for (const name of ["copy.partial", "copy.packed.partial", "copy.partial-journal"])
    symlinkSync(victim, join(at.path, name))
  for (const isPacked of [false, true]) await backUp(at.data, file, isPacked)
  for (const name of ["adbooth.db.restoring", "adbooth.db.restoring-journal"]) symlinkSync(victim, join(at.data, name))
  await restore(at.data, file, FORCE)
  expect(readFileSync(victim, "utf8")).toBe("precious")
  expect(readlinkSync(join(at.path, "copy.packed.partial"))).toBe(victim)
})

describe("unfinished files of a killed program", () => {
  function abandoned(parent: string): string {
    const path = join(parent, ".adbooth-partial-AAAAAA")
    mkdirSync(path, { mode: 0o700 })
    writeFileSync(join(path, "copy.db"), "half")
    writeFileSync(join(path, "copy.db-journal"), "half")
    utimesSync(path, 0, 0)
    return path
  }

  test("go with the next start, backup or restore", async () => {
    using at = await given()
    const file = join(at.path, "copy")
    const doing: [string, () => Promise<unknown>][] = [
      [at.path, () => backUp(at.data, file, false)],
      [at.data, () => restore(at.data, file, FORCE)],
      [at.data, async () => sqliteStore(at.data, "test").store[Symbol.asyncDispose]()],
    ]
    for (const [parent, work] of doing) {
      const path = abandoned(parent)
      await work()
      expect(existsSync(path)).toBe(false)
    }
  })

  test("but not those that somebody works on", async () => {
    using at = await given()
    using folder = workFolder(at.data)
    await sqliteStore(at.data, "test").store[Symbol.asyncDispose]()
    await backUp(at.data, join(at.data, "copy"), false)
    expect(existsSync(folder.path)).toBe(true)
  })

  test("nor a link of such a name, nor what it points to", async () => {
    using at = await given()
    const elsewhere = join(at.path, "elsewhere")
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, "mine"), "precious")
    symlinkSync(elsewhere, join(at.data, ".adbooth-partial-AAAAAA"))
    await sqliteStore(at.data, "test").store[Symbol.asyncDispose]()
    expect(readdirSync(elsewhere)).toEqual(["mine"])
  })
})

test("a restore that is refused leaves no data directory behind", async () => {
  using folder = temporaryFolder()
  const wrong = restore(join(folder.path, "a", "b"), "/dev/null", FORCE)
  await expect(wrong).rejects.toThrow("/dev/null is not an Adbooth backup.")
  const input = new Blob(["rubbish"]).stream()
  const rubbish = restore(join(folder.path, "a", "b"), "-", { ...FORCE, input })
  await expect(rubbish).rejects.toThrow(/^Standard input is not/)
  expect(readdirSync(folder.path)).toEqual([])
})

const isRoot = process.geteuid?.() === 0
if (!isRoot) console.error("SKIPPED: tests of who files belong to need root.")
const SERVICE = 10_001

describe.if(isRoot)("as root", () => {
  /** A data directory of the service's user. */
  async function givenService() {
    const at = await given()
    for (const name of readdirSync(at.data)) chownSync(join(at.data, name), SERVICE, SERVICE)
    chownSync(at.data, SERVICE, SERVICE)
    return at
  }

  const owners = (folder: string) =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).uid]))

  test.each(["sound", "damaged", "none"])("what is restored belongs to the service's user (%s)", async (state) => {
    using at = await givenService()
    const file = join(at.path, "copy")
    await backUp(at.data, file, false)
    const live = join(at.data, "adbooth.db")
    if (state === "damaged") writeFileSync(live, "rubbish")
    if (state === "none") for (const name of readdirSync(at.data)) Bun.spawnSync(["rm", join(at.data, name)])
    await restore(at.data, file, FORCE)
    await sqliteStore(at.data, "test").store[Symbol.asyncDispose]()
    const found = owners(at.data)
    expect(Object.keys(found)).toContain("adbooth.db")
    expect(new Set(Object.values(found))).toEqual(new Set([SERVICE]))
  })

  test("a data directory that is made belongs to whoever the folder around it belongs to", async () => {
    using at = await given()
    const file = join(at.path, "copy")
    await backUp(at.data, file, false)
    const home = join(at.path, "home")
    mkdirSync(home)
    chownSync(home, SERVICE, SERVICE)
    await restore(join(home, "a", "b"), file, FORCE)
    expect(owners(home)).toEqual({ a: SERVICE })
    expect(owners(join(home, "a"))).toEqual({ b: SERVICE })
    expect(owners(join(home, "a", "b"))).toEqual({ "adbooth.db": SERVICE, "in-use.lock": SERVICE })
  })

  test("a restored file keeps the mode of what it replaces", async () => {
    using at = await givenService()
    const file = join(at.path, "copy")
    await backUp(at.data, file, false)
    const live = join(at.data, "adbooth.db")
    writeFileSync(live, "rubbish")
    chmodSync(live, 0o640)
    await restore(at.data, file, FORCE)
    expect(statSync(live).mode & 0o777).toBe(0o640)
  })

  test("a database that is made in the service's directory is the service's", async () => {
    using folder = temporaryFolder()
    chownSync(folder.path, SERVICE, SERVICE)
    const { store } = sqliteStore(folder.path, "test")
    await using _ = store
    await wholeStore(store).settings.set("address", "http://127.0.0.1")
    expect(owners(folder.path)).toEqual({
      "adbooth.db": SERVICE,
      "adbooth.db-shm": SERVICE,
      "adbooth.db-wal": SERVICE,
      "in-use.lock": SERVICE,
    })
  })
})

describe.if(hasBinary)("through pipes", () => {
  async function imported() {
    const at = await given()
    await adbooth(["import", "-", "--data", at.data], { input: JSON.stringify(EXAMPLE_FILE) })
    return at
  }

  test.each(["", "--compress"])("backup create - | backup restore - moves everything (%s)", async (compress) => {
    using at = await imported()
    const script = `set -o pipefail; cd "$P"; "$A" backup create - ${compress} --data data | "$A" backup restore - --data new`
    const child = Bun.spawn(["bash", "-c", script], {
      env: { PATH: process.env["PATH"] ?? "", A: BINARY, P: at.path },
      stdout: "pipe",
      stderr: "pipe",
    })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    expect(await child.exited).toBe(0)
    expect(out).toMatch(/^Restored \d+ rows from standard input\.\n$/)
    expect(err).toMatch(/^[\d,]+ bytes, [\d,]+ rows, checked\n$/)
    const exported = async (data: string) => (await adbooth(["export", "--data", join(at.path, data)])).out
    expect(await exported("new")).toBe(await exported("data"))
    expect(readdirSync(at.path).sort()).toEqual(["data", "new"])
    expect(readdirSync(at.data).filter((name) => name.startsWith("."))).toEqual([])
  })

  test("backup restore reads a pipe by its name", async () => {
    using at = await imported()
    await adbooth(["backup", "create", join(at.path, "copy"), "--data", at.data])
    const child = Bun.spawn(["bash", "-c", '"$A" backup restore <(cat "$P/copy") --data "$P/new"'], {
      env: { PATH: process.env["PATH"] ?? "", A: BINARY, P: at.path },
      stdout: "pipe",
      stderr: "inherit",
    })
    expect(await new Response(child.stdout).text()).toContain("Restored")
    expect(await child.exited).toBe(0)
  })

  test("backup restore - asks nothing where there is data already: it says that --yes is needed, and with it replaces", async () => {
    using at = await imported()
    const restored = async (options: string) => {
      const script = `set -o pipefail; "$A" backup create - --data "$P/data" | "$A" backup restore - --data "$P/data" ${options}`
      const child = Bun.spawn(["bash", "-c", script], {
        env: { PATH: process.env["PATH"] ?? "", A: BINARY, P: at.path },
        stdout: "pipe",
        stderr: "pipe",
      })
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      return { code: await child.exited, out, err }
    }
    const refused = await restored("")
    expect(refused).toMatchObject({ code: 2, out: "" })
    expect(refused.err).toContain("There is data already.")
    expect(refused.err).toContain("Add --yes.")
    const replaced = await restored("--yes")
    expect(replaced.code).toBe(0)
    expect(replaced.out).toMatch(/^Restored \d+ rows from standard input\.\nThe previous database is kept in /)
  })

  test("backup create - with --json is wrong usage", async () => {
    using at = await imported()
    expect(await adbooth(["backup", "create", "-", "--json", "--data", at.data])).toMatchObject({ code: 2, out: "" })
  })

  const script = Bun.which("script")
  if (script === null) console.error("SKIPPED: the test of a backup to a terminal needs the program script.")
  test.if(script !== null)("backup create - to a terminal is refused", async () => {
    using at = await imported()
    const child = Bun.spawn(["script", "-qec", `${BINARY} backup create - --data ${at.data}`, "/dev/null"], {
      stdin: "ignore",
      stdout: "pipe",
    })
    expect(await new Response(child.stdout).text()).toContain("A backup cannot be written to a terminal")
    expect(await child.exited).toBe(2)
  })
})
