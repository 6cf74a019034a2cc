import axe from "axe-core"
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import type { TestApp } from "../app.ts"
import { machine } from "../machine.ts"

// Without these, the browser looks for its maker's servers at every start.
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]

// A step takes a second, and on a machine that others use as well, much longer.
const STEP_MS_MAX = 90_000

let started: Promise<Browser> | undefined

/** All tests of a process share one browser, because starting it takes longer than most tests. */
function browser(): Promise<Browser> {
  started ??= chromium.launch({ executablePath: machine.chromium ?? "", args: FLAGS, timeout: STEP_MS_MAX })
  return started
}

/** A browser profile of its own with one page. */
export interface Tab extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** What the browser complained about: errors of scripts, refused resources, requests to other hosts. */
  readonly complaints: string[]
}

/** Opens a tab in which a session is open: see `sessionFor`. With null, nobody is signed in. */
export async function openTab(app: TestApp, session: string | null, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await (await browser()).newContext({ baseURL: app.url, reducedMotion: "reduce", ...options })
  context.setDefaultTimeout(STEP_MS_MAX)
  if (session !== null) await context.addCookies([{ name: "adbooth_session", value: session, url: `${app.url}/app` }])
  const page = await context.newPage()
  const complaints: string[] = []
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on("request", (request) => {
    const isOurs = request.url().startsWith(app.url) || request.url().startsWith("data:")
    if (!isOurs) complaints.push(`${page.url()} asks ${request.url()}`)
  })
  return { page, context, complaints, [Symbol.asyncDispose]: () => context.close() }
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

interface Axe {
  run(options: object): Promise<{ readonly violations: readonly Violation[] }>
}

// What another theme or width can change. All other rules look at the document, which stays the same.
const RULES_OF_LOOKS = ["color-contrast", "target-size", "scrollable-region-focusable", "link-in-text-block"]

/** What axe finds on the page as it is now: by all of its rules, or only by those about looks. */
export async function findings({ page }: Tab, isOnlyLooks = false): Promise<string[]> {
  // The debugger puts it in, past the page's policy, which would rightly refuse it.
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(axe.source)
  const rules = isOnlyLooks ? { runOnly: { type: "rule", values: RULES_OF_LOOKS } } : {}
  const violations = await page.evaluate(
    async (options) => {
      const tool = (globalThis as unknown as { axe: Axe }).axe
      return (await tool.run(options)).violations
    },
    { resultTypes: ["violations"], ...rules },
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary ?? ""}`)
}

/** What is wrong with a page at 320, 390 and 1280 pixels, light and dark. */
export async function problemsOf(tab: Tab): Promise<string[]> {
  const { page } = tab
  const problems: string[] = []
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 900 })
      const isFirst = colorScheme === "light" && width === 1280
      const found = [...(await sideways(page, width)), ...(await findings(tab, !isFirst))]
      problems.push(...found.map((problem) => `${width} ${colorScheme}: ${problem}`))
    }
  }
  return problems
}

async function sideways(page: Page, width: number): Promise<string[]> {
  const shown = await page.evaluate(() => document.scrollingElement?.scrollWidth ?? 0)
  return shown > width ? [`scrolls sideways: ${shown} pixels`] : []
}
