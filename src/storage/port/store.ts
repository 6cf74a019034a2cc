import type { BulkSteps, Steps } from "../steps/step.ts"
import type { Admissions } from "./admissions.ts"
import type { AffiliateFigures } from "./affiliate-figures.ts"
import type { AffiliateReads, AffiliateWrites } from "./affiliates.ts"
import type { AlertReads } from "./alerts.ts"
import type { AuditReads } from "./audit.ts"
import type { AgentCallLogReads, AgentCallLogWrites } from "./call-log.ts"
import type { CampaignReads } from "./campaigns.ts"
import type { CatalogueReads } from "./catalogue.ts"
import type { DeliveryHistory, DeliveryReads, DeliveryWrites } from "./delivery/deliveries.ts"
import type { FeedActivityReads, FeedActivityWrites } from "./delivery/feed-activity.ts"
import type { PackageLines } from "./delivery/package-lines.ts"
import type { UploadReads } from "./delivery/uploads.ts"
import type { HealthReads, HealthWrites } from "./health.ts"
import type { ImportExportReads } from "./import-export.ts"
import type { AgentKeyReads, IngestKeyReads, KeyWrites } from "./keys.ts"
import type { Leases } from "./leases.ts"
import type { OrganizationReads } from "./organizations.ts"
import type { InvitationReads } from "./people/invitations.ts"
import type { MemberReads } from "./people/members.ts"
import type { LinkClaimReads } from "./people/one-time-links.ts"
import type { SessionReads } from "./people/sessions.ts"
import type { SignInThrottle } from "./people/sign-in-throttle.ts"
import type { TwoFactorReads } from "./people/two-factor.ts"
import type { UserReads } from "./people/users.ts"
import type { RefusalReads, RefusalWrites } from "./refusals.ts"
import type { SettingReads } from "./settings.ts"
import type { ShareLinkReads } from "./share-links.ts"

export type * from "./admissions.ts"
export type * from "./affiliate-figures.ts"
export type * from "./affiliates.ts"
export type * from "./alerts.ts"
export type * from "./audit.ts"
export type * from "./call-log.ts"
export type * from "./campaigns.ts"
export type * from "./catalogue.ts"
export type * from "./delivery/deliveries.ts"
export type * from "./delivery/feed-activity.ts"
export type * from "./delivery/package-lines.ts"
export type * from "./delivery/seller-terms.ts"
export type * from "./delivery/uploads.ts"
export type * from "./health.ts"
export type * from "./import-export.ts"
export type * from "./keys.ts"
export type * from "./leases.ts"
export type * from "./organizations.ts"
export type * from "./page-request.ts"
export type * from "./people/invitations.ts"
export type * from "./people/members.ts"
export type * from "./people/one-time-links.ts"
export type * from "./people/sessions.ts"
export type * from "./people/sign-in-throttle.ts"
export type * from "./people/two-factor.ts"
export type * from "./people/users.ts"
export type * from "./refusals.ts"
export type * from "./settings.ts"
export type * from "./share-links.ts"

// Everything that is stored, as actions see it; one file for each noun. Rules that check and write are
// steps (../steps/step.ts), run by `transact`; each method here that writes is a transaction of its own. Whatever takes a `Change` adds
// its entry to the audit trail in the same transaction.

/** Everything that can be read, except secrets. Doors get only this, so that a door that writes does not compile. */
export interface StoreReads {
  readonly organizations: OrganizationReads
  readonly users: UserReads
  readonly linkClaims: LinkClaimReads
  readonly invitations: InvitationReads
  readonly sessions: SessionReads
  readonly twoFactor: TwoFactorReads
  readonly members: MemberReads
  readonly campaigns: CampaignReads
  readonly shareLinks: ShareLinkReads
  readonly deliveryHistory: DeliveryHistory
  readonly packageLines: PackageLines
  readonly deliveries: DeliveryReads
  readonly affiliates: AffiliateReads
  readonly ingestKeys: IngestKeyReads
  readonly agentKeys: AgentKeyReads
  readonly catalogue: CatalogueReads
  readonly importExport: ImportExportReads
  readonly audit: AuditReads
  readonly agentCallLog: AgentCallLogReads
  readonly refusals: RefusalReads
  readonly feedActivity: FeedActivityReads
  readonly affiliateFigures: AffiliateFigures
  readonly alerts: AlertReads
  readonly settings: SettingReads
  readonly uploads: UploadReads
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
  readonly agentCallLog: AgentCallLogWrites
  readonly refusals: RefusalWrites
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
