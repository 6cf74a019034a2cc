import { expect, test } from "bun:test"
import {
  archiveCampaign,
  type CampaignSeller,
  removeCampaign,
  saveCampaign,
  setUpCampaign,
} from "../../../src/actions/campaigns.ts"
import { archiveLine, removeLine } from "../../../src/actions/lines.ts"
import { campaignVersion } from "../../../src/domain/campaign/campaign.ts"
import { type Campaign, campaignBySlug, campaignsOf } from "../../../src/storage/campaigns/campaigns.ts"
import { lineSeenBy, linesBoughtBy, linesOf, linesSoldBy } from "../../../src/storage/campaigns/lines.ts"
import { createOrganization } from "../../harness/data/created.ts"
import { LINE, reportOne } from "../../harness/data/given.ts"
import { eachEngine, openStore, type TestStore } from "../../harness/store.ts"

async function givenCompany(store: TestStore, slug: string, name = slug): Promise<CampaignSeller> {
  const id = await createOrganization(store, { slug, name, timeZone: "UTC" })
  return { organization: { id, slug, name }, knowsEverybody: false }
}

async function setUp(store: TestStore, seller: CampaignSeller, name: string, buyer: string) {
  const made = await setUpCampaign(store, "user:1", seller, { texts: { name, buyer }, line: LINE })
  if (!("slug" in made)) throw new Error(JSON.stringify(made))
  return made
}

const OPERATOR = { knowsEverybody: true }

async function campaignOf({ database }: TestStore, { organization }: CampaignSeller, slug: string): Promise<Campaign> {
  const campaign = await campaignBySlug(database.read, organization.id, slug)
  if (campaign === null) throw new Error(`${slug} is missing.`)
  return campaign
}

eachEngine((engine) => {
  test("a campaign begins with a line and, if it's new, a buyer in the seller's time zone", async () => {
    await using store = await openStore(engine)
    const seller = await givenCompany(store, "pod-harbor")
    const { slug, packageId } = await setUp(store, seller, "Großer Herbst", "Brand Co")
    expect(slug).toBe("grosser-herbst")
    const { read } = store.database
    expect(await lineSeenBy(read, seller.organization.id, packageId)).toMatchObject({
      name: "Pre-roll",
      campaign: { slug, buyer: "Brand Co" },
    })
    const errors = await setUpCampaign(store, "user:1", seller, { texts: { name: "", buyer: "pod-harbor" }, line: {} })
    expect(errors).toMatchObject({
      errors: { name: "Enter a name.", buyer: "This is your own organization. Enter the buyer." },
      lineErrors: { name: "Enter a name." },
    })
    expect(await campaignsOf(read, seller.organization.id)).toHaveLength(1)
  })

  test("a taken slug or a known buyer tells nothing about other sellers", async () => {
    await using store = await openStore(engine)
    const [first, second] = [await givenCompany(store, "first"), await givenCompany(store, "second")]
    const slugs = [await setUp(store, first, "Spring", "Brand Co"), await setUp(store, second, "Spring", "Brand Co")]
    expect(slugs.map(({ slug }) => slug)).toEqual(["spring", "spring"])
    const buyers = await Promise.all([campaignOf(store, first, "spring"), campaignOf(store, second, "spring")])
    // Each seller has a buyer of its own: only the operator knows everybody.
    expect(buyers[0].buyerId).not.toBe(buyers[1].buyerId)
    expect((await setUp(store, second, "Spring", "Brand Co")).slug).toBe("spring-2")
  })

  test("a buyer can open campaigns of two sellers that have the same slug", async () => {
    await using store = await openStore(engine)
    const [first, second] = [await givenCompany(store, "first"), await givenCompany(store, "second")]
    const buyer = await givenCompany(store, "brand-co", "Brand Co")
    const lines = [
      await setUp(store, { ...first, ...OPERATOR }, "Spring", "brand-co"),
      await setUp(store, { ...second, ...OPERATOR }, "Spring", "brand-co"),
    ]
    const { read } = store.database
    const bought = await campaignsOf(read, buyer.organization.id)
    expect(bought.map(({ slug }) => slug)).toEqual(["spring", `spring.${bought[1]?.id}`])
    for (const [i, { id, slug }] of bought.entries()) {
      expect((await campaignOf(store, buyer, slug)).id).toBe(id)
      const seen = await linesOf(read, buyer.organization.id, id)
      expect(seen).toMatchObject([{ packageId: lines[i]?.packageId ?? "", campaign: { slug } }])
    }
    expect(await linesBoughtBy(read, buyer.organization.id)).toHaveLength(2)
    expect(await linesSoldBy(read, first.organization.id)).toMatchObject([{ campaign: { slug: "spring" } }])
    expect(await lineSeenBy(read, second.organization.id, lines[0]?.packageId ?? "")).toBeNull()
  })

  test("an edit asks before another buyer sees the totals, and only the seller's own campaign is edited", async () => {
    await using store = await openStore(engine)
    const [seller, other] = [await givenCompany(store, "seller"), await givenCompany(store, "other")]
    const { slug } = await setUp(store, seller, "Spring", "Brand Co")
    const campaign = await campaignOf(store, seller, slug)
    const version = campaignVersion(campaign)
    const save = (by: CampaignSeller, texts: { name: string; buyer: string }, confirmed = {}) =>
      saveCampaign(store, "user:1", by, campaign.id, { texts, version, confirmed })
    const question = "Fernweh will see every total of this campaign, and Brand Co no longer will."
    const texts = { name: "Summer", buyer: "Fernweh" }
    expect(await save(other, texts)).toBe("not found")
    expect(await save(seller, texts)).toEqual({ questions: { buyer: question } })
    expect(await save(seller, texts, { buyer: question })).toEqual({ saved: true })
    expect(await save(seller, texts)).toBe("changed")
    expect(await campaignOf(store, seller, slug)).toMatchObject({ name: "Summer", buyer: "Fernweh" })
  })

  test("records with reports can only be archived, and all others can be deleted", async () => {
    await using store = await openStore(engine)
    const [seller, other] = [await givenCompany(store, "seller"), await givenCompany(store, "other")]
    const { slug, packageId } = await setUp(store, seller, "Spring", "Brand Co")
    const { id: campaignId } = await campaignOf(store, seller, slug)
    const sellerId = seller.organization.id
    const place = { sellerId, campaignId }
    expect(await removeLine(store, "user:1", { sellerId, packageId })).toBe("last line")
    const item = { package_id: packageId, impressions: 1 }
    await reportOne(store, { id: sellerId, buyerId: 0, campaignId }, item)
    expect(await removeLine(store, "user:1", { sellerId, packageId })).toBe("in use")
    expect(await removeCampaign(store, "user:1", place)).toBe("in use")
    expect(await archiveLine(store, "user:1", { sellerId: other.organization.id, packageId }, true)).toBe(false)
    expect(await archiveLine(store, "user:1", { sellerId, packageId }, true)).toBe(true)
    expect(await linesSoldBy(store.database.read, sellerId)).toEqual([])
    expect(await linesSoldBy(store.database.read, sellerId, { withArchived: true })).toHaveLength(1)
    expect(await reportOne(store, { id: sellerId, buyerId: 0, campaignId }, { ...item, impressions: 2 })).toBe(
      "applied",
    )
    expect(await archiveCampaign(store, "user:1", place, true)).toBe(true)
    expect(await campaignsOf(store.database.read, sellerId)).toEqual([])

    const unused = await setUp(store, seller, "Unused", "Brand Co")
    const { id } = await campaignOf(store, seller, unused.slug)
    expect(await removeCampaign(store, "user:1", { sellerId: other.organization.id, campaignId: id })).toBe("not found")
    expect(await removeCampaign(store, "user:1", { sellerId, campaignId: id })).toBe("removed")
  })
})
