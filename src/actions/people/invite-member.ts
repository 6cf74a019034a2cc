import { hashToken } from "../../domain/keys/token.ts"
import type { Organization } from "../../domain/people/organization.ts"
import { normalEmail, PASSWORD_LINK_HOURS } from "../../domain/people/user.ts"
import type { NewMember } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"
import { newToken } from "../new-token.ts"
import { issuePasswordLink } from "./issue-link.ts"

const HOUR = 3_600_000_000

/**
 * Invites a person into an organization: a link with which whoever has the address joins. The same answer whether or not the
 * address has an account: the inviter learns nothing about a person, and what others issued stays as it is. Null when the person
 * belongs to the organization already.
 */
export async function inviteMember(
  context: Context,
  organization: Pick<Organization, "id">,
  person: NewMember,
  actor: string,
): Promise<string | null> {
  const token = newToken(context.random)
  const createdAt = context.clock()
  const invitation = {
    ...person,
    email: normalEmail(person.email),
    tokenHash: hashToken(token),
    createdAt,
    expiresAt: createdAt + PASSWORD_LINK_HOURS * HOUR,
  }
  const isIssued = await writesOf(context).invitations.issue(organization.id, invitation, { actor, at: createdAt })
  return isIssued ? `/app/invitation/${token}` : null
}

/** Takes an invitation back: its link stops working. False when there is no such invitation of this organization. */
export function withdrawInvitation(
  context: Context,
  organization: Pick<Organization, "id">,
  id: number,
  actor: string,
): Promise<boolean> {
  return writesOf(context).invitations.withdraw(organization.id, id, { actor, at: context.clock() })
}

/**
 * A fresh password link for a member. Null for whoever is not theirs alone: somebody who also belongs elsewhere, or an operator,
 * must not be taken over by one organization's admin.
 */
export async function resetMember(
  context: Context,
  organization: Pick<Organization, "id">,
  userId: number,
  actor: string,
): Promise<string | null> {
  const member = await context.store.members.find(organization.id, userId)
  if (member === null) return null
  const { organizations, isOperator } = await context.store.members.standing(userId)
  return organizations > 1 || isOperator ? null : issuePasswordLink(context, userId, actor)
}
