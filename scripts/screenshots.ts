// npm run screenshots: starts the demo, opens the pages that the guides show, and writes docs/screenshots/*.png.
import { mkdirSync } from "node:fs"
import { type Browser, chromium, type Page } from "playwright-core"
import { machine } from "../test/harness/machine.ts"

const FOLDER = "docs/screenshots"
const ADA = "ada@lighthouse.example"
const OLGA = "olga@adbooth.example"
const SELLER = "/app/o/lighthouse-audio"

interface Shot {
  readonly name: string
  readonly who: string
  readonly path: string
  /** Follows the first link of this kind on the page. */
  readonly link?: string
}

const SHOTS: readonly Shot[] = [
  { name: "campaign", who: ADA, path: `${SELLER}/campaigns/autumn-escapes` },
  { name: "report-totals", who: ADA, path: `${SELLER}/totals` },
  { name: "orders", who: ADA, path: `${SELLER}/orders` },
  { name: "statement", who: ADA, path: `${SELLER}/statements`, link: "a.name" },
  { name: "system", who: OLGA, path: "/app/operator/system" },
]

/** Starts the demo. It prints its address and the passwords. */
async function startDemo() {
  const command = [process.execPath, "src/main.ts", "serve", "--demo", "--port", "0"]
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "ignore" })
  let printed = ""
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    printed += chunk
    const [, url] = /^listening on (\S+)$/m.exec(printed) ?? []
    if (url !== undefined && printed.includes(ADA)) return { child, url, printed }
  }
  throw new Error(`The demo didn't start:\n${printed}`)
}

async function signIn(page: Page, url: string, email: string, printed: string): Promise<void> {
  const [, password = ""] = new RegExp(`${email}\\s+(\\S+)`).exec(printed) ?? []
  await page.goto(`${url}/app/sign-in`)
  await page.getByLabel("Email").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.locator("main button[type=submit]").click()
  await page.locator(".head").waitFor()
}

async function take(browser: Browser, { name, who, path, link }: Shot, url: string, printed: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light" })
  const page = await context.newPage()
  await signIn(page, url, who, printed)
  await page.goto(url + path)
  if (link !== undefined) await page.locator(link).first().click()
  await page.waitForLoadState("networkidle")
  const { length } = await page.screenshot({ path: `${FOLDER}/${name}.png` })
  console.log(`${FOLDER}/${name}.png (${Math.round(length / 1_000)} kB)`)
  await context.close()
}

if (machine.chromium === null) throw new Error("Install the package chromium-headless-shell or chromium.")
mkdirSync(FOLDER, { recursive: true })
const { child, url, printed } = await startDemo()
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
const browser = await chromium.launch({ executablePath: machine.chromium, args })
try {
  for (const shot of SHOTS) await take(browser, shot, url, printed)
} finally {
  await browser.close()
  child.kill()
}
