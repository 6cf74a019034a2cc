import type { Change } from "../../domain/people/audit.ts"
import type { Moment } from "../../domain/time/moment.ts"

export interface ShareLink {
  readonly id: number
  readonly label: string
  readonly createdAt: Moment
  readonly expiresAt: Moment
  readonly revokedAt: Moment | null
}

/** Links with which a seller shows its lines of one campaign to somebody without an account. */
export type ShareLinks = ShareLinkReads & ShareLinkWrites

export interface ShareLinkReads {
  list(organizationId: number, campaignId: number): Promise<ShareLink[]>
  find(organizationId: number, campaignId: number, id: number): Promise<ShareLink | null>
  /** What a token opens. Null when it was revoked, has expired or never was. */
  open(
    tokenHash: string,
    now: Moment,
  ): Promise<{ readonly organizationId: number; readonly campaign: string; readonly expiresAt: Moment } | null>
}

export interface ShareLinkWrites {
  create(link: NewShareLink, change: Change): Promise<void>
  /** True when the organization's link worked until now. */
  revoke(organizationId: number, campaignId: number, id: number, change: Change): Promise<boolean>
}

export interface NewShareLink {
  readonly tokenHash: string
  readonly campaignId: number
  readonly organizationId: number
  readonly label: string
  readonly createdAt: Moment
  readonly expiresAt: Moment
}
