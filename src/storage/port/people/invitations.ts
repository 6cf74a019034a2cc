import type { MemberRole, Organization } from "../../../domain/people/organization.ts"
import type { Moment } from "../../../domain/time/moment.ts"

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

/** An invitation as the invited person sees it. */
export interface OpenInvitation extends NewMember {
  readonly organization: Pick<Organization, "id" | "slug" | "name">
}

export interface InvitationReads {
  /** By email address. */
  list(organizationId: number): Promise<Invitation[]>
  /** Null when the invitation was accepted or withdrawn, has expired or never existed. */
  find(tokenHash: string, now: Moment): Promise<OpenInvitation | null>
}
