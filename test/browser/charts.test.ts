import { expect } from "bun:test"
import { reportDays, type Site, startSite } from "../app/given.ts"
import { sessionFor } from "../harness/browser/browse.ts"
import { openTab } from "../harness/browser/chromium.ts"
import { testWith } from "../harness/machine.ts"

const test = testWith("chromium")

async function openLine(site: Site) {
  const days = { "2026-11-01": 30, "2026-11-02": 75, "2026-11-05": 200 }
  await reportDays(site.app, site.seller.id, site.packageId, days)
  const tab = await openTab(site.app, await sessionFor(site.app, { organization: site.seller }))
  await tab.page.goto(site.line)
  return tab
}

test("the arrow keys go from day to day, and say the same as the table", async () => {
  await using site = await startSite()
  await using tab = await openLine(site)
  const { page } = tab
  const chart = page.getByRole("group", { name: /The arrow keys go from day to day/ })
  const tip = page.locator(".chart-tip")
  await chart.focus()
  const seen: (string | null)[] = []
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press("ArrowRight")
    seen.push(await tip.textContent())
  }
  expect(seen).toEqual([
    "1 Nov 2026Total30That day+30Plan33 (−10%)",
    "2 Nov 2026Total75That day+45Plan67 (+13%)",
    "3 Nov – 5 Nov 2026Total200Over 3 days+125Plan167 (+20%)",
  ])
  await page.getByText("Show as a table").click()
  const table = await page.getByRole("table", { name: "Totals of each day" }).textContent()
  for (const words of ["200", "125 over 3 days", "+45", "33"]) expect(table).toContain(words)
  await page.keyboard.press("Escape")
})

test("the tooltip follows the pointer, stays in sight, and goes away", async () => {
  await using site = await startSite()
  await using tab = await openLine(site)
  const { page } = tab
  for (const width of [1366, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const plot = page.locator(".plot").first()
    const box = await plot.boundingBox()
    if (box === null) throw new Error("The chart isn't in sight.")
    await page.mouse.move(box.x + 4, box.y + 40)
    const tip = page.locator(".chart-tip")
    expect(await tip.isVisible()).toBe(true)
    const place = await tip.boundingBox()
    expect(place !== null && place.x >= 0 && place.x + place.width <= width).toBe(true)
    await page.mouse.move(box.x + box.width - 2, box.y + 40)
    expect(await tip.isVisible()).toBe(false)
  }
  expect(tab.complaints).toEqual([])
})

test("a page prints on paper without its menu and buttons", async () => {
  await using site = await startSite()
  await using tab = await openLine(site)
  const { page } = tab
  await page.emulateMedia({ media: "print" })
  expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(false)
  expect(await page.getByRole("link", { name: "Edit" }).isVisible()).toBe(false)
  expect(await page.getByText("200 of 1,000 impressions booked").isVisible()).toBe(true)
})
