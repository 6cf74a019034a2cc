import { expect } from "bun:test"
import { findings, problemsOf } from "../harness/browser/chromium.ts"
import { testWith } from "../harness/machine.ts"
import { openUploads, upload } from "./given-upload.ts"

// Each page is looked at in three sizes, light and dark.
const test = testWith("chromium")

test("on a phone, every page of an upload can be read and used", async () => {
  await using open = await openUploads({ width: 390, height: 844 })
  const { site, tab } = open
  const { page } = tab
  await upload(site, tab)
  await page.getByLabel("Which column has the day?").selectOption({ label: "Date: 11/1/26" })
  await page.getByLabel("Which column has the totals").selectOption({ label: "Ad server impressions: 1,940" })
  await page.getByRole("button", { name: "Show the preview" }).click()
  // What the rows are is missing.
  await page.getByRole("link", { name: "Choose what the rows are." }).waitFor()
  expect(await problemsOf(tab)).toEqual([])
  await page.getByLabel("Daily figures").check()
  await page.getByRole("button", { name: "Show the preview" }).click()
  await page.getByLabel("The line of 9999").selectOption({ label: "Not mine" })
  await page.getByRole("button", { name: "Save names" }).click()
  expect(await problemsOf(tab)).toEqual([])
  await page.getByRole("button", { name: "Report 1 line" }).click()
  expect(await findings(tab)).toEqual([])
  await page.getByRole("link", { name: "Withdraw this upload" }).click()
  await page.getByRole("dialog").getByLabel("Reason").fill("The wrong month")
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click()
  await page.getByText("3 totals of 1 line withdrawn.").waitFor()
})
