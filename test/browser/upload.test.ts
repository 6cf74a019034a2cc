import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import { sessionFor } from "../harness/browser/browse.ts"
import { findings, openTab, problemsOf, type Tab } from "../harness/browser/chromium.ts"
import { startUploads, type UploadSite } from "../harness/data/uploads.ts"
import { testWith } from "../harness/machine.ts"

const test = testWith("chromium")

const EXPORT = readFileSync("test/fixtures/shapes/ad-manager-report.csv", "utf8")
const HOUSE_ADS = "11/2/26,House ad,9999,500,1,0.1%\n"

async function openUploads(viewport: { readonly width: number; readonly height: number }) {
  const site = await startUploads()
  await site.line({ name: "Pre-roll in autumn", externalId: "5001" })
  const tab = await openTab(site.app, await sessionFor(site.app, { organization: site.seller }), { viewport })
  return {
    site,
    tab,
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}

async function upload({ seller }: UploadSite, { page }: Tab): Promise<void> {
  await page.goto(`${seller.home}/upload`)
  const buffer = Buffer.from(EXPORT + HOUSE_ADS)
  await page.getByLabel("File", { exact: true }).setInputFiles({ name: "export.csv", mimeType: "text/csv", buffer })
  await page.getByRole("button", { name: "Upload" }).click()
}

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
