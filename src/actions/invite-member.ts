import type { Organization } from "../domain/organization.ts"
import { normalEmail } from "../domain/user.ts"
import type { NewMember } from "../storage/store.ts"
import type { Context } from "./context.ts"
import { issuePasswordLink } from "./issue-link.ts"

export type InviteOutcome =
  | { readonly outcome: "invited"; readonly link: string }
  /** The person has an account already, and signs in as always. */
  | { readonly outcome: "added" }
  | { readonly outcome: "member_already" }

/** Adds a person to an organization. Whoever is new gets a one-time link to choose a password. */
export async function inviteMember(
  context: Context,
  organization: Pick<Organization, "id">,
  person: NewMember,
  actor: string,
): Promise<InviteOutcome> {
  const change = { actor, at: context.clock() }
  const invited = { ...person, email: normalEmail(person.email) }
  const added = await context.store.members.add(organization.id, invited, change)
  if (added === null) return { outcome: "member_already" }
  if (!added.isNew) return { outcome: "added" }
  return { outcome: "invited", link: await issuePasswordLink(context, added.userId) }
}

/**
 * A fresh password link for a member. Null for whoever is not theirs alone: somebody who also belongs elsewhere, or an operator,
 * must not be taken over by one organization's admin.
 */
export async function resetMember(
  context: Context,
  organization: Pick<Organization, "id">,
  userId: number,
): Promise<string | null> {
  const member = await context.store.members.find(organization.id, userId)
  if (member === null) return null
  const { organizations, isOperator } = await context.store.members.standing(userId)
  return organizations > 1 || isOperator ? null : issuePasswordLink(context, userId)
}
