import { expect, test } from "bun:test"
import { keyMissing, keyRefused, problemOf, rateLimited } from "../../src/domain/failure.ts"

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
