import { describe, expect, test } from "bun:test"
import { isFailure } from "../../src/domain/failure.ts"
import { HELD_BYTES_MAX, HELD_PART_FOR_SLOW_STRANGERS, STREAMED_BYTES } from "../../src/domain/limits.ts"
import { BodyRefused, bodyChunks, chunkCheck } from "../../src/doors/http/body-chunks.ts"
import { Bound, type BoundLimits, Bounds } from "../../src/doors/http/bounds.ts"
import { listen } from "../../src/doors/http/listen.ts"
import { problem } from "../../src/doors/http/problem.ts"
import { readBody } from "../../src/doors/http/read-body.ts"
import { metaOf } from "../../src/doors/http/request-meta.ts"
import { SESSION_COOKIE } from "../../src/doors/web/cookies.ts"
import { createLog } from "../../src/log/log.ts"
import { DELIVERY, post } from "../doors/ingest/feed.ts"
import { givenMarket, givenPerson, LINE } from "../doors/web/given.ts"
import { sendFile, UPLOAD } from "../doors/web/uploaded.ts"
import { signedIn } from "../doors/web/visitor.ts"
import { givenIngestKey } from "../given.ts"
import { startApp, type TestApp } from "../harness.ts"
import { until } from "../until.ts"
import { heldIn } from "./held-in.ts"
import { type RawConnection, rawConnection } from "./raw-connection.ts"

const LIMITS: BoundLimits = {
  all: 100_000,
  strangers: 50_000,
  slowStrangers: 25_000,
  caller: 25_000,
  request: 100,
  unread: 1_000,
  bodyMs: 60_000,
}
const BYTES_MAX = 10_000

/** A server that reads bodies. The key "Bearer right-NAME" is valid, others are not. At /file a body is read as a file is. */
function given(limits: Partial<BoundLimits> = {}) {
  const listener = listen({
    hostname: "127.0.0.1",
    port: 0,
    async handle(request) {
      const key = request.headers.get("authorization")
      if (key !== null && !key.startsWith("Bearer right")) return new Response("wrong", { status: 401 })
      if (key !== null && !metaOf(request).countFor(key)) return new Response("too much", { status: 503 })
      if (request.url.endsWith("/file")) return receive(request)
      const body = await readBody(request, BYTES_MAX)
      return isFailure(body) ? problem(body, request) : new Response("done")
    },
    log: createLog({ format: "json", clock: () => 0, write: () => undefined }),
    requestIds: () => "id",
    trustProxy: [],
    headers: {},
    bounds: new Bounds({ ...LIMITS, ...limits }),
    answerMs: 60_000,
  })
  return {
    url: `http://127.0.0.1:${listener.port}`,
    async [Symbol.asyncDispose]() {
      await listener.stop({ patienceMs: 0, lingerMs: 0 })
    },
  }
}

async function receive(request: Request): Promise<Response> {
  try {
    let bytes = 0
    for await (const chunk of bodyChunks(request, STREAMED_BYTES)) bytes += chunk.length
    return new Response(`${bytes} bytes`)
  } catch (cause) {
    if (cause instanceof BodyRefused) return problem(cause.failure, request)
    throw cause
  }
}

interface Unfinished {
  readonly bytes: number
  readonly count: number
  readonly from?: string
  readonly key?: string
}

/** So many bodies that lack all but their first byte. */
async function leaveUnfinished(url: string, { bytes, count, from, key }: Unfinished): Promise<RawConnection[]> {
  const bearer = key === undefined ? "" : `Authorization: Bearer ${key}\r\n`
  const connections = await Promise.all(Array.from({ length: count }, () => rawConnection(url, from)))
  for (const one of connections) one.send(`POST / HTTP/1.1\r\nHost: x\r\n${bearer}Content-Length: ${bytes}\r\n\r\nx`)
  return connections
}

/** How many are still waited for, once no more than that are. */
async function heldOf(connections: readonly RawConnection[], expected: number, url: string): Promise<number> {
  const held = () => connections.filter((one) => !one.isAnswered()).length
  while (held() > expected) await fetch(url)
  return held()
}

function endAll(connections: readonly RawConnection[]): void {
  for (const one of connections) one.end()
}

async function sent(url: string, bytes: number, key?: string): Promise<number> {
  const headers: Record<string, string> = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  return (await fetch(url, { method: "POST", headers, body: "x".repeat(bytes) })).status
}

describe("room for bodies", () => {
  test.each([
    [10, 400],
    [1_000, 60],
    [10_000, 8],
  ])(
    "strangers who are waited for hold their part and no more, and all who need not be waited for are served: bodies of %d bytes, %d of them",
    async (bytes, count) => {
      await using server = given()
      const unfinished: RawConnection[] = []
      for (let i = 0; i < 4; i++)
        unfinished.push(...(await leaveUnfinished(server.url, { bytes, count: count / 4, from: `127.0.0.${i + 2}` })))
      const part = Math.floor(LIMITS.slowStrangers / (LIMITS.request + bytes))
      expect(await heldOf(unfinished, part, server.url)).toBe(part)
      expect((await fetch(server.url)).status).toBe(200)
      expect(await sent(server.url, 10)).toBe(200)
      expect(await sent(server.url, BYTES_MAX, "right")).toBe(200)
      expect(await sent(server.url, 5_000, "wrong")).toBe(401)
      endAll(unfinished)
    },
  )

  test("a key that holds its share is told to come back, and others are served", async () => {
    await using server = given()
    const unfinished = await leaveUnfinished(server.url, { bytes: 9_900, count: 20, key: "right-slow" })
    expect(await heldOf(unfinished, 2, server.url)).toBe(2)
    expect(await sent(server.url, 9_000, "right-slow")).toBe(503)
    expect(await sent(server.url, 9_000, "right-other")).toBe(200)
    expect(await sent(server.url, 10)).toBe(200)
    endAll(unfinished)
    // What is held goes with whoever held it.
    await until(async () => (await sent(server.url, 9_000, "right-slow")) === 200)
  })

  const CHUNKED = "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"

  test("a body without a length counts as the largest", async () => {
    await using server = given()
    const connections = await Promise.all(Array.from({ length: 5 }, () => rawConnection(server.url)))
    for (const one of connections) one.send(`POST / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer right\r\n${CHUNKED}`)
    expect(await heldOf(connections, 2, server.url)).toBe(2)
    endAll(connections)
  })

  test.each(["/", "/file"])("a stranger's body without a length is 411, and the connection ends: %s", async (path) => {
    await using server = given()
    const connection = await rawConnection(server.url)
    connection.send(`POST ${path} HTTP/1.1\r\nHost: x\r\n${CHUNKED}`)
    expect(await connection.closed).toMatch(/^HTTP\/1.1 411.*\r\nConnection: close\r\n.*length_required/is)
    const wrong = await rawConnection(server.url)
    wrong.send(`POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\n${CHUNKED}`)
    expect(await wrong.closed).toMatch(/^HTTP\/1.1 401.*\r\nConnection: close\r\n/is)
  })

  test("a body is refused for its thousandth tiny chunk, and one more for each kilobyte", async () => {
    const [check, large, tiny] = [chunkCheck(), new Uint8Array(20_000), new Uint8Array(1)]
    for (let i = 0; i < 1_000; i++) {
      if (i % 100 === 0) await check(large)
      expect(await check(tiny)).toBeUndefined()
    }
    const more: unknown[] = []
    for (let i = 0; i < 200; i++) more.push(await check(tiny))
    expect(more.at(-1)).toMatchObject({ code: "invalid_request", headers: { Connection: "close" } })
  })

  test("what the network cuts off chunks does not count", async () => {
    const [check, row, end] = [chunkCheck(), new Uint8Array(1_459), new Uint8Array(1)]
    for (let i = 0; i < 5_000; i++) expect([await check(row), await check(end)]).toEqual([undefined, undefined])
  })

  const REQUESTS = { ...LIMITS, all: 1_000, strangers: 500, slowStrangers: 200, caller: 300 }
  const arrivalsIn = (bounds: Bounds, count: number, claim: string | null, length = 0) =>
    Array.from({ length: count }, () => heldIn(bounds, claim, length)).filter((held) => held.enter())

  test("strangers take no more than their part: the rest is for who brings a key or session", () => {
    const bounds = new Bounds(REQUESTS)
    expect(arrivalsIn(bounds, 10, null)).toHaveLength(5)
    // Of one claim no more than the share of a caller.
    expect(arrivalsIn(bounds, 10, "Bearer x")).toHaveLength(3)
    const others = arrivalsIn(bounds, 10, "Bearer y")
    expect(others).toHaveLength(2)
    expect(others.map((held, i) => held.countFor(`key ${i}`))).toEqual([true, true])
  })

  test("who turns out to be a stranger is refused where strangers have no room, and waits for nothing in the room of others", () => {
    const bounds = new Bounds(REQUESTS)
    const claimed = ["one", "two"].flatMap((cookie) => arrivalsIn(bounds, 3, cookie))
    expect(claimed.map((held) => held.countFor(null))).toEqual([true, true, true, true, true, false])
    for (const held of claimed) held.leave()
    const ended: string[] = []
    const slow = ["three", "four"].flatMap((cookie) => arrivalsIn(bounds, 3, cookie)).slice(0, 5)
    for (const held of slow) held.waits((why) => ended.push(why))
    for (const held of slow) held.look(0)
    expect(ended).toEqual(["crowded", "crowded", "crowded"])
    for (const held of slow) held.look(Number.POSITIVE_INFINITY)
    expect(ended).toEqual(["crowded", "crowded", "crowded", "late", "late"])
  })

  test("a key has its share, whatever comes in between, and nothing is left over when all of it was given back", () => {
    const bounds = new Bounds(REQUESTS)
    const four = () => ["a", "b"].flatMap((cookie) => arrivalsIn(bounds, 2, cookie))
    const first = four()
    expect(first.map((held) => held.countFor("key"))).toEqual([true, true, true, false])
    for (const held of first) held.leave()
    // A request that was given up meanwhile counts for nobody.
    expect(first[0]?.countFor("key")).toBe(false)
    expect(four().map((held) => held.countFor("key"))).toEqual([true, true, true, false])
    expect(["c", "d", "e"].flatMap((cookie) => arrivalsIn(bounds, 3, cookie))).toHaveLength(6)
  })

  test("a bound refuses whatever would switch it off", () => {
    const bound = new Bound(10)
    bound.add(5)
    for (const amount of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -6, 0.5, 2 ** 60])
      expect(() => bound.add(amount)).toThrow(RangeError)
    expect(bound.held).toBe(5)
  })
})

describe("a file that arrives", () => {
  const LARGE = { all: 13_000_000, strangers: 13_000_000, slowStrangers: 13_000_000, caller: 13_000_000 }
  const head = (bytes: number) => `POST /file HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`

  test("too slowly gets 408 in words, and then the connection ends", async () => {
    await using server = given({ ...LARGE, bodyMs: 20 })
    const connection = await rawConnection(server.url)
    connection.send(`${head(1_000_000)}x`)
    const answer = await connection.closed
    expect(answer).toMatch(/^HTTP\/1.1 408/)
    expect(answer).toContain("The file arrived too slowly: it needs 10 KB a second.")
  })

  test("takes as long as it needs while enough of it arrives, and is whole", async () => {
    await using server = given({ ...LARGE, bodyMs: 1_500 })
    const connection = await rawConnection(server.url)
    // Two of them are enough for as long as one may wait, so that a busy machine may be late with many.
    const part = "x".repeat(8_000)
    connection.send(head(100 * part.length))
    const began = performance.now()
    for (let i = 0; i < 100; i++) {
      connection.send(part)
      await until(() => performance.now() > began + 20 * i)
    }
    expect(await connection.until(/bytes$/)).toContain("800000 bytes")
    connection.end()
  })

  test("takes as much room as a part of it, however large it is", async () => {
    await using server = given(LARGE)
    const connections = await Promise.all(Array.from({ length: 8 }, () => rawConnection(server.url)))
    for (const one of connections) one.send(`${head(50_000_000)}x`)
    expect(await heldOf(connections, 3, server.url)).toBe(3)
    endAll(connections)
  })
})

describe("slow bodies keep nobody out", () => {
  const MEBIBYTE = 1_048_576
  const REPORTS = 50

  interface Slow {
    readonly count: number
    readonly bytes: number
    readonly path: string
    readonly headers?: readonly string[]
    readonly from?: readonly string[]
  }

  /** Bodies that lack all but their first byte. The server has seen the headers of all when this resolves. */
  async function hold(app: TestApp, { count, bytes, path, headers = [], from = ["127.0.0.2"] }: Slow) {
    const connections = await Promise.all(
      Array.from({ length: count }, (_, i) => rawConnection(app.url, from[i % from.length])),
    )
    const head = [`POST ${path} HTTP/1.1`, "Host: 127.0.0.1", "Sec-Fetch-Site: same-origin", ...headers]
    for (const one of connections) one.send(`${head.join("\r\n")}\r\nContent-Length: ${bytes}\r\n\r\n-`)
    for (let looks = 0; looks < 5; looks++) await app.fetch("/healthz")
    return connections
  }

  const JSON_HEADERS = ["Content-Type: application/json", "Accept: application/json, text/event-stream"]
  const FORM_HEADERS = ["Content-Type: multipart/form-data; boundary=-"]

  async function givenSeller() {
    const app = await startApp({ options: { limitIngest: "1000", limitAgentAnonymous: "1000" } })
    await givenMarket(app)
    const seller = await app.store.organizations.findBySlug("acme-audio")
    if (seller === null) throw new Error("there is no seller")
    return { app, key: () => givenIngestKey(app, seller) }
  }

  /** The statuses of reports that a seller sends meanwhile. */
  async function reportsOf(app: TestApp, key: string): Promise<Set<number>> {
    const statuses = new Set<number>()
    for (let i = 0; i < REPORTS; i++) {
      const items = [{ package_id: LINE, impressions: i, as_of: "2026-11-15T10:00:00Z" }]
      statuses.add((await post(app, DELIVERY, key, { items })).status)
    }
    return statuses
  }

  test.each([
    ["small, to the agent", { count: 700, bytes: 900, path: "/", headers: JSON_HEADERS }],
    ["large, to the agent", { count: 320, bytes: MEBIBYTE, path: "/", headers: JSON_HEADERS }],
    ["to the form for signing in", { count: 320, bytes: 200_000, path: "/app/sign-in" }],
    ["to a form of the app", { count: 320, bytes: 60_000, path: "/app/o/acme-audio/keys" }],
    ["to the form for files", { count: 320, bytes: 60_000, path: UPLOAD, headers: FORM_HEADERS }],
  ])("those of strangers, %s, from two addresses and from ten", async (_, slow) => {
    const { app, key } = await givenSeller()
    await using _app = app
    const secret = await key()
    const person = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
    for (const addresses of [2, 10]) {
      const from = Array.from({ length: addresses }, (_, i) => `127.0.0.${i + 2}`)
      const connections = await hold(app, { ...slow, from })
      expect(await reportsOf(app, secret)).toEqual(new Set([200]))
      expect((await person.get(UPLOAD)).status).toBe(200)
      expect((await person.post("/app/theme", { theme: "dark" })).status).toBe(204)
      // Strangers find room as soon as it is seen who is slow.
      await until(async () => (await app.fetch("/app/sign-in")).status === 200)
      endAll(connections)
    }
  })

  test("those of one key, also files, leave every other key its room", async () => {
    const { app, key } = await givenSeller()
    await using _app = app
    const [slow, other] = [await key(), await key()]
    const bearer = `Authorization: Bearer ${slow}`
    const reports = await hold(app, { count: 300, bytes: MEBIBYTE, path: DELIVERY, headers: [bearer, ...JSON_HEADERS] })
    const files = await hold(app, {
      count: 300,
      bytes: 50 * MEBIBYTE,
      path: "/api/ingest/files",
      headers: [bearer, "Content-Type: text/csv"],
    })
    expect(await heldOf(reports, 63, `${app.url}/healthz`)).toBeLessThan(64)
    expect(await reportsOf(app, other)).toEqual(new Set([200]))
    endAll([...reports, ...files])
  })

  test("of long reports that come at once, none is refused for which its key and the server have room", async () => {
    const { app, key } = await givenSeller()
    await using _app = app
    const body = JSON.stringify({ items: [{ package_id: LINE, impressions: 1 }] }).padEnd(MEBIBYTE)
    const keys = await Promise.all(Array.from({ length: 5 }, key))
    // Strangers together have room for 102 of them.
    const reports = keys.flatMap((secret) =>
      Array.from({ length: 40 }, () => post(app, `${DELIVERY}?dry_run=true`, secret, body)),
    )
    const statuses = (await Promise.all(reports)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  })

  test("the unfinished uploads of one member leave everybody else theirs", async () => {
    const { app, key } = await givenSeller()
    await using _app = app
    const secret = await key()
    const userId = await givenPerson(app, { of: "acme-audio" })
    const [slow, same, other] = [
      await signedIn(app, userId),
      await signedIn(app, userId),
      await signedIn(app, await givenPerson(app, { of: "acme-audio" })),
    ]
    const headers = [`Cookie: ${SESSION_COOKIE}=${slow.cookie(SESSION_COOKIE)}`, ...FORM_HEADERS]
    const connections = await hold(app, { count: 262, bytes: 50 * MEBIBYTE, path: UPLOAD, headers })
    expect(await reportsOf(app, secret)).toEqual(new Set([200]))
    for (const person of [same, other]) {
      expect((await sendFile(person, "delivery", `package_id,impressions\n${LINE},5\n`)).status).toBe(303)
    }
    endAll(connections)
  })

  test("what is read is counted: strangers hold no more than their part, whatever they send to", async () => {
    await using app = await startApp()
    for (const [path, bytes] of [
      ["/app/sign-in", 250_000],
      ["/", MEBIBYTE],
    ] as const) {
      const connections = await hold(app, { count: 400, bytes, path, headers: JSON_HEADERS })
      const part = (HELD_BYTES_MAX * HELD_PART_FOR_SLOW_STRANGERS) / bytes
      expect(await heldOf(connections, Math.floor(part), app.url)).toBeLessThanOrEqual(part)
      endAll(connections)
    }
  })

  test("a length that is sent twice is refused at every door, and bounds hold afterwards", async () => {
    await using app = await startApp()
    for (const path of [
      "/",
      "/app/sign-in",
      "/app/o/x/keys",
      DELIVERY,
      "/api/ingest/files",
      "/docs",
      "/healthz",
      "/nothing",
    ]) {
      const connection = await rawConnection(app.url)
      connection.send(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nContent-Length: 9\r\n\r\n{"a":"b"}`)
      expect(await connection.closed).toMatch(/^HTTP\/1.1 400.*must be sent once/s)
    }
    const connections = await hold(app, { count: 300, bytes: MEBIBYTE, path: "/", headers: JSON_HEADERS })
    expect(await heldOf(connections, 51, app.url)).toBe(51)
    endAll(connections)
  })
})
