import { expect, test } from "bun:test"
import { givenBuyers, givenProduct, MCP_HEADERS } from "../doors/agent/buyer.ts"
import { CODES, DELIVERY, METRICS } from "../doors/ingest/feed.ts"
import { givenIngestKey, givenPackageLine } from "../given.ts"
import { startApp, type TestApp } from "../harness.ts"

interface Asked {
  readonly path: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** An app with a seller, a line, a product and a key for each door. */
async function givenDoors(routesAlone: boolean) {
  const app = await startApp({ routesAlone, options: { limitAgentAnonymous: "12", limitIngest: "20" } })
  const { packageId, seller } = await givenPackageLine(app)
  const ingestKey = await givenIngestKey(app, seller)
  const { Buyer: agentKey = "" } = await givenBuyers(app, [givenProduct("p")], { Buyer: { p: ["*"] } })
  return { app, packageId, ingestKey, agentKey }
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
const JSON_TYPE = { "Content-Type": "application/json" }

/** What programs send, right and wrong, to the addresses that have a fast path. */
function requests({ packageId, ingestKey, agentKey }: Awaited<ReturnType<typeof givenDoors>>): Asked[] {
  const item = { package_id: packageId, impressions: 5, as_of: "2026-11-14T10:00:00Z" }
  const code = { package_id: packageId, code: "A10" }
  const figures = { code: "A10", date: "2026-11-14", clicks: 1 }
  const feeds = [
    [DELIVERY, JSON.stringify({ items: [item, item, 7] })],
    [CODES, JSON.stringify({ codes: [code, 7] })],
    [METRICS, JSON.stringify({ metrics: [figures, 7] })],
  ] as const
  const ingest = feeds.flatMap(([path, body]): Asked[] => [
    { path, body, headers: { ...bearer(ingestKey), ...JSON_TYPE } },
    { path, body, headers: { ...bearer(agentKey), ...JSON_TYPE } },
    { path, body, headers: JSON_TYPE },
    { path, body, headers: bearer(ingestKey) },
    { path, body: "{", headers: { ...bearer(ingestKey), ...JSON_TYPE } },
    { path, body: "x".repeat(1_100_000), headers: { ...bearer(ingestKey), ...JSON_TYPE } },
    { path, method: "GET" },
    { path, method: "DELETE", headers: bearer(ingestKey) },
    { path, method: "OPTIONS" },
  ])
  const messages = [
    {
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
    },
    { method: "tools/list" },
    { method: "ping" },
    { method: "unknown" },
    { method: "tools/call", params: { name: "get_products", arguments: { brief: "a banner", context: { n: 1 } } } },
    { method: "tools/call", params: { name: "get_products", arguments: { brief: 7 } } },
    { method: "tools/call", params: { name: "none" } },
    { method: "tools/call", params: { name: "list_creative_formats" } },
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }))
  const agent = [...messages, "{", "[]", '{"jsonrpc":"2.0","method":"notifications/initialized"}'].flatMap((body) =>
    [{}, bearer(agentKey), bearer(ingestKey)].map(
      (key): Asked => ({ path: "/", body, headers: { ...MCP_HEADERS, ...key } }),
    ),
  )
  const refused: Asked[] = [
    { path: "/", method: "GET" },
    { path: "/", method: "GET", headers: { Accept: "text/html" } },
    { path: "/", body: "{}", headers: JSON_TYPE },
    { path: "/", body: "{}", headers: { ...MCP_HEADERS, Origin: "https://elsewhere.example" } },
    { path: "/", body: "{}", headers: { Accept: MCP_HEADERS.Accept, "Content-Type": "text/plain" } },
    { path: "/none" },
  ]
  // The last ones find their window full.
  const [call] = messages.slice(-1)
  const many = Array.from({ length: 12 }, (): Asked => ({ path: "/", body: call ?? "", headers: MCP_HEADERS }))
  return [...ingest, ...agent, ...refused, ...many]
}

async function told(app: TestApp, { path, method = "POST", headers = {}, body }: Asked) {
  const answer = await app.fetch(path, { method, headers, ...(body !== undefined && { body }) })
  const isFixed = ([name]: [string, string]) => name !== "x-request-id" && name !== "date"
  const text = (await answer.text()).replaceAll(app.url, "").replace(/"request_id":"[^"]*"/, "")
  // The front page names the seller and the host; order links are each installation's own.
  const shown = text.replaceAll(/seller-\d+|127\.0\.0\.1:\d+|\/order\/[\w-]+/g, "")
  expect(answer.headers.has("x-request-id")).toBe(true)
  return { status: answer.status, headers: Object.fromEntries([...answer.headers].filter(isFixed)), text: shown }
}

test("without the fast path every request gets the same answer from the routes alone", async () => {
  const [fast, plain] = [await givenDoors(false), await givenDoors(true)]
  await using _ = fast.app
  await using __ = plain.app
  const [atFast, atPlain] = [requests(fast), requests(plain)]
  const seen = new Set<number>()
  for (const [i, asked] of atFast.entries()) {
    const answer = await told(fast.app, asked)
    seen.add(answer.status)
    const own = (text: string) =>
      text.replaceAll(fast.packageId, plain.packageId).replaceAll(fast.app.config.data, plain.app.config.data)
    expect({ asked: i, ...(await told(plain.app, atPlain[i] ?? asked)) }).toEqual({
      asked: i,
      ...answer,
      text: own(answer.text),
    })
  }
  expect([...seen].sort()).toEqual([200, 202, 400, 401, 403, 404, 405, 406, 413, 415, 429])
})
