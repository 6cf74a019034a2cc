import { describe, expect, test } from "bun:test"
import { post } from "../harness/agent/agent.ts"
import { startApp } from "../harness/app.ts"

const PING = { jsonrpc: "2.0", id: 1, method: "ping" }
const OPTIONS = {
  publicUrl: "https://ads.example.com",
  allowOrigin: ["https://partner.example", "http://booth.lan:8080"],
}

const CHECKED: readonly (readonly [Record<string, string>, number])[] = [
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
]

test.each(CHECKED)("Host and Origin of %j are answered with %i", async (headers, status) => {
  await using app = await startApp({ options: OPTIONS })
  expect((await post(app, PING, { headers })).status).toBe(status)
})

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

describe("web pages", () => {
  test("of a named origin may ask first, and learn what they may send", async () => {
    await using app = await startApp({ options: OPTIONS })
    const response = await app.fetch("/", preflight("https://partner.example"))
    expect(response.status).toBe(204)
    expect(response.headers.get("access-control-allow-origin")).toBe("https://partner.example")
    expect(response.headers.get("access-control-allow-methods")).toBe("POST")
    const allowed = response.headers.get("access-control-allow-headers")?.toLowerCase()
    for (const name of ["authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"])
      expect(allowed).toContain(name)
    expect(response.headers.get("vary")).toContain("Origin")
  })

  test("of a named origin may read every answer, errors too", async () => {
    await using app = await startApp({ options: OPTIONS })
    const headers = { Origin: "https://partner.example" }
    const answers = [
      await post(app, PING, { headers }),
      await post(app, "{", { headers }),
      await post(app, PING, { headers, key: "aba_wrong" }),
      await post(app, PING, { headers: { ...headers, Accept: "text/html" } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 406])
    for (const answer of answers) {
      expect(answer.headers.get("access-control-allow-origin")).toBe("https://partner.example")
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull()
      expect(answer.headers.get("access-control-expose-headers")).toContain("Retry-After")
      expect(answer.headers.get("vary")).toContain("Origin")
    }
  })

  test.each(["https://evil.example", "https://ads.example.com", "http://localhost:6274", "null"])(
    "of %s get no CORS headers",
    async (origin) => {
      await using app = await startApp({ options: OPTIONS })
      const asked = await app.fetch("/", preflight(origin))
      expect([asked.status, corsHeaders(asked)]).toEqual([405, []])
      expect(corsHeaders(await post(app, PING, { headers: { Origin: origin } }))).toEqual([])
    },
  )

  test("without an Origin get no CORS headers", async () => {
    await using app = await startApp({ options: OPTIONS })
    expect(corsHeaders(await post(app, PING))).toEqual([])
  })
})
