import type { CatalogueContents, CatalogueEdit } from "../../domain/adcp/catalogue/catalogue-edit.ts"
import type { AffiliateCode } from "../../domain/affiliate/affiliate-code.ts"
import type { AffiliateMetric } from "../../domain/affiliate/affiliate-metric.ts"
import type { PacedLine } from "../../domain/campaign/pacing.ts"
import type { PackageId, PackageLine } from "../../domain/campaign/package-line.ts"
import type { DeliveryEffect, DeliverySource, DeliveryTotal } from "../../domain/delivery/delivery.ts"
import type { PlannedLine } from "../../domain/import/import-plan.ts"
import type { Opening } from "../../domain/keys/opening.ts"
import type { AuditEntry, Change } from "../../domain/people/audit.ts"
import type { MemberRole, Organization } from "../../domain/people/organization.ts"
import type { LinkPurpose, User } from "../../domain/people/user.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import type { Admissions } from "./admissions.ts"
import type { AffiliateFigures } from "./affiliate-figures.ts"
import type { AgentCallLogReads, AgentCallLogWrites, PageRequest } from "./call-log.ts"
import type { CampaignReads, CampaignWrites, DeliveryHistory } from "./campaigns.ts"
import type { ImportExportReads, ImportExportWrites } from "./import-export.ts"
import type { Leases } from "./leases.ts"
import type {
  InvitationReads,
  InvitationWrites,
  LinkClaimReads,
  LinkClaimWrites,
  MemberReads,
  MemberWrites,
  SessionReads,
  SessionWrites,
  TwoFactorReads,
  TwoFactorWrites,
} from "./people.ts"
import type { RefusalReads, RefusalWrites } from "./refusals.ts"
import type { ShareLinkReads, ShareLinkWrites } from "./share-links.ts"
import type { SignInThrottle } from "./sign-in-throttle.ts"

export type * from "./admissions.ts"
export type * from "./affiliate-figures.ts"
export type * from "./call-log.ts"
export type * from "./campaigns.ts"
export type * from "./import-export.ts"
export type * from "./leases.ts"
export type * from "./people.ts"
export type * from "./refusals.ts"
export type * from "./share-links.ts"
export type * from "./sign-in-throttle.ts"

// The memory of the installation, as actions see it. Methods are coarse: each is a whole step of an action, and what must be
// atomic is atomic inside it. No transaction is handed out, so nobody can hold a lock across an await.

/** What may be read. Doors are handed no more than this, so that a door that writes does not compile. */
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
  readonly affiliateFigures: AffiliateFigures
  readonly settings: SettingReads
  readonly health: HealthReads
}

/** What may be written. Actions get at it by `writesOf`, and nobody else does. */
export interface StoreWrites {
  readonly organizations: OrganizationWrites
  readonly users: UserWrites
  readonly oneTimeLinks: OneTimeLinks
  readonly linkClaims: LinkClaimWrites
  readonly invitations: InvitationWrites
  readonly sessions: SessionWrites
  readonly twoFactor: TwoFactorWrites
  readonly members: MemberWrites
  readonly campaigns: CampaignWrites
  readonly shareLinks: ShareLinkWrites
  readonly deliveries: DeliveryWrites
  readonly affiliates: AffiliateWrites
  readonly ingestKeys: IngestKeyWrites
  readonly agentKeys: AgentKeyWrites
  readonly catalogue: CatalogueWrites
  readonly importExport: ImportExportWrites
  readonly audit: AuditWrites
  readonly agentCallLog: AgentCallLogWrites
  readonly refusals: RefusalWrites
  readonly settings: SettingWrites
  readonly admissions: Admissions
  readonly signInThrottle: SignInThrottle
  readonly leases: Leases
  readonly health: HealthWrites
  /** Writes the small notes (when a key was last used) that wait for a commit to ride along with. */
  flushNotes(): Promise<void>
}

/** What an engine fills. */
export type Store = StoreReads & StoreWrites & AsyncDisposable

/** A store as whoever opens and closes it holds it. */
export type OpenStore = StoreReads & AsyncDisposable

export type Organizations = OrganizationReads & OrganizationWrites

export interface OrganizationReads {
  findBySlug(slug: string): Promise<Organization | null>
  list(): Promise<Organization[]>
  /** Every organization with what belongs to it, in figures. */
  overview(): Promise<OrganizationOverview[]>
}

export interface OrganizationWrites {
  /** Null when the slug is taken. */
  create(added: Omit<Organization, "id">, change: Change): Promise<Organization | null>
  /** Null when there is none of this slug. The slug itself stays: files and scripts name the organization by it. */
  edit(
    slug: string,
    edited: Pick<Organization, "name" | "timeZone">,
    change: Change,
  ): Promise<Organization | null | "changed">
}

export interface OrganizationOverview extends Organization {
  readonly members: number
  readonly activeKeys: number
  readonly linesSold: number
  readonly campaignsBought: number
}

export type Users = UserReads & UserWrites

export interface UserReads {
  findByEmail(email: string): Promise<User | null>
  findById(id: number): Promise<User | null>
  list(): Promise<User[]>
  hasOperator(): Promise<boolean>
}

export interface UserWrites {
  /** False when somebody with this address exists already. */
  create(user: NewUser, change: Change): Promise<User | null>
  /** Ends every session but for the one of `keptHash`, every link to set a password, and every sign-in that waits for its code. */
  setPassword(
    userId: number,
    passwordHash: string,
    change: Change & { readonly keptHash: string | null },
  ): Promise<void>
  /** Replaces name, operator's right and memberships. There is always an operator: the last one stays one. */
  edit(userId: number, edited: UserEdit, change: Change): Promise<UserChange>
  /** Takes the account away, and with it every session. The last operator stays. */
  remove(userId: number, change: Change): Promise<UserChange>
}

export interface UserEdit {
  readonly name: string
  readonly isOperator: boolean
  readonly memberships: readonly { readonly organizationId: number; readonly role: MemberRole }[]
}

export type UserChange = "done" | "none" | "last operator" | "changed"

export interface NewUser {
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly passwordHash: string | null
  readonly membership: { readonly organizationId: number; readonly role: MemberRole } | null
}

export interface OneTimeLinks {
  /** Keeps a fresh link; earlier unclaimed ones of the same purpose and person stop working. */
  issue(link: OneTimeLink, change: Change): Promise<void>
}

export interface OneTimeLink {
  readonly tokenHash: string
  readonly purpose: LinkPurpose
  readonly userId: number | null
  readonly createdAt: Moment
  readonly expiresAt: Moment
}

export interface PackageLines {
  /** Every line with its current total, or those that one organization sells; by campaign, then name. */
  listWithTotals(sellerId: number | null): Promise<LineWithTotal[]>
  /** One line of the seller, for an example; null when there is none. */
  example(sellerId: number): Promise<Pick<LineWithTotal, "packageId" | "pricingBasis"> | null>
  /** For each package the line with its current total, if this organization sells it; another's line and no line are both undefined. */
  findSold(sellerId: number, packageIds: readonly PackageId[]): Promise<(SoldLineWithTotal | undefined)[]>
}

/** A line with all that a report of it is judged and asked about by. */
export interface SoldLineWithTotal extends PacedLine {
  readonly lineId: number
  readonly packageId: PackageId
  readonly name: string
}

export interface LineWithTotal extends PlannedLine {
  /** Null before the first report. */
  readonly total: { readonly quantity: number; readonly asOf: Moment } | null
}

/** A line as its seller's reports are judged by. */
export interface SoldLine extends Pick<PackageLine, "pricingBasis" | "flightStart"> {
  readonly lineId: number
}

/** What a seller's rows are judged by: the organization's time zone and what was found for each, as it stood at one revision. */
export interface Terms<Found> {
  /** Whoever writes what was judged by these terms says so, and writes nothing if they have changed meanwhile. */
  readonly revision: number
  readonly timeZone: TimeZone
  readonly found: readonly (Found | undefined)[]
}

export type Deliveries = DeliveryReads & DeliveryWrites

export interface DeliveryReads {
  /** For each package the line, if this organization sells it; another's line and no line are both undefined. */
  linesSold(sellerId: number, packageIds: readonly PackageId[]): Promise<Terms<SoldLine>>
  /** What `keep` would say now. Writes nothing. */
  preview(totals: readonly ReportedTotal[]): Promise<DeliveryEffect[]>
}

export interface DeliveryWrites {
  /**
   * Keeps all totals in the history, makes the newest of each line current and says what each did. All or nothing.
   * Null, and nothing written, when the terms may have changed since the revision that the totals were judged at.
   */
  keep(totals: readonly ReportedTotal[], receipt: DeliveryReceipt, judgedAt: number): Promise<DeliveryEffect[] | null>
  /**
   * Like `keep` for totals of different lines, each judged by the total that stood before it: where another one stands by now, it
   * has moved and nothing is kept for that line.
   */
  keepUnlessMoved(
    totals: readonly PreviewedTotal[],
    receipt: DeliveryReceipt,
    judgedAt: number,
  ): Promise<(DeliveryEffect | "moved")[] | null>
}

export interface ReportedTotal extends DeliveryTotal {
  readonly lineId: number
}

/** A total, and the current total of its line by which it was judged; null before the first. */
export interface PreviewedTotal extends ReportedTotal {
  readonly before: DeliveryTotal | null
}

/** When reports came in, and through what. */
export interface DeliveryReceipt {
  readonly receivedAt: Moment
  readonly source: DeliverySource
}

export type Affiliates = AffiliateReads & AffiliateWrites

export interface AffiliateReads {
  /** For each code what it is here, if it belongs to a package that this organization sells. */
  codesSold(sellerId: number, codes: readonly string[]): Promise<Terms<SoldCode>>
}

export interface AffiliateWrites {
  /** Writes all rows in order or none; an absent slug leaves what is stored. False when the terms may have changed. */
  keepCodes(sellerId: number, rows: readonly CodeToKeep[], at: Moment, judgedAt: number): Promise<boolean>
  /** Writes all rows in order or none; absent figures leave what is stored, and a known day its line. False when the terms may have changed. */
  keepMetrics(rows: readonly MetricToKeep[], at: Moment, judgedAt: number): Promise<boolean>
}

export interface CodeToKeep extends Omit<AffiliateCode, "packageId"> {
  readonly lineId: number
}

/** A code, and the line that it points to: figures of days that are reported for the first time belong to that line. */
export interface SoldCode {
  readonly codeId: number
  readonly lineId: number
}

export interface MetricToKeep extends Omit<AffiliateMetric, "code">, SoldCode {}

export interface KeyRecord {
  readonly id: string
  readonly label: string
  readonly prefix: string
  readonly fingerprint: string
  readonly createdAt: Moment
}

export interface ListedKey {
  readonly id: string
  readonly label: string
  readonly prefix: string
  readonly createdAt: Moment
  readonly lastUsedAt: Moment | null
  readonly revokedAt: Moment | null
}

export interface ListedIngestKey extends ListedKey {
  readonly organization: string
}

/** What a change to the active key of an id or prefix came to. */
export type KeyChange =
  | { readonly outcome: "done"; readonly id: string; readonly label: string }
  | { readonly outcome: "none" }

export type IngestKeys = IngestKeyReads & IngestKeyWrites

export interface IngestKeyReads {
  list(organizationId: number | null): Promise<ListedIngestKey[]>
}

export interface IngestKeyWrites {
  create(key: KeyRecord, organizationId: number, change: Change): Promise<void>
  /** Revokes the active key of this id or prefix; with an owner, only if that organization owns it. */
  revoke(idOrPrefix: string, ownerId: number | null, change: Change): Promise<KeyChange>
  /** Notes that the key was used; written with the next commit, at the latest by `flushNotes`. */
  noteUse(id: string, at: Moment): void
}

export type AgentKeys = AgentKeyReads & AgentKeyWrites

export interface AgentKeyReads {
  list(): Promise<(ListedKey & { readonly openings: readonly Opening[] })[]>
}

export interface AgentKeyWrites {
  /** False when an active key has this label already. */
  create(key: KeyRecord, change: Change): Promise<boolean>
  revoke(idOrPrefix: string, change: Change): Promise<KeyChange>
  open(idOrPrefix: string, opening: Opening, change: Change): Promise<KeyChange | { readonly outcome: "no product" }>
  close(idOrPrefix: string, productId: string, change: Change): Promise<KeyChange | { readonly outcome: "not open" }>
  noteUse(id: string, at: Moment): void
  /** Opens and closes (no territories) what the changes say, unless the catalogue has changed since `seenAt`: false then. */
  arrange(changes: readonly OpeningChange[], seenAt: number, change: Change): Promise<boolean>
}

export interface OpeningChange extends Opening {
  readonly agentKeyId: string
}

export interface StoredProduct {
  readonly productId: string
  readonly body: unknown
}

/** A format of the operator's own; a null body hides the built-in format of that id. */
export interface StoredFormat {
  readonly formatId: string
  readonly body: unknown
}

export type Catalogue = CatalogueReads & CatalogueWrites

export interface CatalogueReads {
  /** Grows with every change to products, formats and openings, whichever process made it. */
  revision(): Promise<number>
  products(): Promise<StoredProduct[]>
  formats(): Promise<StoredFormat[]>
  openings(agentKeyId: string): Promise<Opening[]>
  /** Products and formats as they stand together, and the revision at which they do. */
  contents(): Promise<CatalogueContents & { readonly revision: number }>
  /** When a product or format was last saved; null before the first. */
  changedAt(): Promise<Moment | null>
}

export interface CatalogueWrites {
  /** Writes the edit, unless the catalogue has changed since the revision it was checked against: false then. */
  edit(edit: CatalogueEdit, checkedAt: number, change: Change): Promise<boolean>
}

export type Audit = AuditReads & AuditWrites

export interface AuditReads {
  /** Entries that fit, newest first; a long trail is looked through part by part, so that one may find nothing and go on. */
  list(filter: AuditFilter, page: PageRequest): Promise<FoundEntries>
  /** The actions that occur, to choose a filter from. */
  actions(): Promise<string[]>
}

export interface AuditWrites {
  /** Notes what changed nothing here and is worth knowing all the same: that somebody took a copy away. */
  note(action: string, subject: string, change: Change): Promise<void>
}

export interface FoundEntries {
  readonly entries: readonly ListedAuditEntry[]
  /** Where to go on; null when everything was looked through. */
  readonly before: number | null
}

export interface AuditFilter {
  readonly actor?: string
  readonly action?: string
  readonly organizationId?: number
  /** Some text of the subject or the details. */
  readonly text?: string
  readonly from?: Moment
  /** Up to, not including. */
  readonly until?: Moment
}

export interface ListedAuditEntry extends AuditEntry {
  readonly id: number
  /** The person's address, where the actor is a person who still has an account. */
  readonly email: string | null
  /** The organization's slug. */
  readonly organization: string | null
}

/** Small facts about the installation that outlive a restart. */
export type Settings = SettingReads & SettingWrites

export interface SettingReads {
  get(name: SettingName): Promise<string | null>
}

export interface SettingWrites {
  set(name: SettingName, value: string): Promise<void>
}

/**
 * address: where the server last listened, so that other commands can print links to it.
 * agent_address: where the sales agent did. last_backup: how the last scheduled backup went. served_with: the settings that the server was last started with.
 */
export type SettingName = "address" | "last_backup" | "served_with" | "agent_address"

/** How far a new installation has come: whether there is one of each. */
export interface SetUpProgress {
  readonly organization: boolean
  readonly line: boolean
  readonly ingestKey: boolean
  readonly delivery: boolean
  readonly product: boolean
  readonly agentKey: boolean
  readonly opening: boolean
}

/** How many there are. */
export interface Counts {
  readonly organizations: number
  readonly users: number
  readonly products: number
  /** Active keys that at least one product is opened to. */
  readonly keysThatSee: number
}

export type Health = HealthReads & HealthWrites

export interface HealthReads {
  /** Throws when the database cannot be read, or could not be written lately and still cannot. */
  ping(): Promise<void>
  /** Problems of the file, in words; empty when it is sound. */
  integrity(): Promise<string[]>
  /** How many lines have a current total that their history does not explain. */
  totalsBesideHistory(): Promise<number>
  /** The newest moment at which anything was received or changed; null when nothing was yet. */
  latestStamp(): Promise<Moment | null>
  schema(): Promise<{ readonly version: number; readonly expected: number }>
  sizeBytes(): Promise<number>
  setUp(): Promise<SetUpProgress>
  counts(): Promise<Counts>
  /** Versions of the engine, for people. */
  readonly engine: string
}

export interface HealthWrites {
  /** Writes something small. Throws when that cannot be done. */
  tryWriting(): Promise<void>
}
