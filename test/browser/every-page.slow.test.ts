import { expect } from "bun:test"
import { type Market, startMarket } from "../app/market.ts"
import { ask, givenBuyer, givenProduct, preview, productOf, show } from "../harness/agent/agent.ts"
import { makeRealBackups } from "../harness/backups.ts"
import { type Browse, browse, sessionFor } from "../harness/browser/browse.ts"
import { openTab, problemsOf, type Tab } from "../harness/browser/chromium.ts"
import { crawl, PAGES } from "../harness/browser/crawl.ts"
import { testWith } from "../harness/machine.ts"

const test = testWith("chromium")
const LIMIT_MS = 600_000

// Pages that no link leads to: they belong to a link or a file that was sent, or to a form that was refused.
const WITHOUT_LINKS = /:token|:receipt|\/once$|\/set-up$|\/account\/|\/upload\/:|^\/app$/
// Pages that only ask a question look alike.
const QUESTIONS = /\/(off|delete|remove|revoke|withdraw|reset-two-factor)$/

const OPERATOR_PAGES = ["organizations", "users", "changes", "products", "products/walks"].map(
  (page) => `/app/operator/${page}`,
)

test(
  "every page is usable at 320, 390 and 1280 pixels, light and dark, and by everybody",
  async () => {
    await using market = await startMarket()
    const { app, sellers, buyers } = market
    makeRealBackups(app)
    await app.services.backups.create("adbooth-20261101T030000Z.db")
    const order = await placeOrder(market)
    const problems: string[] = []
    const seen = new Set<string>()

    /** Looks at the pages that nobody has looked at before. */
    async function look(session: string | null, starts: readonly string[]) {
      const pages = await crawl(browse(app, session === null ? {} : { adbooth_session: session }), starts)
      await using tab = await openTab(app, session)
      for (const [kind, address] of pages) {
        if (seen.has(kind) && kind !== "/app/o/:org/campaigns/:campaign/lines/:line") continue
        seen.add(kind)
        problems.push(...(await problemsAt(tab, address)))
      }
    }

    const lookAs = async (organizationId: number, home: string, operatorPages: readonly string[] = []) => {
      const isOperator = operatorPages.length > 0
      const session = await sessionFor(app, { organization: { id: organizationId }, isOperator })
      const open = browse(app, { adbooth_session: session })
      const receipt = await reportFirst(open, home)
      await makeStatement(open, home)
      await look(session, [
        home,
        `${home}/search?q=pre`,
        `${home}/set-up`,
        "/app/account",
        ...receipt,
        ...operatorPages,
      ])
    }
    await lookAs(sellers.radio, "/app/o/nordlys")
    await lookAs(sellers.podcasts, "/app/o/harbor-pine", OPERATOR_PAGES)
    await lookAs(buyers.travel, "/app/o/fjordreiser")
    await look(null, ["/app/sign-in", "/app/forgot-password", "/app/sign-in/code", "/docs", ...order])

    expect(problems).toEqual([])
    expect(PAGES.filter((page) => !seen.has(page) && !WITHOUT_LINKS.test(page) && !QUESTIONS.test(page))).toEqual([])
  },
  LIMIT_MS,
)

/** Orders a product of the radio, and returns the pages of the order link and of the order. */
async function placeOrder({ app, sellers, buyers }: Market): Promise<string[]> {
  const key = await givenBuyer(app, buyers.travel)
  await givenProduct(app, productOf("walks", { name: "City Walks" }))
  await app.database.transact(async (tx) => {
    await tx.db.update(tx.product).set({ sellerId: sellers.radio })
  })
  await show(app, key, "walks", ["NO"])
  // The operator looks at what buyers' agents ask for.
  await ask(app, key, { brief: "Podcast ads for hikers in Norway" })
  const answer = JSON.stringify(await preview(app, key, { buying_mode: "wholesale" }))
  const [link = ""] = /\/order\/[\w-]{24}/.exec(answer) ?? []
  const guest = browse(app)
  const asked = { from: "2026-11-23", to: "2026-12-22", amount: "200,000", organization: "Fjordreiser AS" }
  const sent = await (await guest(link)).send({ ...asked, name: "Lena Vogt", email: "lena@fjord.example" })
  return [link, sent.path]
}

/** Freezes the first statement that the page of a month offers. */
async function makeStatement(open: Browse, home: string): Promise<void> {
  const { html } = await open(`${home}/statements`)
  const [, draft] = /href="([^"]*\/statements\/new\?[^"]*)"/.exec(html) ?? []
  if (draft !== undefined) await (await open(draft.replaceAll("&amp;", "&"))).send()
}

/** Reports the first line of the grid, so that there's a receipt to look at. */
async function reportFirst(open: Browse, home: string): Promise<string[]> {
  const grid = await open(`${home}/totals`)
  const field = Object.keys(grid.fields).find((name) => name.startsWith("total."))
  if (field === undefined) return []
  const sent = await grid.send({ [field]: "999999999" })
  const box = `confirm.${field}`
  const receipt = sent.status === 422 ? await sent.send({ [box]: sent.control(box)["value"] }) : sent
  return [receipt.path, `${receipt.path}/withdraw`]
}

async function problemsAt(tab: Tab, address: string): Promise<string[]> {
  await tab.page.goto(address)
  const problems = await problemsOf(tab)
  return [...problems, ...tab.complaints.splice(0)].map((problem) => `${address} ${problem}`)
}
