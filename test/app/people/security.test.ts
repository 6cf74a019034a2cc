import { expect, test } from "bun:test"
import { startApp } from "../../harness/app.ts"
import { browse, signIn } from "../../harness/browser/browse.ts"
import { ROUTES } from "../../harness/inside.ts"
import { givenLine, givenSeller } from "../given.ts"

async function startWithSeller() {
  const app = await startApp()
  const seller = await givenSeller(app)
  await givenLine(app, seller)
  const open = await signIn(app, { organization: seller, isOperator: true })
  return { app, seller, open, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

const filled = (path: string) =>
  path.replace(":org", "acme").replace(":campaign", "acme-spring").replace(":user", "1").replace(/:\w+/g, "0")

const ELSEWHERE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "from another site": { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  "from another site in an old browser": { origin: "https://evil.example" },
  "from a sandboxed frame": { origin: "null" },
  "from another host of the same site": { origin: "OWN", "sec-fetch-site": "same-site" },
  "from another port of the same host": { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" },
  "with an origin that only begins like ours": { origin: "OWN.evil.example" },
  "from nowhere": {},
  "typed into the address bar": { "sec-fetch-site": "none" },
}

test("a request that changes something is refused unless it comes from our own pages", async () => {
  await using site = await startWithSeller()
  for (const [, path] of ROUTES.filter(([method]) => method === "POST")) {
    for (const [where, sent] of Object.entries(ELSEWHERE)) {
      const own = Object.entries(sent).map(([name, value]) => [name, value.replace("OWN", site.app.url)])
      const answer = await site.open(filled(path), { method: "POST", headers: Object.fromEntries(own) })
      expect([path, where, answer.status]).toEqual([path, where, 403])
    }
  }
})

test.each([
  ["our own page", { origin: "OWN" }],
  ["our own page, if the browser keeps the origin back", { "sec-fetch-site": "same-origin" }],
  ["the public address, behind a proxy that changes the host", { origin: "https://ads.example.com" }],
] as const)("a form is taken from %s", async (_, sent: Record<string, string>) => {
  await using app = await startApp({ options: { publicUrl: "https://ads.example.com" } })
  const seller = await givenSeller(app)
  const open = await signIn(app, { organization: seller })
  const own = Object.entries(sent).map(([name, value]) => [name, value.replace("OWN", app.url)])
  const body = new URLSearchParams({ label: "Ad server" })
  const page = await open(`${seller.home}/keys`, { method: "POST", body, headers: Object.fromEntries(own) })
  expect(page.title).toStartWith("Your new key")
})

test("no page runs or styles anything inline, asks another host or may be framed", async () => {
  await using site = await startWithSeller()
  const stranger = browse(site.app)
  for (const [, path] of ROUTES.filter(([method]) => method === "GET"))
    for (const open of [site.open, stranger]) {
      const { headers, html } = await open(filled(path))
      if (!headers.get("content-type")?.startsWith("text/html")) continue
      const policy = headers.get("content-security-policy") ?? ""
      expect([path, policy.startsWith("default-src 'none'")]).toEqual([path, true])
      expect([path, /unsafe|\*|https?:/.test(policy)]).toEqual([path, false])
      expect([path, policy.includes("frame-ancestors 'none'")]).toEqual([path, true])
      expect([path, headers.get("referrer-policy")]).toEqual([path, "same-origin"])
      expect(["no-store", "private, no-cache"]).toContain(headers.get("cache-control") ?? "")
      expect([path, /<script(?![^>]*\bsrc="\/app\/assets\/)/.test(html)]).toEqual([path, false])
      expect([path, /<style|\sstyle=|\son\w+="/.test(html)]).toEqual([path, false])
      expect([path, /(?:src|href)="(?:https?:)?\/\//.test(html)]).toEqual([path, false])
    }
})

const SCRIPT = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`

test("script in the names of people, keys and organizations is shown as text", async () => {
  await using site = await startWithSeller()
  const { home } = site.seller
  await (await site.open(`${home}/settings`)).send({ name: SCRIPT, address: SCRIPT })
  await (await site.open(`${home}/keys`)).send({ label: SCRIPT })
  await (await site.open(`${home}/people`)).send({ name: SCRIPT, email: "ben@example.com", role: "member" })
  await (await site.open("/app/account")).form("/app/account/name").send({ name: SCRIPT })
  const search = `${home}/search?q=${encodeURIComponent(SCRIPT)}`
  const pages = ["settings", "keys", "people", ""].map((path) => `${home}/${path}`)
  for (const path of [...pages, search, "/app/account", "/app/operator/users", "/app/operator/changes"]) {
    const { html, status } = await site.open(path.replace(/\/$/, ""))
    expect([path, status]).toEqual([path, 200])
    expect([path, html.includes("<script>alert"), html.includes("<img src=x")]).toEqual([path, false, false])
    expect([path, html.includes("&lt;script")]).toEqual([path, true])
  }
})

test("a form may have at most 2,000 fields and 1 MiB", async () => {
  await using site = await startWithSeller()
  const keys = `${site.seller.home}/keys`
  const send = (body: URLSearchParams | FormData) =>
    site.open(keys, { method: "POST", body, headers: { origin: site.app.url } })
  const many = new URLSearchParams(Array.from({ length: 2_001 }, (_, i) => [`field${i}`, "x"]))
  expect((await send(many)).status).toBe(413)
  const parts = new FormData()
  for (let i = 0; i < 2_001; i++) parts.append("label", "x")
  expect((await send(parts)).status).toBe(413)
  expect((await send(new URLSearchParams({ label: "x".repeat(1_100_000) }))).status).toBe(413)
})

test("a body that is no form is a wrong request, not an error of ours", async () => {
  await using site = await startWithSeller()
  for (const type of ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=x"]) {
    const headers = { origin: site.app.url, "content-type": type }
    const page = await site.open(`${site.seller.home}/keys`, { method: "POST", headers, body: "--x\r\n\r\nx" })
    expect([type, page.status]).toEqual([type, 400])
  }
  expect(site.app.logged.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test("pages with forms may be kept by the browser, and pages with secrets may not", async () => {
  await using site = await startWithSeller()
  const cacheOf = async (path: string) => (await site.open(path)).headers.get("cache-control")
  expect(await cacheOf(`${site.seller.home}/settings`)).toBe("private, no-cache")
  expect(await cacheOf("/app/account/two-factor")).toBe("no-store")
  expect(await cacheOf("/app/operator/changes")).toBe("no-store")
})

test("files that browsers may keep are named after their content", async () => {
  await using site = await startWithSeller()
  const { html } = await browse(site.app)("/app/sign-in")
  const names = [...html.matchAll(/\/app\/assets\/[^"]+/g)].map(([name]) => name)
  expect(names.length).toBeGreaterThanOrEqual(3)
  for (const name of names) {
    const answer = await site.app.fetch(name)
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
  }
})

test("no session token, link or password reaches the log", async () => {
  await using site = await startWithSeller()
  const stranger = browse(site.app)
  await stranger("/app/password/secret-token-1234567890")
  await stranger("/app/invitation/secret-token-1234567890?x=secret-query")
  await (await stranger("/app/sign-in")).send({ email: "ana@example.com", password: "secret-password" })
  expect(site.app.logged.join("")).not.toMatch(/secret-token|secret-query|secret-password/)
})
