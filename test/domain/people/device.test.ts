import { expect, test } from "bun:test"
import { deviceOf, keptUserAgent } from "../../../src/domain/people/sign-in.ts"

test.each([
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
    "Chrome on Linux",
  ],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  ["curl/8.5.0", "Unknown device"],
  [null, "Unknown device"],
])("%s is %s", (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
})

test("of what a browser says only a short, printable part is kept", () => {
  expect(keptUserAgent(` a\u001b[31mb ${"x".repeat(1_000)}`)?.length).toBeLessThanOrEqual(300)
  expect(keptUserAgent("a\u001bb")).toBe("ab")
  expect(keptUserAgent(" ")).toBeNull()
})
