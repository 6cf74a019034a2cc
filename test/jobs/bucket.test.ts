import { describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer, connect as dial } from "node:net"
import { basename, dirname, join } from "node:path"
import { bucketNote, chooseBucket, copyBackups } from "../../src/actions/operations/bucket.ts"
import type { Bucket } from "../../src/domain/operations/bucket.ts"
import { bucketClient } from "../../src/jobs/bucket-client.ts"
import { adbooth } from "../doors/cli/in-process.ts"
import { ON_POSTGRES } from "../engine.ts"
import { freePort } from "../free-port.ts"
import { givenPackageLine } from "../given.ts"
import { startApp, type TestApp, temporaryFolder } from "../harness.ts"
import { until } from "../until.ts"
import { fullStorage, KEY, startStorage } from "./bucket-storage.ts"

const [FIRST, SECOND, THIRD] = [14, 15, 16].map((day) => `adbooth-202611${day}T030000Z.db`) as [string, string, string]
const never = new AbortController().signal

interface Backups extends Disposable {
  readonly path: string
  put(name: string, bytes: number): void
}

function backups(): Backups {
  const folder = temporaryFolder()
  return {
    path: folder.path,
    put: (name, bytes) => writeFileSync(join(folder.path, name), new Uint8Array(bytes).fill(7)),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

function copy(app: TestApp, bucket: Bucket, folder: Backups, names: readonly string[]) {
  const fileOf = (name: string) => join(folder.path, name)
  return copyBackups(app, { copies: bucketClient(bucket), keep: bucket.keep, local: names, fileOf }, never)
}

const namesIn = async (bucket: Bucket) => (await bucketClient(bucket).list()).map(({ name }) => name)

describe("copies of backups in a bucket", () => {
  test("the newest are kept, each once, and one that somebody removed is not brought back", async () => {
    await using storage = await startStorage()
    await using app = await startApp()
    using folder = backups()
    for (const name of [FIRST, SECOND]) folder.put(name, 1_000)
    expect(await copy(app, storage.bucket, folder, [FIRST, SECOND])).toMatchObject({
      name: SECOND,
      copies: 2,
      bytes: 2_000,
    })
    app.clock.advance({ days: 1 })
    folder.put(THIRD, 1_000)
    await copy(app, storage.bucket, folder, [FIRST, SECOND, THIRD])
    expect(await namesIn(storage.bucket)).toEqual([SECOND, THIRD])
    await bucketClient(storage.bucket).remove(SECOND)
    expect(await copy(app, storage.bucket, folder, [SECOND, THIRD])).toBeNull()
    expect(await namesIn(storage.bucket)).toEqual([THIRD])
  })

  test("what is made after a clock that was ahead is copied, and stays", async () => {
    await using storage = await startStorage()
    await using app = await startApp()
    using folder = backups()
    const ahead = ["adbooth-20280101T030000Z.db", "adbooth-20280102T030000Z.db"]
    for (const name of [...ahead, FIRST]) folder.put(name, 10)
    await copy(app, storage.bucket, folder, ahead)
    expect(await copy(app, storage.bucket, folder, [...ahead, FIRST])).toMatchObject({ name: FIRST, copies: 2 })
    expect(await namesIn(storage.bucket)).toEqual([FIRST, ahead[1] ?? ""])
  })

  test("a bucket that is chosen while the one before is filled still gets every copy", async () => {
    await using one = await startStorage()
    await using other = await startStorage()
    await using app = await startApp()
    using folder = backups()
    folder.put(FIRST, 1_000)
    await chooseBucket(app, one.bucket, "command")
    const place = bucketClient(one.bucket)
    const put: typeof place.put = async (...file) => {
      await place.put(...file)
      await chooseBucket(app, other.bucket, "command")
    }
    const plan = {
      copies: { ...place, put },
      keep: 2,
      local: [FIRST],
      fileOf: (name: string) => join(folder.path, name),
    }
    await copyBackups(app, plan, never)
    await copy(app, other.bucket, folder, [FIRST])
    expect(await namesIn(other.bucket)).toEqual([FIRST])
  })

  test("a wrong key is said with what to do, tried again after a pause, and what was missed follows", async () => {
    await using storage = await startStorage()
    await using app = await startApp()
    using folder = backups()
    folder.put(FIRST, 10)
    const wrong = { ...storage.bucket, keyId: "SOMEBODY", secret: "not-it" }
    const note = await copy(app, wrong, folder, [FIRST])
    expect(note).toMatchObject({ problem: expect.stringContaining("InvalidAccessKeyId"), failures: 1 })
    expect(note?.advice).toContain("does not know the access key")
    expect(JSON.stringify(note)).not.toContain("not-it")
    expect(await copy(app, storage.bucket, folder, [FIRST])).toBeNull()
    expect(await (await app.fetch("/readyz")).json()).toMatchObject({ checks: { copies: { ok: false } } })
    app.clock.advance({ hours: 1 })
    folder.put(SECOND, 10)
    expect(await copy(app, storage.bucket, folder, [FIRST, SECOND])).toMatchObject({ copies: 2, problem: null })
  })

  test("a connection that is cut in the middle leaves no copy that looks whole", async () => {
    await using storage = await startStorage()
    await using app = await startApp()
    using folder = backups()
    folder.put(FIRST, 30_000_000)
    let passed = 0
    const cutter = createServer((socket) => {
      const onward = dial(storage.port, "127.0.0.1")
      socket.on("data", (chunk) => {
        passed += chunk.length
        if (passed > 12_000_000) socket.destroy()
        else onward.write(chunk)
      })
      onward.on("data", (chunk) => socket.write(chunk))
      for (const end of [socket, onward])
        end.on("error", () => undefined).on("close", () => [socket, onward].map((it) => it.destroy()))
    })
    const port = freePort()
    await new Promise<void>((resolve) => cutter.listen(port, "127.0.0.1", resolve))
    const through = { ...storage.bucket, endpoint: `http://127.0.0.1:${port}` }
    expect(await copy(app, through, folder, [FIRST])).toMatchObject({ failures: 1, copiedAt: null })
    cutter.close()
    expect(await namesIn(storage.bucket)).toEqual([])
  })

  test.each([
    [507, "XMinioStorageFull"],
    [403, "QuotaExceeded"],
  ])("a full bucket is said with what to do, and nothing half stays in it (%d %s)", async (status, code) => {
    using full = fullStorage(status, code)
    await using app = await startApp()
    using folder = backups()
    folder.put(FIRST, 30_000_000)
    const note = await copy(app, full.bucket, folder, [FIRST])
    expect(note).toMatchObject({ problem: expect.stringContaining(code), failures: 1, copiedAt: null, copies: 0 })
    expect(note?.advice).toContain("full")
    // The client gives up what it had begun after it has said so.
    await until(() => full.begun().length === 0)
  })

  test.skipIf(ON_POSTGRES)("a large file goes and comes back through little memory", async () => {
    await using storage = await startStorage()
    using folder = backups()
    folder.put(FIRST, 100_000_000)
    const client = bucketClient(storage.bucket)
    await client.put(FIRST, join(folder.path, FIRST), never)
    const hash = createHash("sha256")
    for await (const chunk of client.read(FIRST)) hash.update(chunk)
    expect(hash.digest("hex")).toBe(createHash("sha256").update(new Uint8Array(100_000_000).fill(7)).digest("hex"))
  })

  test("the server copies each scheduled backup by itself, as chosen in the app, and an empty machine restores from it", async () => {
    await using storage = await startStorage()
    await using app = await startApp()
    await givenPackageLine(app)
    await chooseBucket(app, storage.bucket, "command")
    // The first backup is made when the schedule starts: what it should hold has to be there before.
    await using _ = await startApp({ beside: app, options: { backupEvery: "24h" } })
    await until(async () => (await bucketNote(app.store))?.copiedAt !== null)
    const [name = ""] = await namesIn(storage.bucket)
    const { bucket, prefix, endpoint } = storage.bucket
    using empty = temporaryFolder()
    const data = join(empty.path, "data")
    mkdirSync(data)
    const env = { ADBOOTH_BACKUP_KEY: `${KEY.keyId}:${KEY.secret}`, ADBOOTH_BACKUP_ENDPOINT: endpoint ?? "" }
    const listed = await adbooth(
      ["backup", "list", "--data", data, "--backup-to", `s3://${bucket}/${prefix}`, "--json"],
      { env },
    )
    expect(JSON.parse(listed.out)).toContainEqual(expect.objectContaining({ name, where: "bucket" }))
    const restored = await adbooth(["backup", "restore", `s3://${bucket}/${prefix}${name}`, "--data", data], { env })
    expect([restored.code, restored.err]).toEqual([0, ""])
    const lines = await adbooth(["line", "list", "--data", data, "--json"])
    expect(JSON.parse(lines.out)).toHaveLength(1)
  })

  test("without a schedule, too, what could not be copied follows by itself", async () => {
    await using storage = await startStorage()
    await using app = await startApp()
    const folder = join(app.config.data, "backups")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, FIRST), "a backup that somebody made by hand")
    await chooseBucket(app, storage.bucket, "command")
    await until(async () => (await bucketNote(app.store))?.copiedAt !== null)
    expect(await namesIn(storage.bucket)).toEqual([FIRST])
  })

  test("a command knows the bucket that was chosen in the app", async () => {
    await using storage = await startStorage()
    await using app = await startApp()
    using folder = backups()
    folder.put(FIRST, 10)
    await chooseBucket(app, storage.bucket, "command")
    await copy(app, storage.bucket, folder, [FIRST])
    const { data, databaseUrl } = app.config
    const place = databaseUrl === null ? [] : ["--database-url", databaseUrl]
    const { out } = await adbooth(["backup", "list", "--data", data, ...place, "--json"])
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ name: FIRST, where: "bucket" }))
  })

  test.each([
    ["is missing", { bucket: "nowhere" }, "create it at your storage provider"],
    ["does not know the key", { keyId: "SOMEBODY" }, "does not know the access key ID"],
    ["is down", { endpoint: "http://127.0.0.1:1" }, "nothing answers at this address"],
  ])("a bucket that %s is said in words, and the backups here are listed all the same", async (_, change, words) => {
    await using storage = await startStorage()
    using folder = backups()
    folder.put(FIRST, 10)
    const { bucket, endpoint, keyId } = { ...storage.bucket, ...change }
    const env = { ADBOOTH_BACKUP_KEY: `${keyId}:${KEY.secret}`, ADBOOTH_BACKUP_ENDPOINT: endpoint ?? "" }
    const place = ["--data", join(folder.path, "data"), "--backup-dir", folder.path]
    const listed = await adbooth(["backup", "list", "--backup-to", `s3://${bucket}`, "--json", ...place], { env })
    expect(JSON.parse(listed.out)).toEqual([{ name: FIRST, where: "here", bytes: 10 }])
    expect([listed.code, listed.err]).toEqual([1, expect.stringContaining(words)])
    expect(listed.err).not.toContain("Unexpected")
    const restored = await adbooth(["backup", "restore", `s3://${bucket}/${SECOND}`, ...place], { env })
    expect([restored.code, restored.err]).toEqual([1, expect.stringContaining(words)])
    expect(restored.err).not.toContain("Unexpected")
  })

  test.each(["s3://My_Backups/x.db", "s3://my-backups", "s3://ID:hunter2@my-backups/x.db"])(
    "restoring %s says what such an address is, and no more",
    async (address) => {
      using folder = backups()
      const env = { ADBOOTH_BACKUP_KEY: `${KEY.keyId}:${KEY.secret}` }
      const refused = await adbooth(["backup", "restore", address, "--data", join(folder.path, "data")], { env })
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("s3://my-backups/adbooth/adbooth-2026")])
      expect(refused.err).not.toContain("hunter2")
    },
  )

  test.each([200, 404])(
    "something else at the address of a bucket, which answers %d, is said to be that",
    async (status) => {
      using other = Bun.serve({ port: 0, fetch: () => new Response("<!doctype html><p>Hello", { status }) })
      using folder = backups()
      const env = { ADBOOTH_BACKUP_KEY: `${KEY.keyId}:${KEY.secret}`, ADBOOTH_BACKUP_ENDPOINT: String(other.url) }
      const place = ["--data", join(folder.path, "data"), "--backup-dir", folder.path]
      const listed = await adbooth(["backup", "list", "--backup-to", "s3://copies", ...place], { env })
      expect([listed.code, listed.err]).toEqual([1, expect.stringContaining("is no S3-compatible storage")])
      const restored = await adbooth(["backup", "restore", `s3://copies/${SECOND}`, ...place], { env })
      expect([restored.code, restored.err]).toEqual([
        1,
        expect.stringMatching(/no S3-compatible|s3:.*not a valid database/),
      ])
    },
  )

  test.skipIf(ON_POSTGRES)("a backup is restored by the name that the list shows, from here", async () => {
    await using app = await startApp()
    await givenPackageLine(app)
    const made = await adbooth(["backup", "create", "--data", app.config.data, "--json"])
    const { file } = JSON.parse(made.out)
    using empty = temporaryFolder()
    const data = join(empty.path, "data")
    const where = ["--backup-dir", dirname(file)]
    const restored = await adbooth(["backup", "restore", basename(file), "--data", data, ...where])
    expect([restored.code, restored.err]).toEqual([0, ""])
  })

  test.skipIf(ON_POSTGRES)("the secret of a bucket is in no export and on no page", async () => {
    await using app = await startApp()
    const secret = "a-secret-that-nobody-sees"
    const chosen = {
      endpoint: "http://127.0.0.1:1",
      region: null,
      bucket: "copies",
      prefix: "",
      keep: 2,
      keyId: "id",
      secret,
    }
    await chooseBucket(app, chosen, "command")
    const { out } = await adbooth(["export", "--all", "-", "--data", app.config.data])
    expect(out).toContain('"bucket_note"')
    expect(out).not.toContain(secret)
    expect(app.logged.join("")).not.toContain(secret)
  })
})
