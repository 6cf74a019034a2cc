import { describe, expect, test } from "bun:test"
import { createIngestKey } from "../../../src/actions/keys/keys.ts"
import { givenPackageLine } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { report } from "../ingest/feed.ts"
import { adbooth } from "./in-process.ts"

const UNKNOWN = "9e107d9d-372b-4b68-8f6b-2f1c3a4d5e03"

function on({ config }: TestApp, ...words: string[]) {
  const place = config.databaseUrl === null ? ["--data", config.data] : ["--database-url", config.databaseUrl]
  return adbooth(["activity", ...words, ...place])
}

async function givenFeed(app: TestApp) {
  const { packageId, seller } = await givenPackageLine(app)
  const { secret, record } = await createIngestKey(app, seller, "Ad server", "test")
  await report(app, secret, [
    { package_id: packageId, impressions: 5 },
    ...Array.from({ length: 8 }, () => ({ package_id: UNKNOWN, impressions: -1 })),
  ])
  await app.store.flushWriteBuffer()
  return { prefix: record.prefix, secret, seller }
}

describe("feed activity on the command line", () => {
  test("every key with what it sent, as a table, JSON or CSV", async () => {
    // The program has a clock of its own.
    await using app = await startApp({ now: new Date().toISOString() })
    const { prefix, secret, seller } = await givenFeed(app)
    const { out } = await on(app, "--json", "--org", seller.slug)
    const [key] = JSON.parse(out)
    expect(key).toMatchObject({ prefix, label: "Ad server", state: "new", requests: 1, accepted: 1, rejected: 8 })
    expect(key).toMatchObject({ reasons: { invalid_item: 8 }, refused: {}, usual_hours: null, silent_seconds: null })
    expect(out).not.toContain(secret)
    expect((await on(app)).out).toContain("8 (invalid_item 8)")
    expect((await on(app, "--csv")).out).toStartWith("organization,label,prefix,state,requests")
  })

  test("the rejected items of a key, with what was sent", async () => {
    await using app = await startApp({ now: new Date().toISOString() })
    const { prefix } = await givenFeed(app)
    const items = JSON.parse((await on(app, "--rejected", prefix, "--json")).out)
    expect(items.map((item: { more_like_this: number }) => item.more_like_this)).toEqual([2, 0, 0, 0, 0, 0])
    expect(items[0]).toMatchObject({ reason: "invalid_item", package_id: UNKNOWN, line: null })
    expect(items[0].as_sent).toContain('"impressions": -1')
    expect(await on(app, "--rejected", prefix, "--reason", "not_seller")).toMatchObject({
      out: "",
      err: "Nothing was rejected.\n",
    })
    expect((await on(app, "--rejected", prefix, "--csv", "--limit", "1")).out.split("\n")).toHaveLength(3)
  })

  test("a key that does not exist, or both formats at once, are explained", async () => {
    await using app = await startApp()
    expect(await on(app, "--rejected", "abi_nothing")).toMatchObject({ code: 1 })
    expect(await on(app, "--csv", "--json")).toMatchObject({ code: 2 })
  })
})
