import { describe, expect, test } from "bun:test"
import { type BoundLimits, Bounds } from "../../src/doors/http/bounds.ts"
import { type ListenParts, listen } from "../../src/doors/http/listen.ts"
import { readBody } from "../../src/doors/http/read-body.ts"
import { metaOf } from "../../src/doors/http/request-meta.ts"
import { createLog } from "../../src/log/log.ts"
import { until } from "../until.ts"
import { heldIn } from "./held-in.ts"
import { rawConnection } from "./raw-connection.ts"

// Three requests at a time.
const LIMITS: BoundLimits = {
  all: 3_000,
  strangers: 3_000,
  slowStrangers: 3_000,
  caller: 3_000,
  request: 1_000,
  unread: 0,
  bodyMs: 60_000,
}

/** Somebody holds all of it. */
function full(): Bounds {
  const bounds = boundsOf({ all: 1_000 })
  heldIn(bounds, "Bearer x", 0).enter()
  return bounds
}

const boundsOf = (limits: Partial<BoundLimits>) => new Bounds({ ...LIMITS, ...limits })

/** A server whose answers wait until they are let go. */
function given(parts: Partial<ListenParts> = {}) {
  const gate = Promise.withResolvers<void>()
  let count = 0
  const arrivals: { count: number; resolve: () => void }[] = []
  const log = createLog({ format: "json", clock: () => 0, write: () => undefined })
  const listener = listen({
    hostname: "127.0.0.1",
    port: 0,
    async handle(request) {
      count++
      for (const arrival of arrivals) if (count >= arrival.count) arrival.resolve()
      if (!request.url.endsWith("/now")) await gate.promise
      return new Response("done")
    },
    log,
    requestIds: () => "id",
    trustProxy: [],
    headers: {},
    bounds: boundsOf({}),
    answerMs: 60_000,
    ...parts,
  })
  const url = `http://127.0.0.1:${listener.port}`
  return {
    url,
    letGo: () => gate.resolve(),
    arrived(wanted: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (count >= wanted) resolve()
      else arrivals.push({ count: wanted, resolve })
      return promise
    },
    stop: () => listener.stop(),
    async [Symbol.asyncDispose]() {
      gate.resolve()
      await listener.stop()
    },
  }
}

function post(url: string, bytes: number): Promise<Response> {
  return fetch(url, { method: "POST", body: "x".repeat(bytes) })
}

describe("overload", () => {
  test("a request that is refused for lack of room is told to whoever counts refusals", async () => {
    const seen: number[] = []
    await using server = given({ observe: (_, status) => void seen.push(status) })
    const waiting = [fetch(server.url), fetch(server.url), fetch(server.url)]
    await server.arrived(3)
    await fetch(server.url)
    expect(seen).toEqual([503])
    server.letGo()
    await Promise.all(waiting)
  })

  test("beyond the bound a request gets 503 with Retry-After at once; those before it are answered, and then all is as before", async () => {
    await using server = given()
    const waiting = [fetch(server.url), fetch(server.url), fetch(server.url)]
    await server.arrived(3)
    const refused = await fetch(server.url)
    expect(refused.status).toBe(503)
    expect(refused.headers.get("Retry-After")).toBe("1")
    expect(await refused.json()).toMatchObject({ code: "unavailable", status: 503, request_id: "id" })
    server.letGo()
    for (const response of await Promise.all(waiting)) expect(response.status).toBe(200)
    expect((await fetch(server.url)).status).toBe(200)
  })

  test("/healthz answers also then, so that nobody restarts a server for being busy", async () => {
    await using server = given({
      handle: (request) => (request.url.endsWith("/healthz") ? new Response("ok") : new Promise(() => undefined)),
      bounds: full(),
    })
    expect((await fetch(`${server.url}/now`)).status).toBe(503)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })

  test("only GET and HEAD of exactly /healthz pass when there is no room", async () => {
    const handled: string[] = []
    await using server = given({
      handle: (request) => {
        handled.push(`${request.method} ${request.url}`)
        return new Response("ok")
      },
      bounds: full(),
    })
    for (const path of ["/?/healthz", "/x/healthz", "/healthz/", "/app?next=/healthz"]) {
      expect([path, (await fetch(server.url + path)).status]).toEqual([path, 503])
      expect((await post(server.url + path, 10)).status).toBe(503)
    }
    expect((await post(`${server.url}/healthz`, 10)).status).toBe(503)
    expect(handled).toEqual([])
    expect((await fetch(`${server.url}/healthz?from=probe`)).status).toBe(200)
    expect((await fetch(`${server.url}/healthz`, { method: "HEAD" })).status).toBe(200)
  })

  test("what a door throws is an answer, and gives its place back", async () => {
    await using server = given({
      handle: () => {
        throw new Error("a mistake")
      },
      bounds: boundsOf({ all: 1_000 }),
    })
    for (let i = 0; i < 3; i++) {
      const response = await fetch(server.url)
      expect(response.status).toBe(500)
      expect(await response.text()).not.toContain("a mistake")
    }
  })
})

describe("a door that never answers", () => {
  const never = () => new Promise<Response>(() => undefined)

  test("is given up with 503, which the log tells, and its place is given back", async () => {
    const lines: string[] = []
    await using server = given({
      handle: never,
      log: createLog({ format: "json", clock: () => 0, write: (line) => void lines.push(line) }),
      bounds: boundsOf({ all: 1_000 }),
      answerMs: 10,
    })
    for (let i = 0; i < 3; i++) {
      const response = await fetch(`${server.url}/stuck`)
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({
        code: "unavailable",
        detail: expect.stringContaining("took too long"),
      })
    }
    expect(lines.filter((line) => line.includes("not answered in time") && line.includes("/stuck"))).toHaveLength(3)
  })

  test("gives its place back when the caller has gone, once, and the rest of the work is told", async () => {
    let forgotten = 0
    let isStuck = true
    const late = Promise.withResolvers<Response>()
    await using server = given({
      handle: (request) => {
        metaOf(request).onGivenUp = () => forgotten++
        return isStuck ? late.promise : Promise.resolve(new Response("done"))
      },
      bounds: boundsOf({ all: 2_000 }),
    })
    const stuck = await Promise.all([1, 2].map(() => rawConnection(server.url)))
    for (const connection of stuck) connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    await until(async () => (await fetch(server.url)).status === 503)
    isStuck = false
    for (const connection of stuck) connection.end()
    // Not until there is room: the first of them makes room already.
    await until(() => forgotten === 2)
    expect((await fetch(server.url)).status).toBe(200)
    // An answer that comes now gives nothing back a second time: there is room for two, as before.
    late.resolve(new Response("too late"))
    isStuck = true
    expect((await fetch(server.url)).status).toBe(200)
  })
})

describe("odd and slow clients", () => {
  test.each([
    ["HTTP/1.0 without a host", "GET / HTTP/1.0\r\n\r\n", /^HTTP\/1.1 400/],
    ["a host that is none", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", /^HTTP\/1.1 400/],
    ["a port that is none", "GET / HTTP/1.1\r\nHost: a:99999\r\n\r\n", /^HTTP\/1.1 400/],
    ["HTTP/1.1 without a host", "GET / HTTP/1.1\r\n\r\n", /^HTTP\/1.1 400/],
    ["a header of 20 KB", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, /^HTTP\/1.1 431/],
    ["300 headers", `GET / HTTP/1.1\r\nHost: x\r\n${"a: b\r\n".repeat(300)}\r\n`, /^HTTP\/1.1 431/],
    ["no HTTP at all", "\0\x01\x02\r\n\r\n", /^HTTP\/1.1 400/],
    ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", /^HTTP\/1.1 400/],
    [
      "a length twice",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab",
      /^HTTP\/1.1 400/,
    ],
    [
      "a length three times",
      `POST / HTTP/1.1\r\nHost: x\r\n${"Content-Length: 2\r\n".repeat(3)}\r\nab`,
      /^HTTP\/1.1 400/,
    ],
    ["a list of lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2, 2\r\n\r\nab", /^HTTP\/1.1 400/],
    ["a signed length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +2\r\n\r\nab", /^HTTP\/1.1 400/],
    ["a negative length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -2\r\n\r\nab", /^HTTP\/1.1 400/],
    ["a length with a space in it", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1 2\r\n\r\nab", /^HTTP\/1.1 400/],
    ["a length in hexadecimal", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x2\r\n\r\nab", /^HTTP\/1.1 400/],
    ["a length with an exponent", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2e0\r\n\r\nab", /^HTTP\/1.1 400/],
    ["an empty length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \r\n\r\nab", /^HTTP\/1.1 400/],
    ["a huge length", `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${"9".repeat(30)}\r\n\r\nab`, /^HTTP\/1.1 400/],
    [
      "a length beyond what numbers can say",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9007199254740993\r\n\r\nab",
      /^HTTP\/1.1 4(00|13)/,
    ],
    [
      "a length twice with GET",
      "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab",
      /^HTTP\/1.1 400/,
    ],
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      /^HTTP\/1.1 400/,
    ],
  ])("%s is refused in words of HTTP", async (_, text, expected) => {
    await using server = given()
    const connection = await rawConnection(server.url)
    connection.send(text)
    expect(await connection.until(/\r\n\r\n/)).toMatch(expected)
    if (text.includes("Content-Length")) expect(await connection.closed).toMatch(/\r\nConnection: close\r\n/i)
    connection.end()
  })

  test("a body that does not come is given up with 408, and the connection with it", async () => {
    await using server = given({
      bounds: boundsOf({ bodyMs: 50 }),
      handle: async (request) => {
        const body = await readBody(request, 100)
        if (body instanceof Uint8Array) return new Response("whole")
        return new Response(body.code, { status: body.status, headers: body.headers })
      },
    })
    const connection = await rawConnection(server.url)
    connection.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nonly this")
    const answer = await connection.closed
    expect(answer).toMatch(/^HTTP\/1.1 408/)
    expect(answer).toEndWith("body_timeout")
  })
})

describe("a graceful stop", () => {
  test("finishes what is in flight, closes what is idle at once, and waits for nobody who says nothing", async () => {
    const server = given()
    const idle = await rawConnection(server.url)
    idle.send("GET /now HTTP/1.1\r\nHost: x\r\n\r\n")
    await idle.until(/done$/)
    const silent = await rawConnection(server.url)
    const halfway = await rawConnection(server.url)
    halfway.send("GET / HTTP/1.1\r\nHo")
    const inFlight = fetch(server.url)
    await server.arrived(2)

    const stopped = server.stop()
    await idle.closed
    await expect(fetch(server.url)).rejects.toThrow()
    server.letGo()
    expect(await (await inFlight).text()).toBe("done")
    await stopped
    await halfway.closed
    silent.end()
  })

  test("twice is as good as once", async () => {
    const server = given()
    const inFlight = fetch(server.url)
    await server.arrived(1)
    const both = [server.stop(), server.stop()]
    server.letGo()
    expect((await inFlight).status).toBe(200)
    await Promise.all(both)
  })
})
