import type { Change } from "../../../domain/people/audit.ts"
import type { MemberRole, Organization } from "../../../domain/people/organization.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { SessionRecord } from "./sessions.ts"

export interface NewMember {
  readonly email: string
  readonly name: string
  readonly role: MemberRole
}

export interface NewAccount {
  readonly name: string
  readonly passwordHash: string
}

export interface Invitation extends NewMember {
  readonly id: number
  readonly createdAt: Moment
  readonly expiresAt: Moment
}

/** An invitation as the invited person sees it. */
export interface OpenInvitation extends NewMember {
  readonly organization: Pick<Organization, "id" | "slug" | "name">
}

/** other address: the invitation is for another email address. has account: the address has an account, which has to accept it. */
export type AcceptOutcome =
  | { readonly outcome: "joined"; readonly userId: number }
  | { readonly outcome: "not found" | "other address" | "has account" }

export type Invitations = InvitationReads & InvitationWrites

export interface InvitationReads {
  /** By email address. */
  list(organizationId: number): Promise<Invitation[]>
  /** Null when the invitation was accepted or withdrawn, has expired or never existed. */
  find(tokenHash: string, now: Moment): Promise<OpenInvitation | null>
}

export interface InvitationWrites {
  /**
   * Stores an invitation. It replaces an earlier one from the same organization to the same address. False when the person is a
   * member already. Whether the address has an account makes no difference, so that inviting reveals nothing about it.
   */
  issue(organizationId: number, invitation: NewMember & Omit<SessionRecord, "userId">, change: Change): Promise<boolean>
  /** False when the organization has no such invitation. */
  withdraw(organizationId: number, id: number, change: Change): Promise<boolean>
  /** A user with an account joins the organization. */
  accept(tokenHash: string, userId: number, change: Change): Promise<AcceptOutcome>
  /** A person without an account creates one and joins the organization. */
  acceptAsNew(tokenHash: string, account: NewAccount, change: Change): Promise<AcceptOutcome>
}
