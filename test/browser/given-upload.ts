import { readFileSync } from "node:fs"
import { sessionFor } from "../harness/browser/browse.ts"
import { openTab, type Tab } from "../harness/browser/chromium.ts"
import { startUploads, type UploadSite } from "../harness/data/uploads.ts"

const EXPORT = readFileSync("test/fixtures/shapes/ad-manager-report.csv", "utf8")
const HOUSE_ADS = "11/2/26,House ad,9999,500,1,0.1%\n"

/** A seller with a line, and a tab of this size in which they are signed in. */
export async function openUploads(viewport: { readonly width: number; readonly height: number }) {
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

/** Uploads an export of an ad server. */
export async function upload({ seller }: UploadSite, { page }: Tab): Promise<void> {
  await page.goto(`${seller.home}/upload`)
  const buffer = Buffer.from(EXPORT + HOUSE_ADS)
  await page.getByLabel("File", { exact: true }).setInputFiles({ name: "export.csv", mimeType: "text/csv", buffer })
  await page.getByRole("button", { name: "Upload" }).click()
}
