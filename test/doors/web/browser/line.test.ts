import { expect } from "bun:test"
import { keepTotals } from "../../../given.ts"
import type { TestApp } from "../../../harness.ts"
import { givenPerson, LINE, startMarket } from "../given.ts"
import { browserTest, openTab } from "./chromium.ts"

const PATIENCE_MS = 600_000
const LINE_PAGE = `/app/o/acme-audio/campaigns/autumn/lines/${LINE}`

/** Closing totals of the first days of November, as a feed sends them by date. */
async function givenDays(app: TestApp, days: number): Promise<void> {
  const { id = 0 } = (await app.store.organizations.findBySlug("acme-audio")) ?? {}
  const [line] = await app.store.packageLines.findSold(id, [LINE])
  const source = { kind: "command", reference: "", detail: "" } as const
  for (let day = 1; day <= days; day++) {
    // The last microsecond of the day in Berlin.
    const asOf = Date.UTC(2026, 10, day, 23) * 1_000 - 1
    const total = { lineId: line?.lineId ?? 0, quantity: day * 10_000, asOf }
    await keepTotals(app.store, [total], { receivedAt: app.clock(), source })
  }
}

browserTest(
  "the tooltip at a day has the closing total of that day, whatever zone the browser is in",
  async () => {
    await using app = await startMarket()
    await givenDays(app, 14)
    const person = await givenPerson(app, { of: "acme-audio" })
    for (const timezoneId of ["UTC", "America/New_York", "Pacific/Auckland"]) {
      await using tab = await openTab(app, person, { timezoneId, viewport: { width: 1440, height: 1000 } })
      const { page } = tab
      await page.goto(LINE_PAGE)
      const labels = page.locator("figure .plot text").filter({ hasText: /^\d+ Nov$/ })
      const days = (await labels.allTextContents()).filter((text) => Number.parseInt(text, 10) <= 14)
      expect(days.length).toBeGreaterThan(1)
      for (const text of days) {
        const label = await labels.filter({ hasText: new RegExp(`^${text}$`) }).boundingBox()
        const plot = await page.locator("figure .plot").boundingBox()
        // A label begins where its day begins.
        await page.mouse.move((label?.x ?? 0) + 3, (plot?.y ?? 0) + 40)
        await page.locator(".chart-tip strong").getByText(`${text} 2026`).waitFor()
        const total = await page.locator(".chart-tip dd").first().textContent()
        expect([timezoneId, total]).toEqual([timezoneId, (Number.parseInt(text, 10) * 10_000).toLocaleString("en")])
      }
      expect(tab.complaints).toEqual([])
    }
  },
  PATIENCE_MS,
)

browserTest(
  "a day's figure in place of the total is asked about, changed or meant, with and without scripts",
  async () => {
    for (const javaScriptEnabled of [true, false]) {
      await using app = await startMarket()
      await givenDays(app, 14)
      await using tab = await openTab(app, await givenPerson(app, { of: "acme-audio" }), { javaScriptEnabled })
      const { page } = tab
      await page.goto(LINE_PAGE)
      const [field, report] = [page.getByLabel(/^New total of/), page.getByRole("button", { name: /^Report/ })]
      await field.fill("5")
      await report.click()
      await page.waitForURL(/totals\?line=/)
      await page.getByText("The total would go down from 140,000 to 5.").waitFor()
      expect(await field.inputValue()).toBe("5")
      await page.getByLabel("5 is right, report it anyway").check()
      // An answer counts for the figure that was asked about.
      await field.fill("6")
      await report.click()
      await page.getByText("The total would go down from 140,000 to 6.").waitFor()
      await page.getByLabel("6 is right, report it anyway").check()
      await report.click()
      await page.getByRole("heading", { name: "1 total reported" }).waitFor()
      expect(tab.complaints).toEqual([])
    }
  },
  PATIENCE_MS,
)

browserTest(
  "a file is uploaded without scripts, and a line that looks odd needs a tick",
  async () => {
    await using app = await startMarket()
    await givenDays(app, 14)
    await using tab = await openTab(app, await givenPerson(app, { of: "acme-audio" }), { javaScriptEnabled: false })
    const { page } = tab
    const rows = Array.from({ length: 600 }, (_, i) => `${LINE},${i + 1},2026-11-15T10:${pad(i / 60)}:${pad(i % 60)}Z`)
    const text = ["package_id,impressions,as_of", ...rows].join("\n")
    await page.goto("/app/o/acme-audio/upload")
    await page
      .getByLabel("File", { exact: true })
      .setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from(text) })
    await page.getByRole("button", { name: "Upload" }).click()
    await page.getByText("To confirm").waitFor()
    await page.getByLabel("Report it anyway: Pre-roll").check()
    await page.getByRole("button", { name: "Report the ticked lines" }).click()
    await page.getByText("600 rows reported.").waitFor()
    expect(tab.complaints).toEqual([])
  },
  PATIENCE_MS,
)

const pad = (value: number) => String(Math.floor(value)).padStart(2, "0")
