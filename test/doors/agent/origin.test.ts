import { expect, test } from "bun:test"
import { startApp } from "../../harness.ts"
import { post } from "./buyer.ts"

const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
const options = { publicUrl: "https://ads.example.com", allowOrigin: "https://partner.example,http://booth.lan:8080" }

test.each([
  [{ Origin: "https://evil.example" }, 403],
  [{ Origin: "null" }, 403],
  [{ Origin: "https://ads.example.com.evil.example" }, 403],
  [{ Origin: "http://ads.example.com" }, 403],
  [{ Host: "evil.example" }, 403],
  [{ Host: "evil.example", Origin: "http://localhost" }, 403],
  [{ Host: "localhost.evil.example:3000" }, 403],
  [{ Host: "ads.example.com" }, 200],
  [{ Host: "ADS.example.com:443", Origin: "https://ads.example.com" }, 200],
  [{ Host: "ads.example.com", Origin: "https://partner.example" }, 200],
  [{ Host: "booth.lan:8080" }, 200],
  [{ Origin: "http://localhost:6274" }, 200],
  [{ Origin: "http://127.0.0.1:6274", Host: "localhost:3000" }, 200],
  [{ Host: "[::1]:3000" }, 200],
  [{ Host: "192.168.1.20:3000" }, 200],
])("%j is answered with %i", async (headers, status) => {
  await using app = await startApp({ options })
  expect((await post(app, ping, { headers: headers as unknown as Record<string, string> })).status).toBe(status)
})
