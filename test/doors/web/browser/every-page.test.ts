import { expect } from "bun:test"
import axe from "axe-core"
import { seedDemo } from "../../../../src/demo/seed.ts"
import { routes } from "../../../../src/doors/web/routes.ts"
import { createLog } from "../../../../src/log/log.ts"
import { startApp, type TestApp } from "../../../harness.ts"
import { crawl } from "../crawl.ts"
import { signedIn, visitor } from "../visitor.ts"
import { browserTest, openTab, type Tab } from "./chromium.ts"

const PEOPLE = {
  "the operator": ["olga@adbooth.example", ["/app/operator", "/app/o/lighthouse-audio/campaigns"]],
  "a seller's admin": ["ada@lighthouse.example", ["/app", "/app/account"]],
  "a buyer": ["flora@fernweh.example", ["/app/o/fernweh-travel/campaigns"]],
  "a stranger": [null, ["/app/sign-in", "/app/sign-in/code", "/app/nothing-here"]],
} as const

async function givenDemo(): Promise<TestApp> {
  const app = await startApp()
  const log = createLog({ format: "json", clock: app.clock, write: () => undefined })
  await seedDemo({ ...app, log })
  return app
}

const patterns = routes
  .filter(({ method }) => method === "GET")
  .map(({ path }) => ({ path, matches: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+").replaceAll(".", "\\.")}$`) }))

/** One page of each kind: a second line of the same campaign has nothing new to show. */
async function pagesFor(app: TestApp, userId: number | null, starts: readonly string[]): Promise<string[]> {
  const person = userId === null ? visitor(app) : await signedIn(app, userId)
  const kinds = new Map<string, string>()
  for (const { path } of await crawl(person, starts)) {
    const pathname = path.split("?")[0] ?? ""
    // A path without parameters fits a pattern with them too ("new" is no slug): the plain pattern is the one.
    const kind = patterns.find((one) => one.path === pathname) ?? patterns.find(({ matches }) => matches.test(pathname))
    if (!kinds.has(kind?.path ?? pathname)) kinds.set(kind?.path ?? pathname, path)
  }
  return [...kinds.values()]
}

interface Violation {
  readonly id: string
  readonly impact?: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

interface Axe {
  /** Details of other kinds of results would take half the time. */
  run(options: { resultTypes: ["violations"] }): Promise<{ violations: Violation[] }>
}

/** Serious and critical findings of axe, which the page has loaded, on the page as it is shown now. */
async function findings({ page }: Tab): Promise<string[]> {
  const found = await page.evaluate(() => {
    const tool = (globalThis as unknown as { axe: Axe }).axe
    return tool.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)
  })
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary ?? ""}`)
}

const widthOf = ({ page }: Tab) => page.evaluate(() => document.scrollingElement?.scrollWidth ?? 0)

const LOOKS = [
  { width: 1280, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
  { width: 390, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const

for (const [who, [email, starts]] of Object.entries(PEOPLE)) {
  browserTest(
    `every page that ${who} can open is usable on phone and desktop, light and dark, and by everybody`,
    async () => {
      await using app = await givenDemo()
      const userId = email === null ? null : ((await app.store.users.findByEmail(email))?.id ?? null)
      await using tab = await openTab(app, userId)
      const paths = await pagesFor(app, userId, starts)
      for (const path of paths) {
        const answer = await tab.page.goto(path)
        if (answer?.status() === 404) tab.complaints.length = 0
        // Put in by the debugger, past the page's policy, which would rightly refuse it.
        await tab.page.evaluate(axe.source)
        for (const { width, colorScheme } of LOOKS) {
          await tab.page.setViewportSize({ width, height: 900 })
          await tab.page.emulateMedia({ colorScheme })
          expect([path, width, (await widthOf(tab)) <= width]).toEqual([path, width, true])
        }
        expect([path, "phone, dark", await findings(tab)]).toEqual([path, "phone, dark", []])
        await tab.page.setViewportSize({ width: 1280, height: 900 })
        await tab.page.emulateMedia({ colorScheme: "light" })
        expect([path, "desktop, light", await findings(tab)]).toEqual([path, "desktop, light", []])
      }
      expect(tab.complaints).toEqual([])
    },
    300_000,
  )
}
