import type { Change } from "../../domain/people/audit.ts"
import type { Moment } from "../../domain/time/moment.ts"

export interface ShareLink {
  readonly id: number
  readonly label: string
  readonly createdAt: Moment
  readonly expiresAt: Moment
  readonly revokedAt: Moment | null
}

/** Links that show a seller's lines of one campaign to people without an account. */
export type ShareLinks = ShareLinkReads & ShareLinkWrites

export interface ShareLinkReads {
  /** The newest 100, newest first. */
  list(organizationId: number, campaignId: number): Promise<ShareLink[]>
  find(organizationId: number, campaignId: number, id: number): Promise<ShareLink | null>
  /** What the link with this token shows. Null when it was revoked, has expired or never existed. */
  findByToken(
    tokenHash: string,
    now: Moment,
  ): Promise<{ readonly organizationId: number; readonly campaign: string; readonly expiresAt: Moment } | null>
}

export interface ShareLinkWrites {
  create(link: NewShareLink, change: Change): Promise<void>
  /** False when the organization has no such link, or when it was revoked before. */
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
