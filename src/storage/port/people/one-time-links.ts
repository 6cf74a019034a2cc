import type { Change } from "../../../domain/people/audit.ts"
import type { LinkPurpose } from "../../../domain/people/user.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { Credentials } from "./credentials.ts"

export interface OneTimeLink {
  readonly tokenHash: string
  readonly purpose: LinkPurpose
  /** Null for the link that creates the first operator. */
  readonly userId: number | null
  readonly createdAt: Moment
  readonly expiresAt: Moment
}

/** The user of an unclaimed link; null for the link that creates the first operator. */
export interface OpenLink {
  readonly user: { readonly id: number; readonly email: string; readonly name: string } | null
}

export type LinkClaims = LinkClaimReads & LinkClaimWrites

export interface LinkClaimReads {
  /** Null when the link was claimed, has expired or never existed. */
  find(tokenHash: string, purpose: LinkPurpose, now: Moment): Promise<OpenLink | null>
}

export interface LinkClaimWrites {
  /** Creates the first operator. Null when the link does not work, or when there is an operator already. */
  claimSetup(tokenHash: string, operator: NewOperator, change: Change): Promise<{ readonly userId: number } | null>
  /** Sets the password and ends every session of the user. Null when the link does not work. */
  claimPassword(
    tokenHash: string,
    passwordHash: string,
    change: Change,
  ): Promise<{ readonly userId: number; readonly hasTotp: boolean } | null>
  /**
   * Stores that the password was right, so that the two-factor code can follow; of each user only the newest such link works.
   * False when the password has changed since it was checked.
   */
  askForCode(link: CodeLink, proven: Pick<Credentials, "userId" | "passwordHash">): Promise<boolean>
  /** Deletes the link, whether or not it was claimed. */
  close(tokenHash: string): Promise<void>
}

/** Stands for a sign-in that waits for its two-factor code. */
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
