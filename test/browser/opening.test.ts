import { expect } from "bun:test"
import { saveProduct } from "../../src/actions/edit-catalogue.ts"
import { plainProduct } from "../adcp/documents.ts"
import { startApp, type TestApp } from "../harness.ts"
import { givenPerson } from "../web/given.ts"
import { browserTest, openTab } from "./chromium.ts"

/** The names of the products that the real agent shows to a key. */
async function seenBy(app: TestApp, key: string): Promise<string[]> {
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
  "a product is opened to a key in the app, and the key's owner sees it through the real agent",
  async () => {
    await using app = await startApp()
    await saveProduct(app, plainProduct, "test")
    await using tab = await openTab(app, await givenPerson(app, { isOperator: true }))
    const { page } = tab
    await page.goto("/app/operator/agent-keys")
    await page.getByLabel("Whose key is it?").fill("Buyer X")
    await page.locator("main form button[type=submit]").first().click()
    const key = (await page.locator("#key").textContent()) ?? ""
    expect(await seenBy(app, key)).toEqual([])

    await page.goto("/app/operator/openings")
    await page.locator("main input[name^='open:']").first().fill("DE, AT")
    await page.getByRole("button", { name: "Save" }).click()
    await page.locator(".flash.done").waitFor()
    expect(await seenBy(app, key)).toEqual([plainProduct.name])

    await page.goto("/app/operator/agent-keys")
    await page.locator("a[href$='/sees']").first().click()
    await page.getByText(plainProduct.name).first().waitFor()
    expect(tab.complaints).toEqual([])
  },
  120_000,
)
