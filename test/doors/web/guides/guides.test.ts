import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Glob } from "bun"
import { FEED_REASONS } from "../../../../src/domain/activity/reason-words.ts"
import { GUIDE_GROUPS } from "../../../../src/doors/web/guides/files.ts"
import { renderGuide, titleOf } from "../../../../src/doors/web/guides/library.ts"
import { startApp, type TestApp } from "../../../harness.ts"

const FILES = GUIDE_GROUPS.flatMap(({ guides }) => guides)
const PAGES = ["/docs", ...FILES.map(({ slug }) => `/docs/${slug}`)]
const PAGE_BYTES_MAX = 100_000

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const pageAt = async (path: string, init?: RequestInit) => (await app.fetch(path, init)).text()
const linksIn = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = ""]) => href)
const idsIn = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id)
const contentOf = (html: string) => html.slice(html.indexOf("<article"), html.indexOf("</article>"))

describe("the guides", () => {
  test("are the files of the repository, each at its address, and listed on the first page", async () => {
    const listed = linksIn(await pageAt("/docs"))
    for (const { slug, path, text } of FILES) {
      expect([slug, text]).toEqual([slug, await Bun.file(path).text()])
      const response = await app.fetch(`/docs/${slug}`)
      expect([slug, response.status]).toEqual([slug, 200])
      expect(await response.text()).toContain(`<h1>${titleOf({ slug, text })}</h1>`)
      expect(listed).toContain(`/docs/${slug}`)
    }
    expect(listed).toContain("/docs/api")
    expect((await app.fetch("/docs/releasing")).status).toBe(404)
  })

  test("load nothing from elsewhere, and have nothing inline", async () => {
    for (const path of PAGES) {
      const response = await app.fetch(path)
      const html = await response.text()
      expect(response.headers.get("content-security-policy")).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self';",
      )
      const loaded = [...html.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"/g)].map(
        ([, address = ""]) => address,
      )
      expect(loaded.filter((address) => !/^(?:\/app\/assets\/|data:)/.test(address))).toEqual([])
      expect([path, / style=| on\w+=|<style|<script(?! src)/.test(html)]).toEqual([path, false])
      expect([path, html.length < PAGE_BYTES_MAX]).toEqual([path, true])
    }
  })
})

describe("links", () => {
  test("between guides, to headings, and from the app lead to something that is there", async () => {
    const pages = new Map<string, string>()
    for (const path of [...PAGES, "/docs/api"]) pages.set(path, await pageAt(path))
    const inPages = [...pages].flatMap(([path, html]) =>
      linksIn(html).map((href) => ({ from: path, href: href.startsWith("#") ? path + href : href })),
    )
    const missing = [...inPages, ...(await linksInSource())].filter(({ href }) => {
      if (/^(?:https?:|mailto:|\/app$|\/openapi\.json$)/.test(href)) return false
      const [path = "", anchor] = href.split("#")
      const html = pages.get(path)
      return html === undefined || (anchor !== undefined && !idsIn(html).includes(anchor))
    })
    expect(inPages.length).toBeGreaterThan(100)
    expect(missing).toEqual([])
    for (const [path, html] of pages) expect([path, idsIn(html).length]).toEqual([path, new Set(idsIn(html)).size])
  })

  test("to files that are not served are plain text", async () => {
    const html = await pageAt("/docs/operations")
    expect(html).toContain("deploy/adbooth.service")
    expect(linksIn(html).filter((href) => href.includes("deploy/"))).toEqual([])
  })
})

/** Every address of a guide that a page or message of the program names. */
async function linksInSource(): Promise<{ from: string; href: string }[]> {
  const found: { from: string; href: string }[] = []
  for (const file of new Glob("src/**/*.{ts,tsx}").scanSync(".")) {
    if (file.startsWith("src/doors/web/guides/") || file === "src/server/app.ts") continue
    const text = await Bun.file(file).text()
    for (const [, href = ""] of text.matchAll(/["'`}](\/docs(?:\/[\w.-]+)?(?:#[^"'`]*)?)["'`]/g)) {
      if (/\.js$/.test(href)) continue
      const [start = "", isOfReason] = href.split(/(\$\{reason\})/)
      const hrefs = isOfReason === undefined ? [href] : FEED_REASONS.map((reason) => start + reason)
      found.push(...hrefs.map((one) => ({ from: file, href: one })))
    }
  }
  expect(found.map(({ href }) => href)).toContain("/docs/reasons#not_seller")
  return found
}

describe("examples", () => {
  const EXAMPLE = /ads\.example\.com|\$ADBOOTH_URL|env(?:iron)?\W+ADBOOTH_URL|127\.0\.0\.1:3000/

  test("carry the address of this installation", async () => {
    for (const { slug } of FILES.filter((file) => file.isAboutThisInstallation)) {
      const blocks = [...(await pageAt(`/docs/${slug}`)).matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(
        ([, code = ""]) => code,
      )
      expect([slug, blocks.filter((code) => EXAMPLE.test(code))]).toEqual([slug, []])
      expect([slug, blocks.some((code) => code.includes(app.url))]).toEqual([slug, true])
    }
  })

  test("carry the public addresses, where they are set", async () => {
    await using other = await startApp({
      options: { publicUrl: "https://ads.seller.example", agentUrl: "https://agent.seller.example" },
    })
    const [feed, agent] = await Promise.all(
      ["first-feed", "buyers"].map(async (slug) => (await other.fetch(`/docs/${slug}`)).text()),
    )
    expect(feed).toContain("https://ads.seller.example/api/ingest/delivery/metrics")
    expect(agent).toContain("export AGENT=https://agent.seller.example/ KEY")
    expect(`${feed}${agent}`).not.toContain(new URL(other.url).host)
  })

  test("never carry a name that only the request claims", async () => {
    for (const Host of ["evil.example", 'evil.example"><script>', "localhost.evil.example:80"]) {
      const html = await pageAt("/docs/first-feed", { headers: { Host } })
      expect(html).not.toContain("evil.example")
    }
    const Host = `localhost:${new URL(app.url).port}`
    expect(await pageAt("/docs/first-feed", { headers: { Host } })).toContain(`http://${Host}/api/ingest/`)
  })
})

test("what a guide contains is text, whatever it is", () => {
  const text =
    '# A\n\n<script>x</script> [a](javascript:alert(1)) [b](other.md) `<b>"` ![i](http://x/y.png)\n\n```sh "x\n<i>\n```\n'
  const file = { slug: "a", path: "docs/a.md", text, about: "", isAboutThisInstallation: true }
  const { html } = renderGuide(file, () => null)
  expect(contentOf(`<article>${html}</article>`)).not.toMatch(/<script|<b>|<i>|<img|javascript:[^a]|href="(?!#)/)
})
