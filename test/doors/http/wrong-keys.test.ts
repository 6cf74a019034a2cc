import { describe, expect, test } from "bun:test"
import { mint } from "../../../src/domain/keys/api-key.ts"
import { givenIngestKey, givenOrganization } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { rawConnection } from "../../trust/raw-connection.ts"
import { givenBuyers, MCP_HEADERS } from "../agent/buyer.ts"

const INGEST = "/api/ingest/delivery/metrics"
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'

function send(app: TestApp, path: string, key: string, from?: string): Promise<Response> {
  const forwarded: Record<string, string> = from === undefined ? {} : { "X-Forwarded-For": from }
  const headers = { ...MCP_HEADERS, Authorization: `Bearer ${key}`, ...forwarded }
  return app.fetch(path, { method: "POST", headers, body: path === "/" ? PING : '{"items":[]}' })
}

describe.each([
  ["the agent", "/"],
  ["the ingest API", INGEST],
])("a wrong key at %s", (_, path) => {
  test("is refused before its body has come", async () => {
    await using app = await startApp()
    const connection = await rawConnection(app.url)
    const head = [
      `POST ${path} HTTP/1.1`,
      "Host: 127.0.0.1",
      `Authorization: Bearer ${mint("agent", app.random).slice(0, -1)}`,
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      "Content-Length: 1000000",
    ]
    connection.send(`${head.join("\r\n")}\r\n\r\n{`)
    expect(await connection.until(/\r\n\r\n./)).toMatch(/^HTTP\/1.1 401/)
    connection.end()
  })

  test("is refused as one too many after the sixtieth of a minute, and as a wrong key again after Retry-After", async () => {
    await using app = await startApp()
    for (let n = 0; n < 60; n++) expect((await send(app, path, mint("ingest", app.random))).status).toBe(401)
    app.clock.advance({ seconds: 20 })
    const refused = await send(app, path, "nonsense")
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "40"])
    expect(refused.headers.get("ratelimit")).toBe('"wrong-keys";r=0;t=40')
    app.clock.advance({ seconds: 40 })
    expect((await send(app, path, "nonsense")).status).toBe(401)
  })
})

describe("a key of the right form that is unknown to the agent", () => {
  const head = (app: TestApp, ...more: string[]) => [
    "POST / HTTP/1.1",
    "Host: 127.0.0.1",
    `Authorization: Bearer ${mint("agent", app.random)}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    ...more,
  ]

  test.each([["Content-Length: 1000000"], ["Content-Length: 16385"], ["Transfer-Encoding: chunked"]])(
    "is refused before its body has come: %s",
    async (length) => {
      await using app = await startApp()
      const connection = await rawConnection(app.url)
      connection.send(`${head(app, length).join("\r\n")}\r\n\r\n`)
      expect(await connection.until(/\r\n\r\n./)).toMatch(/^HTTP\/1.1 401/)
      connection.end()
    },
  )

  test.each([
    ["a call", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_products"}}', {}],
    ["a notification", '{"jsonrpc":"2.0","method":"notifications/initialized"}', {}],
    ["no JSON", "{", {}],
    ["no message", "[]", {}],
    ["nothing", "", {}],
    ["another type of content", PING, { "Content-Type": "text/plain" }],
  ])("is refused whatever its body says: %s", async (_, body, more) => {
    await using app = await startApp()
    const headers = { ...MCP_HEADERS, Authorization: `Bearer ${mint("agent", app.random)}`, ...more }
    const response = await app.fetch("/", { method: "POST", headers, body })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32000 } })
  })
})

test("a right key passes whatever its address did, and wrong keys of other addresses are counted on their own", async () => {
  await using app = await startApp({ options: { trustProxy: "127.0.0.1" } })
  const ingestKey = await givenIngestKey(app, await givenOrganization(app))
  const { Buyer = "" } = await givenBuyers(app, [], { Buyer: {} })
  for (let n = 0; n < 60; n++) await send(app, n % 2 === 0 ? "/" : INGEST, "wrong", "2001:db8::1")
  expect((await send(app, "/", "wrong", "2001:db8::ffff")).status).toBe(429)
  expect((await send(app, INGEST, "wrong", "2001:db8::ffff")).status).toBe(429)
  expect((await send(app, "/", Buyer, "2001:db8::1")).status).toBe(200)
  expect((await send(app, INGEST, ingestKey, "2001:db8::1")).status).toBe(400)
  expect((await send(app, "/", "wrong", "2001:db8:0:1::1")).status).toBe(401)
})

test("callers without a key are not counted among the wrong ones", async () => {
  await using app = await startApp()
  for (let n = 0; n < 61; n++) expect((await app.fetch(INGEST, { method: "POST" })).status).toBe(401)
})
