import { expect, test } from "bun:test"
import { FAILURE_CODES, failure, keyMissing, keyRefused, problemOf, rateLimited } from "../../src/domain/failure.ts"

test("a missing key is told apart from one that does not work, and nothing else is", () => {
  expect(keyMissing().headers["WWW-Authenticate"]).toBe('Bearer realm="adbooth"')
  expect(keyRefused().headers["WWW-Authenticate"]).toBe('Bearer realm="adbooth", error="invalid_token"')
})

test("a problem carries type, title, status, detail, code and request_id", () => {
  expect(problemOf(rateLimited(7), "req-1")).toEqual({
    type: "urn:adbooth:problem:rate_limited",
    title: "Too many requests",
    status: 429,
    detail: "Too many requests. Wait 7 s, then send this request again.",
    code: "rate_limited",
    request_id: "req-1",
  })
})

test("every failure code is snake_case and has a status of an error", () => {
  for (const code of FAILURE_CODES) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(failure(code, "x").status).toBeGreaterThanOrEqual(400)
  }
})
