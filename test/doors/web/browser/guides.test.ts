import { expect } from "bun:test"
import { startApp } from "../../../harness.ts"
import { browserTest, openTab, stopTimers } from "./chromium.ts"
import { findings } from "./looks.ts"

const PATIENCE_MS = 600_000

const GUIDES = ["/docs/files", "/docs/operations"]

browserTest(
  "the guides and the pages for strangers fit every width in both themes, axe finds nothing, and code is copied",
  async () => {
    await using app = await startApp()
    await using tab = await openTab(app, null, { permissions: ["clipboard-read", "clipboard-write"] })
    const { page, complaints } = tab
    for (const path of ["/", "/nothing", "/app/share/ended", "/docs", "/docs/api", ...GUIDES]) {
      // Twice: what a browser has kept of a page has its style too.
      for (const _ of [1, 2]) await page.goto(path)
      // The browser complains of statuses, and these pages have others than 200.
      complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes("with a status of 40")))
      for (const [width, colorScheme] of [
        [320, "dark"],
        [390, "light"],
        [1440, "dark"],
        [1440, "light"],
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        const wide = await page.evaluate(() => document.scrollingElement?.scrollWidth ?? 0)
        expect([path, width, wide <= width]).toEqual([path, width, true])
        // What axe looks at is the same everywhere but for the colours and the layout.
        if (width === 320 || (width === 1440 && colorScheme === "light")) continue
        expect([path, width, colorScheme, await findings(tab)]).toEqual([path, width, colorScheme, []])
      }
    }
    await page.goto("/docs/reasons#not_seller")
    expect(await page.locator("#not_seller").isVisible()).toBe(true)
    await page.goto("/docs/first-feed")
    await stopTimers(page)
    await page.getByRole("button", { name: "Copy code 1", exact: true }).click()
    await page.getByText("Copied").waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain(`curl --fail-with-body "${app.url}/api/ingest/delivery/metrics"`)
    await page.emulateMedia({ media: "print" })
    expect(await page.locator(".guides-nav").isVisible()).toBe(false)
    expect(complaints).toEqual([])
  },
  PATIENCE_MS,
)

browserTest(
  "without scripts one opens a guide, and lands on its section",
  async () => {
    await using app = await startApp()
    await using tab = await openTab(app, null, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    const { page } = tab
    await page.goto("/docs")
    await page.getByRole("main").getByRole("link", { name: "Totals from your own system" }).click()
    await page.getByText("On this page").click()
    await page.getByRole("link", { name: "How often" }).first().click()
    expect(new URL(page.url()).hash).toBe("#how-often")
    expect(await page.getByRole("button", { name: /Copy/ }).count()).toBe(0)
  },
  PATIENCE_MS,
)
