import { expect } from "bun:test"
import { givenPerson, OWN_LINE, startMarket } from "../given.ts"
import { browserTest, openTab } from "./chromium.ts"

const LINE = `/app/o/acme-audio/campaigns/acme-only/lines/${OWN_LINE}`
const PASSWORD = "correct horse battery"

browserTest("after a question was answered, back shows the question and the form as typed", async () => {
  await using app = await startMarket()
  await using tab = await openTab(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  const { page } = tab
  await page.goto(LINE)
  const [field, report] = [page.getByLabel(/^New total of/), page.getByRole("button", { name: /^Report/ })]
  await field.fill("9 000 000")
  await report.click()
  await page.waitForURL(/totals\?line=/)
  await page.getByLabel("9,000,000 is right, report it anyway").check()
  await report.click()
  await page.getByRole("heading", { name: "1 total reported" }).waitFor()
  await page.goBack()
  await page.getByText("9,000,000 is right, report it anyway").waitFor()
  expect(await field.inputValue()).toBe("9 000 000")
})

browserTest("a session ends while somebody types: after signing in the form is as they left it", async () => {
  await using app = await startMarket()
  const id = await givenPerson(app, { of: "acme-audio", role: "admin", password: PASSWORD })
  const email = (await app.store.users.findById(id))?.email ?? ""
  await using tab = await openTab(app, id)
  const { page, context } = tab
  await page.goto(LINE)
  const [field, report] = [page.getByLabel(/^New total of/), page.getByRole("button", { name: /^Report/ })]
  await field.fill("1234")
  await context.clearCookies()
  await report.click()
  await page.getByLabel("Email").fill(email)
  await page.getByLabel("Password").fill(PASSWORD)
  await page.getByRole("button", { name: "Sign in" }).click()
  expect(await page.getByRole("alert").textContent()).toContain("Nothing has been saved yet")
  expect(await field.inputValue()).toBe("1234")
  await page.reload()
  expect(await field.inputValue()).toBe("1234")
  await report.click()
  await page.getByRole("heading", { name: "1 total reported" }).waitFor()
  expect(tab.complaints).toEqual([])
})

browserTest("creating a key and reloading makes one key", async () => {
  await using app = await startMarket()
  await using tab = await openTab(app, await givenPerson(app, { isOperator: true }))
  const { page } = tab
  await page.goto("/app/operator/agent-keys")
  await page.getByLabel("Whose key is it?").fill("Buyer X")
  await page.getByRole("button", { name: "Create buyer’s key" }).click()
  await page.getByRole("heading", { name: "Buyer’s key for Buyer X" }).waitFor()
  await page.reload()
  await page.getByRole("heading", { name: "This was shown only once" }).waitFor()
  expect(await app.store.agentKeys.list()).toHaveLength(1)
})
