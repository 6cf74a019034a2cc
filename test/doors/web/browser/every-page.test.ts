import { expect } from "bun:test"
import { seedDemo } from "../../../../src/demo/seed.ts"
import { createLog } from "../../../../src/log/log.ts"
import { startApp, type TestApp } from "../../../harness.ts"
import { crawl, fewOfEachKind, kindOf } from "../crawl.ts"
import { signedIn, visitor } from "../visitor.ts"
import { browserTest, openTab } from "./chromium.ts"
import { inTabs, problemsOf } from "./looks.ts"

// Whoever comes first is shown the pages that several may open, except those that look different to each.
const PEOPLE = [
  { email: "ada@lighthouse.example", starts: ["/app", "/app/account"] },
  { email: "olga@adbooth.example", starts: ["/app/operator/system", "/app/o/lighthouse-audio/campaigns"] },
  { email: "flora@fernweh.example", starts: ["/app/o/fernweh-travel/campaigns"] },
  { email: null, starts: ["/app/sign-in", "/app/sign-in/code", "/app/nothing-here", "/docs"] },
] as const
const OF_EVERYBODY = /^\/app\/o\/:org\/campaigns(\/:campaign(\/lines\/:package)?)?$/

async function givenDemo(): Promise<TestApp> {
  const app = await startApp()
  const log = createLog({ format: "json", clock: app.clock, write: () => undefined })
  await seedDemo({ ...app, log })
  return app
}

/** One page of each kind: a second line of the same campaign has nothing new to show. */
async function pagesFor(app: TestApp, userId: number | null, starts: readonly string[]): Promise<string[]> {
  const person = userId === null ? visitor(app) : await signedIn(app, userId)
  const pages = await crawl(person, starts, { isWanted: fewOfEachKind() })
  const kinds = new Map<string, string>()
  for (const { path } of pages) if (!kinds.has(kindOf(path))) kinds.set(kindOf(path), path)
  return [...kinds.values()]
}

browserTest(
  "every page is usable from 320 pixels on, light and dark, and by everybody",
  async () => {
    await using app = await givenDemo()
    const seen = new Set<string>()
    const problems: string[] = []
    for (const { email, starts } of PEOPLE) {
      const userId = email === null ? null : ((await app.store.users.findByEmail(email))?.id ?? null)
      const all = await pagesFor(app, userId, starts)
      const paths = all.filter((path) => !seen.has(kindOf(path)) || OF_EVERYBODY.test(kindOf(path)))
      for (const path of paths) seen.add(kindOf(path))
      const open = () => openTab(app, userId)
      await inTabs(open, paths, async (tab, path) => {
        const answer = await tab.page.goto(path)
        // The browser complains of every page that is not found.
        if (answer?.status() === 404) tab.complaints.length = 0
        problems.push(...(await problemsOf(tab)).map((problem) => `${path} ${problem}`), ...tab.complaints.splice(0))
      })
    }
    expect(problems).toEqual([])
    expect(seen.size).toBeGreaterThan(50)
  },
  1_200_000,
)
