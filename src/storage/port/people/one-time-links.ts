import type { LinkPurpose } from "../../../domain/people/user.ts"
import type { Moment } from "../../../domain/time/moment.ts"

/** The user of an unclaimed link; null for the link that creates the first operator. */
export interface OpenLink {
  readonly user: { readonly id: number; readonly email: string; readonly name: string } | null
}

export interface LinkClaimReads {
  /** Null when the link was claimed, has expired or never existed. */
  find(tokenHash: string, purpose: LinkPurpose, now: Moment): Promise<OpenLink | null>
}
