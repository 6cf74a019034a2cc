import type { LineViewer } from "../../domain/delivery/line-viewer.ts"
import type { HistoryCursor } from "../port/deliveries.ts"
import { affiliateFigures } from "./affiliate-figures.ts"
import { auditReads } from "./audit.ts"
import { agentCallLog } from "./behind/call-log.ts"
import { keyUses, refusals } from "./behind/counts.ts"
import { feedActivity } from "./behind/feed-activity.ts"
import { campaignLineReads } from "./campaign-lines.ts"
import { campaignReads, shareLinkReads } from "./campaigns.ts"
import { catalogueContents, catalogueReads } from "./catalogue.ts"
import { historyReads, pageOf } from "./delivery-history.ts"
import { importExportReads } from "./export.ts"
import { agentKeyReads, ingestKeyReads } from "./keys.ts"
import { lineDays } from "./line-days.ts"
import { alertReads, settingReads, sharedHealth } from "./operations.ts"
import { organizationReads } from "./organizations.ts"
import { packageLineReads } from "./package-lines.ts"
import { orderLinkReads, orderReads, statementReads } from "./sales.ts"
import { invitationReads, linkClaimReads, sessionReads, twoFactorReads } from "./sign-in.ts"
import { type BulkSteps, type LaterSteps, reads, type Steps } from "./step.ts"
import { uploadReads } from "./uploads.ts"
import { memberReads, userReads } from "./users.ts"

/** What is the same on both engines; to the last two, each engine adds what it does in its own way. */
export function sharedParts(steps: Steps & BulkSteps, later: LaterSteps) {
  const { transact, transactBeside, transactBulk, query, queryMoment } = steps
  return {
    ...{ transact, transactBeside, transactBulk, query },
    organizations: reads(steps, organizationReads),
    users: reads(steps, userReads),
    linkClaims: reads(steps, linkClaimReads),
    invitations: reads(steps, invitationReads),
    sessions: reads(steps, sessionReads),
    twoFactor: reads(steps, twoFactorReads),
    members: reads(steps, memberReads),
    campaigns: reads(steps, { ...campaignReads, ...campaignLineReads }),
    shareLinks: reads(steps, shareLinkReads),
    orders: reads(steps, orderReads),
    orderLinks: reads(steps, orderLinkReads),
    statements: reads(steps, statementReads),
    packageLines: reads(steps, packageLineReads),
    alerts: reads(steps, alertReads),
    settings: reads(steps, settingReads),
    uploads: reads(steps, uploadReads),
    ingestKeys: { ...reads(steps, ingestKeyReads), noteUse: keyUses(later, "ingestKey") },
    agentKeys: { ...reads(steps, agentKeyReads), noteUse: keyUses(later, "agentKey") },
    importExport: importExportReads(steps),
    refusals: refusals(steps, later),
    feedActivity: feedActivity(steps, later),
    agentCallLog: agentCallLog(steps, later),
    audit: auditReads(steps),
    affiliateFigures: affiliateFigures(steps),
    deliveryHistory: {
      ...reads(steps, historyReads),
      /** See `pageOf`. `next` is where the next page starts; null when there is none. */
      page: (lineId: number, viewer: LineViewer, from: HistoryCursor | null, limit: number) =>
        queryMoment((tx) => pageOf(tx, lineId, viewer, { from, limit })),
      ...lineDays(steps),
    },
    /** Writes what is buffered for the next commit: calls, refusals, what keys sent and when they were used. */
    flushWriteBuffer: later.flush,
    /** The contents are products, formats and the revision, all read at the same moment. */
    catalogue: {
      ...reads(steps, catalogueReads),
      contents: () => queryMoment(catalogueContents),
    },
    health: sharedHealth(steps),
  }
}
