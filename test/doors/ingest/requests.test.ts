import { describe, expect, test } from "bun:test"
import { BODY_BYTES_MAX } from "../../../src/domain/limits.ts"
import { givenIngestKey, givenPackageLine } from "../../given.ts"
import { startApp } from "../../harness.ts"
import { CODES, DELIVERY, METRICS, post } from "./feed.ts"

const FEEDS = [
  [DELIVERY, "delivery", "items"],
  [CODES, "affiliate-codes", "codes"],
  [METRICS, "affiliate-metrics", "metrics"],
] as const

async function givenKey(options: Record<string, string> = {}) {
  const app = await startApp({ options })
  const { packageId, seller } = await givenPackageLine(app)
  const key = await givenIngestKey(app, seller)
  return { app, key, packageId, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

describe("checks come in the published order; each request is also wrong in every later way", () => {
  test.each(FEEDS)("%s", async (path, name) => {
    await using g = await givenKey({ limitIngest: "1" })
    const tooLong = "x".repeat(BODY_BYTES_MAX + 1)
    const wrong = { "Content-Type": "text/plain" }

    const get = await g.app.fetch(path, { headers: wrong })
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"])
    expect((await post(g.app, path, "wrong", tooLong, wrong)).status).toBe(401)
    expect((await post(g.app, path, g.key, tooLong, wrong)).status).toBe(415)
    const limited = await post(g.app, path, g.key, tooLong, wrong)
    expect(limited.status).toBe(429)
    expect(limited.headers.get("ratelimit")).toBe(`"${name}";r=0;t=60`)
    g.app.clock.advance({ seconds: 60 })
    const large = await post(g.app, path, g.key, tooLong)
    expect(large.status).toBe(413)
    expect(((await large.json()) as { detail: string }).detail).toContain(String(BODY_BYTES_MAX))
    g.app.clock.advance({ seconds: 60 })
    expect((await post(g.app, path, g.key, "{")).status).toBe(400)
  })
})

test.each(FEEDS)("%s is answered alike however it is spelt: with a query, or a slash at its end", async (path) => {
  await using g = await givenKey()
  const spellings = [path, `${path}?dry_run=false`, `${path}/`]
  // A connection closes after an answer that a busy machine gives late in a turn.
  const ask = async (spelling: string, key: string, body: string, headers: Record<string, string> = {}) => {
    const answer = await post(g.app, spelling, key, body, headers)
    const told = [...answer.headers].filter(
      ([name]) => !["x-request-id", "ratelimit", "date", "connection"].includes(name),
    )
    const text = (await answer.text()).replace(/"request_id":"[^"]*"/, "")
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f]{12}-/)
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
    return { status: answer.status, told: Object.fromEntries(told), text }
  }
  const requests = [
    ["", "{}", {}],
    ["wrong", "{}", {}],
    [g.key, "{}", { "Content-Type": "text/plain" }],
    [g.key, "{", {}],
    [g.key, "{}", {}],
    [g.key, JSON.stringify({ items: [7], codes: [7], metrics: [7] }), {}],
  ] as const
  for (const [key, body, headers] of requests) {
    const [first, ...others] = await Promise.all(spellings.map((spelling) => ask(spelling, key, body, { ...headers })))
    for (const other of others) expect(other).toEqual(first as typeof other)
  }
})

test.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"])(
  "%s is answered with 405 and Allow: POST",
  async (method) => {
    await using app = await startApp()
    const response = await app.fetch(DELIVERY, { method })
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"])
  },
)

describe("Content-Type", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "Application/JSON",
  ])("%p is taken", async (type) => {
    await using g = await givenKey()
    expect((await post(g.app, DELIVERY, g.key, { items: [1] }, { "Content-Type": type })).status).toBe(200)
  })

  test.each([
    "text/plain",
    "application/jsonx",
    "application/problem+json",
    "multipart/form-data",
    "",
    "text/plain; application/json",
  ])("%p is 415", async (type) => {
    await using g = await givenKey()
    const refused = await post(g.app, DELIVERY, g.key, { items: [1] }, { "Content-Type": type })
    expect(refused.status).toBe(415)
    expect(await refused.json()).toMatchObject({ code: "unsupported_media_type" })
  })

  test("a compressed body is 415, and says what is taken instead", async () => {
    await using g = await givenKey()
    const response = await g.app.fetch(DELIVERY, {
      method: "POST",
      headers: { Authorization: `Bearer ${g.key}`, "Content-Type": "application/json", "Content-Encoding": "gzip" },
      body: Bun.gzipSync(Buffer.from(JSON.stringify({ items: [1] }))),
    })
    expect([response.status, response.headers.get("accept-encoding")]).toEqual([415, "identity"])
  })
})

describe("request-level errors are RFC 9457 problem details", () => {
  test("with type, title, status, detail, code and request_id, and every response has X-Request-Id", async () => {
    await using g = await givenKey()
    const response = await post(g.app, DELIVERY, g.key, "not json")
    expect(response.headers.get("content-type")).toBe("application/problem+json")
    const body = (await response.json()) as Record<string, unknown>
    expect(Object.keys(body)).toEqual(["type", "title", "status", "detail", "code", "request_id"])
    expect(body).toMatchObject({ status: 400, code: "invalid_json", request_id: response.headers.get("x-request-id") })
    const fine = await post(g.app, DELIVERY, g.key, { items: [1] })
    expect(fine.headers.get("x-request-id")).toMatch(/^.{8,}$/)
    expect(fine.headers.get("x-request-id")).not.toBe(response.headers.get("x-request-id"))
  })

  test.each([
    ["items is missing", {}],
    ["items is empty", { items: [] }],
    ["items is no array", { items: { "0": 1 } }],
    ["items has more than 500 elements", { items: new Array(501).fill(1) }],
    ["the body is an array", [{ items: [1] }]],
    ["the body is null", null],
    ["the body is a text", '"items"'],
    ["the body is a number", "7"],
  ])("%s: 400", async (_, body) => {
    await using g = await givenKey()
    const response = await post(g.app, DELIVERY, g.key, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: "invalid_request" })
  })

  test("500 items are taken", async () => {
    await using g = await givenKey()
    const response = await post(g.app, DELIVERY, g.key, { items: new Array(500).fill(1) })
    expect(await response.json()).toMatchObject({ accepted: 0, rejected: 500 })
  })

  test.each(["?dry_run=yes", "?dry_run", "?dry_run=TRUE", "?dry_run=true&dry_run=1", "?dry_run=true&dry_run=false"])(
    "a misspelt wish not to write is 400 and writes nothing: %s",
    async (query) => {
      await using g = await givenKey()
      const response = await post(g.app, DELIVERY + query, g.key, {
        items: [{ package_id: g.packageId, impressions: 1 }],
      })
      expect(response.status).toBe(400)
      expect((await g.app.store.packageLines.listWithTotals(null))[0]?.total).toBeNull()
    },
  )

  test("an unknown path is 404 for everybody", async () => {
    await using g = await givenKey()
    expect((await post(g.app, "/api/ingest/delivery", g.key, {})).status).toBe(404)
    expect((await post(g.app, "/api/ingest/delivery", "wrong", {})).status).toBe(404)
  })
})

describe("the window slides: 60 requests in any 60 seconds, per key and per feed", () => {
  test("the 61st is 429 with Retry-After, after which the next request is admitted", async () => {
    await using g = await givenKey()
    for (let i = 0; i < 60; i++) {
      const response = await post(g.app, DELIVERY, g.key, { items: [1] })
      expect(response.status).toBe(200)
      expect(response.headers.get("ratelimit-policy")).toBe('"delivery";q=60;w=60')
      expect(response.headers.get("ratelimit")).toBe(`"delivery";r=${59 - i};t=${60 - Math.floor(i / 2)}`)
      if (i % 2 === 1) g.app.clock.advance({ seconds: 1 })
    }
    const refused = await post(g.app, DELIVERY, g.key, { items: [1] })
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"])
    expect(await refused.json()).toMatchObject({ code: "rate_limited" })
    g.app.clock.advance({ seconds: 29, ms: 999 })
    expect((await post(g.app, DELIVERY, g.key, { items: [1] })).headers.get("retry-after")).toBe("1")
    g.app.clock.advance({ ms: 1 })
    expect((await post(g.app, DELIVERY, g.key, { items: [1] })).status).toBe(200)
  })

  test("each feed and each key has its own window", async () => {
    await using g = await givenKey({ limitIngest: "1" })
    const { seller } = await givenPackageLine(g.app)
    const another = await givenIngestKey(g.app, seller)
    for (const key of [g.key, another]) {
      for (const [path, , field] of FEEDS) {
        expect((await post(g.app, path, key, { [field]: [1] })).status).toBe(200)
        expect((await post(g.app, path, key, { [field]: [1] })).status).toBe(429)
      }
    }
  })

  test("a request refused with 401 counts against no key's window, and a request refused with 400 does count", async () => {
    await using g = await givenKey({ limitIngest: "2" })
    for (let i = 0; i < 5; i++) expect((await post(g.app, DELIVERY, `${g.key.slice(0, -1)}!`, {})).status).toBe(401)
    expect((await post(g.app, DELIVERY, g.key, "{")).status).toBe(400)
    expect((await post(g.app, DELIVERY, g.key, { items: [1] })).status).toBe(200)
    expect((await post(g.app, DELIVERY, g.key, { items: [1] })).status).toBe(429)
  })
})
