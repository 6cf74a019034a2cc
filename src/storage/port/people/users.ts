import type { User } from "../../../domain/people/user.ts"

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
