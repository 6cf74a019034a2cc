import { expect } from "bun:test"
import { givenSeller } from "../app/given.ts"
import { givenPerson, PASSWORD } from "../app/people/given.ts"
import { startApp } from "../harness/app.ts"
import { openTab } from "../harness/browser/chromium.ts"
import { testWith } from "../harness/machine.ts"

const test = testWith("chromium")
test("a whole way in a browser: sign in, fail, turn on codes, choose a theme, sign out", async () => {
  await using app = await startApp()
  await givenPerson(app, { isOperator: true, organization: await givenSeller(app) })
  await using tab = await openTab(app, null)
  const { page } = tab
  await page.goto("/app/account")
  await page.fill("#email", "ana@example.com")
  await page.fill("#password", "wrong password")
  await page.keyboard.press("Enter")
  await page.waitForSelector(".error-summary")
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("password")
  expect(await page.inputValue("#email")).toBe("ana@example.com")
  expect(await page.inputValue("#password")).toBe("")
  await page.fill("#password", PASSWORD)
  await page.keyboard.press("Enter")
  await page.waitForSelector("h1:has-text('Your account')")

  await page.click("button[popovertarget=user-menu]")
  const saved = page.waitForResponse(/\/app\/theme$/)
  await page.click("text=Dark")
  await saved
  await page.goto("/app/account/two-factor")
  expect(await page.getAttribute("html", "data-theme")).toBe("dark")
  expect(await page.isVisible("[aria-label^='QR code']")).toBe(true)

  await page.click("button[popovertarget=user-menu]")
  await page.click("text=Sign out")
  await page.waitForSelector("text=You’re signed out.")
  await page.goBack()
  expect(await page.title()).not.toStartWith("Turn on")
})
