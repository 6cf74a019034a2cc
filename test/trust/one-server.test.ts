import { describe, expect, test } from "bun:test"
import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { openStore } from "../../src/storage/open.ts"
import { adbooth, BINARY, hasBinary, serveBinary } from "../binary.ts"
import { DELIVERY, post, report } from "../doors/ingest/feed.ts"
import { ON_POSTGRES } from "../engine.ts"
import { givenIngestKey, givenPackageLine } from "../given.ts"
import { startApp, temporaryFolder } from "../harness.ts"
import { wholeStore } from "../storage/contract/whole-store.ts"

// "One server, one directory" of the decisions: about an embedded database only.
const onFiles = describe.skipIf(ON_POSTGRES)

function openAt(data: string, server?: string) {
  const place = { data, databaseUrl: null, backupDir: null }
  return openStore(place, { create: true, stamp: "test", ...(server !== undefined && { server }) })
}

onFiles("a second server on the same data directory", () => {
  test("refuses to start and says which process has it; commands go on beside the first", async () => {
    using folder = temporaryFolder()
    const { store: first } = await openAt(folder.path, "process 17 on host-a")
    await using serving = first
    await expect(openAt(folder.path, "process 18 on host-b")).rejects.toThrow(
      /in use by another server: process 17 on host-a\./,
    )
    await using command = (await openAt(folder.path)).store
    await wholeStore(command).settings.set("address", "http://127.0.0.1")
    expect(await serving.settings.get("address")).toBe("http://127.0.0.1")
    const facts = new Map((await command.health.facts()).map(({ label, value }) => [label, value]))
    expect(facts.get("served by")).toBe("process 17 on host-a")
  })

  test("starts once the first has ended, while commands still run, and whatever an earlier one left behind", async () => {
    using folder = temporaryFolder()
    const { store: first } = await openAt(folder.path, "process 17 on host-a")
    await using _ = (await openAt(folder.path)).store
    await first[Symbol.asyncDispose]()
    await using second = (await openAt(folder.path, "process 18 on host-b")).store
    const facts = new Map((await second.health.facts()).map(({ label, value }) => [label, value]))
    expect(facts.get("served by")).toBe("process 18 on host-b")
  })
})

const LOST = ["adbooth.db", "adbooth.db-wal", "adbooth.db-shm", "in-use.lock"]
const WAYS: readonly (readonly [string, (file: string) => void])[] = [
  ["deleted", (file) => rmSync(file)],
  ["moved away", (file) => renameSync(file, `${file}.moved`)],
  [
    "replaced",
    (file) => {
      writeFileSync(`${file}.new`, readFileSync(file))
      renameSync(`${file}.new`, file)
    },
  ],
]

onFiles("a file of the database that is lost under a running server is noticed", () => {
  for (const name of LOST) {
    for (const [how, lose] of WAYS) {
      test(`${name} ${how}: nothing more is accepted, /readyz is 503 and says why`, async () => {
        await using app = await startApp()
        const { packageId, seller } = await givenPackageLine(app)
        const key = await givenIngestKey(app, seller)
        const same = { package_id: packageId, impressions: 5, as_of: "2026-11-14T12:00:00Z" }
        expect(await report(app, key, [same])).toMatchObject({ accepted: 1 })
        lose(join(app.config.data, name))
        // Also what would not be written, because it is known.
        for (const item of [same, { ...same, impressions: 7, as_of: "2026-11-15T12:00:00Z" }]) {
          const response = await post(app, DELIVERY, key, { items: [item] })
          expect([200, 503]).toContain(response.status)
          if (response.status === 200) expect(await response.json()).toMatchObject({ accepted: 0 })
        }
        const ready = await app.fetch("/readyz")
        expect(ready.status).toBe(503)
        expect(await ready.text()).toContain(`${name} was deleted or replaced while the server runs`)
      })
    }
  }

  test("also where nobody writes: /readyz looks for itself", async () => {
    await using app = await startApp()
    expect((await app.fetch("/readyz")).status).toBe(200)
    rmSync(join(app.config.data, "adbooth.db"))
    expect((await app.fetch("/readyz")).status).toBe(503)
  })

  test("and it is never closed into the file that took its place", async () => {
    using folder = temporaryFolder()
    using other = temporaryFolder()
    await (await openAt(other.path)).store[Symbol.asyncDispose]()
    const { store } = await openAt(folder.path)
    await wholeStore(store).settings.set("address", "http://old")
    for (const ending of ["", "-wal", "-shm"]) rmSync(join(folder.path, `adbooth.db${ending}`))
    copyFileSync(join(other.path, "adbooth.db"), join(folder.path, "adbooth.db"))
    await using next = (await openAt(folder.path)).store
    await wholeStore(next).settings.set("address", "http://new")
    await expect(wholeStore(store).settings.set("address", "http://old")).rejects.toThrow("deleted or replaced")
    await store[Symbol.asyncDispose]()
    expect(existsSync(join(folder.path, "adbooth.db-wal"))).toBe(true)
    expect(await next.settings.get("address")).toBe("http://new")
  })
})

onFiles("a directory whose database was lost", () => {
  test("is no new installation: an empty file is refused, and a missing one where a server has run", async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, "adbooth.db")
    await (await openAt(folder.path, "process 17 on host-a")).store[Symbol.asyncDispose]()
    truncateSync(file)
    await expect(openAt(folder.path, "process 18")).rejects.toThrow(
      /adbooth\.db is empty\. .*adbooth backup restore FILE/,
    )
    rmSync(file)
    await expect(openAt(folder.path, "process 18")).rejects.toThrow(
      /is missing, although a server has used it\. .*adbooth backup restore FILE/,
    )
    expect(existsSync(file)).toBe(false)
  })

  test("an empty file gives way to a backup", async () => {
    using folder = temporaryFolder()
    const [data, backup] = [join(folder.path, "data"), join(folder.path, "backup.db")]
    await (await openAt(data, "process 17")).store[Symbol.asyncDispose]()
    const { backUp, restore } = await import("../../src/storage/open.ts")
    const place = { data, databaseUrl: null, backupDir: null }
    await backUp(place, backup, false)
    truncateSync(join(data, "adbooth.db"))
    await restore(place, backup, { mayReplace: async () => false, stamp: "test" })
    await using _ = (await openAt(data, "process 18")).store
  })
})

describe.if(hasBinary && !ON_POSTGRES)("adbooth serve, on a directory that is served", () => {
  test("ends with 1 and names the process; after kill -9 of the first it starts; doctor says who serves", async () => {
    using folder = temporaryFolder()
    await using first = await serveBinary(["--data", folder.path])
    const refused = await adbooth(["serve", "--port", "0", "--data", folder.path])
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`process ${first.pid} on `) })
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
    const doctor = await adbooth(["doctor", "--data", folder.path])
    expect(doctor.out).toContain(`served by: process ${first.pid} on `)
    await first.stop("SIGKILL")
    await using second = await serveBinary(["--data", folder.path])
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
  })

  test("says at the next start that the process which took over ended before it served", async () => {
    using folder = temporaryFolder()
    const [data, program] = [join(folder.path, "data"), join(folder.path, "adbooth")]
    symlinkSync(BINARY, program)
    await using first = await serveBinary(["--data", data], { program })
    // Stops the old process as a successor does, and dies.
    writeFileSync(`${program}-new`, "#!/bin/sh\nkill -TERM $PPID\nexec cat >/dev/null\n", { mode: 0o755 })
    renameSync(`${program}-new`, program)
    process.kill(first.pid, "SIGUSR2")
    expect(await first.ended).toBe(0)
    const told = "the process that took over ended before it could serve"
    for (const isFirst of [true, false]) {
      await using next = await serveBinary(["--data", data])
      expect(await next.stop()).toBe(0)
      expect(next.errors().includes(told)).toBe(isFirst)
    }
  })

  test("a successor never begins a new installation: the file that was there is missed", async () => {
    using folder = temporaryFolder()
    const data = join(folder.path, "data")
    await using first = await serveBinary(["--data", data])
    rmSync(join(data, "adbooth.db"))
    rmSync(join(data, "served-by.txt"))
    process.kill(first.pid, "SIGUSR2")
    await first.ended
    expect(existsSync(join(data, "adbooth.db"))).toBe(false)
  })

  test("logs once why nothing is accepted any more, and goes on to say so", async () => {
    using folder = temporaryFolder()
    await using server = await serveBinary(["--data", folder.path])
    rmSync(join(folder.path, "adbooth.db"))
    for (const _ of [1, 2]) expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
    expect(await server.stop()).toBe(0)
    expect(server.errors().match(/nothing is accepted any more/g)).toHaveLength(1)
    expect(server.errors()).toContain("adbooth.db was deleted or replaced")
  })
})
