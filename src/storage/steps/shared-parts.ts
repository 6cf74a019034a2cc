import type { Store } from "../port/store.ts"
import { affiliateFigures } from "./affiliate-figures.ts"
import { alertReads } from "./alerts.ts"
import { auditReads } from "./audit.ts"
import { agentCallLog } from "./behind/call-log.ts"
import { feedActivity } from "./behind/feed-activity.ts"
import { keyUses } from "./behind/key-uses.ts"
import { refusals } from "./behind/refusals.ts"
import { campaignLineReads } from "./campaign-lines.ts"
import { campaignReads } from "./campaigns.ts"
import { catalogueReads } from "./catalogue.ts"
import { closingDays } from "./closing-days.ts"
import { historyReads } from "./delivery-history.ts"
import { importExportReads } from "./export.ts"
import { sharedHealth } from "./health.ts"
import { invitationReads } from "./invitations.ts"
import { agentKeyReads, ingestKeyReads } from "./keys.ts"
import { memberReads } from "./members.ts"
import { organizationReads } from "./organizations.ts"
import { packageLineReads } from "./package-lines.ts"
import { settingReads } from "./settings.ts"
import { shareLinkReads } from "./share-links.ts"
import { linkClaimReads, sessionReads, twoFactorReads } from "./sign-in.ts"
import type { BulkSteps, LaterSteps, Steps } from "./step.ts"
import { uploadReads } from "./uploads.ts"
import { userReads } from "./users.ts"

/** What is the same on both engines; to the last three, each engine adds what it does in its own way. */
export function sharedParts(steps: Steps & BulkSteps, later: LaterSteps) {
  const days = closingDays(steps)
  const { transact, transactBeside, transactBulk, query } = steps
  return {
    ...{ transact, transactBeside, transactBulk, query },
    organizations: organizationReads(steps),
    users: userReads(steps),
    linkClaims: linkClaimReads(steps),
    invitations: invitationReads(steps),
    twoFactor: twoFactorReads(steps),
    members: memberReads(steps),
    campaigns: { ...campaignReads(steps), ...campaignLineReads(steps) },
    ingestKeys: { ...ingestKeyReads(steps), noteUse: keyUses(later, "ingestKey") },
    agentKeys: { ...agentKeyReads(steps), noteUse: keyUses(later, "agentKey") },
    importExport: importExportReads(steps),
    refusals: refusals(steps, later),
    alerts: alertReads(steps),
    settings: settingReads(steps),
    uploads: uploadReads(steps),
    sessions: sessionReads(steps),
    shareLinks: shareLinkReads(steps),
    packageLines: packageLineReads(steps),
    feedActivity: feedActivity(steps, later),
    agentCallLog: agentCallLog(steps, later),
    audit: auditReads(steps),
    affiliateFigures: affiliateFigures(steps),
    deliveryHistory: { ...historyReads(steps), days: days.days },
    flushWriteBuffer: later.flush,
    deliveries: { makeDays: days.makeDays },
    catalogue: catalogueReads(steps),
    health: sharedHealth(steps),
  } satisfies { readonly [Part in keyof Store]?: Partial<Store[Part]> }
}
