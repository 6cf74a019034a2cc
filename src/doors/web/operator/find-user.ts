import type { User } from "../../../domain/people/user.ts"
import { type PersonVisit, param } from "../visit.ts"

/** The user that the path names. */
export async function findUser(visit: PersonVisit): Promise<User | null> {
  const id = param(visit, "user")
  return /^\d{1,15}$/.test(id) ? visit.context.store.users.findById(Number(id)) : null
}
