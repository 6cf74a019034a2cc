import { expect } from "bun:test"
import { seedDemo } from "../../../../src/demo/seed.ts"
import { createLog } from "../../../../src/log/log.ts"
import { startApp } from "../../../harness.ts"
import { browserTest, openTab } from "./chromium.ts"

const PATIENCE_MS = 600_000

async function atTheDesk(who: string) {
  const app = await startApp()
  await seedDemo({ ...app, log: createLog({ format: "json", clock: app.clock, write: () => undefined }) })
  const user = await app.store.users.findByEmail(who)
  const tab = await openTab(app, user?.id ?? null, { viewport: { width: 1366, height: 900 } })
  const { page } = tab
  await page.goto("/app")
  return {
    ...{ page, complaints: tab.complaints, app },
    press: (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve()),
    type: (text: string) => page.keyboard.type(text),
    /** The label of where the cursor stands. */
    focused: () =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent),
    /** The browser puts the cursor there when it first draws the page, which may be after it is loaded. */
    cursorIn: (field: string) => page.waitForFunction((is) => document.activeElement?.matches(is), field),
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]()
      await app[Symbol.asyncDispose]()
    },
  }
}

browserTest(
  "three totals are reported, a question answered and all of it withdrawn, by keyboard alone",
  async () => {
    await using desk = await atTheDesk("ada@lighthouse.example")
    const { page, press, type } = desk
    await press("g", "t")
    await page.waitForURL(/\/totals$/)
    await desk.cursorIn("[aria-label^='New total']")
    expect(await desk.focused()).toBe("New total of City Walks, pre-roll, impressions")
    for (const total of ["240000", "112500"]) {
      await type(total)
      await press("Tab")
      while (!(await desk.focused())?.startsWith("New total")) await press("Tab")
    }
    await type("1")
    await press("Enter")
    await page.getByText("Nothing is reported yet").waitFor()
    await desk.cursorIn("[type=checkbox]")
    await press("Space", "Enter")
    await page.waitForURL(/\/totals\/[^/]+$/)
    await page.getByText("3 totals reported").first().waitFor()
    while (!(await desk.focused())?.startsWith("Withdraw")) await press("Tab")
    await press("Enter")
    await page.getByLabel("Reason").first().waitFor()
    if ((await page.evaluate(() => document.activeElement?.tagName)) !== "INPUT") await press("Tab")
    await type("Typed by mistake")
    await press("Enter")
    await page
      .getByText(/withdrawn/)
      .first()
      .waitFor()
    expect(desk.complaints).toEqual([])
  },
  PATIENCE_MS,
)

browserTest(
  "Ctrl-K shows pages and actions first while somebody types; keys lead where the list of them says",
  async () => {
    await using desk = await atTheDesk("ada@lighthouse.example")
    const { page, press, type } = desk
    await press("Control+k")
    await type("campaign")
    await page.locator("#found a").first().waitFor()
    expect(await page.locator("#found h2").allTextContents()).toEqual([expect.stringMatching(/^Pages/)])
    await press("ArrowDown", "Enter")
    await page.waitForURL(/\/campaigns$/)
    await press("?")
    await page.getByRole("dialog").waitFor()
    expect(await page.getByRole("dialog").textContent()).toContain("New campaign")
    await press("Escape", "n")
    await page.waitForURL(/\/new-campaign$/)
    expect(desk.complaints).toEqual([])
  },
  PATIENCE_MS,
)

browserTest(
  "a search of the grid keeps what was typed, and so does another order",
  async () => {
    await using desk = await atTheDesk("mo@lighthouse.example")
    const { page, press, type } = desk
    await press("g", "t")
    await page.waitForURL(/\/totals$/)
    await desk.cursorIn("[aria-label^='New total']")
    await type("240000")
    await press("Tab", "Escape")
    await page.getByLabel(/^Search lines/).fill("coffee")
    await press("Enter")
    await page.waitForURL(/q=coffee/)
    expect(await page.getByLabel(/^New total/).count()).toBe(1)
    await page.getByRole("button", { name: "Last total" }).click()
    await page.waitForURL(/sort=measured/)
    await page
      .getByRole("button", { name: /^Report/ })
      .last()
      .click()
    await page.getByText("1 total reported").first().waitFor()
    expect(desk.complaints).toEqual([])
  },
  PATIENCE_MS,
)

browserTest(
  "several countries are chosen with Enter, and formats are narrowed by the channels that are chosen",
  async () => {
    await using desk = await atTheDesk("olga@adbooth.example")
    const { page, press, type } = desk
    const [product] = await desk.app.store.catalogue.products()
    await page.goto(`/app/operator/product/${product?.productId}/order-links`)
    await page.getByPlaceholder("Add a country").focus()
    await type("germ")
    await press("Enter")
    await type("austria, switz")
    await press("Enter")
    const chosen = () =>
      page
        .locator("[data-countries] .chips input")
        .evaluateAll((all) => all.map((box) => (box as HTMLInputElement).value))
    expect(await chosen()).toEqual(["Germany", "Austria", "Switzerland"])
    await page.goto("/app/operator/products/new")
    const offered = () => page.locator("#formats-list li").filter({ visible: true }).count()
    const all = await offered()
    await page.getByLabel("Podcast", { exact: true }).check()
    expect(await offered()).toBeLessThan(all / 2)
    await page.getByLabel("Podcast", { exact: true }).uncheck()
    await page.getByLabel("Email", { exact: true }).check()
    expect(await offered()).toBe(3)
    await page.getByLabel("Formats of other channels").check()
    expect(await offered()).toBe(all)
    expect(desk.complaints).toEqual([])
  },
  PATIENCE_MS,
)
