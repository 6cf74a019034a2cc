import { expect } from "bun:test"
import { reportDays, type Site, startSite } from "../app/given.ts"
import { sessionFor } from "../harness/browser/browse.ts"
import { findings, openTab } from "../harness/browser/chromium.ts"
import { testWith } from "../harness/machine.ts"

const test = testWith("chromium")

const openAsAdmin = async ({ app, seller }: Site, options = {}) =>
  openTab(app, await sessionFor(app, { organization: seller }), options)

test("Report totals begins in its first field, / goes to the search of the page, and Ctrl K to the search of everything, also on a phone", async () => {
  await using site = await startSite()
  await using tab = await openAsAdmin(site)
  const { page } = tab
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))
  for (const width of [1366, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${site.seller.home}/totals`)
    expect(await focused()).toBe("New total of Pre-roll, impressions")
    await page.keyboard.press("/")
    expect(await focused()).toBe("Search lines, campaigns and buyers")
    await page.keyboard.type("a/b")
    expect(await page.getByLabel("Search lines, campaigns and buyers").inputValue()).toBe("a/b")
    await page.keyboard.press("Control+k")
    expect(await focused()).toBe("Search everything")
  }
})

test("a question is asked in a dialog, which Escape closes without doing anything", async () => {
  await using site = await startSite()
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-13": 100, "2026-11-14": 200 })
  await using tab = await openAsAdmin(site)
  const { page } = tab
  await page.goto(site.line)
  const withdraw = page.getByRole("link", { name: "Withdraw the report of 200" })
  const dialog = page.getByRole("dialog", { name: "Withdraw this report of Pre-roll?" })
  await withdraw.click()
  await dialog.waitFor()
  expect(await findings(tab)).toEqual([])
  await page.keyboard.press("Escape")
  expect(await dialog.count()).toBe(0)
  await withdraw.click()
  await dialog.getByRole("link", { name: "Cancel" }).click()
  expect([await dialog.count(), page.url()]).toEqual([0, site.app.url + site.line])

  await withdraw.click()
  await dialog.getByLabel("Reason").fill("Typed twice")
  await dialog.getByRole("button", { name: "Withdraw" }).click()
  await page.getByText("The report is withdrawn.").waitFor()
  expect(await page.getByText("100 of 1,000 impressions booked").count()).toBe(1)
})

test("the same question has a page of its own without scripts", async () => {
  await using site = await startSite()
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-14": 200 })
  await using tab = await openAsAdmin(site, { javaScriptEnabled: false })
  const { page } = tab
  await page.goto(site.line)
  await page.getByRole("link", { name: "Withdraw the report of 200" }).click()
  await page.getByLabel("Reason").fill("Typed twice")
  await page.getByRole("button", { name: "Withdraw" }).click()
  expect(await page.textContent("main")).toContain("The report is withdrawn.")
})

test("a theme applies at once and is remembered", async () => {
  await using site = await startSite()
  await using tab = await openAsAdmin(site, { colorScheme: "light" })
  const { page } = tab
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await page.goto(site.seller.home)
  const light = await ground()
  await page.getByRole("button", { name: /Account and theme/ }).click()
  const saved = page.waitForResponse((response) => response.url().endsWith("/app/theme"))
  await page.getByText("Dark", { exact: true }).click()
  const dark = await ground()
  expect(dark).not.toBe(light)
  await saved
  await page.reload()
  expect(await ground()).toBe(dark)
})

test("a text is copied with one press, and the button says so", async () => {
  await using site = await startSite()
  await using tab = await openAsAdmin(site, { permissions: ["clipboard-read", "clipboard-write"] })
  const { page } = tab
  await page.goto(site.line)
  await page.getByText("Send by API").click()
  await page.getByRole("button", { name: "Copy: Line ID" }).click()
  await page.getByText("Copied").waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(site.packageId)
})

test("the chosen pricing basis decides which fields and units there are", async () => {
  await using site = await startSite()
  await using tab = await openAsAdmin(site, { viewport: { width: 390, height: 900 } })
  const { page } = tab
  await page.goto(`${site.seller.home}/campaigns/acme-spring/new-line`)
  expect(await page.getByLabel("Booked (optional)").isVisible()).toBe(true)
  await page.getByRole("radio", { name: /Flat rate/ }).check()
  expect(await page.getByLabel("Booked (optional)").isVisible()).toBe(false)
  expect(await page.getByText("for the whole flight").isVisible()).toBe(true)
})
