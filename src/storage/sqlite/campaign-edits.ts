import { and, eq, like, ne, or } from "drizzle-orm"
import type { Change } from "../../domain/audit.ts"
import { TIME_ZONE_DEFAULT } from "../../domain/organization.ts"
import { freeSlug, slugOf } from "../../domain/slug.ts"
import type { BuyerChoice, Campaigns } from "../store.ts"
import { keepTrail } from "./audit.ts"
import type { Connection } from "./connection.ts"
import { affiliatePlacement, campaign, deliveryTotal, organization, packageLine } from "./schema.ts"

type Edits = Pick<Campaigns, "create" | "rename" | "addLine" | "editLine">

/** What sellers change. Ownership is part of every statement that finds what is changed. */
export function campaignEdits(connection: Connection): Edits {
  const { drizzle, write } = connection

  function slugFor(table: typeof campaign | typeof organization, name: string): string {
    const wanted = slugOf(name)
    const taken = drizzle
      .select({ slug: table.slug })
      .from(table)
      .where(or(eq(table.slug, wanted), like(table.slug, `${wanted}-%`)))
      .all()
    return freeSlug(wanted, new Set(taken.map(({ slug }) => slug)))
  }

  function buyerId(choice: BuyerChoice, change: Change): number | null {
    if ("slug" in choice) {
      const found = drizzle.select({ id: organization.id }).from(organization).where(eq(organization.slug, choice.slug))
      return found.get()?.id ?? null
    }
    const slug = slugFor(organization, choice.newName)
    const values = { slug, name: choice.newName, timeZone: TIME_ZONE_DEFAULT, createdAt: change.at }
    const { id } = drizzle.insert(organization).values(values).returning({ id: organization.id }).get()
    keepTrail(connection, change, { action: "create organization", subject: slug, organizationId: id })
    return id
  }

  /** The campaign of this slug in which the organization sells; with `alone`, only if nobody else does. */
  function soldCampaign(sellerId: number, slug: string, alone: boolean): { id: number } | undefined {
    const lines = drizzle
      .select({ id: campaign.id, sellerId: packageLine.sellerId })
      .from(campaign)
      .innerJoin(packageLine, eq(packageLine.campaignId, campaign.id))
    const own = lines
      .where(and(eq(campaign.slug, slug), eq(packageLine.sellerId, sellerId)))
      .limit(1)
      .get()
    if (own === undefined || !alone) return own
    const other = drizzle
      .select({ id: packageLine.id })
      .from(packageLine)
      .where(and(eq(packageLine.campaignId, own.id), ne(packageLine.sellerId, sellerId)))
    return other.limit(1).get() === undefined ? own : undefined
  }

  return {
    create: (sellerId, { name, buyer }, line, change) =>
      write.run(() => {
        const boughtBy = buyerId(buyer, change)
        if (boughtBy === null) return null
        const slug = slugFor(campaign, name)
        const { id } = drizzle
          .insert(campaign)
          .values({ slug, name, buyerId: boughtBy, createdAt: change.at })
          .returning({ id: campaign.id })
          .get()
        drizzle
          .insert(packageLine)
          .values({ ...line, campaignId: id, sellerId, createdAt: change.at })
          .run()
        keepTrail(connection, change, { action: "create campaign", subject: slug, organizationId: sellerId })
        return slug
      }),
    rename: (sellerId, slug, name, change) =>
      write.run(() => {
        const found = soldCampaign(sellerId, slug, true)
        if (found === undefined) return false
        drizzle.update(campaign).set({ name }).where(eq(campaign.id, found.id)).run()
        keepTrail(connection, change, { action: "edit campaign", subject: slug, organizationId: sellerId })
        return true
      }),
    addLine: (sellerId, slug, line, change) =>
      write.run(() => {
        const found = soldCampaign(sellerId, slug, false)
        if (found === undefined) return false
        drizzle
          .insert(packageLine)
          .values({ ...line, campaignId: found.id, sellerId, createdAt: change.at })
          .run()
        keepTrail(connection, change, { action: "create line", subject: line.packageId, organizationId: sellerId })
        return true
      }),
    editLine: (sellerId, packageId, { pricingBasis, ...fields }, change) =>
      write.run(() => {
        const own = and(eq(packageLine.packageId, packageId), eq(packageLine.sellerId, sellerId))
        const [edited] = drizzle.update(packageLine).set(fields).where(own).returning({ id: packageLine.id }).all()
        if (edited === undefined) return false
        const figures =
          drizzle.select().from(deliveryTotal).where(eq(deliveryTotal.lineId, edited.id)).get() ??
          drizzle.select().from(affiliatePlacement).where(eq(affiliatePlacement.lineId, edited.id)).limit(1).get()
        if (figures === undefined) drizzle.update(packageLine).set({ pricingBasis }).where(own).run()
        keepTrail(connection, change, { action: "edit line", subject: packageId, organizationId: sellerId })
        return true
      }),
  }
}
