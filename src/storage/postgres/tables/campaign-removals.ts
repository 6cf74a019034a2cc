import { and, eq } from "drizzle-orm"
import type { Change } from "../../../domain/people/audit.ts"
import type { Campaigns } from "../../port/store.ts"
import { isStorable } from "../../steps/storable.ts"
import type { Connection } from "../engine/connection.ts"
import type { Session } from "../engine/session.ts"
import { campaign, packageLine, shareLink } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"
import { soldCampaign } from "./campaign-edits.ts"
import { hasFigures } from "./delivery/has-figures.ts"

type Removals = Pick<Campaigns, "archive" | "archiveLine" | "remove" | "removeLine">

/** Archiving and deleting by sellers. Only what has no figures is ever deleted. */
export function campaignRemovals({ change }: Connection): Removals {
  return {
    archive: (sellerId, slug, isArchived, by) =>
      change(async (transaction) => {
        const found = await soldCampaign(transaction, sellerId, slug)
        if (found === undefined || !found.alone) return false
        const archived = Number(isArchived)
        const changing = and(eq(campaign.id, found.id), eq(campaign.archived, 1 - archived))
        const updating = transaction.drizzle.update(campaign).set({ archived }).where(changing)
        if ((await updating.returning({ id: campaign.id })).length === 0) return false
        await note(transaction, by, `${isArchived ? "archive" : "unarchive"} campaign`, slug, sellerId)
        return true
      }),
    archiveLine: (sellerId, packageId, isArchived, by) =>
      change(async (transaction) => {
        const line = await ownLine(transaction, sellerId, packageId)
        const archived = Number(isArchived)
        if (line === undefined || line.archived === archived) return false
        await transaction.drizzle.update(packageLine).set({ archived }).where(eq(packageLine.id, line.id))
        await note(transaction, by, `${isArchived ? "archive" : "unarchive"} line`, packageId, sellerId)
        return true
      }),
    // No report can come in between: figures wait for the end of a change, on every replica.
    remove: (sellerId, slug, by) =>
      change(async (transaction) => {
        const { drizzle } = transaction
        const found = await soldCampaign(transaction, sellerId, slug)
        if (found === undefined || !found.alone) return "not found"
        for (const { id } of await linesOf(transaction, found.id))
          if (await hasFigures(transaction, id)) return "has figures"
        await drizzle.delete(shareLink).where(eq(shareLink.campaignId, found.id))
        await drizzle.delete(packageLine).where(eq(packageLine.campaignId, found.id))
        await drizzle.delete(campaign).where(eq(campaign.id, found.id))
        await note(transaction, by, "remove campaign", slug, sellerId)
        return "done"
      }),
    removeLine: (sellerId, packageId, by) =>
      change(async (transaction) => {
        const line = await ownLine(transaction, sellerId, packageId)
        if (line === undefined) return "not found"
        if (await hasFigures(transaction, line.id)) return "has figures"
        if ((await linesOf(transaction, line.campaignId)).length === 1) return "last line"
        await transaction.drizzle.delete(packageLine).where(eq(packageLine.id, line.id))
        await note(transaction, by, "remove line", packageId, sellerId)
        return "done"
      }),
  }
}

function note(session: Session, by: Change, action: string, subject: string, organizationId: number): Promise<void> {
  return addAuditEntry(session, by, { action, subject, organizationId })
}

async function ownLine({ drizzle }: Session, sellerId: number, packageId: string) {
  if (!isStorable(packageId)) return undefined
  const own = and(eq(packageLine.packageId, packageId), eq(packageLine.sellerId, sellerId))
  const [line] = await drizzle.select().from(packageLine).where(own)
  return line
}

function linesOf({ drizzle }: Session, campaignId: number) {
  return drizzle.select({ id: packageLine.id }).from(packageLine).where(eq(packageLine.campaignId, campaignId))
}
