import { describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { startApp, type TestApp } from "../harness/app.ts"
import { chooseInApp, runJob } from "../harness/data/jobs.ts"
import { freePort, temporaryFolder } from "../harness/folder.ts"
import { bucketAt, s3Error, startBucketStorage, startOddStorage } from "../harness/world/bucket-storage.ts"

type Bucket = ReturnType<typeof bucketAt>

const HOUR = 3_600_000_000

/** A server that backs up every hour, and copies each backup to the bucket. */
async function startCopying(bucket: Bucket): Promise<TestApp> {
  const app = await startApp({ isConnected: true, options: { backupEvery: HOUR } })
  await chooseInApp(app, "secret.bucket", bucket)
  return app
}

const namesIn = async (app: TestApp, bucket: Bucket) =>
  (await app.services.bucket(bucket).list()).map(({ name }) => name)

async function backUpHourly(app: TestApp, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await runJob(app, "backups")
    app.clock.advance({ hours: 1 })
  }
}

describe("copies in a bucket", () => {
  test("the newest are kept, each is copied once, and a copy that was removed isn't made again", async () => {
    await using storage = await startBucketStorage()
    const { bucket } = storage
    await using app = await startCopying(bucket)
    await backUpHourly(app, 3)
    const [second = "", third = ""] = ["adbooth-20261115T130000Z.db", "adbooth-20261115T140000Z.db"]
    expect(await namesIn(app, bucket)).toEqual([second, third])
    await app.services.bucket(bucket).remove(third)
    app.clock.advance({ hours: -1 })
    await runJob(app, "backups")
    expect(await namesIn(app, bucket)).toEqual([second])
  })

  test("a large file goes up in parts, and comes back as it was", async () => {
    await using storage = await startBucketStorage()
    await using app = await startApp({ isConnected: true })
    using folder = temporaryFolder()
    const file = join(folder.path, "large")
    const content = new Uint8Array(20_000_000).map((_, i) => (i * 7) % 251)
    writeFileSync(file, content)
    const client = app.services.bucket(storage.bucket)
    expect(await client.copy(file, "adbooth-20261115T030000Z.db")).toMatchObject({ bytes: 20_000_000 })
    const chunks: Uint8Array[] = []
    for await (const chunk of client.read("adbooth-20261115T030000Z.db")) chunks.push(chunk)
    expect(Bun.hash(Buffer.concat(chunks))).toBe(Bun.hash(content))
  })

  test("failed copies are tried again with growing pauses, until they work", async () => {
    let isFull = true
    await using storage = await startBucketStorage()
    using odd = startOddStorage((request) =>
      isFull ? s3Error(507, "XMinioStorageFull") : fetch(storage.bucket.endpoint + new URL(request.url).pathname),
    )
    await using app = await startCopying(odd.bucket)
    await backUpHourly(app, 1)
    expect(app.logged.join("")).toContain("The bucket is full.")
    const tried = odd.requests.length
    app.clock.advance({ hours: -1 })
    await runJob(app, "backups")
    expect(odd.requests.length).toBe(tried)
    isFull = false
    app.clock.advance({ hours: 2 })
    await chooseInApp(app, "secret.bucket", storage.bucket)
    await runJob(app, "backups")
    expect(await namesIn(app, storage.bucket)).toHaveLength(2)
  })

  test("a copy that differs from the file is removed and reported", async () => {
    using odd = startOddStorage(({ method }) => (method === "GET" ? new Response("something else") : new Response()))
    await using app = await startCopying(odd.bucket)
    await backUpHourly(app, 1)
    expect(app.logged.join("")).toContain("wasn't stored as it was sent")
    expect(odd.requests.at(-1)).toStartWith("DELETE /copies/adbooth/adbooth-")
  })

  test("an upload that fails halfway leaves no parts behind", async () => {
    using odd = startOddStorage(({ url, method }) => {
      const { searchParams } = new URL(url)
      if (searchParams.has("uploads")) return new Response("<UploadId>7</UploadId>")
      if (searchParams.get("partNumber") === "1") return new Response(null, { headers: { ETag: '"1"' } })
      return method === "DELETE" ? new Response(null, { status: 204 }) : s3Error(403, "QuotaExceeded")
    })
    await using app = await startApp({ isConnected: true })
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, "large"), new Uint8Array(20_000_000))
    const copying = app.services.bucket(odd.bucket).copy(join(folder.path, "large"), "large")
    expect(copying).rejects.toThrow("The bucket is full.")
    await copying.catch(() => undefined)
    expect(odd.requests.at(-1)).toBe("DELETE /copies/adbooth/large")
  })
})

describe("a problem with a bucket is explained in words", () => {
  test.each([
    ["SignatureDoesNotMatch", 403, "The secret doesn't belong"],
    ["InvalidAccessKeyId", 403, "doesn't know this access key ID"],
    ["AccessDenied", 403, "At your storage provider, allow the key to list, read, write and delete"],
    ["PermanentRedirect", 301, "The bucket is in another region."],
    ["RequestTimeTooSkewed", 403, "The clock of this machine is wrong."],
    ["QuotaExceeded", 403, "The bucket is full."],
  ])("%s", async (code, status, advice) => {
    using odd = startOddStorage(() => s3Error(status, code))
    await using app = await startApp({ isConnected: true })
    const problem = await app.services.bucket(odd.bucket).test()
    expect([problem?.problem, problem?.advice]).toEqual([
      expect.stringContaining(`copies/adbooth at 127.0.0.1`),
      expect.stringContaining(advice),
    ])
  })

  test("a bucket that doesn't exist", async () => {
    await using storage = await startBucketStorage()
    await using app = await startApp({ isConnected: true })
    const problem = await app.services.bucket({ ...storage.bucket, bucket: "nowhere" }).test()
    expect(problem?.advice).toContain("Check the name of the bucket")
  })

  test("no server listens, or another program answers", async () => {
    await using app = await startApp({ isConnected: true })
    const nobody = await app.services.bucket(bucketAt(freePort())).test()
    expect(nobody?.problem).toContain("nothing answers at this URL")
    using page = startOddStorage(() => new Response("<!doctype html>", { status: 404 }))
    expect((await app.services.bucket(page.bucket).test())?.problem).toContain("isn't S3-compatible storage")
  })

  test("a working one passes the test and keeps nothing of it", async () => {
    await using storage = await startBucketStorage()
    await using app = await startApp({ isConnected: true })
    expect(await app.services.bucket(storage.bucket).test()).toBeNull()
    expect(await namesIn(app, storage.bucket)).toEqual([])
  })
})

test("redirects to another host aren't followed, so no backup ends up there", async () => {
  using elsewhere = startOddStorage(() => new Response())
  using odd = startOddStorage(({ url }) => {
    const { pathname, search } = new URL(url)
    const to = `${elsewhere.bucket.endpoint}${pathname}${search}`
    return new Response(null, { status: 307, headers: { Location: to } })
  })
  await using app = await startCopying(odd.bucket)
  await backUpHourly(app, 1)
  const client = app.services.bucket(odd.bucket)
  expect((await client.test())?.problem).toContain("redirects to another address")
  await expect(client.list()).rejects.toThrow("redirects")
  await expect(client.remove("a")).rejects.toThrow("redirects")
  expect(elsewhere.requests).toEqual([])
})
