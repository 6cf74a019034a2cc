import { expect } from "bun:test"
import { startMarket } from "../app/market.ts"
import { type Browse, browse, sessionFor } from "../harness/browse.ts"
import { openTab, problemsOf, type Tab } from "../harness/chromium.ts"
import { crawl, PAGES } from "../harness/crawl.ts"
import { testWith } from "../harness/machine.ts"

const test = testWith("chromium")
const LIMIT_MS = 600_000

// Pages that no link leads to: they belong to a link or a file that was sent, or to a form that was refused.
const WITHOUT_LINKS = /:token|:receipt|\/once$|\/set-up$|\/account\/|\/upload\/:|^\/app$/
// Pages that only ask a question look alike.
const QUESTIONS = /\/(delete|remove|revoke|withdraw|reset-two-factor)$/

const OPERATOR_PAGES = ["organizations", "users", "changes"].map((page) => `/app/operator/${page}`)

test(
  "every page is usable at 320, 390 and 1280 pixels, light and dark, and by everybody",
  async () => {
    await using market = await startMarket()
    const { app, sellers, buyers } = market
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
      const receipt = await reportFirst(browse(app, { adbooth_session: session }), home)
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
    await look(null, ["/app/sign-in", "/app/forgot-password", "/app/sign-in/code"])

    expect(problems).toEqual([])
    expect(PAGES.filter((page) => !seen.has(page) && !WITHOUT_LINKS.test(page) && !QUESTIONS.test(page))).toEqual([])
  },
  LIMIT_MS,
)

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
