import { describe, expect, test } from "bun:test"
import { startApp, type TestApp } from "../harness/app.ts"
import { DELIVERY, deliveredOf, type Feed, givenFeed, METRICS, post } from "../harness/data/ingest.ts"
import { head, openConnection } from "../harness/sockets.ts"

/** Whether the server still stores a total of the line. */
async function isServing(app: TestApp, { key, packageId }: Feed): Promise<boolean> {
  const response = await post(app, { items: [{ package_id: packageId, impressions: 1 }] }, { key })
  return ((await response.json()) as { accepted?: number }).accepted === 1
}

const nested = (depth: number) => `{"items":${"[".repeat(depth)}${"]".repeat(depth)}}`
const nestedObjects = (depth: number) => `{"items":[${'{"a":'.repeat(depth)}1${"}".repeat(depth)}]}`
const names = (count: number) => `{"items":[1],${Array.from({ length: count }, (_, i) => `"${i}":1`).join()}}`

describe("odd bodies get the stated status, and the next request is served", () => {
  test.each([
    ["nothing at all", "", 400],
    ["not JSON", "<items/>", 400],
    ["half of it", '{"items":[{"package_id":', 400],
    ["JSON of the wrong type", "true", 400],
    ["1 MiB and one byte of white space", " ".repeat(1_048_577), 413],
    ["10 MB of one item", JSON.stringify({ items: ["x".repeat(10_000_000)] }), 413],
    ["10,000 levels of lists", nested(10_000), 200],
    ["400,000 levels of lists", nested(400_000), 400],
    ["150,000 levels of objects", nestedObjects(150_000), 400],
    ["a million opening brackets", "[".repeat(1_000_000), 400],
    ["90,000 names beside one item", names(90_000), 200],
    ["a number of a million digits", `{"items":[{"impressions":${"9".repeat(1_000_000)}}]}`, 200],
    ["a million zeros in a number", `{"items":[{"impressions":1.${"0".repeat(1_000_000)}1e0}]}`, 200],
    ["an exponent of many digits", '{"items":[{"impressions":1e999999999999}]}', 200],
    ["__proto__ in place of items", '{"__proto__":{"items":[1]}}', 400],
    ["constructor as an item", '{"items":[{"constructor":{"prototype":{}}}]}', 200],
    ["half of a surrogate pair", '{"items":["\\ud800",{"package_id":"\\u0000"}]}', 200],
  ])("%s", async (_, body, status) => {
    await using app = await startApp()
    const feed = await givenFeed(app)
    const startedAt = performance.now()
    expect((await post(app, body, { key: feed.key })).status).toBe(status)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    await app.database.later.flush()
    expect(await isServing(app, feed)).toBe(true)
  })

  test("exactly 1 MiB is accepted", async () => {
    await using app = await startApp()
    const { key } = await givenFeed(app)
    expect((await post(app, '{"items":[1]}'.padEnd(1_048_576), { key })).status).toBe(200)
  })

  test.each([
    ["a lone continuation byte", [0x80]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["half of a surrogate pair", [0xed, 0xa0, 0x80]],
    ["UTF-16", [0xff, 0xfe, 0x7b, 0x00]],
  ])("%s isn't UTF-8", async (_, bytes) => {
    await using app = await startApp()
    const { key } = await givenFeed(app)
    const body = Buffer.concat([Buffer.from('{"items":[1],"x":"'), Buffer.from(bytes), Buffer.from('"}')])
    const response = await post(app, new Uint8Array(body), { key })
    expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_json" }])
  })

  test("if a name comes twice, the last one counts", async () => {
    await using app = await startApp()
    const feed = await givenFeed(app)
    const item = (impressions: number) => `{"package_id":"${feed.packageId}","impressions":${impressions}}`
    await post(app, `{"items":[],"items":[${item(1)}],"items":[${item(2)}]}`, { key: feed.key })
    expect(await deliveredOf(app, feed)).toBe(2)
  })

  test("digits that take long to read are rejected at once", async () => {
    await using app = await startApp()
    const { key } = await givenFeed(app)
    const rows = Array.from(
      { length: 9 },
      () => `{"code":"A","date":"2026-11-01","conversionValue":0.${"0".repeat(100_000)}1}`,
    )
    const startedAt = performance.now()
    const response = await post(app, `{"metrics":[${rows.join()}]}`, { path: METRICS, key })
    expect(await response.json()).toMatchObject({ ok: false, upserted: 0 })
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })
})

describe("a body that lies about its length", () => {
  test("what comes after it isn't a request", async () => {
    await using app = await startApp()
    const feed = await givenFeed(app)
    const body = JSON.stringify({ items: [{ package_id: feed.packageId, impressions: 3 }] })
    using connection = await openConnection(app.port)
    connection.send(`${requestHead(feed, `Content-Length: ${body.length}`)}${body}and more of it\r\n\r\n`)
    expect([200, 400]).toContain(await connection.status())
    expect(await isServing(app, feed)).toBe(true)
  })

  test("if less comes than announced, nothing is stored", async () => {
    await using app = await startApp()
    const feed = await givenFeed(app)
    const body = JSON.stringify({ items: [{ package_id: feed.packageId, impressions: 3 }] })
    const connection = await openConnection(app.port)
    connection.send(requestHead(feed, `Content-Length: ${body.length + 5}`) + body)
    await post(app, { items: [7] }, { key: feed.key })
    connection[Symbol.dispose]()
    await post(app, { items: [7] }, { key: feed.key })
    expect(await deliveredOf(app, feed)).toBeNull()
  })

  test("an announced terabyte is refused before it comes", async () => {
    await using app = await startApp()
    const feed = await givenFeed(app)
    using connection = await openConnection(app.port)
    connection.send(requestHead(feed, "Content-Length: 1000000000000"))
    expect(await connection.status()).toBe(413)
  })
})

const requestHead = ({ key }: Feed, ...headers: readonly string[]) =>
  head(`POST ${DELIVERY}`, `Authorization: Bearer ${key}`, "Content-Type: application/json", ...headers)
