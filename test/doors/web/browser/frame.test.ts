import { expect } from "bun:test"
import { startApp } from "../../../harness.ts"
import { givenPerson, startMarket } from "../given.ts"
import { browserTest, openTab } from "./chromium.ts"

const PATIENCE_MS = 600_000

browserTest(
  "the theme that is chosen acts at once, and stays on the next page, with and without scripts",
  async () => {
    await using app = await startApp()
    const person = await givenPerson(app, { isOperator: true })
    for (const javaScriptEnabled of [true, false]) {
      await using tab = await openTab(app, person, { javaScriptEnabled, colorScheme: "light" })
      const { page } = tab
      const ground = () => page.locator("html").evaluate((html) => getComputedStyle(html).colorScheme)
      await page.goto("/app/account")
      expect(await ground()).toBe("light dark")
      await page.getByRole("button", { name: /Account and theme/ }).click()
      const saved = javaScriptEnabled ? page.waitForResponse(/\/app\/theme$/) : null
      await page.getByText("Dark", { exact: true }).click()
      expect(await ground()).toBe("dark")
      if (!javaScriptEnabled) await page.getByRole("button", { name: "Keep this theme" }).click()
      await saved
      await page.goto("/app/operator/system")
      expect(await ground()).toBe("dark")
    }
  },
  PATIENCE_MS,
)

browserTest(
  "on a phone the menu is a button in the header, and a buyer finds no seller's tools in it",
  async () => {
    await using app = await startMarket()
    await using tab = await openTab(app, await givenPerson(app, { of: "brand-co", role: "admin" }), {
      viewport: { width: 390, height: 844 },
      javaScriptEnabled: false,
    })
    const { page } = tab
    await page.goto("/app/o/brand-co/campaigns")
    expect(await page.getByRole("link", { name: "People" }).isVisible()).toBe(false)
    await page.getByRole("button", { name: "Menu" }).click()
    expect(await page.getByRole("link", { name: "People" }).isVisible()).toBe(true)
    expect(await page.getByRole("link", { name: /Upload|API keys|New campaign/ }).count()).toBe(0)
  },
  PATIENCE_MS,
)
