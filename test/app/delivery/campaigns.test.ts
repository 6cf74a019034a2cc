import { expect, test } from "bun:test"
import { signIn } from "../../harness/browser/browse.ts"
import { campaignVersion, saveCampaign } from "../../harness/inside.ts"
import { fileOf, givenLine, givenSeller, namesOn, reportDays, rowsOf, type Site, startSite } from "../given.ts"

const NEW = { buyer: "Lampenladen", name: "Winter lights", lineName: "Evening talk, pre-roll", booked: "40 000" }
const newCampaign = async ({ open, seller }: Site) => open(`${seller.home}/new-campaign`)

test("a campaign is created with its buyer and its first line in one form", async () => {
  await using site = await startSite()
  const created = await (await newCampaign(site)).send({ ...NEW, rate: "12.50", currency: "eur" })
  expect(created.title).toBe("Winter lights · Adbooth")
  expect(created.path).toBe(`${site.seller.home}/campaigns/winter-lights`)
  expect(created.text).toContain("Lampenladen")
  expect(rowsOf(created, "Lines")).toEqual([
    expect.stringContaining("Evening talk, pre-roll €12.50 per 1,000 impressions"),
  ])
})

test("the first campaign of a new server is a step of setting it up", async () => {
  await using site = await startSite()
  const form = await site.open(`${site.seller.home}/new-campaign?set-up`)
  expect(form.text).toContain("Step 2 of 3.")
  const refused = await form.send({ ...NEW, buyer: "" })
  expect(refused.text).toContain("Step 2 of 3.")
  const next = await refused.send(NEW)
  expect([next.path, next.text]).toEqual([
    `${site.seller.home}/set-up`,
    expect.stringContaining("The campaign is created."),
  ])
})

test("a campaign with mistakes is created neither in part nor as a whole", async () => {
  await using site = await startSite()
  const refused = await (await newCampaign(site)).send({ ...NEW, name: "", lineName: "", booked: "1.5" })
  expect(refused.status).toBe(422)
  for (const field of ["name", "lineName", "booked"]) expect(refused.html).toContain(`<a href="#${field}">`)
  expect(refused.fields).toMatchObject({ buyer: "Lampenladen", booked: "1.5" })
  expect((await site.open(`${site.seller.home}/campaigns`)).text).not.toContain("Lampenladen")
})

test("a buyer is found by the exact name, and a name much like it must be confirmed", async () => {
  await using site = await startSite()
  const found = await (await newCampaign(site)).send({ ...NEW, buyer: "fernweh travel" })
  expect(found.text).toContain("Fernweh Travel")

  const asked = await (await newCampaign(site)).send({ ...NEW, buyer: "Fernweh Travel GmbH" })
  expect(asked.status).toBe(422)
  expect(asked.text).toContain("Fernweh Travel")
  const box = "confirm.buyer"
  const confirmed = await asked.send({ [box]: asked.control(box)["value"] })
  expect(confirmed.text).toContain("Fernweh Travel GmbH")
})

test("a seller finds no buyer that only others sell to, and its slug tells nothing of it", async () => {
  await using site = await startSite()
  const other = await givenSeller(site.app, "other")
  const theirs = await signIn(site.app, { organization: other })
  await (await theirs(`${other.home}/new-campaign`)).send(NEW)
  const form = await newCampaign(site)
  expect(form.html).not.toContain("Lampenladen")
  const created = await form.send(NEW)
  expect(created.path).toBe(`${site.seller.home}/campaigns/winter-lights`)
})

test("another buyer sees the totals only after the seller has confirmed it", async () => {
  await using site = await startSite()
  const edit = `${site.seller.campaign}/edit`
  const asked = await (await site.open(edit)).form(edit).send({ buyer: "Lampenladen" })
  expect(asked.status).toBe(422)
  expect(asked.text).toContain("Lampenladen will see every total of this campaign, and Fernweh Travel no longer will.")
  const box = "confirm.buyer"
  const saved = await asked.form(edit).send({ [box]: asked.form(edit).control(box)["value"] })
  expect(saved.text).toContain("Saved.")
  expect(saved.text).toContain("Lampenladen · 1 Nov")
})

test("two people who edit a campaign see both versions", async () => {
  await using site = await startSite()
  const edit = `${site.seller.campaign}/edit`
  const form = (await site.open(edit)).form(edit)
  const seller = { organization: { id: site.seller.id, slug: "acme", name: "Acme Audio" }, knowsEverybody: false }
  const version = campaignVersion({ name: "Spring", buyer: "Fernweh Travel" })
  const theirs = { texts: { name: "Spring 2027", buyer: "Fernweh Travel" }, version }
  await saveCampaign(site.app, "test", seller, site.seller.campaignId, theirs)

  const conflict = await form.send({ name: "Early spring" })
  expect(conflict.status).toBe(422)
  expect(conflict.text).toContain("Someone else saved “Spring 2027”. You typed “Early spring”.")
  const saved = await conflict.form(edit).send()
  expect(saved.title).toBe("Early spring · Adbooth")
})

test("a campaign is deleted only while nothing was reported for it", async () => {
  await using site = await startSite()
  const { campaign, home } = site.seller
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-03": 100 })
  expect((await site.open(`${campaign}/edit`)).text).not.toContain("Delete campaign")
  const kept = await (await site.open(`${campaign}/delete`)).send()
  expect(kept.text).toContain("Archive the campaign instead.")

  await (await newCampaign(site)).send(NEW)
  const question = await site.open(`${home}/campaigns/winter-lights/delete`)
  expect(question.text).toContain("Delete Winter lights?")
  expect((await question.send()).text).toContain("Winter lights is deleted.")
  expect(namesOn(await site.open(`${home}/campaigns`))).toEqual(["Spring"])
})

test("a buyer sees what all sellers deliver for it, and none of what is only the seller's", async () => {
  await using site = await startSite({ externalId: "adserver-77", rate: "10", currency: "EUR" })
  await reportDays(site.app, site.seller.id, site.packageId, { "2026-11-03": 100 })
  const buyer = await signIn(site.app, { organization: { id: site.seller.buyerId } })
  const home = "/app/o/acme-buyer"
  const list = await buyer(home)
  expect(list.path).toBe(`${home}/campaigns`)
  expect(namesOn(list)).toEqual(["Spring"])
  expect(rowsOf(list, "Campaigns")[0]).toContain("Acme Audio")
  expect(list.text).not.toContain("New campaign")

  const campaign = await buyer(`${home}/campaigns/acme-spring`)
  expect(campaign.text).toContain("sold by Acme Audio")
  const line = await buyer(`${home}/campaigns/acme-spring/lines/${site.packageId}`)
  expect(line.text).toContain("Sold by Acme Audio")
  for (const page of [campaign, line]) {
    expect(page.text).not.toContain("adserver-77")
    for (const address of ["/edit", "/share", "/new-line", "/totals?line=", "/withdraw"])
      expect([address, page.html.includes(address)]).toEqual([address, false])
  }
  const file = await fileOf(buyer, `${home}/campaigns/acme-spring/lines.csv`)
  expect(file.flat()).not.toContain("adserver-77")
})

test("only admins change campaigns, and only campaigns without another seller", async () => {
  await using site = await startSite()
  const { campaign, home } = site.seller
  const member = await signIn(site.app, { organization: site.seller, role: "member" })
  for (const path of [`${home}/new-campaign`, `${campaign}/edit`, `${campaign}/delete`, `${campaign}/share`])
    expect([path, (await member(path)).status]).toEqual([path, 403])
  const other = await givenSeller(site.app, "other")
  await givenLine(site.app, { ...other, campaignId: other.campaignId })
  await site.app.database.transact(async (tx) => {
    await tx.db.update(tx.line).set({ campaignId: site.seller.campaignId })
  })
  expect((await site.open(`${campaign}/edit`)).status).toBe(404)
  expect((await site.open(campaign)).status).toBe(200)
})

test("another company's campaign looks like a missing one", async () => {
  await using site = await startSite()
  const other = await givenSeller(site.app, "other")
  const packageId = await givenLine(site.app, other)
  const missing = await site.open(`${site.seller.home}/campaigns/nothing`)
  expect(missing.status).toBe(404)
  for (const path of ["", "/edit", "/share", "/new-line", `/lines/${packageId}`, `/lines/${packageId}/edit`]) {
    const page = await site.open(`${site.seller.home}/campaigns/other-spring${path}`)
    expect([path, page.status, page.text]).toEqual([path, 404, missing.text])
  }
})
