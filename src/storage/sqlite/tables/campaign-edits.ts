import { and, eq, like, ne, or } from "drizzle-orm"
import { campaignFields } from "../../../domain/campaign/buyer-choice.ts"
import { lineFields } from "../../../domain/campaign/line-fields.ts"
import { freeSlug, slugOf } from "../../../domain/campaign/slug.ts"
import { isStale } from "../../../domain/edit-conflict.ts"
import type { Change } from "../../../domain/people/audit.ts"
import { TIME_ZONE_DEFAULT } from "../../../domain/people/organization.ts"
import { ExternalIdTaken } from "../../port/delivery/external-id-taken.ts"
import type { BuyerChoice, Campaigns } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { affiliatePlacement, campaign, deliveryTotal, organization, packageLine, withdrawnReport } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"

type Edits = Pick<Campaigns, "create" | "edit" | "addLine" | "editLine">

/** Changes by sellers. Every statement that finds what to change also checks who owns it. */
export function campaignEdits(connection: Connection): Edits {
  const { drizzle, write } = connection
  return {
    create: (sellerId, { name, buyer }, line, change) =>
      write.run(() => {
        const boughtBy = buyerId(connection, buyer, change)
        if (boughtBy === null) return null
        const slug = slugFor(connection, campaign, name)
        const values = { slug, name, buyerId: boughtBy, createdAt: change.at }
        const { id } = drizzle.insert(campaign).values(values).returning({ id: campaign.id }).get()
        addLine(connection, { ...line, campaignId: id, sellerId, createdAt: change.at })
        addAuditEntry(connection, change, { action: "create campaign", subject: slug, organizationId: sellerId })
        return slug
      }),
    edit: (sellerId, slug, { name, buyer }, change) =>
      write.run(() => {
        const found = soldCampaign(connection, sellerId, slug, true)
        const before = found && namesOf(connection, found.id)
        if (found === undefined || before === undefined) return "not found"
        if (isStale(change.seen, campaignFields(before.name, before.buyer))) return "changed"
        const boughtBy = buyerId(connection, buyer, change)
        if (boughtBy === null) return "not found"
        drizzle.update(campaign).set({ name, buyerId: boughtBy }).where(eq(campaign.id, found.id)).run()
        const details = { before, after: namesOf(connection, found.id) }
        addAuditEntry(connection, change, { action: "edit campaign", subject: slug, organizationId: sellerId, details })
        return "done"
      }),
    addLine: (sellerId, slug, line, change) =>
      write.run(() => {
        const found = soldCampaign(connection, sellerId, slug, false)
        if (found === undefined) return false
        addLine(connection, { ...line, campaignId: found.id, sellerId, createdAt: change.at })
        addAuditEntry(connection, change, { action: "create line", subject: line.packageId, organizationId: sellerId })
        return true
      }),
    editLine: (sellerId, packageId, { pricingBasis, ...fields }, change) =>
      write.run(() => {
        const own = and(eq(packageLine.packageId, packageId), eq(packageLine.sellerId, sellerId))
        const edited = drizzle.select().from(packageLine).where(own).get()
        if (edited === undefined) return "not found"
        if (isStale(change.seen, lineFields(edited))) return "changed"
        refuseTaken(connection, { packageId, sellerId, externalId: fields.externalId })
        drizzle.update(packageLine).set(fields).where(own).run()
        if (!hasFigures(connection, edited.id)) drizzle.update(packageLine).set({ pricingBasis }).where(own).run()
        addAuditEntry(connection, change, { action: "edit line", subject: packageId, organizationId: sellerId })
        return "done"
      }),
  }
}

export function hasFigures({ drizzle }: Connection, lineId: number): boolean {
  const total = drizzle.select({ id: deliveryTotal.lineId }).from(deliveryTotal)
  const withdrawn = drizzle.select({ id: withdrawnReport.lineId }).from(withdrawnReport)
  const code = drizzle.select({ id: affiliatePlacement.lineId }).from(affiliatePlacement)
  return (
    total.where(eq(deliveryTotal.lineId, lineId)).get() !== undefined ||
    withdrawn.where(eq(withdrawnReport.lineId, lineId)).limit(1).get() !== undefined ||
    code.where(eq(affiliatePlacement.lineId, lineId)).limit(1).get() !== undefined
  )
}

function addLine(connection: Connection, line: typeof packageLine.$inferInsert): void {
  const { packageId, sellerId, externalId = null } = line
  refuseTaken(connection, { packageId, sellerId, externalId })
  connection.drizzle.insert(packageLine).values(line).run()
}

type ExternallyNamed = Pick<typeof packageLine.$inferSelect, "packageId" | "sellerId" | "externalId">

function refuseTaken({ drizzle }: Connection, { packageId, sellerId, externalId }: ExternallyNamed): void {
  if (externalId === null) return
  const same = and(eq(packageLine.sellerId, sellerId), eq(packageLine.externalId, externalId))
  const other = drizzle.select({ id: packageLine.id }).from(packageLine)
  if (other.where(and(same, ne(packageLine.packageId, packageId))).get() !== undefined) throw new ExternalIdTaken()
}

function slugFor({ drizzle }: Connection, table: typeof campaign | typeof organization, name: string): string {
  const wanted = slugOf(name)
  const taken = drizzle
    .select({ slug: table.slug })
    .from(table)
    .where(or(eq(table.slug, wanted), like(table.slug, `${wanted}-%`)))
    .all()
  return freeSlug(wanted, new Set(taken.map(({ slug }) => slug)))
}

/** The id of the chosen buyer, which is created if it is new. */
function buyerId(connection: Connection, choice: BuyerChoice, change: Change): number | null {
  const { drizzle } = connection
  if ("slug" in choice) {
    const found = drizzle.select({ id: organization.id }).from(organization).where(eq(organization.slug, choice.slug))
    return found.get()?.id ?? null
  }
  const slug = slugFor(connection, organization, choice.newName)
  const values = { slug, name: choice.newName, timeZone: TIME_ZONE_DEFAULT, createdAt: change.at }
  const { id } = drizzle.insert(organization).values(values).returning({ id: organization.id }).get()
  addAuditEntry(connection, change, { action: "create organization", subject: slug, organizationId: id })
  return id
}

/** The campaign with this slug, if the organization sells a line of it; with `alone`, only if no other organization does. */
export function soldCampaign(connection: Connection, sellerId: number, slug: string, alone: boolean) {
  const { drizzle } = connection
  const own = drizzle
    .select({ id: campaign.id })
    .from(campaign)
    .innerJoin(packageLine, eq(packageLine.campaignId, campaign.id))
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

function namesOf({ drizzle }: Connection, id: number): { readonly name: string; readonly buyer: string } | undefined {
  const rows = drizzle.select({ name: campaign.name, buyer: organization.slug }).from(campaign)
  return rows.innerJoin(organization, eq(organization.id, campaign.buyerId)).where(eq(campaign.id, id)).get()
}
