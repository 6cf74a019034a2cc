import { expect } from "bun:test"
import { createAgentKey } from "../../../../src/actions/keys/keys.ts"
import { startApp, type TestApp } from "../../../harness.ts"
import { givenPerson } from "../given.ts"
import { browserTest, openTab } from "./chromium.ts"

const PATIENCE_MS = 600_000

/** The names of the products that the real agent shows to a key. */
async function productsFor(app: TestApp, key: string): Promise<string[]> {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_products", arguments: {} } }
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  }
  const response = await app.fetch("/", { method: "POST", headers, body: JSON.stringify(call) })
  const answer = (await response.json()) as { result: { structuredContent: { products: { name: string }[] } } }
  return answer.result.structuredContent.products.map(({ name }) => name)
}

browserTest(
  "the operator describes a product on one screen, shows it to a buyer there, and the buyer's agent finds it; a second buyer is added below it",
  async () => {
    await using app = await startApp()
    const userId = await givenPerson(app, { isOperator: true })
    const [key, other] = await Promise.all(["Buyer X", "Buyer Y"].map((label) => createAgentKey(app, label, "test")))
    await using tab = await openTab(app, userId)
    const { page, complaints } = tab

    await page.goto("/app/operator/agent-sales")
    await page.getByRole("link", { name: "Describe your first product" }).click()
    await page.getByLabel("Name", { exact: true }).fill("Homepage billboard")
    await page.getByLabel("Description").fill("The wide place above the front page.")
    await page.getByLabel("Publisher’s domain").fill("news.example")
    // Rare channels are behind a tick, and so are the formats and metrics of other channels.
    const podcast = page.getByLabel(/^Podcast pre-roll/).first()
    expect([await page.getByLabel("Social").isVisible(), await podcast.isVisible()]).toEqual([false, true])
    await page.getByLabel("Display", { exact: true }).check()
    expect(await podcast.isVisible()).toBe(false)
    await page.getByLabel("Billboard 970x250 (image)").check()
    await page.getByText("Product ID, what you report").click()
    expect(await page.getByLabel("Product ID").inputValue()).toBe("homepage-billboard")
    expect([
      await page.getByLabel("Clicks", { exact: true }).isVisible(),
      await page.getByLabel("Downloads", { exact: true }).isVisible(),
    ]).toEqual([true, false])
    await page.getByLabel("Price", { exact: true }).fill("9.80")
    // Nobody sells yet, so that no currency is certain.
    await page.getByLabel("Currency of price").fill("EUR")
    await page.getByLabel("Buyer X").check()
    await page.getByLabel("Countries").fill("Germany")
    await page.getByRole("button", { name: "Save product" }).click()
    expect(await page.getByRole("status").textContent()).toContain("Homepage billboard has been saved.")
    expect(await productsFor(app, key?.secret ?? "")).toEqual(["Homepage billboard"])
    expect(await productsFor(app, other?.secret ?? "")).toEqual([])

    await page.getByRole("status").getByRole("link", { name: "Who sees it" }).click()
    await page.getByRole("link", { name: "Show to this buyer: Buyer Y" }).click()
    const countries = page.getByLabel("In which countries?")
    // A complete name becomes a chip; what is typed is read as well.
    await countries.fill("Germany")
    expect(await page.getByRole("checkbox", { name: "Germany" }).isChecked()).toBe(true)
    await countries.fill("at")
    await page.getByRole("button", { name: "Show to this buyer" }).click()
    expect(await page.getByRole("status").textContent()).toContain("Buyer Y now sees Homepage billboard.")
    expect(await productsFor(app, other?.secret ?? "")).toEqual(["Homepage billboard"])

    expect(await page.getByText("Shown in Austria and Germany.").count()).toBe(1)
    expect(complaints).toEqual([])
  },
  PATIENCE_MS,
)
