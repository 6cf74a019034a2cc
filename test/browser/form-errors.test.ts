import { expect } from "bun:test"
import { type Site, startSite } from "../app/given.ts"
import { sessionFor } from "../harness/browser/browse.ts"
import { findings, openTab } from "../harness/browser/chromium.ts"
import { testWith } from "../harness/machine.ts"

const test = testWith("chromium")

const openAsAdmin = async ({ app, seller }: Site) => openTab(app, await sessionFor(app, { organization: seller }))

const focused = "() => document.activeElement?.id"

test("after a refused form the first wrong field has the focus, and each error leads to its field", async () => {
  await using site = await startSite()
  await using tab = await openAsAdmin(site)
  const { page } = tab
  await page.goto(`${site.line}/edit`)
  await page.getByLabel("Booked").fill("many")
  await page.getByLabel("Name of the line").fill("")
  // The browser would stop it before the server does.
  await page.evaluate("document.querySelector('form.stack').noValidate = true")
  await page.getByRole("button", { name: "Save" }).click()
  expect(await page.title()).toBe("Error: Edit Pre-roll · Adbooth")
  expect(await page.evaluate(`(${focused})()`)).toBe("name")
  await page.getByRole("link", { name: "many isn’t a number." }).click()
  expect(await page.evaluate(`(${focused})()`)).toBe("booked")
  const described = await page.getByLabel("Booked").getAttribute("aria-describedby")
  expect(await page.locator(`#${described?.split(" ")[0]}`).textContent()).toContain("many isn’t a number.")
  expect(await findings(tab)).toEqual([])
})

test("an error about the form as a whole has the focus, so that it's read out", async () => {
  await using site = await startSite()
  await using tab = await openAsAdmin(site)
  const { page } = tab
  await page.goto(`${site.seller.home}/totals`)
  await page.getByRole("button", { name: "Report totals" }).click()
  expect(await page.evaluate("document.activeElement.className")).toBe("error-summary")
  expect(await page.getByRole("alert").textContent()).toContain("Type at least one new total.")
  expect(await findings(tab)).toEqual([])
})

test("a question has the focus, and a tick answers it", async () => {
  await using site = await startSite()
  await using tab = await openAsAdmin(site)
  const { page } = tab
  await page.goto(`${site.seller.home}/totals`)
  await page.getByLabel("New total of Pre-roll, impressions").fill("99999")
  await page.getByRole("button", { name: /^Report/ }).click()
  expect(await page.evaluate(`(${focused})()`)).toBe("")
  const box = page.getByRole("checkbox", { name: "99999 is right, report it anyway" })
  expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await findings(tab)).toEqual([])
  await box.check()
  await page.getByRole("button", { name: /^Report/ }).click()
  expect(await page.textContent("main")).toContain("1 total reported")
})

test("what was typed is still there after going back", async () => {
  await using site = await startSite()
  await using tab = await openAsAdmin(site)
  const { page } = tab
  await page.goto(`${site.line}/edit`)
  await page.getByLabel("Name of the line").fill("Half a thought")
  await page.getByLabel("Booked").fill("many")
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByRole("link", { name: "Cancel" }).click()
  await page.goBack()
  expect(await page.getByLabel("Name of the line").inputValue()).toBe("Half a thought")
})

test("while a person types, the words beside the fields follow", async () => {
  await using site = await startSite()
  await using tab = await openAsAdmin(site)
  const { page } = tab
  await page.goto(`${site.seller.home}/totals`)
  await page.getByLabel("New total of Pre-roll, impressions").fill("99999")
  await page.getByText("99,999 is far above the 1,000 booked.").waitFor()
  await page.getByLabel("New total of Pre-roll, impressions").fill("480")
  await page.getByText("The first total: 480").waitFor()
  expect(await page.getByRole("button", { name: "Report 1 total" }).count()).toBe(1)
  expect(tab.complaints).toEqual([])
})

test("a double click sends a form once", async () => {
  await using site = await startSite()
  await using tab = await openAsAdmin(site)
  const { page } = tab
  let sent = 0
  page.on("request", (request) => {
    if (request.method() === "POST" && request.isNavigationRequest()) sent++
  })
  await page.goto(`${site.seller.campaign}/new-line`)
  await page.getByLabel("Name of the line").fill("Mid-roll")
  await page.getByRole("button", { name: "Add line" }).dblclick()
  await page.getByText("Mid-roll is added.").waitFor()
  expect(sent).toBe(1)
})
