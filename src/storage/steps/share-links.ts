import type { ShareLinkReads } from "../port/store.ts"
import { all, and, desc, eq, first, type ReadTx, type Steps } from "./step.ts"

const LISTED_MAX = 100

export function shareLinkReads({ query }: Pick<Steps, "query">): Omit<ShareLinkReads, "findByToken"> {
  return {
    list: (organizationId, campaignId) =>
      query((tx) => {
        const { db, shareLink } = tx
        const rows = db
          .select(columnsOf(shareLink))
          .from(shareLink)
          .where(linksOf(tx, organizationId, campaignId))
        return all(rows.orderBy(desc(shareLink.createdAt), desc(shareLink.id)).limit(LISTED_MAX))
      }),
    find: (organizationId, campaignId, id) =>
      query(function* (tx) {
        const rows = tx.db.select(columnsOf(tx.shareLink)).from(tx.shareLink)
        return (yield* first(rows.where(shareLinkIs(tx, organizationId, campaignId, id)))) ?? null
      }),
  }
}

export function shareLinkIs(tx: ReadTx, organizationId: number, campaignId: number, id: number) {
  return and(eq(tx.shareLink.id, id), linksOf(tx, organizationId, campaignId))
}

function linksOf({ shareLink }: ReadTx, organizationId: number, campaignId: number) {
  return and(eq(shareLink.organizationId, organizationId), eq(shareLink.campaignId, campaignId))
}

function columnsOf({ id, label, createdAt, expiresAt, revokedAt }: ReadTx["shareLink"]) {
  return { id, label, createdAt, expiresAt, revokedAt }
}
