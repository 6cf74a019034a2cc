import type { MemberRole } from "../../domain/people/organization.ts"
import { normalEmail, type User } from "../../domain/people/user.ts"
import { type Context, writesOf } from "../context.ts"
import { issuePasswordLink } from "./one-time-links.ts"

export interface NewPerson {
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly membership: { readonly organizationId: number; readonly role: MemberRole } | null
  /** Null to create a one-time link instead. */
  readonly passwordHash: string | null
}

export interface CreatedUser {
  readonly user: User
  readonly passwordLink: string | null
}

/** Creates an account. Null when the address already has one. */
export async function createUser(context: Context, person: NewPerson, actor: string): Promise<CreatedUser | null> {
  const added = { ...person, email: normalEmail(person.email) }
  const user = await writesOf(context).users.create(added, { actor, at: context.clock() })
  if (user === null) return null
  return { user, passwordLink: person.passwordHash === null ? await issuePasswordLink(context, user.id, actor) : null }
}
