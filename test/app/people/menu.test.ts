import { expect, test } from "bun:test"
import { startApp, type TestApp } from "../../harness/app.ts"
import { type Browse, signIn } from "../../harness/browser/browse.ts"
import { type GivenSeller, givenLine, givenSeller } from "../given.ts"

const VISITORS = {
  "an admin": (app: TestApp, seller: GivenSeller) => signIn(app, { organization: seller }),
  "a member": (app: TestApp, seller: GivenSeller) => signIn(app, { organization: seller, role: "member" }),
  "the operator": (app: TestApp, seller: GivenSeller) => signIn(app, { organization: seller, isOperator: true }),
  "a buyer’s admin": (app: TestApp, { buyerId }: GivenSeller) => signIn(app, { organization: { id: buyerId } }),
  "a buyer’s member": (app: TestApp, { buyerId }: GivenSeller) =>
    signIn(app, { organization: { id: buyerId }, role: "member" }),
}

/** The words of the menu. */
async function entriesOf(open: Browse, path = "/app"): Promise<readonly string[]> {
  const [, nav = ""] = /<nav aria-label="Main">(.*?)<\/nav>/s.exec((await open(path)).html) ?? []
  return [...nav.matchAll(/<a class="entry"[^>]*>(.*?)<\/a>/gs)].map(([, words = ""]) => words.replace(/<[^>]*>/g, ""))
}

const SELLING = ["Today", "Campaigns", "Statements", "Orders", "Affiliates", "Report totals", "Upload", "Feed activity"]
const SETTINGS = ["API keys", "People", "Organization"]

test.each([
  ["an admin", [...SELLING, ...SETTINGS]],
  ["a member", SELLING],
  ["the operator", [...SELLING, "Agent sales", ...SETTINGS, "System"]],
  ["a buyer’s admin", ["Campaigns", "Statements", "People", "Organization"]],
  ["a buyer’s member", ["Campaigns", "Statements"]],
] as const)("the menu of %s has what they may open", async (role, entries) => {
  await using app = await startApp()
  const seller = await givenSeller(app)
  await givenLine(app, seller)
  expect(await entriesOf(await VISITORS[role](app, seller))).toEqual([...entries])
})

test("the pages of the server are listed while one of them is open, and all sellers if there are several", async () => {
  await using app = await startApp()
  for (const slug of ["acme", "rival"]) await givenLine(app, await givenSeller(app, slug))
  const operator = await signIn(app, { isOperator: true })
  const entries = await entriesOf(operator, "/app/operator/users")
  expect(entries.slice(0, 2)).toEqual(["All sellers", "Today"])
  expect(entries.slice(-5)).toEqual(["System", "Backups", "Organizations", "All people", "Changes"])
})

test("pages of no organization keep the menu of the page before", async () => {
  await using app = await startApp()
  for (const slug of ["acme", "rival"]) await givenLine(app, await givenSeller(app, slug))
  const operator = await signIn(app, { isOperator: true })
  await operator("/app/o/rival/campaigns")
  expect((await operator("/app/account")).html).toContain('href="/app/o/rival/campaigns"')
  await operator("/app/o/acme/campaigns")
  expect((await operator("/app/account")).html).toContain('href="/app/o/acme/campaigns"')
})

// Downloads, guides and links that sign out are pages of another kind.
const isPage = (path: string) => /^\/app(\/|$)/.test(path) && !/\.csv|\/assets\/|\/template\/|\/once$/.test(path)

test.each(Object.keys(VISITORS) as (keyof typeof VISITORS)[])(
  "no page leads %s to what is refused to them",
  async (role) => {
    await using app = await startApp()
    const seller = await givenSeller(app)
    await givenLine(app, seller)
    const open = await VISITORS[role](app, seller)
    const found = new Map([["/app", "/app"]])
    const refused: string[] = []
    for (const link of found.values()) {
      const { status, html } = await open(link)
      if (status >= 400) refused.push(`${status} ${link}`)
      const links = [...html.matchAll(/<a [^>]*href="([^"#]+)/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"))
      for (const each of links) {
        // Sorting and filtering a list leads to the same page.
        const path = each.replace(/\?.*/, "")
        if (isPage(path) && !found.has(path)) found.set(path, each)
      }
    }
    expect(refused).toEqual([])
  },
)
