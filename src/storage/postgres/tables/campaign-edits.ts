import { and, eq, like, ne, or } from "drizzle-orm"
import { campaignFields } from "../../../domain/campaign/buyer-choice.ts"
import { lineFields } from "../../../domain/campaign/line-fields.ts"
import { freeSlug, slugOf } from "../../../domain/campaign/slug.ts"
import { isStale } from "../../../domain/edit-conflict.ts"
import type { Change } from "../../../domain/people/audit.ts"
import { TIME_ZONE_DEFAULT } from "../../../domain/people/organization.ts"
import { ExternalIdTaken } from "../../port/delivery/external-id-taken.ts"
import type { BuyerChoice, Campaigns } from "../../port/store.ts"
import { isStorable } from "../../steps/storable.ts"
import type { Connection } from "../engine/connection.ts"
import type { Session } from "../engine/session.ts"
import { campaign, organization, packageLine } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"
import { hasFigures } from "./delivery/has-figures.ts"

type Edits = Pick<Campaigns, "create" | "edit" | "addLine" | "editLine">

/** Changes by sellers. Every statement that finds what to change also checks who owns it. */
export function campaignEdits({ change }: Connection): Edits {
  return {
    create: (sellerId, { name, buyer }, line, by) =>
      change(async (transaction) => {
        const { drizzle } = transaction
        const buyerId = await buyerIdOf(transaction, buyer, by)
        if (buyerId === null) return null
        const slug = await slugFor(transaction, campaign, name)
        const row = { slug, name, buyerId, createdAt: by.at }
        const { id: campaignId } = only(await drizzle.insert(campaign).values(row).returning({ id: campaign.id }))
        await refuseTaken(transaction, { ...line, sellerId })
        await drizzle.insert(packageLine).values({ ...line, campaignId, sellerId, createdAt: by.at })
        await addAuditEntry(transaction, by, { action: "create campaign", subject: slug, organizationId: sellerId })
        return slug
      }),
    edit: (sellerId, slug, { name, buyer }, by) =>
      change(async (transaction) => {
        const found = await soldCampaign(transaction, sellerId, slug)
        if (found === undefined || !found.alone) return "not found"
        const before = { name: found.name, buyer: found.buyer }
        if (isStale(by.seen, campaignFields(before.name, before.buyer))) return "changed"
        const buyerId = await buyerIdOf(transaction, buyer, by)
        if (buyerId === null) return "not found"
        await transaction.drizzle.update(campaign).set({ name, buyerId }).where(eq(campaign.id, found.id))
        const after = await soldCampaign(transaction, sellerId, slug)
        const details = { before, after: after && { name: after.name, buyer: after.buyer } }
        const what = { action: "edit campaign", subject: slug, organizationId: sellerId, details }
        await addAuditEntry(transaction, by, what)
        return "done"
      }),
    addLine: (sellerId, slug, line, by) =>
      change(async (transaction) => {
        const found = await soldCampaign(transaction, sellerId, slug)
        if (found === undefined) return false
        const row = { ...line, campaignId: found.id, sellerId, createdAt: by.at }
        await refuseTaken(transaction, row)
        await transaction.drizzle.insert(packageLine).values(row)
        const what = { action: "create line", subject: line.packageId, organizationId: sellerId }
        await addAuditEntry(transaction, by, what)
        return true
      }),
    editLine: (sellerId, packageId, { pricingBasis, ...fields }, by) =>
      change(async (transaction) => {
        if (!isStorable(packageId)) return "not found"
        const { drizzle } = transaction
        const own = and(eq(packageLine.packageId, packageId), eq(packageLine.sellerId, sellerId))
        const [edited] = await drizzle.select().from(packageLine).where(own)
        if (edited === undefined) return "not found"
        if (isStale(by.seen, lineFields(edited))) return "changed"
        await refuseTaken(transaction, { packageId, sellerId, externalId: fields.externalId })
        // No report can come in between: figures wait for the end of a change, on every replica.
        const isFixed = await hasFigures(transaction, edited.id)
        await drizzle
          .update(packageLine)
          .set({ ...fields, ...(!isFixed && { pricingBasis }) })
          .where(own)
        await addAuditEntry(transaction, by, { action: "edit line", subject: packageId, organizationId: sellerId })
        return "done"
      }),
  }
}

type ExternallyNamed = Pick<typeof packageLine.$inferSelect, "packageId" | "sellerId" | "externalId">

async function refuseTaken({ drizzle }: Session, { packageId, sellerId, externalId }: ExternallyNamed): Promise<void> {
  if (externalId === null) return
  const same = and(eq(packageLine.sellerId, sellerId), eq(packageLine.externalId, externalId))
  const other = drizzle.select({ id: packageLine.id }).from(packageLine)
  if ((await other.where(and(same, ne(packageLine.packageId, packageId)))).length > 0) throw new ExternalIdTaken()
}

async function slugFor(
  { drizzle }: Session,
  table: typeof campaign | typeof organization,
  name: string,
): Promise<string> {
  const wanted = slugOf(name)
  const taken = await drizzle
    .select({ slug: table.slug })
    .from(table)
    .where(or(eq(table.slug, wanted), like(table.slug, `${wanted}-%`)))
  return freeSlug(wanted, new Set(taken.map(({ slug }) => slug)))
}

async function buyerIdOf(transaction: Session, choice: BuyerChoice, by: Change): Promise<number | null> {
  const { drizzle } = transaction
  const { id } = organization
  if ("slug" in choice) {
    if (!isStorable(choice.slug)) return null
    const [found] = await drizzle.select({ id }).from(organization).where(eq(organization.slug, choice.slug))
    return found?.id ?? null
  }
  const slug = await slugFor(transaction, organization, choice.newName)
  const row = { slug, name: choice.newName, timeZone: TIME_ZONE_DEFAULT, createdAt: by.at }
  const made = only(await drizzle.insert(organization).values(row).returning({ id }))
  await addAuditEntry(transaction, by, { action: "create organization", subject: slug, organizationId: made.id })
  return made.id
}

const SOLD_CAMPAIGN = `
  SELECT c.id, c.name, b.slug AS buyer,
    NOT EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = c.id AND l.seller_id < $1)
      AND NOT EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = c.id AND l.seller_id > $1) AS alone
  FROM campaign c JOIN organization b ON b.id = c.buyer_id
  WHERE c.slug = $2 AND EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = c.id AND l.seller_id = $1)`

interface SoldCampaign {
  readonly id: number
  readonly name: string
  /** The buyer's slug. */
  readonly buyer: string
  /** Whether no other organization sells a line of it. */
  readonly alone: boolean
}

/** The campaign with this slug, if the organization sells a line of it. */
export async function soldCampaign(
  { rows }: Session,
  sellerId: number,
  slug: string,
): Promise<SoldCampaign | undefined> {
  if (!isStorable(slug)) return undefined
  const [found] = await rows<SoldCampaign>(SOLD_CAMPAIGN, [sellerId, slug])
  return found
}

function only<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Error("nothing was inserted")
  return row
}
