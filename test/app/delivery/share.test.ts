import { expect, test } from "bun:test"
import { browse, signIn } from "../../harness/browser/browse.ts"
import { fileOf, givenLine, givenSeller, reportDays, rowsOf, type Site, startSite } from "../given.ts"

const PRICED = { rate: "10", currency: "EUR", booked: "2000" }

/** Creates a link in the form, and returns its path. */
async function shareLink({ open, seller, app }: Site, label = "Fernweh Travel"): Promise<string> {
  const form = await open(`${seller.campaign}/share`)
  const shown = await form.send({ label })
  const [, path] = /https?:\/\/[^/\s]+(\/app\/share\/[\w-]{43})/.exec(shown.text) ?? []
  if (path === undefined) throw new Error(`${shown.text} ${app.url}`)
  return path
}

test("anyone with a link sees one seller's lines of one campaign", async () => {
  await using site = await startSite({ ...PRICED, externalId: "adserver-77" })
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-07": 300, "2026-11-14": 900 })
  const path = await shareLink(site)
  const page = await browse(site.app)(path)
  expect(page.title).toBe("Spring: campaign report · Adbooth")
  for (const words of [
    "Campaign report for Fernweh Travel. As of 14 Nov 2026, 23:59.",
    "Delivered so far €9.00 45% of €20.00",
    "This page is available until 15 Dec 2026",
    "Times are in Europe/Berlin.",
  ])
    expect(page.text).toContain(words)
  expect(rowsOf(page, "Lines")[0]).toStartWith("Pre-roll €10.00 per 1,000 impressions On pace 900 of 2,000 impressions")
  const file = await fileOf(browse(site.app), `${path}/lines.csv`)
  expect(file.map(([name]) => name)).toEqual(["Pre-roll"])
  expect(page.html + file.flat().join()).not.toContain("adserver-77")
})

test("a link shows nothing that another company sells, and nothing archived", async () => {
  await using site = await startSite(PRICED)
  const other = await givenSeller(site.app, "other")
  const theirs = await givenLine(site.app, other, { name: "Theirs", rate: "3.21", currency: "USD" })
  await site.app.database.transact(async (tx) => {
    const { line } = tx
    await tx.db.update(line).set({ campaignId: site.seller.campaignId })
  })
  await givenLine(site.app, site.seller, { name: "Old" })
  const form = await site.open(`${site.seller.campaign}?q=old`)
  const [old = ""] = /\/lines\/[\w-]+/.exec(form.html) ?? []
  await (await site.open(`${site.seller.campaign}${old}/edit`)).form(`${site.seller.campaign}${old}/archive`).send()
  const path = await shareLink(site)
  for (const address of [path, `${path}/lines.csv`]) {
    const { html } = await browse(site.app)(address)
    for (const secret of ["Theirs", "3.21", theirs, "Old"])
      expect([address, secret, html.includes(secret)]).toEqual([address, secret, false])
  }
})

test("a link is shown once, to the session that made it", async () => {
  await using site = await startSite()
  await shareLink(site)
  expect((await site.open("/app/once")).text).toContain("This was shown only once")
  const { text } = await site.open(`${site.seller.campaign}/share`)
  expect(text).toContain("Fernweh Travel 15 Nov, 13:00 15 Dec, 13:00 Works")
  expect(text).not.toContain("/app/share/")
})

test("a revoked link, an expired link and one that never existed get the same answer", async () => {
  await using site = await startSite()
  const [revoked, expired] = [await shareLink(site), await shareLink(site, "Second")]
  const question = await site.open(`${site.seller.campaign}/share/1/revoke`)
  expect(question.text).toContain("Revoke the link for “Fernweh Travel”?")
  expect((await question.send()).text).toContain("The link for “Fernweh Travel” is revoked.")
  expect((await browse(site.app)(expired)).status).toBe(200)
  site.app.clock.advance({ hours: 30 * 24 })
  const made = await browse(site.app)(`/app/share/${"x".repeat(43)}`)
  expect([made.status, made.text]).toEqual([404, expect.stringContaining("This link doesn’t work")])
  for (const path of [revoked, expired]) {
    const page = await browse(site.app)(path)
    expect([page.status, page.text]).toEqual([404, made.text])
    expect((await browse(site.app)(`${path}/lines.csv`)).status).toBe(404)
  }
})

test("only admins share, and only what their organization sells. Nobody adds people to a buyer here", async () => {
  await using site = await startSite()
  const share = `${site.seller.campaign}/share`
  const member = await signIn(site.app, { organization: site.seller, role: "member" })
  expect((await member(share)).status).toBe(403)
  const buyer = await signIn(site.app, { organization: { id: site.seller.buyerId } })
  expect((await buyer("/app/o/acme-buyer/campaigns/acme-spring/share")).status).toBe(404)
  const { html } = await site.open(share)
  expect(html).not.toMatch(/invit|email/i)
})

test("a link without a name or a known time isn't created", async () => {
  await using site = await startSite()
  const form = await site.open(`${site.seller.campaign}/share`)
  const refused = await form.send({ label: " ", days: "100000" })
  expect(refused.html).toContain('<a href="#label">')
  expect(refused.html).toContain('<a href="#days">Choose how long the link works.</a>')
})
