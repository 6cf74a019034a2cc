import type { Change } from "../../../domain/people/audit.ts"
import type { MemberRole } from "../../../domain/people/organization.ts"

export interface Member {
  readonly userId: number
  readonly email: string
  readonly name: string
  readonly role: MemberRole
  readonly hasPassword: boolean
}

/** The users of one organization. Users of other organizations are not found. */
export type Members = MemberReads & MemberWrites

export interface MemberReads {
  /** By name, then email address. */
  list(organizationId: number): Promise<Member[]>
  find(organizationId: number, userId: number): Promise<Member | null>
  /** How many organizations a user belongs to, and whether the user is an operator: this decides who may reset the password. */
  access(userId: number): Promise<{ readonly organizations: number; readonly isOperator: boolean }>
}

export interface MemberWrites {
  /** changed: somebody else changed the role since it was seen. */
  setRole(organizationId: number, userId: number, role: MemberRole, change: Change): Promise<MemberChange | "changed">
  /** Removes the user from the organization. The account stays. */
  remove(organizationId: number, userId: number, change: Change): Promise<MemberChange>
}

/** last admin: an organization with an admin keeps one. Nothing is written unless the outcome is "done". */
export type MemberChange = "done" | "not found" | "last admin"
