import { test } from "bun:test"
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { openSession } from "../../../../src/actions/people/sessions.ts"
import { SESSION_COOKIE } from "../../../../src/doors/web/cookies.ts"
import type { TestApp } from "../../../harness.ts"
import { chromiumPath } from "./chromium-path.ts"

export { chromiumPath }

/**
 * A test that needs a browser. Where there is none it is skipped, and the line above says so. A browser draws when the
 * machine lets it, so one that failed is tried once more; the run names those that only then passed.
 */
export const browserTest = (promise: string, body: () => Promise<void>, timeout?: number) =>
  test.skipIf(chromiumPath === null)(promise, body, { retry: 1, ...(timeout !== undefined && { timeout }) })

// Quiet: without these the browser looks for its maker's servers at every start.
const FLAGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync".split(
    " ",
  )

// What the browser takes to draw, or a server to answer, is not what these tests are about: only who hangs is given up.
const PATIENCE_MS = 120_000

let started: Promise<Browser> | undefined

/**
 * The browser that all tabs of this process share. It ends with the process: starting it costs more than most tests. One that has ended,
 * as it does with a test that takes too long, is started again: the test's second try needs one.
 */
function browser(): Promise<Browser> {
  const forget = () => {
    started = undefined
  }
  started ??= chromium.launch({ executablePath: chromiumPath ?? "", args: FLAGS, timeout: PATIENCE_MS }).then(
    (launched) => launched.once("disconnected", forget),
    (cause) => {
      forget()
      throw cause
    },
  )
  return started
}

export interface Tab extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** What the browser complained about: errors of scripts, refused resources, broken policies. */
  readonly complaints: string[]
}

/** From now on nothing changes by itself on the page: what is shown for two seconds stays until somebody has looked. */
export const stopTimers = (page: Page) =>
  page.evaluate(() => {
    window.setTimeout = (() => 0) as unknown as typeof window.setTimeout
  })

/** A fresh browser profile with one tab, signed in if somebody is named. */
export async function openTab(app: TestApp, userId: number | null, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await (await browser()).newContext({ baseURL: app.url, reducedMotion: "reduce", ...options })
  if (userId !== null) {
    const { token } = await openSession(app, userId, null)
    await context.addCookies([{ name: SESSION_COOKIE, value: token, url: `${app.url}/app` }])
  }
  context.setDefaultTimeout(PATIENCE_MS)
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
