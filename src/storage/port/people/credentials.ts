import type { Moment } from "../../../domain/time/moment.ts"

/** The secrets that a sign-in is checked against. They never leave the action that reads them. */
export interface Credentials {
  readonly userId: number
  readonly email: string
  /** Null until the user has set a password. */
  readonly passwordHash: string | null
  /** Null without two-factor codes. */
  readonly totpSecret: string | null
}

export interface CredentialReads {
  findByEmail(email: string): Promise<Credentials | null>
  findByUserId(userId: number): Promise<Credentials | null>
  /**
   * The user of a sign-in that waits for its two-factor code (see `LinkClaimWrites.askForCode`). The link stays open, so that a
   * mistyped code can be entered again.
   */
  findByCodeLink(tokenHash: string, now: Moment): Promise<Credentials | null>
}
