import type { Change } from "../../domain/people/audit.ts"
import type { MemberRole, Organization } from "../../domain/people/organization.ts"
import type { LinkPurpose } from "../../domain/people/user.ts"
import type { Moment } from "../../domain/time/moment.ts"

// The part of the port that only people need: accounts, sessions and the links that open them.

/** What signing in is decided by. It never leaves the action that asks. */
export interface Credentials {
  readonly userId: number
  readonly email: string
  /** Null until the person has set a password. */
  readonly passwordHash: string | null
  /** Null without two-factor codes. */
  readonly totpSecret: string | null
}

/** A person with a session, and where this person belongs. */
export interface SignedIn {
  readonly userId: number
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly hasTotp: boolean
  readonly organizations: readonly (Organization & { readonly role: MemberRole })[]
}

export interface SessionRecord {
  readonly tokenHash: string
  readonly userId: number
  readonly createdAt: Moment
  readonly expiresAt: Moment
}

export type Sessions = SessionReads & SessionWrites

export interface SessionReads {
  credentials(email: string): Promise<Credentials | null>
  credentialsOf(userId: number): Promise<Credentials | null>
  /** Whose session this is. Null when it ended, expired or never was. */
  find(tokenHash: string, now: Moment): Promise<SignedIn | null>
}

export interface SessionWrites {
  /**
   * Opens a session, and ends the one of `previousHash`: whoever signs in anew never keeps an older token. False, and nothing
   * is opened, when the person is gone, or when the password is no longer the one of `passwordHash`, where that is given.
   */
  open(
    session: SessionRecord,
    how: { readonly previousHash: string | null; readonly passwordHash?: string | null },
  ): Promise<boolean>
  end(tokenHash: string): Promise<void>
  /** Ends every session of a person, but for the one of `keptHash`. */
  endAll(userId: number, keptHash: string | null, change: Change): Promise<void>
}

export type TwoFactor = TwoFactorReads & TwoFactorWrites

export interface TwoFactorReads {
  recoveryCodesLeft(userId: number): Promise<number>
}

export interface TwoFactorWrites {
  /** Turns codes on with a secret and the hashes of recovery codes, which replace earlier ones. */
  enable(userId: number, secret: string, recoveryHashes: readonly string[], change: Change): Promise<void>
  disable(userId: number, change: Change): Promise<void>
  /** Turns codes off for somebody who lost them, and ends all sessions of this person. False when they are off already. */
  reset(userId: number, change: Change): Promise<boolean>
  /** True when the recovery code was one of this person's and unused until now. */
  useRecoveryCode(userId: number, codeHash: string, change: Change): Promise<boolean>
  /** True unless a code of this time step or a later one was used before: a code that was seen is worth nothing. */
  useStep(userId: number, step: number): Promise<boolean>
}

/** What an unclaimed link is for: null user for the link that makes the first operator. */
export interface OpenLink {
  readonly user: { readonly id: number; readonly email: string; readonly name: string } | null
}

export type LinkClaims = LinkClaimReads & LinkClaimWrites

export interface LinkClaimReads {
  /** The link, if it is unclaimed and has not expired. */
  find(tokenHash: string, purpose: LinkPurpose, now: Moment): Promise<OpenLink | null>
  /** The person of a link that proves the first factor. It stays open: a mistyped code may be typed again. */
  secondFactor(tokenHash: string, now: Moment): Promise<Credentials | null>
}

export interface LinkClaimWrites {
  /** Makes the first operator. Null when the link does not work, or when there is an operator already. */
  claimSetup(tokenHash: string, operator: NewOperator, change: Change): Promise<{ readonly userId: number } | null>
  /** Sets the password and ends every session of the person. Null when the link does not work. */
  claimPassword(
    tokenHash: string,
    passwordHash: string,
    change: Change,
  ): Promise<{ readonly userId: number; readonly hasTotp: boolean } | null>
  /** Notes that the first factor was proven. False when the password was changed meanwhile. */
  askForCode(link: CodeLink, proven: Pick<Credentials, "userId" | "passwordHash">): Promise<boolean>
  close(tokenHash: string): Promise<void>
}

export interface CodeLink {
  readonly tokenHash: string
  readonly createdAt: Moment
  readonly expiresAt: Moment
}

export interface NewOperator {
  readonly email: string
  readonly name: string
  readonly passwordHash: string
}

export interface Member {
  readonly userId: number
  readonly email: string
  readonly name: string
  readonly role: MemberRole
  readonly hasPassword: boolean
}

/** The people of one organization. Whoever does not belong to it is not found here. */
export type Members = MemberReads & MemberWrites

export interface MemberReads {
  list(organizationId: number): Promise<Member[]>
  find(organizationId: number, userId: number): Promise<Member | null>
  /** How many organizations a person belongs to, and whether it is an operator: who may reset whose password depends on it. */
  standing(userId: number): Promise<{ readonly organizations: number; readonly isOperator: boolean }>
}

export interface MemberWrites {
  setRole(organizationId: number, userId: number, role: MemberRole, change: Change): Promise<MemberChange>
  /** Takes the person out of the organization; the account stays. */
  remove(organizationId: number, userId: number, change: Change): Promise<MemberChange>
}

export interface NewMember {
  readonly email: string
  readonly name: string
  readonly role: MemberRole
}

export interface Invitation extends NewMember {
  readonly id: number
  readonly createdAt: Moment
  readonly expiresAt: Moment
}

/** An invitation as its holder sees it. */
export interface OpenInvitation extends NewMember {
  readonly organization: Pick<Organization, "id" | "slug" | "name">
}

/** not theirs: the invitation is for another address. taken: the address has an account, which has to accept it. */
export type AcceptOutcome =
  | { readonly outcome: "joined"; readonly userId: number }
  | { readonly outcome: "none" | "not theirs" | "taken" }

export type Invitations = InvitationReads & InvitationWrites

export interface InvitationReads {
  list(organizationId: number): Promise<Invitation[]>
  find(tokenHash: string, now: Moment): Promise<OpenInvitation | null>
}

export interface InvitationWrites {
  /**
   * Keeps an invitation in the place of an earlier one of the same organization to the same address. False when the person
   * belongs to the organization already. Nothing else is looked at or changed.
   */
  issue(organizationId: number, invitation: NewMember & Omit<SessionRecord, "userId">, change: Change): Promise<boolean>
  withdraw(organizationId: number, id: number, change: Change): Promise<boolean>
  /** Somebody with an account joins. */
  accept(tokenHash: string, userId: number, change: Change): Promise<AcceptOutcome>
  /** Somebody without an account makes one and joins. */
  acceptAsNew(
    tokenHash: string,
    person: { readonly name: string; readonly passwordHash: string },
    change: Change,
  ): Promise<AcceptOutcome>
}

/** last admin: an organization that has an admin keeps one. */
export type MemberChange = "done" | "none" | "last admin"
