import { and, asc, eq } from "drizzle-orm"
import type { PricingBasis } from "../../domain/campaign/line.ts"
import type { PacedLine } from "../../domain/campaign/line-state.ts"
import type { ReadTx } from "../database.ts"

/** A line of any seller, as the operator sees it. */
export interface ListedLine extends PacedLine {
  readonly packageId: string
  readonly name: string
  readonly pricingBasis: PricingBasis
  readonly externalId: string | null
  /** The slug of the campaign. */
  readonly campaign: string
  /** The slug of the organization that sells it. */
  readonly seller: string
}

/** The lines of one seller or of all, by campaign. Archived ones are left out. */
export async function listedLines(read: ReadTx, sellerId: number | null): Promise<readonly ListedLine[]> {
  const { db, line, campaign, organization, deliveryTotal } = read
  const isShown = and(eq(line.archived, 0), sellerId === null ? undefined : eq(line.sellerId, sellerId))
  const rows = await db
    .select({
      line,
      campaign: campaign.slug,
      seller: organization.slug,
      timeZone: organization.timeZone,
      total: { asOf: deliveryTotal.asOf, quantity: deliveryTotal.quantity },
    })
    .from(line)
    .innerJoin(campaign, eq(campaign.id, line.campaignId))
    .innerJoin(organization, eq(organization.id, line.sellerId))
    .leftJoin(deliveryTotal, eq(deliveryTotal.lineId, line.id))
    .where(isShown)
    .orderBy(asc(campaign.slug), asc(line.name), asc(line.packageId))
  return rows.map(({ line, ...others }) => ({ ...line, ...others }))
}
