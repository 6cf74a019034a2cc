import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { startApp } from "../harness/app.ts"
import { browse, signIn } from "../harness/browser/browse.ts"
import { renderGuide } from "../harness/inside.ts"

const NOT_FOR_READERS = ["README.md", "maintainers.md"]
const NAMES = readdirSync("docs").filter((name) => name.endsWith(".md") && !NOT_FOR_READERS.includes(name))
const linksIn = (html: string) => [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href = ""]) => href)

test("every guide is a public page, and each page lists all of them", async () => {
  await using app = await startApp()
  const open = browse(app)
  const addresses = NAMES.map((name) => `/docs/${name.slice(0, -3)}`)
  for (const address of ["/docs", ...addresses]) {
    const { status, html } = await open(address)
    expect([address, status]).toEqual([address, 200])
    expect(linksIn(html)).toEqual(expect.arrayContaining(["/docs", ...addresses]))
    expect(html).toContain(`href="${address}" aria-current="page"`)
  }
})

test("no link of a guide leads nowhere, on this server and within the pages", async () => {
  await using app = await startApp()
  const open = browse(app)
  const pages = new Map<string, string>()
  for (const path of ["/docs", ...NAMES.map((name) => `/docs/${name.slice(0, -3)}`)])
    pages.set(path, (await open(path)).html)
  const broken: string[] = []
  for (const [path, html] of pages)
    for (const link of linksIn(html).filter((link) => /^(\/docs|#)/.test(link))) {
      const [target = "", anchor] = link.split("#")
      const page = pages.get(target || path)
      const isThere = page !== undefined && (anchor === undefined || page.includes(`id="${anchor}"`))
      if (!isThere) broken.push(`${path} links to ${link}`)
    }
  expect(broken).toEqual([])
})

test("another name, or a file that isn't a guide, isn't found", async () => {
  await using app = await startApp()
  const open = browse(app)
  for (const name of ["nothing", "README", "maintainers", "..%2FREADME"])
    expect([name, (await open(`/docs/${name}`)).status]).toEqual([name, 404])
})

test("HTML in a guide is shown as it is typed", () => {
  const { html } = renderGuide('# A <b>\n\nText <script>alert(1)</script>\n\n<img src="x">\n\n```\n<i>\n```\n')
  expect(html).not.toMatch(/<(b|script|img|i)\b/)
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
})

test("headings can be linked to, and files that only the source has can't", () => {
  const { html, headings } = renderGuide(
    "# A\n\n## The `import` file\n\n[a](orders.md#b) [c](../deploy/x) [d](README.md)\n",
  )
  expect(headings).toEqual([{ id: "the-import-file", text: "The import file" }])
  expect(html).toContain('<h2 id="the-import-file">')
  expect(linksIn(html)).toEqual(["#the-import-file", "/docs/orders#b", "/docs"])
})

test("a reader who is signed in gets the same page", async () => {
  await using app = await startApp()
  const open = await signIn(app)
  expect((await open("/docs")).html).toBe((await browse(app)("/docs")).html)
})
