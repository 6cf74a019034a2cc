import { describe, expect, test } from "bun:test"
import { connect, type Socket } from "node:net"
import { BODY_BYTES_MAX } from "../../../src/domain/limits.ts"
import { givenIngestKey, givenPackageLine } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { currentTotal, DELIVERY, post, report } from "./feed.ts"

async function given(options: Record<string, string> = {}) {
  const app = await startApp({ options: { limitIngest: "1000", ...options } })
  const { packageId, seller } = await givenPackageLine(app)
  const key = await givenIngestKey(app, seller)
  return { app, key, packageId, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** A connection on which a test writes what no well-behaved client would. */
async function dial(app: TestApp): Promise<Socket> {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.on("error", () => undefined)
  await new Promise((resolve) => socket.once("connect", resolve))
  return socket
}

/** The first line of what comes back, or an empty text when the other side hangs up. */
function statusLine(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once("data", (data) => resolve(String(data).split("\r\n")[0] ?? ""))
    socket.once("close", () => resolve(""))
  })
}

const head = (key: string, ...headers: string[]) =>
  [
    `POST ${DELIVERY} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    ...headers,
  ]
    .join("\r\n")
    .concat("\r\n\r\n")

const CHUNK = `10000\r\n${" ".repeat(0x10000)}\r\n`

describe("hostile bodies get the stated status, and the next request is served", () => {
  const namesBesideOneItem = (count: number) =>
    `{"items":[1],${Array.from({ length: count }, (_, i) => `"${i}":1`).join()}}`
  const nested = (depth: number) => `{"items":${"[".repeat(depth)}${"]".repeat(depth)}}`
  test.each([
    ["nothing at all", "", 400],
    ["not JSON", "<items/>", 400],
    ["half of it", '{"items":[{"package_id":', 400],
    ["JSON of the wrong type", "true", 400],
    ["501 items", JSON.stringify({ items: new Array(501).fill({}) }), 400],
    ["10 MB of white space", " ".repeat(10_000_000), 413],
    ["10 MB of one item", JSON.stringify({ items: ["x".repeat(10_000_000)] }), 413],
    ["one byte more than 1 MiB", " ".repeat(1_048_577), 413],
    ["nesting of 64 levels is an element that is no object", nested(63), 200],
    ["nesting of 65 levels", nested(64), 400],
    ["nesting of 400,000 levels", nested(400_000), 400],
    ["nesting in objects", `{"items":[${'{"a": '.repeat(63)}1${"}".repeat(63)}]}`, 400],
    ["nesting with ends in texts and in between", `{"items":${'["]",[],'.repeat(64)}1${"]".repeat(64)}}`, 400],
    ["many arrays and brackets that are not nested", `{"items":[${'["[[{\\"",{"a":[]}],'.repeat(400)}1]}`, 200],
    ["90,000 names beside one item", namesBesideOneItem(90_000), 200],
    ["a number of a million digits", `{"items":[{"impressions":${"9".repeat(1_000_000)}}]}`, 200],
    ["a million zeros inside a number", `{"items":[{"impressions":1.${"0".repeat(1_000_000)}1e0}]}`, 200],
    ["an exponent of many digits", '{"items":[{"impressions":1e999999999999}]}', 200],
    ["__proto__ instead of items", '{"__proto__":{"items":[1]}}', 400],
    ["constructor as an item", '{"items":[{"constructor":{"prototype":{}}}]}', 200],
  ])("%s", async (_, body, status) => {
    await using g = await given()
    const response = await post(g.app, DELIVERY, g.key, body)
    expect(response.status).toBe(status)
    const next = await report(g.app, g.key, [{ package_id: g.packageId, impressions: 1 }])
    expect(next.accepted).toBe(1)
  })

  test("exactly 1 MiB is taken", async () => {
    await using g = await given()
    const body = '{"items":[1]}'.padEnd(1_048_576)
    expect((await post(g.app, DELIVERY, g.key, body)).status).toBe(200)
  })

  test.each([
    ["a lone continuation byte", [0x80]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["half of a surrogate pair", [0xed, 0xa0, 0x80]],
    ["UTF-16", [0xff, 0xfe, 0x7b, 0x00]],
  ])("invalid UTF-8 is 400: %s", async (_, bytes) => {
    await using g = await given()
    const response = await g.app.fetch(DELIVERY, {
      method: "POST",
      headers: { Authorization: `Bearer ${g.key}`, "Content-Type": "application/json" },
      body: Buffer.concat([Buffer.from('{"items":[1],"x":"'), Buffer.from(bytes), Buffer.from('"}')]),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: "invalid_json" })
  })

  test("of duplicate keys the last one counts, wherever it stands", async () => {
    await using g = await given()
    const item = (impressions: number) => `{"package_id":"${g.packageId}","impressions":${impressions}}`
    await post(g.app, DELIVERY, g.key, `{"items":[],"items":[${item(1)}],"items":[${item(2)}]}`)
    expect(await currentTotal(g.app, g.packageId)).toMatchObject({ quantity: 2 })
  })
})

describe("a body without a stated length is counted as it arrives", () => {
  test("within the limit it is taken", async () => {
    await using g = await given()
    const socket = await dial(g.app)
    const body = JSON.stringify({ items: [{ package_id: g.packageId, impressions: 9 }] })
    const middle = 20
    socket.write(head(g.key, "Transfer-Encoding: chunked"))
    for (const part of [body.slice(0, middle), body.slice(middle)])
      socket.write(`${part.length.toString(16)}\r\n${part}\r\n`)
    socket.write("0\r\n\r\n")
    expect(await statusLine(socket)).toBe("HTTP/1.1 200 OK")
    expect(await currentTotal(g.app, g.packageId)).toMatchObject({ quantity: 9 })
    socket.destroy()
  })

  const LONG = " ".repeat(BODY_BYTES_MAX + 1_024)

  test("a little too long, it is read to its end and answered with 413", async () => {
    await using g = await given()
    const socket = await dial(g.app)
    socket.write(`${head(g.key, "Transfer-Encoding: chunked")}${LONG.length.toString(16)}\r\n${LONG}\r\n0\r\n\r\n`)
    expect(await statusLine(socket)).toStartWith("HTTP/1.1 413")
    socket.destroy()
  })

  test.each([
    ["a right key", true],
    ["a wrong key", false],
  ])(
    "never-ending chunks with %s get the stated status, and other callers are served meanwhile",
    async (_, isRight) => {
      await using g = await given()
      const socket = await dial(g.app)
      const answered = statusLine(socket)
      socket.write(head(isRight ? g.key : "wrong", "Transfer-Encoding: chunked"))
      const pour = () => {
        while (!socket.destroyed && socket.write(CHUNK));
      }
      socket.on("drain", pour)
      pour()
      expect((await report(g.app, g.key, [{ package_id: g.packageId, impressions: 1 }])).accepted).toBe(1)
      expect(await answered).toBe(isRight ? "HTTP/1.1 413 Payload Too Large" : "HTTP/1.1 401 Unauthorized")
      socket.destroy()
    },
  )
})

describe("a body that lies about its length", () => {
  test("more than announced: the rest is no request, and the connection ends", async () => {
    await using g = await given()
    const body = JSON.stringify({ items: [{ package_id: g.packageId, impressions: 3 }] })
    const socket = await dial(g.app)
    const closed = new Promise((resolve) => socket.once("close", resolve))
    socket.write(`${head(g.key, `Content-Length: ${body.length}`)}${body}and more of it\r\n\r\n`)
    expect(["HTTP/1.1 200 OK", "HTTP/1.1 400 Bad Request"]).toContain(await statusLine(socket))
    await closed
    expect((await report(g.app, g.key, [{ package_id: g.packageId, impressions: 4 }])).accepted).toBe(1)
  })

  test("less than announced, then gone: nothing is stored, nothing breaks", async () => {
    await using g = await given()
    const body = JSON.stringify({ items: [{ package_id: g.packageId, impressions: 3 }] })
    const socket = await dial(g.app)
    socket.write(`${head(g.key, `Content-Length: ${body.length + 5}`)}${body}`)
    expect((await report(g.app, g.key, [1])).rejected).toBe(1)
    socket.destroy()
    await new Promise((resolve) => socket.once("close", resolve))
    expect((await report(g.app, g.key, [1])).rejected).toBe(1)
    expect(await currentTotal(g.app, g.packageId)).toBeNull()
  })

  test("an announced terabyte is refused before any of it is read", async () => {
    await using g = await given()
    const socket = await dial(g.app)
    socket.write(head(g.key, "Content-Length: 1000000000000"))
    expect(await statusLine(socket)).toStartWith("HTTP/1.1 413")
    socket.destroy()
  })
})
