import { expect } from "bun:test"
import { issueSetupLink } from "../../../../src/actions/people/one-time-links.ts"
import { startApp, type TestApp } from "../../../harness.ts"
import { givenPerson, LINE, startMarket } from "../given.ts"
import { browserTest, openTab, stopTimers } from "./chromium.ts"

const PATIENCE_MS = 600_000

const send = (app: TestApp, key: string) =>
  app.fetch("/api/ingest/delivery/metrics", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ items: [{ package_id: LINE, impressions: 4321 }] }),
  })

browserTest(
  "from the first run to the first reported delivery",
  async () => {
    await using app = await startApp()
    await using tab = await openTab(app, null)
    const { page } = tab
    await page.goto((await issueSetupLink(app)) ?? "")
    await page.getByLabel("Your name").fill("Olga")
    await page.getByLabel("Email").fill("olga@example.com")
    await page.getByLabel("Password").fill("correct horse battery")
    await page.getByRole("button", { name: "Create account" }).click()
    await page.getByText("This installation is yours").waitFor()

    await page.goto("/app/operator/organizations/new")
    await page.getByLabel("Name", { exact: true }).fill("Acme Audio")
    await page.locator("main form button[type=submit]").first().click()
    await page.goto("/app/o/acme-audio/campaigns")
    await page.getByRole("link", { name: "Create the first campaign" }).click()
    await page.getByLabel("Name of the campaign", { exact: true }).fill("Autumn")
    await page.locator("[name=buyer]").fill("Brand Co")
    await page.getByLabel("Name of the line", { exact: true }).fill("Pre-roll")
    await page.getByLabel("First day").fill("2026-11-01")
    await page.getByLabel("Last day").fill("2026-11-30")
    await page.locator("[name=booked]").fill("500000")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByRole("link", { name: "Report totals of Pre-roll" }).click()

    const report = page.getByRole("button", { name: /^Report (?:totals|the total|1 total)$/ })
    await page.getByLabel("New total of Pre-roll").fill("125.5")
    await report.click()
    await page.locator(".error").getByText("125.5 is not a whole number").waitFor()
    await page.getByLabel("New total of Pre-roll").fill("125.000")
    await report.click()
    await page.getByRole("heading", { name: "1 total reported" }).waitFor()
    await page.getByRole("link", { name: "Pre-roll" }).click()
    expect(await page.locator(".figure").textContent()).toBe("125,000")
    expect(await page.locator("figure svg.plot").count()).toBe(1)
    expect(tab.complaints.filter((text) => !text.includes("422"))).toEqual([])
  },
  PATIENCE_MS,
)

browserTest(
  "a key is created, copied, used and revoked",
  async () => {
    await using app = await startMarket()
    const admin = await givenPerson(app, { of: "acme-audio", role: "admin" })
    await using tab = await openTab(app, admin, { permissions: ["clipboard-read", "clipboard-write"] })
    const { page } = tab
    await page.goto("/app/o/acme-audio/keys")
    await page.getByLabel("Which system is it for?").fill("Ad server")
    await page.getByRole("button", { name: "Create key" }).click()
    await page.locator("#key").waitFor()
    await stopTimers(page)
    await page.getByRole("button", { name: "Copy: Ad server" }).click()
    await page.getByRole("button", { name: "Copy: Ad server" }).getByText("Copied").waitFor()
    const key = await page.evaluate(() => navigator.clipboard.readText())
    expect(key).toMatch(/^abi_\w{38}$/)
    expect((await send(app, key)).status).toBe(200)

    await page.getByRole("link", { name: "I have copied it" }).click()
    await page.getByRole("link", { name: "Revoke: Ad server" }).click()
    await page.getByRole("button", { name: "Revoke" }).click()
    await page.getByText("has been revoked and no longer works").waitFor()
    expect((await send(app, key)).status).toBe(401)
    expect(tab.complaints).toEqual([])
  },
  PATIENCE_MS,
)

browserTest(
  "what the API reports is on the buyer's page, and behind a share link for somebody without an account",
  async () => {
    await using app = await startMarket()
    const admin = await givenPerson(app, { of: "acme-audio", role: "admin" })
    await using seller = await openTab(app, admin)
    await seller.page.goto("/app/o/acme-audio/keys")
    await seller.page.getByLabel("Which system is it for?").fill("Ad server")
    await seller.page.getByRole("button", { name: "Create key" }).click()
    await send(app, (await seller.page.locator("#key").textContent()) ?? "")
    await seller.page.goto("/app/o/acme-audio/campaigns/autumn/share")
    await seller.page.getByLabel("Shared with").fill("Brand Co")
    await seller.page.getByRole("button", { name: "Create link" }).click()
    const link = (await seller.page.locator("#link").textContent()) ?? ""

    await using buyer = await openTab(app, await givenPerson(app, { of: "brand-co" }))
    await buyer.page.goto("/app")
    await buyer.page.getByRole("link", { name: "Autumn" }).click()
    await buyer.page.getByText("4,321").waitFor()
    expect(await buyer.page.getByText("Report totals").count()).toBe(0)

    await using stranger = await openTab(app, null)
    await stranger.page.goto(link)
    await stranger.page.getByText("4,321", { exact: true }).waitFor()
    await stranger.page.getByText("4,321of 1,000,000 booked").waitFor()
    expect(await stranger.page.getByText("Banner").count()).toBe(0)
    expect([...seller.complaints, ...buyer.complaints, ...stranger.complaints]).toEqual([])
  },
  PATIENCE_MS,
)

browserTest(
  "every form works without scripts",
  async () => {
    await using app = await startMarket()
    const admin = await givenPerson(app, { of: "acme-audio", role: "admin" })
    await using tab = await openTab(app, admin, { javaScriptEnabled: false })
    const { page } = tab
    await page.goto(`/app/o/acme-audio/campaigns/autumn/lines/${LINE}`)
    await page.getByLabel(/^New total of/).fill("777")
    await page.getByRole("button", { name: /^Report/ }).click()
    await page.getByRole("heading", { name: "1 total reported" }).waitFor()
    await page.goto(`/app/o/acme-audio/campaigns/autumn/lines/${LINE}`)
    expect(await page.locator("figure svg.plot").count()).toBe(1)
    await page.goto("/app/o/acme-audio/keys")
    await page.getByLabel("Which system is it for?").fill("Ad server")
    await page.getByRole("button", { name: "Create key" }).click()
    expect(await page.locator("#key").textContent()).toMatch(/^abi_\w{38}$/)
    expect(await page.getByRole("button", { name: /^Copy/ }).count()).toBe(0)
  },
  PATIENCE_MS,
)
