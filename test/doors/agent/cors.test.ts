import { expect, test } from "bun:test"
import { startApp } from "../../harness.ts"
import { post } from "./buyer.ts"

const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
const options = { publicUrl: "https://ads.example.com", allowOrigin: "https://partner.example" }
const preflight = (Origin: string) => ({
  method: "OPTIONS",
  headers: {
    Origin,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,mcp-protocol-version",
  },
})

const corsHeaders = (response: Response) =>
  [...response.headers.keys()].filter((name) => name.startsWith("access-control"))

test("a page of a named origin may ask first, and is told what it may send", async () => {
  await using app = await startApp({ options })
  const response = await app.fetch("/", preflight("https://partner.example"))
  expect(response.status).toBe(204)
  expect(response.headers.get("access-control-allow-origin")).toBe("https://partner.example")
  expect(response.headers.get("access-control-allow-methods")).toBe("POST")
  for (const name of ["authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"])
    expect(response.headers.get("access-control-allow-headers")?.toLowerCase()).toContain(name)
  expect(response.headers.get("vary")).toContain("Origin")
})

test("a page of a named origin may read every answer, errors too", async () => {
  await using app = await startApp({ options })
  const headers = { Origin: "https://partner.example" }
  const answers = [
    await post(app, ping, { headers }),
    await post(app, "{", { headers }),
    await post(app, ping, { headers, key: "aba_wrong" }),
    await post(app, ping, { headers: { ...headers, Accept: "text/html" } }),
    await app.fetch("/", { headers }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 406, 405])
  for (const answer of answers) {
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://partner.example")
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull()
    expect(answer.headers.get("access-control-expose-headers")).toContain("Retry-After")
    expect(answer.headers.get("vary")).toContain("Origin")
  }
})

test.each([
  "https://evil.example",
  "https://ads.example.com",
  "http://localhost:6274",
  "null",
  "https://partner.example.",
])("%s gets no CORS answer", async (origin) => {
  await using app = await startApp({ options })
  const asked = await app.fetch("/", preflight(origin))
  expect([asked.status, corsHeaders(asked)]).toEqual([405, []])
  expect(corsHeaders(await post(app, ping, { headers: { Origin: origin } }))).toEqual([])
})

test("without an Origin there are no CORS headers", async () => {
  await using app = await startApp({ options })
  expect(corsHeaders(await post(app, ping))).toEqual([])
})
