import type { MemberRole, Organization } from "../../../domain/people/organization.ts"
import type { SignInPlace } from "../../../domain/people/sign-in.ts"
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

export interface SessionReads {
  /** The user of a session. Null when the session was ended, has expired or never existed. */
  find(tokenHash: string, now: Moment): Promise<SignedIn | null>
  /** The open sessions of a user, the newest first; `isCurrent` marks the one of `currentHash`. */
  list(userId: number, now: Moment, currentHash: string | null): Promise<ListedSession[]>
}
