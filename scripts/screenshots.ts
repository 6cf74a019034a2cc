// npm run screenshots: starts the demo, opens the main pages in Chromium and writes docs/screenshots/*.png.
import { mkdir } from "node:fs/promises"
import { type Browser, chromium, type Page } from "playwright-core"
import { chromiumPath } from "../test/doors/web/browser/chromium-path.ts"

const FOLDER = "docs/screenshots"
const SIZE_MAX = 200_000

interface Shot {
  readonly name: string
  readonly who: string
  readonly path: string
  readonly phone?: boolean
  readonly dark?: boolean
  /** What must be in sight at the top. */
  readonly show?: string
}

const ADA = "ada@lighthouse.example"
const OLGA = "olga@adbooth.example"
const SELLER = "/app/o/lighthouse-audio"
const LINE = `${SELLER}/campaigns/autumn-escapes/lines/4f0d7a52-6a1e-4c5b-9a07-0c2d7f1b6e01`

const SHOTS: readonly Shot[] = [
  { name: "today", who: ADA, path: SELLER },
  { name: "today", who: ADA, path: SELLER, phone: true },
  { name: "campaigns", who: ADA, path: `${SELLER}/campaigns` },
  { name: "campaign", who: ADA, path: `${SELLER}/campaigns/autumn-escapes` },
  { name: "campaign", who: ADA, path: `${SELLER}/campaigns/autumn-escapes`, phone: true, dark: true },
  { name: "line", who: ADA, path: LINE },
  { name: "report-delivery", who: ADA, path: `${SELLER}/totals` },
  { name: "history", who: ADA, path: LINE, show: "#history", dark: true },
  { name: "api-keys", who: ADA, path: `${SELLER}/keys` },
  { name: "buyer", who: "flora@fernweh.example", path: "/app/o/fernweh-travel/campaigns/autumn-escapes" },
  { name: "operator", who: OLGA, path: "/app/operator/system" },
  { name: "products", who: OLGA, path: "/app/operator/products" },
  { name: "requests", who: OLGA, path: "/app/operator/requests" },
  { name: "agent-sales", who: OLGA, path: "/app/operator/agent-sales" },
  { name: "formats", who: OLGA, path: "/app/operator/formats", dark: true },
  { name: "orders", who: OLGA, path: `${SELLER}/orders` },
  { name: "statement", who: ADA, path: `${SELLER}/campaigns/summer-by-the-sea/statements/1` },
  { name: "feed-activity", who: ADA, path: `${SELLER}/feed-activity` },
]

/** Starts the demo and reads its address and passwords from what it prints. */
async function startDemo() {
  const child = Bun.spawn([process.execPath, "src/main.ts", "serve", "--demo", "--port", "0"], {
    stdout: "pipe",
    stderr: "ignore",
  })
  let printed = ""
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    printed += chunk
    const url = /^listening on (\S+)$/m.exec(printed)?.[1]
    if (url !== undefined) return { child, url, printed }
  }
  throw new Error(`the demo did not start:\n${printed}`)
}

async function signIn(page: Page, url: string, email: string, printed: string): Promise<void> {
  const password = new RegExp(`${email}\\s+(\\S+)`).exec(printed)?.[1] ?? ""
  await page.goto(`${url}/app/sign-in`)
  await page.getByLabel("Email").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.locator("main button[type=submit]").click()
  await page.locator(".head").waitFor()
}

async function take(browser: Browser, shot: Shot, url: string, printed: string): Promise<void> {
  const viewport = shot.phone ? { width: 390, height: 844 } : { width: 1280, height: 800 }
  const context = await browser.newContext({ viewport, colorScheme: shot.dark ? "dark" : "light" })
  const page = await context.newPage()
  await signIn(page, url, shot.who, printed)
  await page.goto(url + shot.path)
  await page.waitForLoadState("networkidle")
  if (shot.show) await page.locator(shot.show).evaluate((element) => element.scrollIntoView())
  const look = `${shot.phone ? "phone" : "desktop"}-${shot.dark ? "dark" : "light"}`
  const file = `${FOLDER}/${shot.name}-${look}.png`
  const { length } = await page.screenshot({ path: file })
  if (length > SIZE_MAX) throw new Error(`${file} has ${length} bytes, more than ${SIZE_MAX}`)
  process.stdout.write(`${file} (${Math.round(length / 1000)} kB)\n`)
  await context.close()
}

await mkdir(FOLDER, { recursive: true })
const { child, url, printed } = await startDemo()
const browser = await chromium.launch({
  executablePath: chromiumPath ?? "",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
})
try {
  for (const shot of SHOTS) await take(browser, shot, url, printed)
} finally {
  await browser.close()
  child.kill()
  await child.exited
}
