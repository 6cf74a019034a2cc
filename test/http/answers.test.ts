import { describe, expect, test } from "bun:test"
import { startApp } from "../harness/app.ts"
import { DELIVERY, givenKey, post } from "../harness/data/ingest.ts"
import { head, openConnection } from "../harness/sockets.ts"
import { until } from "../harness/until.ts"

const BROWSER = { headers: { Accept: "text/html" } }

describe("the address of the sales agent", () => {
  test.each(["GET", "DELETE"])("%s is 405 and allows POST", async (method) => {
    await using app = await startApp()
    const response = await app.fetch("/", { method })
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"])
    expect(await response.json()).toMatchObject({ code: "method_not_allowed" })
  })

  test("in a browser, the 405 has a page that leads to the app and the guides", async () => {
    await using app = await startApp()
    const response = await app.fetch("/", BROWSER)
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"])
    const page = await response.text()
    expect(page).toContain('href="/app"')
    expect(page).toContain('href="/docs"')
  })
})

test("an unknown address is a problem for programs and a page for browsers", async () => {
  await using app = await startApp()
  const response = await app.fetch("/nowhere")
  expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/problem+json"])
  expect(await response.json()).toMatchObject({
    type: "urn:adbooth:problem:not_found",
    status: 404,
    code: "not_found",
    request_id: response.headers.get("x-request-id"),
  })
  const page = await app.fetch("/nowhere", BROWSER)
  expect(page.status).toBe(404)
  expect(page.headers.get("content-type")).toContain("text/html")
})

test.each(["a b", "[::1", "x:99999"])("a Host that can't be in an address (%s) is 400", async (host) => {
  await using app = await startApp()
  using connection = await openConnection(app.port)
  connection.send(`GET /docs HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  expect(await connection.status()).toBe(400)
})

test("every answer has its own ID and the headers that protect browsers", async () => {
  await using app = await startApp()
  const ids = new Set<string | null>()
  for (const path of ["/healthz", "/nowhere", "/openapi.json", "/app", DELIVERY]) {
    const { headers } = await app.fetch(path, { redirect: "manual" })
    ids.add(headers.get("x-request-id"))
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    expect(headers.has("strict-transport-security")).toBe(false)
  }
  expect(ids.size).toBe(5)
  await using secure = await startApp({ options: { publicUrl: "https://ads.example.com" } })
  expect((await secure.fetch("/healthz")).headers.get("strict-transport-security")).toContain("max-age")
})

test("pages are compressed for browsers that ask, unless another site made them ask", async () => {
  await using app = await startApp()
  const encoding = async (headers: Record<string, string>) => {
    const init = { headers: { Accept: "text/html", ...headers }, decompress: false } as RequestInit
    return (await app.fetch("/app/sign-in", init)).headers.get("content-encoding")
  }
  expect(await encoding({ "Accept-Encoding": "br, gzip" })).toBe("gzip")
  expect(await encoding({ "Accept-Encoding": "gzip;q=0" })).toBeNull()
  expect(await encoding({ "Accept-Encoding": "gzip", "Sec-Fetch-Site": "cross-site" })).toBeNull()
})

describe("the log", () => {
  test("never contains a key, wherever the request has it", async () => {
    await using app = await startApp()
    const key = await givenKey(app)
    await post(app, { items: [{ package_id: key }] }, { key })
    await app.fetch(`/nowhere/${key}?key=${key}`)
    await app.fetch(`/app?access_token=${key}`, { redirect: "manual" })
    using connection = await openConnection(app.port)
    connection.send(head(`GET /${key}`, `Authorization: Bearer ${key}`, `User-Agent: ${key}`))
    await connection.status()
    await until(() => app.logged.length >= 4)
    expect(app.logged.join("")).not.toContain(key.slice(4))
  })

  test.each([
    ["/app/password/L_SwrSD_eXAtXMQfpgb0OGCE66337Pv2svswGERo_Og", "/app/password/***"],
    ["/app/share/L_SwrSD%5FeXAtXMQfpgb0OGCE66337Pv2svswGERo_Og/lines.csv", "/app/share/***/lines.csv"],
    ["/app/password/L_SwrSD_eXAtXMQfpgb0OGCE66337Pv2svswGERo_Og.", "/app/password/***."],
    [
      "/app/o/acme/campaigns/x/lines/0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01",
      "/app/o/acme/campaigns/x/lines/0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01",
    ],
    ["/healthz?token=secret", "/healthz"],
  ])("%s is logged as %s", async (path, logged) => {
    await using app = await startApp()
    await app.fetch(path, { redirect: "manual" })
    expect(app.logged.map((line) => JSON.parse(line).path)).toContain(logged)
  })

  test.each(["SQLite", "PostgreSQL"] as const)(
    "never contains the values of a query that failed (%s)",
    async (engine) => {
      await using app = await startApp({ engine })
      await app.database.transact((tx) => tx.rows('ALTER TABLE "user" RENAME TO gone', [], {}))
      const body = new URLSearchParams({ email: "ada@private.example", password: "correct horse" })
      const headers = { "Sec-Fetch-Site": "same-origin" }
      expect((await app.fetch("/app/sign-in", { method: "POST", headers, body })).status).toBe(500)
      expect(app.logged.join("")).toContain("page failed")
      expect(app.logged.join("")).not.toContain("private.example")
    },
  )

  test("can't be forged by a path", async () => {
    await using app = await startApp()
    await app.fetch('/x%0A{"level":"error"}')
    expect(app.logged).toHaveLength(1)
  })
})
