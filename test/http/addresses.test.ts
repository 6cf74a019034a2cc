import { expect, test } from "bun:test"
import { startApp, type TestApp } from "../harness/app.ts"
import { DELIVERY, givenKey } from "../harness/data/ingest.ts"
import { head, openConnection } from "../harness/sockets.ts"
import { until } from "../harness/until.ts"

// Addresses are counted where nobody sees them, so these tests fill the only place of one address, and look whether another one
// is refused as well.

const ONE = { inFlightOfAddress: 1 }

/** The status that a caller gets who claims this address. */
async function statusAs(app: TestApp, forwarded: string, from = "127.0.0.1"): Promise<number> {
  using connection = await openConnection(app.port, from)
  connection.send(head("GET /readyz", `X-Forwarded-For: ${forwarded}`))
  return await connection.status()
}

/** Holds a request open as this address. */
async function holdAs(app: TestApp, forwarded: string) {
  const connection = await openConnection(app.port)
  const authorization = `Authorization: Bearer ${await givenKey(app)}`
  const type = "Content-Type: application/json"
  connection.send(
    `${head(`POST ${DELIVERY}`, authorization, type, "Content-Length: 1000", `X-Forwarded-For: ${forwarded}`)}{`,
  )
  return connection
}

const TRUSTED = { options: { trustProxy: ["127.0.0.1", "10.0.0.0/8"] }, limits: ONE }

test.each([
  ["the same address", "203.0.113.7", "203.0.113.7", 503],
  ["another address", "203.0.113.7", "203.0.113.8", 200],
  ["what a caller writes in front of its own address", "203.0.113.7", "198.51.100.1, 203.0.113.7", 503],
  ["an address behind a second trusted proxy", "203.0.113.7", "203.0.113.7, 10.1.2.3", 503],
  ["an address with a port", "203.0.113.7", "203.0.113.7:5123", 503],
  ["the same /64 of IPv6", "2001:db8:0:1::1", "2001:db8:0:1:ffff::2", 503],
  ["the same /64, written in another way", "2001:db8::1", "2001:0db8:0000:0000:1::", 503],
  ["another /64 of IPv6", "2001:db8:0:1::1", "2001:db8:0:2::1", 200],
  ["IPv4 written as IPv6", "203.0.113.7", "::ffff:203.0.113.7", 503],
])("behind a named proxy, %s", async (_, first, second, status) => {
  await using app = await startApp(TRUSTED)
  using _held = await holdAs(app, first)
  await until(async () => (await statusAs(app, first)) === 503)
  expect(await statusAs(app, second)).toBe(status)
})

test("X-Forwarded-For from any other address is ignored", async () => {
  await using app = await startApp({ limits: ONE })
  using _held = await holdAs(app, "203.0.113.7")
  await until(async () => (await statusAs(app, "203.0.113.8")) === 503)
  expect(await statusAs(app, "203.0.113.7", "127.0.0.2")).toBe(200)
})
