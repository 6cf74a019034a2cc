import { and, eq } from "drizzle-orm"
import type { Change } from "../../../domain/people/audit.ts"
import type { Campaigns } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { campaign, packageLine, shareLink } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"
import { hasFigures, soldCampaign } from "./campaign-edits.ts"

type Removals = Pick<Campaigns, "archive" | "archiveLine" | "remove" | "removeLine">

/** Archiving and deleting by sellers. Only what has no figures is ever deleted. */
export function campaignRemovals(connection: Connection): Removals {
  const { drizzle, write } = connection

  function note(change: Change, action: string, subject: string, organizationId: number): void {
    addAuditEntry(connection, change, { action, subject, organizationId })
  }

  function ownLine(sellerId: number, packageId: string) {
    const own = and(eq(packageLine.packageId, packageId), eq(packageLine.sellerId, sellerId))
    return drizzle.select().from(packageLine).where(own).get()
  }

  const linesOf = (campaignId: number) =>
    drizzle.select({ id: packageLine.id }).from(packageLine).where(eq(packageLine.campaignId, campaignId)).all()

  return {
    archive: (sellerId, slug, isArchived, change) =>
      write.run(() => {
        const found = soldCampaign(connection, sellerId, slug, true)
        if (found === undefined) return false
        const archived = Number(isArchived)
        const changing = and(eq(campaign.id, found.id), eq(campaign.archived, 1 - archived))
        const changed = drizzle.update(campaign).set({ archived }).where(changing).returning({ id: campaign.id }).all()
        if (changed.length === 0) return false
        note(change, `${isArchived ? "archive" : "unarchive"} campaign`, slug, sellerId)
        return true
      }),
    archiveLine: (sellerId, packageId, isArchived, change) =>
      write.run(() => {
        const line = ownLine(sellerId, packageId)
        const archived = Number(isArchived)
        if (line === undefined || line.archived === archived) return false
        drizzle.update(packageLine).set({ archived }).where(eq(packageLine.id, line.id)).run()
        note(change, `${isArchived ? "archive" : "unarchive"} line`, packageId, sellerId)
        return true
      }),
    remove: (sellerId, slug, change) =>
      write.run(() => {
        const found = soldCampaign(connection, sellerId, slug, true)
        if (found === undefined) return "not found"
        if (linesOf(found.id).some(({ id }) => hasFigures(connection, id))) return "has figures"
        drizzle.delete(shareLink).where(eq(shareLink.campaignId, found.id)).run()
        drizzle.delete(packageLine).where(eq(packageLine.campaignId, found.id)).run()
        drizzle.delete(campaign).where(eq(campaign.id, found.id)).run()
        note(change, "remove campaign", slug, sellerId)
        return "done"
      }),
    removeLine: (sellerId, packageId, change) =>
      write.run(() => {
        const line = ownLine(sellerId, packageId)
        if (line === undefined) return "not found"
        if (hasFigures(connection, line.id)) return "has figures"
        if (linesOf(line.campaignId).length === 1) return "last line"
        drizzle.delete(packageLine).where(eq(packageLine.id, line.id)).run()
        note(change, "remove line", packageId, sellerId)
        return "done"
      }),
  }
}
