import { and, asc, desc, eq, exists, ne, or, sql } from "drizzle-orm"
import { alias } from "drizzle-orm/sqlite-core"
import type { Campaigns } from "../store.ts"
import { campaignEdits } from "./campaign-edits.ts"
import { campaignLines } from "./campaign-lines.ts"
import type { Connection } from "./connection.ts"
import { affiliatePlacement, campaign, deliveryTotal, organization, packageLine } from "./schema.ts"

const buyer = alias(organization, "buyer")
const mine = alias(packageLine, "mine")

export function campaigns(connection: Connection): Campaigns {
  const { drizzle, reading } = connection
  const lines = campaignLines(connection)

  const seenBy = (organizationId: number) =>
    or(
      eq(campaign.buyerId, organizationId),
      exists(
        drizzle
          .select({ one: sql`1` })
          .from(mine)
          .where(and(eq(mine.campaignId, campaign.id), eq(mine.sellerId, organizationId))),
      ),
    )

  const heads = (organizationId: number) =>
    drizzle
      .select({
        id: campaign.id,
        slug: campaign.slug,
        name: campaign.name,
        buyer: { id: buyer.id, slug: buyer.slug, name: buyer.name },
        linesOfOwn: sql<number>`EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = ${campaign.id} AND l.seller_id = ${organizationId})`,
        linesOfOthers: sql<number>`EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = ${campaign.id} AND l.seller_id <> ${organizationId})`,
      })
      .from(campaign)
      .innerJoin(buyer, eq(buyer.id, campaign.buyerId))
      .$dynamic()

  return {
    async list(organizationId, { offset, limit }) {
      reading.join()
      const found = heads(organizationId)
        .where(seenBy(organizationId))
        .orderBy(desc(campaign.createdAt), desc(campaign.id))
        .limit(limit)
        .offset(offset)
        .all()
      return found.map(({ id, slug, name, buyer }) => ({
        id,
        slug,
        name,
        buyer,
        lines: lines.listed(id, organizationId),
      }))
    },
    async find(organizationId, slug, choice) {
      reading.join()
      const found = heads(organizationId)
        .where(and(eq(campaign.slug, slug), seenBy(organizationId)))
        .get()
      if (found === undefined) return null
      const { linesOfOthers, linesOfOwn, ...head } = found
      return {
        ...head,
        sells: linesOfOwn === 1,
        isSoleSeller: linesOfOwn === 1 && linesOfOthers === 0,
        lines: lines.shown(head.id, organizationId, choice),
      }
    },
    async countLines(organizationId, campaignId) {
      return lines.count(campaignId, organizationId)
    },
    async buyers(sellerId) {
      if (sellerId === null) {
        return drizzle
          .select({ slug: organization.slug, name: organization.name })
          .from(organization)
          .orderBy(asc(organization.name))
          .all()
      }
      return drizzle
        .selectDistinct({ slug: buyer.slug, name: buyer.name })
        .from(packageLine)
        .innerJoin(campaign, eq(campaign.id, packageLine.campaignId))
        .innerJoin(buyer, eq(buyer.id, campaign.buyerId))
        .where(and(eq(packageLine.sellerId, sellerId), ne(buyer.id, sellerId)))
        .orderBy(asc(buyer.name))
        .all()
    },
    async hasFigures(lineId) {
      const total = drizzle.select({ id: deliveryTotal.lineId }).from(deliveryTotal)
      const code = drizzle.select({ id: affiliatePlacement.lineId }).from(affiliatePlacement)
      return (
        total.where(eq(deliveryTotal.lineId, lineId)).get() !== undefined ||
        code.where(eq(affiliatePlacement.lineId, lineId)).limit(1).get() !== undefined
      )
    },
    ...campaignEdits(connection),
  }
}
