import { describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { buildShim } from "../../torture/disk/build-shim.ts"
import { differences } from "../../torture/disk/differences.ts"
import { type DiskControl, makeDisk } from "../../torture/disk/disk-control.ts"
import { DiskWorld, type Promises } from "../../torture/disk/disk-world.ts"
import { scratch } from "../../torture/harness/part.ts"
import { seeded } from "../../torture/harness/random.ts"

// Kept as bytes: a test has a folder of its own.
const built = (() => {
  using folder = scratch()
  const shim = buildShim(folder.path)
  return "skipped" in shim ? shim : { library: readFileSync(shim.path) }
})()
if ("skipped" in built) console.error(`SKIPPED: what a power cut leaves. ${built.skipped}`)

// The power cuts of torture/ are worth as much as the recorded disk that they are made on.
describe.if("library" in built)("the recorded disk", () => {
  const library = "library" in built ? built.library : ""

  interface Cut {
    /** From 0, where everything that was not synced is lost, to 1. */
    readonly share: number
    readonly promises?: Promises
  }

  /** Runs a script on a recorded disk and gives what a power cut at its end leaves. */
  async function play(script: string, arrange: (disk: DiskControl) => void = () => undefined) {
    const place = scratch()
    const root = join(place.path, "disk")
    mkdirSync(root)
    writeFileSync(join(root, "old"), "old content")
    const preload = join(place.path, "shim.so")
    writeFileSync(preload, library, { mode: 0o700 })
    const world = new DiskWorld(root)
    const disk = makeDisk(join(place.path, "journal"), { shim: preload, root, journalBytes: 2 ** 24 })
    arrange(disk)
    const program = `const fs = require("node:fs"); const { Database } = require("bun:sqlite"); process.chdir(${JSON.stringify(root)});
      const sync = (path) => { const d = fs.openSync(path, "r"); fs.fsyncSync(d); fs.closeSync(d) };
      ${script}`
    const child = Bun.spawnSync([process.execPath, "-e", program], { env: { ...disk.env, PATH: process.env["PATH"] } })
    expect(child.stderr.toString()).toBe("")
    world.advance(disk.bytes, disk.position())
    let cuts = 0
    return {
      root,
      after({ share, promises = "posix" }: Cut): string {
        const left = join(place.path, `left-${cuts++}`)
        world.writeAfterCut(left, seeded(cuts), { share, pieceBytes: 512 }, promises)
        return left
      },
      [Symbol.dispose]: () => place[Symbol.dispose](),
    }
  }

  const BUSY = `
    const database = new Database("busy.db"); database.run("PRAGMA journal_mode = WAL"); database.run("CREATE TABLE t (a)");
    for (let i = 0; i < 300; i++) database.run("INSERT INTO t VALUES (randomblob(5000))");
    fs.mkdirSync("deep/er", { recursive: true }); fs.writeFileSync("deep/er/one", "1".repeat(10000)); fs.appendFileSync("deep/er/one", "end");
    fs.renameSync("deep/er/one", "deep/two"); fs.copyFileSync("deep/two", "three"); fs.truncateSync("three", 77); fs.rmSync("old");
    fs.writeFileSync("deep/two", "shorter"); fs.promises.writeFile("four", "4").then(() => fs.linkSync("four", "five"));`

  test("knows every write, whoever makes it: with everything kept it is the real disk", async () => {
    using played = await play(BUSY)
    expect(differences(played.after({ share: 1 }), played.root)).toEqual([])
    expect(readdirSync(played.root)).toContain("busy.db")
  })

  test("loses everything that was not synced, and nothing else", async () => {
    using played = await play(`fs.writeFileSync("old", "new content"); fs.writeFileSync("never", "x");
      fs.writeFileSync("kept", "kept"); sync("kept"); sync("."); fs.appendFileSync("kept", " and lost")`)
    const left = played.after({ share: 0 })
    expect(readFileSync(join(left, "old"), "utf8")).toBe("old content")
    expect(readFileSync(join(left, "kept"), "utf8")).toBe("kept")
    // Its name was synced with the folder, its content was not.
    expect(readFileSync(join(left, "never"), "utf8")).toBe("")
  })

  test("a new name is durable with its folder, or in order with any sync where the file system says so", async () => {
    using played = await play(`fs.writeFileSync("new", "new"); sync("new")`)
    expect(existsSync(join(played.after({ share: 0 }), "new"))).toBe(false)
    expect(readFileSync(join(played.after({ share: 0, promises: "ordered" }), "new"), "utf8")).toBe("new")
  })

  test("what a failed sync should have saved stays in doubt, whatever is synced later", async () => {
    const twice = `fs.writeFileSync("old", "new content"); try { sync("old") } catch {} sync("old")`
    using played = await play(twice, (disk) => disk.failSyncs(1, "EIO"))
    expect(readFileSync(join(played.after({ share: 0 }), "old"), "utf8")).toBe("old content")
    expect(readFileSync(join(played.after({ share: 1 }), "old"), "utf8")).toBe("new content")
  })

  test("a disk that lies about its syncs keeps nothing", async () => {
    using played = await play(`fs.writeFileSync("old", "new content"); sync("old")`, (disk) => disk.lie())
    expect(readFileSync(join(played.after({ share: 0 }), "old"), "utf8")).toBe("old content")
  })
})
