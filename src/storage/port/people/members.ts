import type { MemberRole } from "../../../domain/people/organization.ts"

export interface Member {
  readonly userId: number
  readonly email: string
  readonly name: string
  readonly role: MemberRole
  readonly hasPassword: boolean
}

/** The users of one organization. Users of other organizations are not found. */
export interface MemberReads {
  /** By name, then email address. */
  list(organizationId: number): Promise<Member[]>
  find(organizationId: number, userId: number): Promise<Member | null>
}
