import { expect } from "bun:test"
import type { Locator, Page } from "playwright-core"
import { createIngestKey } from "../../../../src/actions/keys/keys.ts"
import { givenPerson } from "../given.ts"
import { LIGHTHOUSE, productsOf, type Shop, startShop } from "../given-sale.ts"
import { browserTest, openTab } from "./chromium.ts"
import { findings } from "./looks.ts"

const PATIENCE_MS = 600_000
const TABS_MAX = 150

/** Goes there by the tab key alone. */
async function tabTo(page: Page, to: Locator): Promise<void> {
  for (let i = 0; i < TABS_MAX; i++) {
    if (await to.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press("Tab")
  }
  throw new Error(`the keyboard does not reach ${to}`)
}

async function type(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, page.locator(`main [name=${name}]`).first())
  const isDate = (await page.locator(`main [name=${name}]`).first().getAttribute("type")) === "date"
  if (!isDate) await page.keyboard.press("Control+A")
  await page.keyboard.type(text)
}

async function press(page: Page, to: Locator): Promise<void> {
  await tabTo(page, to)
  await Promise.all([page.waitForEvent("framenavigated"), page.keyboard.press("Enter")])
  await page.waitForLoadState()
}

const button = (page: Page, name: string | RegExp) => page.locator("main").getByRole("button", { name })
const link = (page: Page, name: string | RegExp) => page.locator("main").getByRole("link", { name })

async function report(shop: Shop, key: string, packageId: string, impressions: number): Promise<void> {
  const answer = await shop.fetch("/api/ingest/delivery/metrics", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ items: [{ package_id: packageId, impressions }] }),
  })
  expect(await answer.json()).toMatchObject({ accepted: 1 })
}

for (const { width, isScripted } of [
  { width: 1366, isScripted: true },
  { width: 390, isScripted: false },
]) {
  browserTest(
    `from a brief to a printed statement, by keyboard at ${width} pixels, ${isScripted ? "with" : "without"} scripts`,
    async () => {
      await using shop = await startShop()
      const seller = await shop.store.organizations.findBySlug(LIGHTHOUSE)
      const { secret } = await createIngestKey(shop, { id: seller?.id ?? 0, slug: LIGHTHOUSE } as never, "Feed", "test")
      const screen = { viewport: { width, height: 900 }, locale: "en-US", javaScriptEnabled: isScripted }
      await using outside = await openTab(shop, null, screen)
      const ada = await givenPerson(shop, { of: LIGHTHOUSE, role: "admin" })
      await using inside = await openTab(shop, ada, screen)
      /** Nothing to complain about, at both widths. */
      const isFine = async (page: Page) => {
        for (const wide of isScripted ? [390, width] : [width]) {
          await page.setViewportSize({ width: wide, height: 900 })
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
          if (isScripted) expect([page.url(), wide, await findings({ page })]).toEqual([page.url(), wide, []])
        }
      }

      const { products } = await productsOf(shop, shop.agentKey, { brief: "podcast listeners who plan city trips" })
      const found = products.find(({ product_id }) => product_id === "city-walks-preroll")
      const { page } = outside
      await page.goto(found?.ext.adbooth.order_url ?? "")
      await isFine(page)
      await type(page, "from", "11232026")
      await type(page, "to", "11302026")
      await type(page, "quantity", "20000")
      await type(page, "organization", "Fernweh Travel GmbH")
      await type(page, "name", "Lena Vogt")
      await type(page, "email", "lena@fernweh.example")
      await press(page, button(page, "Send order"))
      await page.getByRole("heading", { name: "Waiting for Lighthouse Audio" }).waitFor()
      await isFine(page)

      let desk = inside.page
      await desk.goto(`/app/o/${LIGHTHOUSE}`)
      await isFine(desk)
      await press(desk, link(desk, /^Answer/))
      await isFine(desk)
      await press(desk, link(desk, "Accept"))
      await isFine(desk)
      await press(desk, button(desk, "Accept for €290.00"))
      const packageId = (await desk.locator("#package-id").textContent()) ?? ""
      await isFine(desk)

      shop.clock.advance({ seconds: 8 * 86_400 })
      await report(shop, secret, packageId, 7_500)
      await page.reload()
      await page.getByRole("heading", { name: "Booked and running" }).waitFor()
      expect(await page.locator(".figure").nth(1).textContent()).toBe("7,500")
      await isFine(page)
      // What else the campaign, or the seller, has is none of the requester's business.
      expect(await page.locator("main").textContent()).not.toMatch(/Autumn escapes|Theatre season|Ada/)

      shop.clock.advance({ seconds: 8 * 86_400 })
      await report(shop, secret, packageId, 20_000)
      // The session has ended meanwhile.
      await using later = await openTab(shop, ada, screen)
      desk = later.page
      await desk.goto(`/app/o/${LIGHTHOUSE}`)
      await press(desk, link(desk, /^Settle: Fernweh Travel GmbH: City Walks/))
      await isFine(desk)
      await press(desk, button(desk, "Freeze as 2026-001"))
      await press(desk, button(desk, "Freeze"))
      await desk.getByRole("heading", { name: "Statement 2026-001" }).waitFor()
      await isFine(desk)
      // A sheet of A4, at 96 pixels to the inch.
      await desk.emulateMedia({ media: "print" })
      await desk.setViewportSize({ width: 794, height: 1_122 })
      expect(await desk.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1_122)
      expect(await desk.getByRole("button", { name: "Mark as paid" }).isVisible()).toBe(false)
      // Nor does the notice that it was just frozen.
      expect(await desk.getByText("Frozen as 2026-001.").isVisible()).toBe(false)

      await page.reload()
      await press(page, link(page, "Open the statement"))
      expect(await page.locator(".paper").textContent()).toContain("€290.00")
      await isFine(page)
      expect([...outside.complaints, ...inside.complaints, ...later.complaints]).toEqual([])
    },
    PATIENCE_MS,
  )
}
