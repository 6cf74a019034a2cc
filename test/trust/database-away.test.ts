import { describe, expect, test } from "bun:test"
import { readAddress } from "../../src/storage/postgres/engine/address.ts"
import { adbooth, hasBinary, serveBinary } from "../binary.ts"
import { EXAMPLE_FILE } from "../doors/cli/example-file.ts"
import { networkTo } from "../storage/postgres/network.ts"
import { freshDatabase, noPostgres } from "../storage/postgres/server.ts"

/** A running server whose database has just gone away, and keys that worked until then. */
async function givenServerWithoutDatabase() {
  const opened = new AsyncDisposableStack()
  const database = opened.use(await freshDatabase())
  const [host] = readAddress(database.url).hosts
  if (host === undefined) throw new Error("the test server has no host")
  const network = opened.use(networkTo(host.name, host.port))
  const env = { ADBOOTH_DATABASE_URL: database.url.replace(/@[^/]+\//, `@127.0.0.1:${network.port}/`) }
  const imported = await adbooth(["import", "-", "--json"], { input: JSON.stringify(EXAMPLE_FILE), env })
  const created = await adbooth(["key", "create", "--org", "acme-audio", "--label", "Feed", "--json"], { env })
  const { url } = opened.use(await serveBinary([], { env }))
  network.stop()
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}`, "Content-Type": "application/json" })
  const ingestKey = (JSON.parse(created.out) as { key: string }).key
  const agentKey = (JSON.parse(imported.out) as { agent_keys: { key: string }[] }).agent_keys[0]?.key ?? ""
  return {
    url,
    report: () =>
      fetch(`${url}/api/ingest/delivery/metrics`, { method: "POST", headers: bearer(ingestKey), body: '{"items":[]}' }),
    call: () =>
      fetch(url, {
        method: "POST",
        headers: { ...bearer(agentKey), Accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "get_products" } }),
      }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

describe.if(hasBinary && noPostgres === null)("without its database a server", () => {
  test("answers 503, says when to come back, and goes on being alive", async () => {
    await using given = await givenServerWithoutDatabase()

    const report = await given.report()
    expect(report.status).toBe(503)
    expect(report.headers.get("Retry-After")).toBe("5")
    expect(await report.json()).toMatchObject({ code: "unavailable" })

    const call = await given.call()
    expect(call.status).toBe(503)
    expect(call.headers.get("Retry-After")).toBe("5")
    expect(await call.json()).toMatchObject({
      id: 7,
      error: { data: { adcp_error: { code: "SERVICE_UNAVAILABLE", recovery: "transient", retry_after: 5 } } },
    })

    const page = await fetch(`${given.url}/app`, { headers: { Cookie: "adbooth_session=x" } })
    expect(page.status).toBe(503)
    expect(page.headers.get("Content-Type")).toStartWith("text/html")
    expect(await page.text()).toContain("The database cannot be reached at the moment.")

    expect((await fetch(`${given.url}/readyz`)).status).toBe(503)
    expect((await fetch(`${given.url}/healthz`)).status).toBe(200)
  }, 60_000)
})
