import type { Moment } from "../../domain/time/moment.ts"

export interface ShareLink {
  readonly id: number
  readonly label: string
  readonly createdAt: Moment
  readonly expiresAt: Moment
  readonly revokedAt: Moment | null
}

/** Links that show a seller's lines of one campaign to people without an account. */
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
