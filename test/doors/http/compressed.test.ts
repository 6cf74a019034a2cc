import { expect, test } from "bun:test"
import { startApp } from "../../harness.ts"

// What a browser gets, as it travels: fetch would undo the compression before anybody could look.
const RAW = { decompress: false } as RequestInit

const pages = ["/app/sign-in", "/docs", "/docs/api"]

test.each(pages)("%s is sent compressed to whoever accepts that, and is the same page", async (path) => {
  await using app = await startApp()
  const ask = (headers: Record<string, string>, method = "GET") => app.fetch(path, { ...RAW, method, headers })
  const plain = await ask({ "Accept-Encoding": "identity" })
  const html = await plain.text()
  const packed = await ask({ "Accept-Encoding": "br, GZIP;q=0.5" })
  const bytes = await packed.bytes()
  expect(packed.headers.get("content-encoding")).toBe("gzip")
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(html)
  expect(bytes.length * 2).toBeLessThan(html.length)
  expect(packed.headers.get("content-length")).toBe(String(bytes.length))
  for (const { headers } of [plain, packed]) expect(headers.get("vary")).toContain("Accept-Encoding")
  expect(packed.headers.get("etag")).toBe(plain.headers.get("etag"))

  const head = await ask({ "Accept-Encoding": "gzip" }, "HEAD")
  expect([head.status, head.headers.get("content-encoding"), await head.text()]).toEqual([200, "gzip", ""])
})

test.each([
  ["refuses it", { "Accept-Encoding": "gzip;q=0, identity" }],
  ["says nothing", { "Accept-Encoding": "" }],
  ["was sent by another site, which could guess secrets by the length", { "Sec-Fetch-Site": "cross-site" }],
])("a page is sent as it is to a browser that %s", async (_, headers) => {
  await using app = await startApp()
  const page = await app.fetch("/app/sign-in", { ...RAW, headers: { "Accept-Encoding": "gzip", ...headers } })
  expect(page.headers.get("content-encoding")).toBeNull()
  expect(await page.text()).toStartWith("<!doctype html>")
})

test("style and scripts are sent compressed, fonts as they are", async () => {
  await using app = await startApp()
  const html = await (await app.fetch("/app/sign-in")).text()
  const paths = [...html.matchAll(/(?:href|src)="(\/app\/assets\/[^"]+)"/g)].map(([, path = ""]) => path)
  expect(paths.length).toBeGreaterThan(2)
  for (const path of paths) {
    const packed = await app.fetch(path, { ...RAW, headers: { "Accept-Encoding": "gzip" } })
    const whole = await (await app.fetch(path, { ...RAW, headers: { "Accept-Encoding": "identity" } })).bytes()
    const bytes = await packed.bytes()
    const isFont = path.endsWith(".woff2")
    expect([path, packed.headers.get("content-encoding")]).toEqual([path, isFont ? null : "gzip"])
    expect([path, isFont ? bytes : Bun.gunzipSync(bytes)]).toEqual([path, whole])
    expect(packed.headers.get("cache-control")).toContain("immutable")
  }
})
