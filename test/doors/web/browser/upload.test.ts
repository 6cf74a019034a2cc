import { expect } from "bun:test"
import { givenPerson, LINE, OWN_LINE, startMarket } from "../given.ts"
import { browserTest, openTab } from "./chromium.ts"

const PATIENCE_MS = 600_000

const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const at = new Date(Date.parse("2026-11-10T00:00:00Z") + i * 1_000).toISOString()
    return `${i % 2 === 0 ? LINE : OWN_LINE},${i + 1},${at}`
  })

const fileOf = (text: string) => ({ name: "week.csv", mimeType: "text/csv", buffer: Buffer.from(text) })

browserTest(
  "a file is uploaded, previewed and reported",
  async () => {
    await using app = await startMarket()
    await using tab = await openTab(app, await givenPerson(app, { of: "acme-audio" }))
    const { page } = tab
    await page.goto("/app/o/acme-audio/upload")
    const text = ["package_id,impressions,as_of", ...rows(20_000), "nonsense,1,"].join("\n")
    await page.getByLabel("File", { exact: true }).setInputFiles(fileOf(text))
    await page.getByRole("button", { name: "Upload", exact: true }).click()
    await page.getByText("Nothing is saved until you press Report.").waitFor()
    await page.getByText("Row 20,002.").waitFor()
    await page.getByRole("button", { name: "Report 20,000 rows" }).click()
    await page.getByText("20,000 rows reported, 1 refused.").waitFor()
    expect(tab.complaints).toEqual([])
  },
  PATIENCE_MS,
)

browserTest(
  "an export is reported on a phone: its figures are days, one line has another name, a sum is left out",
  async () => {
    await using app = await startMarket()
    await using tab = await openTab(app, await givenPerson(app, { of: "acme-audio" }))
    const { page } = tab
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto("/app/o/acme-audio/upload")
    const text =
      "Report:,All lines\n\nLine item,Date,Impressions\nPre-roll,11/1/26,1940\nPre-roll,11/14/26,2011\nMidroll 30s,11/14/26,900\nTotal,,4851\n"
    await page.getByLabel("File", { exact: true }).setInputFiles(fileOf(text))
    await page.getByRole("button", { name: "Upload", exact: true }).click()
    await page.getByLabel("Each row is one day").check()
    await page.getByText("Pre-roll becomes 3,951.").waitFor()
    await page.getByRole("button", { name: "Show what it will do" }).click()
    await page.getByText("Left out as the sum of other rows").waitFor()
    const choice = page.getByLabel("The line that Midroll 30s means")
    expect(await choice.inputValue()).toBe("")
    await choice.selectOption(OWN_LINE)
    await page.getByRole("button", { name: "It is this line: Midroll 30s" }).click()
    await page.getByRole("button", { name: "Report 3 rows" }).click()
    await page.getByText("2 totals reported").waitFor()
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect([width, tab.complaints]).toEqual([390, []])
  },
  PATIENCE_MS,
)

browserTest(
  "a connection that breaks during an upload is said, and nothing of the file remains",
  async () => {
    await using app = await startMarket()
    await using tab = await openTab(app, await givenPerson(app, { of: "acme-audio" }))
    const { page } = tab
    await page.goto("/app/o/acme-audio/upload")
    await page.route("**/upload", (route) => route.abort("connectionreset"))
    await page.getByLabel("File", { exact: true }).setInputFiles(fileOf("package_id,impressions\n"))
    await page.getByRole("button", { name: "Upload", exact: true }).click()
    await page.getByText("The connection broke. Nothing was kept.").waitFor()
    await page.unroute("**/upload")
    const { id } = (await app.store.organizations.findBySlug("acme-audio")) ?? { id: 0 }
    expect(await app.store.uploads.list(id, 10)).toEqual([])
  },
  PATIENCE_MS,
)

browserTest(
  "after a refused upload the page works as before: no script fails, and Ctrl K searches",
  async () => {
    await using app = await startMarket()
    await using tab = await openTab(app, await givenPerson(app, { of: "acme-audio" }))
    const { page } = tab
    await page.goto("/app/o/acme-audio/upload")
    const refused = (await page.content()).replace("</main>", "<p>It was refused.</p></main>")
    await page.route("**/upload", async (route) => {
      if (route.request().method() === "POST")
        await route.fulfill({ status: 422, contentType: "text/html", body: refused })
      else await route.continue()
    })
    await page.getByLabel("File", { exact: true }).setInputFiles(fileOf("nonsense"))
    await page.getByRole("button", { name: "Upload", exact: true }).click()
    await page.getByText("It was refused.").waitFor()
    await page.keyboard.press("Control+k")
    expect(await page.evaluate(() => document.activeElement?.hasAttribute("data-search-all"))).toBe(true)
    expect(tab.complaints.filter((text) => !text.includes("422"))).toEqual([])
  },
  PATIENCE_MS,
)

browserTest(
  "while a file is sent, the page says how much of it is, however small the file",
  async () => {
    await using app = await startMarket()
    await using tab = await openTab(app, await givenPerson(app, { of: "acme-audio" }))
    const { page } = tab
    const said: string[] = []
    await page.exposeFunction("hear", (text: string) => said.push(text))
    await page.goto("/app/o/acme-audio/upload")
    await page.evaluate(`new MutationObserver(([{ target }]) => hear(target.textContent))
      .observe(document.querySelector("[data-upload]"), { subtree: true, childList: true })`)
    await page.getByLabel("File", { exact: true }).setInputFiles(fileOf(`package_id,impressions\n${LINE},5\n`))
    await page.getByRole("button", { name: "Upload", exact: true }).click()
    await page.getByText("Nothing is saved until you press Report.").waitFor()
    expect(said).toContain("100% uploaded")
  },
  PATIENCE_MS,
)
