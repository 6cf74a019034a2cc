import { expect } from "bun:test"
import { testWith } from "../harness/machine.ts"
import { openUploads, upload } from "./given-upload.ts"

const test = testWith("chromium")

test("on a desk, both results follow the choices at once, and seven clicks report an export", async () => {
  await using open = await openUploads({ width: 1366, height: 900 })
  const { site, tab } = open
  const { page } = tab
  await upload(site, tab)
  await page.getByLabel("Which column has the day?").selectOption({ label: "Date: 11/1/26" })
  await page.getByLabel("Which column has the totals").selectOption({ label: "Ad server impressions: 1,940" })
  const results = page.getByRole("region", { name: "What each line becomes under both readings" })
  await results.getByText("2,177").waitFor()
  expect(await results.textContent()).toContain("6,128")
  await page.getByLabel("Daily figures").check()
  await page.getByRole("button", { name: "Show the preview" }).click()
  await page.getByRole("button", { name: "Report 1 line" }).click()
  expect(await page.textContent("main")).toContain("3 totals reported, 1 row skipped.")
  expect(await site.totals()).toEqual({ "Pre-roll in autumn": 6128 })
  expect(tab.complaints).toEqual([])
})
