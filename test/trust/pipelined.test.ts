import { expect, spyOn, test } from "bun:test"
import { connect, type Socket } from "node:net"
import { mint } from "../../src/domain/keys/api-key.ts"
import { givenBuyers, givenProduct, MCP_HEADERS, post } from "../doors/agent/buyer.ts"
import { DELIVERY } from "../doors/ingest/feed.ts"
import { ON_POSTGRES, onlyOnSqlite } from "../engine.ts"
import { givenIngestKey, givenPackageLine } from "../given.ts"
import { startApp, type TestApp } from "../harness.ts"
import { until } from "../until.ts"
import { EVERY_ADDRESS, requestTo } from "./every-address.ts"
import { ANSWERED_MAX, answersIn, rawConnection } from "./raw-connection.ts"

const PIPELINED = 1_000
// What many connections may: four reports together in each of the five milliseconds of a turn, and two turns between two looks.
const ANSWERED_AT_ONCE_MAX = 40

/** With a clock that goes on by being looked at, so that a turn is as long on every machine. */
const withLookedAtClock = onlyOnSqlite(
  "while PostgreSQL is waited for, a clock that goes on by being looked at passes every deadline",
)

const AS_BROWSER = "Accept: text/html\r\nAccept-Encoding: gzip\r\n"

const countLogged = ({ logged }: TestApp) => logged.join("").split("\n").length - 1

test("of many requests that one connection sends at once, few are answered before anybody else has a turn, at every address", async () => {
  await using app = await startApp()
  const complaints: string[] = []
  for (const address of EVERY_ADDRESS) {
    for (const request of [address, address.replace("\r\n\r\n", `\r\n${AS_BROWSER}\r\n`)]) {
      const before = countLogged(app)
      const connection = await rawConnection(app.url)
      connection.send(request.repeat(PIPELINED))
      const answers = answersIn(await connection.closed)
      await until(() => countLogged(app) > before)
      const handled = countLogged(app) - before
      if (handled > ANSWERED_MAX || answers > handled) complaints.push(`${request}: ${handled}, ${answers} read`)
    }
  }
  expect(complaints).toEqual([])
})

test("whoever sends a few requests at once gets every answer, and the connection stays", async () => {
  await using app = await startApp()
  // On a machine that is busy with other things a turn lasts long.
  using _clock = spyOn(performance, "now").mockReturnValue(performance.now())
  const connection = await rawConnection(app.url)
  for (const _ of [1, 2]) connection.send(requestTo("/healthz").repeat(4))
  const text = await connection.until(/(?:HTTP[\s\S]*){8}/)
  expect([answersIn(text), /connection: close/i.test(text)]).toEqual([8, false])
  connection.end()
})

test("the last answer to too many requests says that the connection closes", async () => {
  await using app = await startApp()
  const connection = await rawConnection(app.url)
  connection.send(requestTo("/healthz").repeat(PIPELINED))
  const answers = (await connection.closed).split("HTTP/1.1 200 OK").slice(1)
  expect(answers.map((answer) => /\r\nConnection: close\r\n/i.test(answer))).toEqual(
    Array.from(answers, (_, i) => i === answers.length - 1),
  )
})

test("a connection whose answers nobody reads gets no further ones", async () => {
  await using app = await startApp()
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1").pause()
  socket.on("error", () => undefined)
  const guides = () => app.logged.join("").split("/docs/buyers").length - 1
  // The first one waits until its door is loaded.
  await app.fetch("/docs/buyers")
  // 25 KB each; what the system holds for both sides is some megabytes.
  for (let sent = 0; sent < 600; sent++) {
    socket.write(requestTo("/docs/buyers"))
    await app.fetch("/healthz")
  }
  expect(guides()).toBeLessThan(400)
  socket.destroy()
})

test("answers of the sales agent that nobody reads are bounded for a key: others need the room, and are answered", async () => {
  await using app = await startApp({ options: { limitAgentKeyed: "1000000" } })
  // What the system holds for both sides is less. A key has room for four.
  const products = [givenProduct("large", { ext: { long: "x".repeat(15_000_000) } })]
  const opened = { large: ["DE"] }
  const { unread = "", other = "" } = await givenBuyers(app, products, { unread: opened, other: opened })
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call" }
  const body = JSON.stringify({ ...message, params: { name: "get_products", arguments: { buying_mode: "wholesale" } } })
  const headers = new Headers({ ...MCP_HEADERS, Authorization: `Bearer ${unread}`, "Content-Length": `${body.length}` })
  const head = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("")
  const closed = new Set<Socket>()
  const sockets = Array.from({ length: 7 }, () => {
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1").pause()
    socket.on("error", () => undefined)
    socket.on("close", () => closed.add(socket))
    socket.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n${head}\r\n${body}`)
    return socket
  })
  await until(() => closed.size >= 3)
  const answer = await post(app, body, { key: other })
  expect([answer.status, (await answer.bytes()).length > 10_000_000]).toEqual([200, true])
  for (const socket of sockets) socket.destroy()
})

withLookedAtClock(
  "of many long reports or calls that come at once on many connections, few are answered before anybody else has a turn",
  async () => {
    await using app = await startApp({ options: { limitAgentKeyed: "1000000" } })
    const { packageId, seller } = await givenPackageLine(app)
    const ingestKey = await givenIngestKey(app, seller)
    const ids = Array.from({ length: 500 }, (_, i) => `p${i}`)
    const products = ids.map((id) => givenProduct(id, { description: "x ".repeat(200) }))
    const opened = Object.fromEntries(ids.map((id) => [id, ["DE"]]))
    const { buyer = "" } = await givenBuyers(app, products, { buyer: opened })
    const items = Array.from({ length: 500 }, (_, i) => ({ package_id: packageId, impressions: i }))
    const args = { buying_mode: "brief", brief: "radio for cars and sport, all of it" }
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_products", arguments: args } }
    await (await post(app, call, { key: buyer })).bytes()
    let now = performance.now()
    using _clock = spyOn(performance, "now").mockImplementation(() => now++)
    for (const [path, key, value, count] of [
      [`${DELIVERY}?dry_run=true`, ingestKey, { items }, 100],
      ["/", buyer, call, 200],
    ] as const) {
      const body = JSON.stringify(value)
      const headers = new Headers({
        ...MCP_HEADERS,
        Authorization: `Bearer ${key}`,
        "Content-Length": `${body.length}`,
      })
      const head = [...headers].map(([name, text]) => `${name}: ${text}\r\n`).join("")
      const connections = await Promise.all(Array.from({ length: count }, () => rawConnection(app.url)))
      const before = countLogged(app)
      for (const connection of connections)
        connection.send(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${head}\r\n${body}`)
      const seen = [before]
      while (countLogged(app) < before + count) {
        await new Promise((resolve) => setImmediate(resolve))
        seen.push(countLogged(app))
      }
      const most = Math.max(...seen.map((logged, i) => logged - (seen[i - 1] ?? logged)))
      expect([path, most <= ANSWERED_AT_ONCE_MAX, most]).toEqual([path, true, most])
      for (const connection of connections) connection.end()
    }
  },
  30_000,
)

withLookedAtClock(
  "of many requests with wrong or invented keys that come at once, few are answered before anybody else has a turn",
  async () => {
    await using app = await startApp()
    const invented = () => mint("agent", (count) => crypto.getRandomValues(new Uint8Array(count)))
    await (await post(app, {}, { key: invented() })).bytes()
    let now = performance.now()
    using _clock = spyOn(performance, "now").mockImplementation(() => now++)
    for (const [kind, key] of [
      ["wrong", () => "nonsense"],
      ["invented", invented],
    ] as const) {
      const connections = await Promise.all(Array.from({ length: 200 }, () => rawConnection(app.url)))
      const before = countLogged(app)
      for (const connection of connections)
        connection.send(
          requestTo("/", `Authorization: Bearer ${key()}\r\nContent-Length: 0\r\n`).replace("GET", "POST"),
        )
      const seen = [before]
      while (countLogged(app) < before + connections.length) {
        await new Promise((resolve) => setImmediate(resolve))
        seen.push(countLogged(app))
      }
      const most = Math.max(...seen.map((logged, i) => logged - (seen[i - 1] ?? logged)))
      expect([kind, most <= ANSWERED_AT_ONCE_MAX, most]).toEqual([kind, true, most])
      for (const connection of connections) connection.end()
    }
  },
  30_000,
)

test("a body in very many tiny chunks is refused before much of it is received, at every door, and one in small chunks is taken", async () => {
  await using app = await startApp()
  const { packageId, seller } = await givenPackageLine(app)
  const key = `Authorization: Bearer ${await givenIngestKey(app, seller)}\r\n`
  const begin = async (path: string, headers: string) => {
    const connection = await rawConnection(app.url)
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}Transfer-Encoding: chunked\r\n`
    connection.send(`${head}Accept: application/json, text/event-stream\r\n\r\n`)
    return connection
  }
  const chunked = (chunks: readonly string[]) =>
    chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")
  const json = "Content-Type: application/json\r\n"
  const doors = [
    ["/", json, "411"],
    ["/app/sign-in", "Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n", "411"],
    [DELIVERY, json, "401"],
    ["/nothing", json, "404"],
    [DELIVERY, json + key, "400"],
    // While PostgreSQL is asked, what arrives is put together: then there are no tiny chunks to refuse.
    ...(ON_POSTGRES ? [] : [["/api/ingest/files", `Content-Type: text/csv\r\n${key}`, "400"] as const]),
  ] as const
  for (const [path, headers, status] of doors) {
    const connection = await begin(path, headers)
    // Never to an end, and few at a time: what arrives before anybody reads it, the runtime hands over as one.
    while (!connection.isAnswered()) {
      connection.send(chunked([" ", " ", " ", " "]))
      await app.fetch("/healthz")
    }
    const answer = await connection.closed
    expect([path, answer.slice(9, 12), /\r\nConnection: close\r\n/i.test(answer)]).toEqual([path, status, true])
    if (status === "400") expect(answer).toContain("chunks of less than 16 bytes")
  }
  const item = JSON.stringify({ package_id: packageId, impressions: 5 })
  const items = Array.from({ length: 400 }, (_, i) => (i === 0 ? item : `,${item}`))
  const small = `{"items":[${items.join("")}]}`.match(/.{1,20}/g) ?? []
  const connection = await begin(DELIVERY, json + key)
  connection.send(`${chunked(small)}0\r\n\r\n`)
  expect(await connection.until(/accepted/)).toContain("HTTP/1.1 200")
  connection.end()
})

test("a report that another request follows before its answer is not stored, because nobody could be told", async () => {
  await using app = await startApp()
  const { packageId, seller } = await givenPackageLine(app)
  const key = await givenIngestKey(app, seller)
  const report = (impressions: number) => {
    const body = JSON.stringify({ items: [{ package_id: packageId, impressions }] })
    const headers = `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
    return `POST ${DELIVERY} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n\r\n${body}`
  }
  const connection = await rawConnection(app.url)
  connection.send(report(10) + report(20))
  expect(await connection.closed).toBe("")
  await until(() => app.logged.join("").includes(DELIVERY))
  const [line] = await app.store.packageLines.listWithTotals(null)
  expect(line?.total ?? null).toBeNull()
})

test("a request with two Host headers is refused", async () => {
  await using app = await startApp()
  for (const second of ["127.0.0.1", "elsewhere.example"]) {
    const connection = await rawConnection(app.url)
    connection.send(requestTo("/healthz", `Host: ${second}\r\nConnection: close\r\n`))
    expect(await connection.closed).toStartWith("HTTP/1.1 400 ")
  }
})
