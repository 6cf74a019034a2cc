import type { Change } from "../../../domain/people/audit.ts"
import type { MemberRole } from "../../../domain/people/organization.ts"
import type { User } from "../../../domain/people/user.ts"

export type Users = UserReads & UserWrites

export interface UserReads {
  findByEmail(email: string): Promise<User | null>
  findById(id: number): Promise<User | null>
  /** By email address. */
  list(): Promise<User[]>
  /** The next `limit` users after an id (null: the first ones), by id, with only what a list is searched and sorted by. */
  heads(after: number | null, limit: number): Promise<UserHead[]>
  /** These users, by email address. */
  findByIds(ids: readonly number[]): Promise<User[]>
  hasOperator(): Promise<boolean>
}

/** A user without the memberships. */
export type UserHead = Pick<User, "id" | "email" | "name" | "isOperator" | "hasPassword" | "createdAt">

export interface UserWrites {
  /** Null when a user with this email address exists already. */
  create(user: NewUser, change: Change): Promise<User | null>
  /**
   * Also ends every session except the one of `keepTokenHash`, and deletes open password links and sign-ins that wait for a
   * two-factor code.
   */
  setPassword(
    userId: number,
    passwordHash: string,
    change: Change & { readonly keepTokenHash: string | null },
  ): Promise<void>
  /**
   * Replaces the name, the operator flag and all memberships. The last operator cannot stop being one, and neither can the last admin
   * of an organization: the answer then has its slug.
   */
  edit(userId: number, edited: UserEdit, change: Change): Promise<UserChange | { readonly lastAdminOf: string }>
  /**
   * Deletes the account with its sessions and memberships. The last operator cannot be deleted, and neither can the last admin of an
   * organization: the answer then has its slug.
   */
  remove(userId: number, change: Change): Promise<UserChange | { readonly lastAdminOf: string }>
}

export interface UserEdit {
  readonly name: string
  readonly isOperator: boolean
  readonly memberships: readonly { readonly organizationId: number; readonly role: MemberRole }[]
}

/** changed: the user is no longer as the editor saw it. Nothing is written unless the outcome is "done". */
export type UserChange = "done" | "not found" | "last operator" | "changed"

export interface NewUser {
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly passwordHash: string | null
  readonly membership: { readonly organizationId: number; readonly role: MemberRole } | null
}
