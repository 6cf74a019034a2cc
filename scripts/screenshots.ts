// npm run screenshots: starts the demo, opens the pages that guides show in Chromium and writes docs/screenshots/*.png.
import { mkdir } from "node:fs/promises"
import { type Browser, chromium, type Page } from "playwright-core"
import { chromiumPath } from "../test/doors/web/browser/chromium-path.ts"

const FOLDER = "docs/screenshots"
const SIZE_MAX = 200_000

interface Shot {
  readonly name: string
  readonly who: string
  readonly path: string
}

const ADA = "ada@lighthouse.example"
const OLGA = "olga@adbooth.example"
const SELLER = "/app/o/lighthouse-audio"

const SHOTS: readonly Shot[] = [
  { name: "report-totals", who: ADA, path: `${SELLER}/totals` },
  { name: "campaign", who: ADA, path: `${SELLER}/campaigns/autumn-escapes` },
  { name: "orders", who: OLGA, path: `${SELLER}/orders` },
  { name: "statement", who: ADA, path: `${SELLER}/campaigns/summer-by-the-sea/statements/1` },
  { name: "agent-sales", who: OLGA, path: "/app/operator/agent-sales" },
  { name: "system", who: OLGA, path: "/app/operator/system" },
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
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light" })
  const page = await context.newPage()
  await signIn(page, url, shot.who, printed)
  await page.goto(url + shot.path)
  await page.waitForLoadState("networkidle")
  const file = `${FOLDER}/${shot.name}.png`
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
