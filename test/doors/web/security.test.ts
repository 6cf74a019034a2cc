import { expect, test } from "bun:test"
import { issueSetupLink } from "../../../src/actions/people/one-time-links.ts"
import { routes } from "../../../src/doors/web/routes.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { type CrawledForm, everyPage, everyPageOf, givenOperator } from "./crawl.ts"
import { pathOf } from "./paths.ts"
import { visitor } from "./visitor.ts"

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

/** The headers of a browser to which this app is at its own address. */
function headersAt(app: TestApp, headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace("OWN", app.url)]))
}

test("a request that changes something is refused unless it comes from our own pages", async () => {
  await using app = await startApp()
  const person = await givenOperator(app)
  for (const route of routes.filter(({ method }) => method === "POST")) {
    const path = await pathOf(app, route)
    for (const [where, headers] of Object.entries(ELSEWHERE)) {
      const answer = await person.post(path, {}, headersAt(app, headers))
      expect([route.path, where, answer.status]).toEqual([route.path, where, 403])
    }
  }
  expect((await person.get("/app/account")).status).toBe(200)
})

test.each([
  ["the public address behind a proxy that ends TLS", { origin: "https://ads.example.com" }],
  ["the address that the visitor sees", { origin: "OWN" }],
  ["our own page, with an Origin that the browser keeps back", { "sec-fetch-site": "same-origin" }],
])("a form is taken from %s", async (_, sent: Record<string, string>) => {
  await using app = await startApp({ options: { publicUrl: "https://ads.example.com" } })
  const person = await givenOperator(app)
  const answer = await person.post("/app/o/acme-audio/keys", { label: "Ad server" }, headersAt(app, sent))
  expect(answer.status).toBe(303)
})

test("no page runs or styles anything inline, asks another host or may be framed", async () => {
  const pages = await everyPage()
  expect(pages.length).toBeGreaterThan(100)
  for (const { path, headers, html } of pages) {
    const policy = headers.get("content-security-policy") ?? ""
    expect([path, policy.startsWith("default-src 'none'"), /unsafe|\*|https?:/.test(policy)]).toEqual([
      path,
      true,
      false,
    ])
    expect([path, policy.includes("frame-ancestors 'none'")]).toEqual([path, true])
    expect([path, headers.get("cache-control"), headers.get("referrer-policy")]).toEqual([
      path,
      "no-store",
      "same-origin",
    ])
    expect([path, /<script(?![^>]*\bsrc="\/app\/assets\/)/.test(html), /<style|\sstyle=|\son\w+="/.test(html)]).toEqual(
      [path, false, false],
    )
    expect([path, /(?:src|href)="(?:https?:)?\/\//.test(html)]).toEqual([path, false])
  }
})

const SCRIPT = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`

/** Fields that only take other things get something plausible, so that the form as a whole is accepted. */
function valueFor(name: string, form: CrawledForm): string {
  if (/email/.test(name)) return "x@example.com"
  if (/password|current|wanted/.test(name)) return "correct horse battery"
  if (/flight_start/.test(name)) return "2026-11-01"
  if (/flight_end/.test(name)) return "2026-11-30"
  if (/time_zone/.test(name)) return "UTC"
  if (/booked|rate/.test(name)) return "1000"
  if (/^(impressions|downloads)$/.test(name)) return "12"
  if (/currency/.test(name)) return "EUR"
  if (name === "slug" || name === "id") return `slug-${form.typed.length}`
  return SCRIPT
}

test("script in every text field of every form is shown as text", async () => {
  await using app = await startApp()
  const person = await givenOperator(app)
  const isEnding = (action: string) => /sign-out|sessions|revoke|remove|delete|password|two-factor|backups/.test(action)
  const forms = new Map(
    (await everyPageOf(person))
      .flatMap((page) => page.forms)
      .filter(({ action }) => !isEnding(action))
      .map((form) => [form.action, form]),
  )
  expect(forms.size).toBeGreaterThan(8)
  for (const form of forms.values()) {
    for (const plausible of [true, false]) {
      const typed = form.typed.map((name) => [name, plausible ? valueFor(name, form) : SCRIPT])
      const answer = await person.post(form.action, { ...form.given, ...Object.fromEntries(typed) })
      expect([form.action, answer.status < 500]).toEqual([form.action, true])
      expect([form.action, (await answer.text()).includes("<img src=x")]).toEqual([form.action, false])
    }
  }
  const pages = await everyPageOf(person)
  const showing = pages.filter(
    ({ html }) => html.includes("&lt;script>alert(1)") || html.includes("&lt;script&gt;alert(1)"),
  )
  expect(showing.length).toBeGreaterThan(3)
  for (const { path, html } of pages) {
    expect([path, html.includes("<script>alert"), html.includes("<img src=x")]).toEqual([path, false, false])
  }
})

test("a file that a table becomes holds no formula", async () => {
  await using app = await startApp()
  const person = await givenOperator(app)
  const line = { line_name: "Spot", pricing_basis: "impressions", flight_start: "2026-11-01" }
  await person.post("/app/o/acme-audio/new-campaign", { name: "=HYPERLINK(1)", buyer: "Somebody new", ...line })
  const file = await person.read("/app/o/acme-audio/campaigns.csv")
  expect(file).toContain("'=HYPERLINK(1)")
})

test("a form that is too large is refused before it is read", async () => {
  await using app = await startApp()
  const answer = await (await givenOperator(app)).post("/app/o/acme-audio/keys", { label: "x".repeat(3 * 1024 * 1024) })
  expect(answer.status).toBe(413)
})

const fieldsOf = (count: number, name: (i: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), "x"]))

const partsOf = (count: number) => {
  const form = new FormData()
  for (let i = 0; i < count; i += 1) form.append("label", "x")
  return form
}

test("a form has at most 1,000 fields, whatever they are called and however it is written", async () => {
  await using app = await startApp()
  const person = await givenOperator(app)
  const forms = [
    (count: number) => fieldsOf(count, (i) => `f${i}`),
    (count: number) => fieldsOf(count, (i) => `use.${i}`),
    partsOf,
  ]
  for (const form of forms) {
    expect((await person.post("/app/o/acme-audio/keys", form(1_000))).status).not.toBe(413)
    const refused = await person.post("/app/o/acme-audio/keys", form(1_001))
    expect(refused.status).toBe(413)
    expect(await refused.text()).toContain("The limit is 1,000 fields.")
  }
})

test("a body that is no form, or says no boundary, is a wrong request, not an error of ours", async () => {
  await using app = await startApp()
  const person = await givenOperator(app)
  const session = `adbooth_session=${person.cookie("adbooth_session")}`
  for (const path of ["/app/o/acme-audio/keys", "/app/o/acme-audio/upload", "/app/sign-in"]) {
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=", "text/plain"]) {
      const headers = { cookie: session, origin: app.url, "content-type": type }
      const answer = await app.fetch(path, { method: "POST", headers, body: "--x\r\n\r\n--x--", redirect: "manual" })
      expect([path, type, answer.status < 500]).toEqual([path, type, true])
      if (type !== "text/plain") expect([path, type, answer.status]).toEqual([path, type, 400])
    }
  }
  expect(app.logged.filter((line) => line.includes("failed"))).toEqual([])
})

test("files that browsers may keep are named after their content", async () => {
  await using app = await startApp()
  const html = await visitor(app).read((await issueSetupLink(app)) ?? "")
  const names = [...html.matchAll(/\/app\/assets\/[^"]+/g)].map(([name]) => name)
  expect(names.length).toBeGreaterThanOrEqual(2)
  for (const name of names) {
    const answer = await app.fetch(name)
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
  }
})
