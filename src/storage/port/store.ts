import type { SignInThrottle } from "../../domain/people/sign-in.ts"
import type { sharedParts } from "../steps/shared-parts.ts"
import type { Steps } from "../steps/step.ts"
import type { Admissions, Leases } from "./admissions.ts"
import type { AffiliateReads, AffiliateWrites } from "./affiliates.ts"
import type { DeliveryReads, DeliveryWrites } from "./deliveries.ts"
import type { Health } from "./health.ts"

export type { ShareLink } from "../steps/campaigns.ts"
export type { OrganizationOverview, OrganizationTraits, SellerScope } from "../steps/organizations.ts"
export type { LineWithTotal } from "../steps/package-lines.ts"
export type { Order, OrderLink, Statement } from "../steps/sales.ts"
export type { Invitation, ListedSession, NewMember, OpenInvitation, SessionRecord, SignedIn } from "../steps/sign-in.ts"
export type { Member, UserHead } from "../steps/users.ts"
export type * from "./admissions.ts"
export type * from "./affiliates.ts"
export type * from "./campaigns.ts"
export type * from "./deliveries.ts"
export type * from "./health.ts"
export type * from "./keys.ts"
export type * from "./logs.ts"
export type * from "./settings.ts"

// Everything that is stored, as actions see it. What is the same on both engines is listed in ../steps/shared-parts.ts, and its types
// follow from there; the rest has a file for each noun. Rules that check and write are steps (../steps/step.ts), run by `transact`; each method here that writes is a transaction of its own. Whatever takes a `Change` adds
// its entry to the audit trail in the same transaction.

type Shared = ReturnType<typeof sharedParts>
export type FoundCalls = Awaited<ReturnType<Shared["agentCallLog"]["search"]>>

/** The methods that write, of parts that do both. */
interface Writing {
  ingestKeys: "noteUse"
  agentKeys: "noteUse"
  agentCallLog: "note" | "keepWithin" | "prune"
  refusals: "note" | "prune"
  feedActivity: "note" | "prune"
}
type Reading = { readonly [Part in keyof Writing]: Omit<Shared[Part], Writing[Part]> }
type Written = { readonly [Part in keyof Writing]: Pick<Shared[Part], Writing[Part] & keyof Shared[Part]> }
type Transactions = "transact" | "transactBeside" | "transactBulk" | "flushWriteBuffer"

/** Everything that can be read, except secrets. Doors get only this, so that a door that writes does not compile. */
export interface StoreReads
  extends Reading,
    Omit<Shared, Transactions | "query" | keyof Writing | "deliveries" | "catalogue" | "health"> {
  readonly deliveries: DeliveryReads
  readonly affiliates: AffiliateReads
  readonly catalogue: Shared["catalogue"] & {
    /** Increases with every change to products, formats and openings, also when another process makes it. */
    revision(): Promise<number>
  }
  readonly health: Health
}

/** Everything, password hashes and two-factor secrets too. Only actions read it, with `query`: a door that does so does not compile. */
export type StoreSecrets = Pick<Steps, "query">

/** Everything that can be written. Only actions get it, from `writesOf`. */
export interface StoreWrites extends Written, Pick<Shared, Transactions> {
  readonly deliveries: DeliveryWrites
  readonly affiliates: AffiliateWrites
  readonly admissions: Admissions
  readonly signInThrottle: SignInThrottle
  readonly leases: Leases
}

/** What an engine implements. */
export type Store = StoreReads & StoreSecrets & StoreWrites & AsyncDisposable

/** What the opener of a store holds: it can read and close it. */
export type OpenStore = StoreReads & AsyncDisposable
