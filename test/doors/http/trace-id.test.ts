import { describe, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import fc from "fast-check"
import { mint } from "../../../src/domain/keys/api-key.ts"
import { traceIdOf } from "../../../src/doors/http/request.ts"
import { startApp } from "../../harness.ts"

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length })
const isZero = (text: string) => /^0+$/.test(text)
const parts = fc.record({
  trace: hex(32).filter((text) => !isZero(text)),
  span: hex(16).filter((text) => !isZero(text)),
  flags: hex(2),
})
const laterVersion = hex(2).filter((version) => version !== "00" && version !== "ff")

describe("the trace id of a traceparent", () => {
  test("is found in every valid one, also of a later version with more after it", () => {
    fc.assert(
      fc.property(parts, laterVersion, fc.string(), ({ trace, span, flags }, version, more) => {
        expect(traceIdOf(`00-${trace}-${span}-${flags}`)).toBe(trace)
        expect(traceIdOf(`${version}-${trace}-${span}-${flags}`)).toBe(trace)
        if (!/[\n\r\u2028\u2029]/.test(more))
          expect(traceIdOf(`${version}-${trace}-${span}-${flags}-${more}`)).toBe(trace)
      }),
    )
  })

  test("is missing where one character is wrong, missing or added", () => {
    const wrong = fc.constantFrom("g", "A", " ", ",", "-", "_", "é", "\0")
    fc.assert(
      fc.property(parts, fc.nat(54), wrong, ({ trace, span, flags }, place, character) => {
        const valid = `00-${trace}-${span}-${flags}`
        fc.pre(valid[place] !== character)
        expect(traceIdOf(valid.slice(0, place) + character + valid.slice(place + 1))).toBeNull()
        expect(traceIdOf(valid.slice(0, place) + valid.slice(place + 1))).toBeNull()
        expect(traceIdOf(valid.slice(0, place) + character + valid.slice(place))).toBeNull()
      }),
    )
  })

  test.each([
    null,
    "",
    `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
    `00-4bf92f3577b34da6a3ce929d0e0e4736-${"0".repeat(16)}-01`,
    "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
    "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.more",
  ])("is missing in %p", (header) => {
    expect(traceIdOf(header)).toBeNull()
  })
})

describe("a traced request", () => {
  const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
  const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`

  test("is found by its trace id in the log, the answer and the problem, at every door", async () => {
    await using app = await startApp()
    const seen = new Set<string>()
    for (const [path, method] of [
      ["/healthz", "GET"],
      ["/api/ingest/delivery/metrics", "POST"],
      ["/", "POST"],
      ["/app", "GET"],
      ["/nothing", "GET"],
    ] as const) {
      const answer = await app.fetch(path, { method, headers: { traceparent }, redirect: "manual" })
      const id = answer.headers.get("x-request-id") ?? ""
      expect(id).toMatch(new RegExp(`^${TRACE}-[0-9a-f]{12}-[0-9a-z]+$`))
      seen.add(id)
      const logged = app.logged.find((line) => line.includes(`"id":"${id}"`))
      expect(JSON.parse(logged ?? "{}")).toMatchObject({ event: "request", trace: TRACE, id })
      if (answer.headers.get("content-type") === "application/problem+json")
        expect(await answer.json()).toMatchObject({ request_id: id })
    }
    expect(seen.size).toBe(5)
  })

  test("with a malformed header, or two of them, is answered as one without", async () => {
    await using app = await startApp()
    for (const headers of [
      [["traceparent", "nonsense"]],
      [
        ["traceparent", traceparent],
        ["traceparent", traceparent],
      ],
      [["traceparent", "x".repeat(8_000)]],
    ] as [string, string][][]) {
      const answer = await app.fetch("/healthz", { headers })
      expect(answer.status).toBe(200)
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/)
    }
    expect(app.logged.some((line) => line.includes('"trace"'))).toBe(false)
  })

  test("the log names the key of a request by its prefix, on every door, and never the key", async () => {
    await using app = await startApp()
    const secrets = (["ingest", "agent"] as const).map((kind) => mint(kind, (count) => randomBytes(count)))
    for (const secret of secrets)
      for (const [path, method] of [
        ["/api/ingest/delivery/metrics", "POST"],
        ["/", "POST"],
        ["/nothing", "GET"],
      ] as const) {
        const answer = await app.fetch(path, { method, headers: { Authorization: `Bearer ${secret}` } })
        const logged = app.logged.find((line) => line.includes(answer.headers.get("x-request-id") ?? "none"))
        expect(JSON.parse(logged ?? "{}")).toMatchObject({ event: "request", key: secret.slice(0, 12) })
      }
    await app.fetch("/healthz", { headers: { Authorization: "Bearer something-else" } })
    expect(JSON.parse(app.logged.at(-1) ?? "{}")).not.toHaveProperty("key")
    for (const secret of secrets) expect(app.logged.join("")).not.toContain(secret.slice(0, 13))
  })
})
