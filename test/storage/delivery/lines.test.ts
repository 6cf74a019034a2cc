import { expect, test } from "bun:test"
import { saveLine } from "../../../src/actions/lines.ts"
import { versionOf } from "../../../src/domain/campaign/line.ts"
import { campaignBySlug, campaignsOf } from "../../../src/storage/campaigns/campaigns.ts"
import { lineById, linesOf } from "../../../src/storage/campaigns/lines.ts"
import { organizationBySlug } from "../../../src/storage/organizations.ts"
import { editLine, givenLine, givenSeller, LINE, reportOne } from "../../harness/data/given.ts"
import { eachEngine, openStore } from "../../harness/store.ts"

const FIELDS = {
  pricingBasis: "impressions",
  flightStart: "2026-01-01",
  flightEnd: null,
  booked: null,
  rate: null,
  currency: null,
  externalId: null,
} as const

eachEngine((engine) => {
  test("if two people edit a line, the second person is told", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const packageId = await givenLine(store, seller)
    const place = { sellerId: seller.id, packageId }
    const line = await lineById(store.database.read, seller.id, packageId)
    const version = line === null ? "" : versionOf(line)
    expect(await saveLine(store, "user:ada", place, { texts: { ...LINE, name: "Mid-roll" }, version })).toEqual({
      saved: true,
    })
    expect(await saveLine(store, "user:bob", place, { texts: { ...LINE, name: "Post-roll" }, version })).toBe("changed")
    expect(await lineById(store.database.read, seller.id, packageId)).toMatchObject({ name: "Mid-roll" })
  })

  test("mistakes come back by field, and nothing is saved", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const packageId = await givenLine(store, seller)
    const line = await lineById(store.database.read, seller.id, packageId)
    const texts = { ...LINE, name: " ", flightStart: "2026-02-30", booked: "many" }
    const version = line === null ? "" : versionOf(line)
    const saved = await saveLine(store, "user:ada", { sellerId: seller.id, packageId }, { texts, version })
    expect(saved).toEqual({
      errors: {
        name: "Enter a name.",
        flightStart: "Enter the first day of the flight, such as 2026-11-01.",
        booked: "many isn’t a number. Write it in digits, such as 1000.",
      },
    })
    expect(await lineById(store.database.read, seller.id, packageId)).toEqual(line)
  })

  test("the pricing basis can't change once totals are reported", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const package_id = await givenLine(store, seller)
    expect(await editLine(store, seller, package_id, { pricingBasis: "downloads" })).toEqual({ saved: true })
    await reportOne(store, seller, { package_id, downloads: 500 })
    const errors = { pricingBasis: "This can’t change once totals are reported." }
    expect(await editLine(store, seller, package_id, { pricingBasis: "flat_rate" })).toEqual({ errors })
    expect(await lineById(store.database.read, seller.id, package_id)).toMatchObject({ pricingBasis: "downloads" })
  })

  test("a field that a form doesn't send keeps its stored value", async () => {
    await using store = await openStore(engine)
    const seller = await givenSeller(store)
    const packageId = await givenLine(store, seller, { flightEnd: "2026-01-31", booked: "1000" })
    const line = await lineById(store.database.read, seller.id, packageId)
    const version = line === null ? "" : versionOf(line)
    const place = { sellerId: seller.id, packageId }
    const saved = await saveLine(store, "user:ada", place, { texts: { name: "Mid-roll" }, version })
    expect(saved).toEqual({ saved: true })
    const expected = { name: "Mid-roll", flightEnd: "2026-01-31", booked: 1_000 }
    expect(await lineById(store.database.read, seller.id, packageId)).toMatchObject(expected)
  })

  test("another seller's line is like one that doesn't exist", async () => {
    await using store = await openStore(engine)
    const [seller, other] = [await givenSeller(store), await givenSeller(store)]
    const packageId = await givenLine(store, seller)
    expect(await lineById(store.database.read, other.id, packageId)).toBeNull()
    expect(await saveLine(store, "user:eve", { sellerId: other.id, packageId }, { texts: LINE, version: "" })).toBe(
      "not found",
    )
  })

  test("a seller sees its own lines of a campaign, and only campaigns with one", async () => {
    await using store = await openStore(engine)
    const { read } = store.database
    const [seller, other] = [await givenSeller(store), await givenSeller(store)]
    await givenLine(store, seller, { name: "Later", flightStart: "2026-02-01" })
    await givenLine(store, seller, { name: "Earlier" })
    await store.database.transact(async (tx) => {
      const line = { ...FIELDS, name: "Theirs", packageId: crypto.randomUUID(), sellerId: other.id }
      await tx.db.insert(tx.line).values({ ...line, campaignId: seller.campaignId })
    })
    const [campaign, ...others] = await campaignsOf(read, seller.id)
    expect(others).toEqual([])
    expect(campaign).toMatchObject({ id: seller.campaignId, name: "Spring", lines: 2 })
    const lines = await linesOf(read, seller.id, seller.campaignId)
    expect(lines.map(({ name, total }) => [name, total])).toEqual([
      ["Earlier", null],
      ["Later", null],
    ])
    expect(await campaignBySlug(read, other.id, campaign?.slug ?? "")).toMatchObject({ lines: 1 })
    expect(await campaignBySlug(read, seller.id, "no-such-campaign")).toBeNull()
    expect(await organizationBySlug(read, "no-such-organization")).toBeNull()
  })
})
