import { expect } from "bun:test"
import { startApp } from "../../../harness.ts"
import { givenPerson } from "../given.ts"
import { browserTest, openTab } from "./chromium.ts"
import { galleryPage } from "./gallery/page.tsx"
import { findings, moving } from "./looks.ts"

const PATIENCE_MS = 600_000

browserTest(
  "every component fits every width in both themes, and axe finds nothing",
  async () => {
    await using app = await startApp()
    await using tab = await openTab(app, await givenPerson(app, { isOperator: true }))
    const { page, complaints } = tab
    const gallery = galleryPage(app.url, app.clock())
    const body = await gallery.text()
    // The page is the test's own; its style sheet, scripts and fonts are the app's.
    await page.route(
      (url) => url.pathname === "/app/components",
      (route) => route.fulfill({ headers: Object.fromEntries(gallery.headers), body }),
    )
    await page.goto("/app/components")
    expect(await page.getByRole("heading", { level: 2, name: "Charts and figures" }).count()).toBe(1)
    for (const width of [320, 390, 820, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme })
        const wide = await page.evaluate(() => document.scrollingElement?.scrollWidth ?? 0)
        expect([width, colorScheme, wide <= width]).toEqual([width, colorScheme, true])
        // What axe looks at differs between a phone and a desk, not between one desk and another.
        if (width !== 390 && (width !== 1440 || colorScheme === "light")) continue
        expect([width, colorScheme, await findings(tab)]).toEqual([width, colorScheme, []])
      }
    }
    expect(complaints).toEqual([])
    // Tabs ask for less motion unless told otherwise.
    expect(await moving(tab)).toEqual([])
    await page.emulateMedia({ reducedMotion: "no-preference" })
    expect(await moving(tab)).toContainEqual(expect.stringContaining("button"))
  },
  PATIENCE_MS,
)
