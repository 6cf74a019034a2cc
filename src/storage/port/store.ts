import type { affiliateFigures } from "../steps/affiliate-figures.ts"
import type { alertReads } from "../steps/alerts.ts"
import type { auditReads } from "../steps/audit.ts"
import type { agentCallLog } from "../steps/behind/call-log.ts"
import type { refusals } from "../steps/behind/refusals.ts"
import type { campaignLineReads } from "../steps/campaign-lines.ts"
import type { campaignReads } from "../steps/campaigns.ts"
import type { catalogueReads } from "../steps/catalogue.ts"
import type { historyReads } from "../steps/delivery-history.ts"
import type { invitationReads } from "../steps/invitations.ts"
import type { agentKeyReads, ingestKeyReads } from "../steps/keys.ts"
import type { linkClaimReads } from "../steps/one-time-links.ts"
import type { organizationReads } from "../steps/organizations.ts"
import type { packageLineReads } from "../steps/package-lines.ts"
import type { settingReads } from "../steps/settings.ts"
import type { shareLinkReads } from "../steps/share-links.ts"
import type { sessionReads, twoFactorReads } from "../steps/sign-in.ts"
import type { BulkSteps, Reads, Steps } from "../steps/step.ts"
import type { uploadReads } from "../steps/uploads.ts"
import type { memberReads, userReads } from "../steps/users.ts"
import type { Admissions } from "./admissions.ts"
import type { AffiliateReads, AffiliateWrites } from "./affiliates.ts"
import type { CatalogueMoments } from "./catalogue.ts"
import type { DeliveryReads, DeliveryWrites, LineHistory } from "./delivery/deliveries.ts"
import type { FeedActivityReads, FeedActivityWrites } from "./delivery/feed-activity.ts"
import type { HealthReads, HealthWrites } from "./health.ts"
import type { ImportExportReads } from "./import-export.ts"
import type { KeyWrites } from "./keys.ts"
import type { Leases } from "./leases.ts"
import type { SignInThrottle } from "./people/sign-in-throttle.ts"

export type { Invitation, NewMember, OpenInvitation } from "../steps/invitations.ts"
export type { OrganizationOverview, OrganizationStanding } from "../steps/organizations.ts"
export type { ShareLink } from "../steps/share-links.ts"
export type { ListedSession, SessionRecord, SignedIn } from "../steps/sign-in.ts"
export type { UploadPartKind } from "../steps/uploads.ts"
export type { Member, UserHead } from "../steps/users.ts"
export type * from "./admissions.ts"
export type * from "./affiliate-figures.ts"
export type * from "./affiliates.ts"
export type * from "./audit.ts"
export type * from "./call-log.ts"
export type * from "./campaigns.ts"
export type * from "./catalogue.ts"
export type * from "./delivery/deliveries.ts"
export type * from "./delivery/feed-activity.ts"
export type * from "./delivery/package-lines.ts"
export type * from "./delivery/seller-terms.ts"
export type * from "./health.ts"
export type * from "./import-export.ts"
export type * from "./keys.ts"
export type * from "./leases.ts"
export type * from "./page-request.ts"
export type * from "./people/sign-in-throttle.ts"
export type * from "./settings.ts"

// Everything that is stored, as actions see it. Plain reads are steps, and their types follow from them; the rest has a file for each
// noun. Rules that check and write are steps (../steps/step.ts), run by `transact`; each method here that writes is a transaction of its own. Whatever takes a `Change` adds
// its entry to the audit trail in the same transaction.

type AgentCallLog = ReturnType<typeof agentCallLog>
export type FoundCalls = Awaited<ReturnType<AgentCallLog["search"]>>
type CallLogWrites = "note" | "keepWithin" | "prune"
type Refusals = ReturnType<typeof refusals>

/** Everything that can be read, except secrets. Doors get only this, so that a door that writes does not compile. */
export interface StoreReads {
  readonly organizations: Reads<typeof organizationReads>
  readonly users: Reads<typeof userReads>
  readonly linkClaims: Reads<typeof linkClaimReads>
  readonly invitations: Reads<typeof invitationReads>
  readonly sessions: Reads<typeof sessionReads>
  readonly twoFactor: Reads<typeof twoFactorReads>
  readonly members: Reads<typeof memberReads>
  readonly campaigns: Reads<typeof campaignReads & typeof campaignLineReads>
  readonly shareLinks: Reads<typeof shareLinkReads>
  readonly deliveryHistory: Reads<typeof historyReads> & LineHistory
  readonly packageLines: Reads<typeof packageLineReads>
  readonly deliveries: DeliveryReads
  readonly affiliates: AffiliateReads
  readonly ingestKeys: Reads<typeof ingestKeyReads>
  readonly agentKeys: Reads<typeof agentKeyReads>
  readonly catalogue: Reads<typeof catalogueReads> & CatalogueMoments
  readonly importExport: ImportExportReads
  readonly audit: ReturnType<typeof auditReads>
  readonly agentCallLog: Omit<AgentCallLog, CallLogWrites>
  readonly refusals: Pick<Refusals, "since">
  readonly feedActivity: FeedActivityReads
  readonly affiliateFigures: ReturnType<typeof affiliateFigures>
  readonly alerts: Reads<typeof alertReads>
  readonly settings: Reads<typeof settingReads>
  readonly uploads: Reads<typeof uploadReads>
  readonly health: HealthReads
  /**
   * The handler of a request, all of whose steps share one deadline, so that a database that hangs keeps nobody waiting once for each step.
   * A file answers at once: SQLite gives back the handler itself.
   */
  withOneDeadline<Given extends readonly unknown[], Result>(
    handle: (...given: Given) => Result,
  ): (...given: Given) => Result
}

/** Everything, password hashes and two-factor secrets too. Only actions read it, with `query`: a door that does so does not compile. */
export type StoreSecrets = Pick<Steps, "query">

/** Everything that can be written. Only actions get it, from `writesOf`. */
export interface StoreWrites extends Pick<Steps, "transact" | "transactBeside">, Pick<BulkSteps, "transactBulk"> {
  readonly deliveries: DeliveryWrites
  readonly affiliates: AffiliateWrites
  readonly ingestKeys: KeyWrites
  readonly agentKeys: KeyWrites
  readonly agentCallLog: Pick<AgentCallLog, CallLogWrites>
  readonly refusals: Omit<Refusals, "since">
  readonly feedActivity: FeedActivityWrites
  readonly admissions: Admissions
  readonly signInThrottle: SignInThrottle
  readonly leases: Leases
  readonly health: HealthWrites
  /** Writes what is buffered for the next commit: calls, refusals, what keys sent and when they were used. */
  flushWriteBuffer(): Promise<void>
}

/** What an engine implements. */
export type Store = StoreReads & StoreSecrets & StoreWrites & AsyncDisposable

/** What the opener of a store holds: it can read and close it. */
export type OpenStore = StoreReads & AsyncDisposable
