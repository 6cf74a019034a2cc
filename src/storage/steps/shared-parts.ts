import type { Store } from "../port/store.ts"
import { alertReads } from "./alerts.ts"
import { keyUses } from "./behind/key-uses.ts"
import { refusals } from "./behind/refusals.ts"
import { campaignLineReads } from "./campaign-lines.ts"
import { campaignReads } from "./campaigns.ts"
import { importExportReads } from "./export.ts"
import { invitationReads } from "./invitations.ts"
import { agentKeyReads, ingestKeyReads } from "./keys.ts"
import { memberReads } from "./members.ts"
import { organizationReads } from "./organizations.ts"
import { settingReads } from "./settings.ts"
import { linkClaimReads, twoFactorReads } from "./sign-in.ts"
import type { BulkSteps, LaterSteps, Steps } from "./step.ts"
import { uploadReads } from "./uploads.ts"
import { userReads } from "./users.ts"

/** The parts of a store that are wholly the same on both engines. */
export function sharedParts(steps: Steps & BulkSteps, later: LaterSteps) {
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
    flushWriteBuffer: later.flush,
  } satisfies Partial<Store>
}
