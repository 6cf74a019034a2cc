import type { Context } from "../../../src/actions/context.ts"
import { reportDelivery } from "../../../src/actions/delivery/report-delivery.ts"
import { createKey } from "../../../src/actions/keys.ts"
import { createLine, saveLine } from "../../../src/actions/lines.ts"
import { type LineTexts, versionOf } from "../../../src/domain/campaign/line.ts"
import { lineById } from "../../../src/storage/campaigns/lines.ts"
import { createCampaign, createOrganization } from "./created.ts"

let slugs = 0

/** An organization with a campaign that it sells lines in, and the buyer of the campaign. */
export interface Seller {
  readonly id: number
  readonly buyerId: number
  readonly campaignId: number
}

export async function givenSeller(context: Context, { timeZone = "UTC" } = {}): Promise<Seller> {
  const slug = `seller-${slugs++}`
  const id = await createOrganization(context, { slug, name: slug, timeZone })
  const buyer = `${slug}-buyer`
  const buyerId = await createOrganization(context, { slug: buyer, name: buyer, timeZone })
  const campaign = { slug: `${slug}-spring`, name: "Spring", buyerId, ownerId: id }
  return { id, buyerId, campaignId: await createCampaign(context, campaign) }
}

/** Another campaign of the seller and its buyer. Returns its ID. */
export const givenCampaign = (context: Context, { id, buyerId }: Seller, slug: string): Promise<number> =>
  createCampaign(context, { slug, name: slug, buyerId, ownerId: id })

/** What `givenLine` adds. */
export const LINE = {
  name: "Pre-roll",
  pricingBasis: "impressions",
  flightStart: "2026-01-01",
  flightEnd: "",
  booked: "",
}

/** Adds a line and returns its package ID. */
export async function givenLine(context: Context, seller: Seller, texts: Partial<LineTexts> = {}): Promise<string> {
  const place = { sellerId: seller.id, campaignId: seller.campaignId }
  const added = await createLine(context, "test", place, { ...LINE, ...texts })
  if ("errors" in added) throw new Error(JSON.stringify(added.errors))
  return added.packageId
}

/** Edits a line that `givenLine` added, and answers every question with yes. */
export async function editLine(context: Context, seller: Seller, packageId: string, texts: Partial<LineTexts>) {
  const line = await lineById(context.database.read, seller.id, packageId)
  if (line === null) throw new Error(`Line ${packageId} doesn't exist.`)
  const edit = { texts: { ...LINE, ...texts }, version: versionOf(line) }
  const place = { sellerId: seller.id, packageId }
  const saved = await saveLine(context, "test", place, edit)
  const isAsking = typeof saved === "object" && "questions" in saved
  return isAsking ? saveLine(context, "test", place, { ...edit, confirmed: saved.questions }) : saved
}

/** Reports items as one of the seller's API keys would. */
export function report(
  context: Context,
  seller: Seller,
  items: readonly unknown[],
  { isDryRun = false, key = "1" } = {},
) {
  const source = { kind: "key", reference: key, actor: `key:${key}` } as const
  return reportDelivery(context, { sellerId: seller.id, source }, items, { isDryRun })
}

/** The same for one item. Returns its effect, or the reason why it was rejected. */
export async function reportOne(context: Context, seller: Seller, item: unknown): Promise<string> {
  const { results } = await report(context, seller, [item])
  const [result] = results
  if (result === undefined) throw new Error("The result is missing.")
  return result.status === "accepted" ? result.effect : result.reason
}

/** A new API key of an organization. */
export async function givenApiKey(context: Context, organizationId: number, label = "Ad server") {
  const created = await createKey(context, "user:ada", { organizationId, label })
  if ("errors" in created) throw new Error(JSON.stringify(created.errors))
  return created
}
