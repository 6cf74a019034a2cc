import type { Change } from "../../../domain/people/audit.ts"
import type { SignInPlace } from "../../../domain/people/device.ts"
import type { MemberRole, Organization } from "../../../domain/people/organization.ts"
import type { Moment } from "../../../domain/time/moment.ts"

/** A signed-in user and the user's organizations. */
export interface SignedIn {
  readonly userId: number
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly hasTotp: boolean
  readonly organizations: readonly (Organization & { readonly role: MemberRole })[]
  readonly session: Pick<SessionRecord, "createdAt" | "expiresAt">
}

export interface SessionRecord extends Partial<SignInPlace> {
  readonly tokenHash: string
  readonly userId: number
  readonly createdAt: Moment
  readonly expiresAt: Moment
}

export interface ListedSession extends SignInPlace {
  readonly id: number
  readonly createdAt: Moment
  readonly expiresAt: Moment
  readonly isCurrent: boolean
}

export type Sessions = SessionReads & SessionWrites

export interface SessionReads {
  /** The user of a session. Null when the session was ended, has expired or never existed. */
  find(tokenHash: string, now: Moment): Promise<SignedIn | null>
  /** The open sessions of a user, the newest first; `isCurrent` marks the one of `currentHash`. */
  list(userId: number, now: Moment, currentHash: string | null): Promise<ListedSession[]>
}

export interface SessionWrites {
  /**
   * Starts a session and ends the one of `previousHash`, so that a new sign-in never leaves an older token working. False, and
   * no session is started, when the user no longer exists, or when `passwordHash` is given and is no longer the stored one.
   */
  open(
    session: SessionRecord,
    how: { readonly previousHash: string | null; readonly passwordHash?: string | null },
  ): Promise<boolean>
  /** Lets a session that is still open end later. */
  extend(tokenHash: string, until: Moment, now: Moment): Promise<void>
  end(tokenHash: string): Promise<void>
  /** Ends one session of a user. False when the user has no such session. */
  endOne(userId: number, sessionId: number, change: Change): Promise<boolean>
  /** Ends every session of a user except the one of `keepTokenHash`, and deletes sign-ins that wait for a two-factor code. */
  endAll(userId: number, keepTokenHash: string | null, change: Change): Promise<void>
}
